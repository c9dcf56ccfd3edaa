#if Server
    import GannetCore
    import Synchronization

    /// Counts running and waiting requests, in total and for each of their parties. A host that never responds, and a client that
    /// sends requests without end, leave room for the others.
    struct AdmissionControlState: Sendable {
        typealias Party = AdmissionControl.Party

        private let maximum: Int
        private(set) var total = 0
        /// All that ever began.
        private(set) var begun = 0
        private var ofParty: [Party: Int] = [:]

        init(maximum: Int) { self.maximum = maximum }

        /// Nil: refused, and nothing is counted. A party may have as many as it leaves free: half of all while it is
        /// alone, a third beside an equally busy one. Its first requests precede the later ones of other parties.
        mutating func begin(_ parties: [Party]) -> LoadPriority? {
            let own = parties.map { ofParty[$0, default: 0] }
            guard total < maximum, own.allSatisfy({ $0 < maximum - total }) else { return nil }
            total += 1
            begun += 1
            for party in parties { ofParty[party, default: 0] += 1 }
            return Self.priority(behind: own)
        }

        /// The priority of a request whose parties have this many already. Parties with few requests come first: only two requests of
        /// a busy one compete with the first ones of others. A busy client of an idle host, or the reverse, is in between.
        private static func priority(behind own: [Int]) -> LoadPriority {
            let levels = own.map { $0 < 2 ? 0 : $0 < 8 ? 1 : 2 }
            switch levels.reduce(0, +) * 2 / max(levels.count, 1) {
            case 0: return .high
            case 1...2: return .normal
            case 3: return .low
            default: return .veryLow
            }
        }

        /// Ends a request that was begun.
        mutating func end(_ parties: [Party]) {
            total -= 1
            for party in parties {
                let rest = ofParty[party, default: 1] - 1
                ofParty[party] = rest == 0 ? nil : rest
            }
        }
    }

    /// Admits requests up to a maximum, with a fair share for each party.
    final class AdmissionControl: Sendable {
        /// Has a share of the requests that are admitted.
        enum Party: Hashable, Sendable {
            /// The host of the source.
            case host(String)
            /// As ``ClientShare`` names it.
            case client(String)
        }

        private let running: Mutex<AdmissionControlState>
        private let memory: MemoryGuard?

        /// `memory`: what its requests need; nil: they need next to none.
        init(maximum: Int, memory: MemoryGuard? = nil) {
            running = Mutex(AdmissionControlState(maximum: maximum))
            self.memory = memory
        }

        /// The number of requests that are admitted and have not ended.
        var count: Int { running.withLock { $0.total } }
        /// All that were ever admitted.
        var begun: Int { running.withLock { $0.begun } }

        /// Throws `cancelled`, with a message for the client, if the request is refused.
        func run<R>(
            _ parties: [AdmissionControl.Party], _ body: (LoadPriority) async throws(ImageError) -> R
        ) async throws(ImageError) -> R {
            try memory?.admit()
            guard let priority = running.withLock({ $0.begin(parties) }) else {
                var error = ImageError(.cancelled, stage: .resolve, "There is too much to do; try again.")
                error.retryAfter = .seconds(1)
                throw error
            }
            defer { running.withLock { $0.end(parties) } }
            return try await body(priority)
        }
    }
#endif
