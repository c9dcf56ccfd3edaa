#if Server
    import GannetCore
    import GannetPlatform
    import Synchronization

    /// Counts what a shared store does, for `/metrics`.
    struct SharedCounts: Equatable, Sendable {
        var hits = 0
        var misses = 0
        /// Entries that were put there.
        var stored = 0
        /// Answers that were not put there, because a newer one was.
        var outdated = 0
        /// Entries that were not put there, because too many waited.
        var dropped = 0
        /// Questions that were not asked, because too many waited.
        var skipped = 0
        /// Leases that this replica had.
        var leases = 0
        /// Questions that failed; not those that were not asked.
        var failures = 0
        /// The store, or a node of it, is left alone, or only tried.
        var isOpen = false
    }

    /// The counts of one store, whose nodes add to them.
    final class SharedTally: Sendable {
        /// As it is called in metrics: `redis`, `s3`.
        let name: String
        private let state = Mutex(SharedCounts())

        init(name: String) { self.name = name }

        func count(_ change: (inout SharedCounts) -> Void) { state.withLock { change(&$0) } }

        func counts(isOpen: Bool) -> SharedCounts {
            var counts = state.withLock { $0 }
            counts.isOpen = isOpen
            return counts
        }
    }

    /// Stands before a server: decides whether it is asked, counts its failures, and tells the operator when it goes and comes
    /// back.
    final class SharedWatch: Sendable {
        private struct State {
            var breaker: Breaker
            /// The operator knows that it is gone.
            var isReported = false
        }

        /// As it is called in messages, without secrets.
        let place: String
        private let tally: SharedTally
        private let time: any TimeSource
        private let report: @Sendable (String) -> Void
        private let state: Mutex<State>

        init(
            _ tally: SharedTally, place: String, breaker: Breaker, time: any TimeSource,
            report: @escaping @Sendable (String) -> Void
        ) {
            (self.tally, self.place, self.time, self.report) = (tally, place, time, report)
            state = Mutex(State(breaker: breaker))
        }

        /// It is left alone, or only tried.
        var isOpen: Bool { state.withLock { $0.breaker.isOpen } }

        /// Nil: the server is left alone.
        func begin() -> Breaker.Attempt? {
            let now = time.uptime
            return state.withLock { $0.breaker.begin(at: now) }
        }

        /// An answer that came too late counts as a failure, although it can be used: the next ones would keep others waiting.
        func succeeded(_ attempt: Breaker.Attempt) {
            let now = time.uptime
            let slow = state.withLock { $0.breaker.isTooLate(attempt, at: now) ? $0.breaker.slow : nil }
            if let slow { return failed(attempt, "Its answers take more than \(slow.wholeMilliseconds) ms.") }
            let isBack = state.withLock { state in
                state.breaker.succeeded(attempt)
                guard state.isReported, !state.breaker.isOpen else { return false }
                state.isReported = false
                return true
            }
            if isBack { report("\(place) answers again.") }
        }

        /// A caller that left says nothing of the server.
        func failed(_ attempt: Breaker.Attempt, _ error: ImageError) {
            guard error.code == .cancelled else { return failed(attempt, error.message) }
            let now = time.uptime
            state.withLock { $0.breaker.gaveUp(attempt, at: now) }
        }

        /// `isTold`: at once, and not only when the server is left alone.
        func failed(_ attempt: Breaker.Attempt, _ reason: String, isTold: Bool = false) {
            let now = time.uptime
            tally.count { $0.failures += 1 }
            let isGone = state.withLock { state in
                state.breaker.failed(attempt, at: now)
                guard !state.isReported, isTold || state.breaker.isOpen else { return false }
                state.isReported = true
                return true
            }
            if isGone { report("\(place) cannot be used: \(reason) All works without it, and it is tried again.") }
        }
    }
#endif
