#if CommandLine && Server
    import Synchronization

    @testable import GannetServer
    @testable import gannet

    /// Gives the answers that a test wrote down, and counts what was asked. After the last answer the last one is repeated.
    final class ScriptedLeases: ResponseLeases {
        struct Calls {
            var begins = 0
            var renewals = 0
            var looks = 0
            var ended: [ResponseLease] = []
        }

        private let outcomes: [LeaseOutcome]
        private let states: [LeaseState?]
        private let renews: Bool
        private let state = Mutex(Calls())

        init(_ outcomes: [LeaseOutcome], states: [LeaseState?] = [nil], renews: Bool = true) {
            (self.outcomes, self.states, self.renews) = (outcomes, states, renews)
        }

        var calls: Calls { state.withLock { $0 } }

        func begin(_ key: ResponseKey) async -> LeaseOutcome {
            state.withLock { state in
                state.begins += 1
                return outcomes[min(state.begins, outcomes.count) - 1]
            }
        }

        func renew(_ lease: ResponseLease, of key: ResponseKey) async -> Bool {
            state.withLock { $0.renewals += 1 }
            return renews
        }

        func end(_ lease: ResponseLease, of key: ResponseKey) async { state.withLock { $0.ended.append(lease) } }

        func look(at key: ResponseKey) async -> LeaseState? {
            state.withLock { state in
                state.looks += 1
                return states[min(state.looks, states.count) - 1]
            }
        }
    }
#endif
