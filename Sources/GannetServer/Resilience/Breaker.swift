#if Server
    /// Decides whether a server is asked. After several failures in a row it is left alone for a while; then one attempt
    /// decides whether the while ends, or doubles. A value without a clock: every call says what time it is.
    struct Breaker: Equatable, Sendable {
        /// Permission to ask, to be handed back with what came of it.
        struct Attempt: Equatable, Sendable {
            fileprivate let period: UInt64
            fileprivate let start: Duration
        }

        private enum State: Equatable {
            /// Everybody may ask; failures in a row so far.
            case closed(failures: Int)
            /// Nobody may.
            case open(until: Duration, pause: Duration)
            /// One may, and has since then.
            case trying(since: Duration, pause: Duration)
        }

        /// So many failures in a row open it.
        let threshold: Int
        let firstPause: Duration
        let longestPause: Duration
        /// An answer that takes longer is of no use, and counts as a failure; nil: every answer is one.
        let slow: Duration?
        private var state = State.closed(failures: 0)
        /// Grows with each change of the state, so that what began before it decides nothing after it.
        private var period: UInt64 = 0

        init(
            threshold: Int = 3, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(30), slow: Duration? = nil
        ) {
            (self.threshold, self.firstPause, self.longestPause, self.slow) = (threshold, firstPause, longestPause, slow)
        }

        /// The server is left alone, or only tried.
        var isOpen: Bool {
            if case .closed = state { return false }
            return true
        }

        /// Nil: not now. Every attempt ends with ``succeeded(_:)`` ``failed(_:at:)`` or ``gaveUp(_:at:)``; one that never does is forgotten after
        /// the longest pause.
        mutating func begin(at now: Duration) -> Attempt? {
            switch state {
            case .closed: break
            case .open(let until, let pause):
                guard now >= until else { return nil }
                change(to: .trying(since: now, pause: pause))
            case .trying(let since, let pause):
                guard now >= since + longestPause else { return nil }
                change(to: .trying(since: now, pause: pause))
            }
            return Attempt(period: period, start: now)
        }

        /// Whether what came of it now came too late: ``failed(_:at:)`` instead of ``succeeded(_:)``.
        func isTooLate(_ attempt: Attempt, at now: Duration) -> Bool { slow.map { now - attempt.start > $0 } ?? false }

        mutating func succeeded(_ attempt: Attempt) {
            guard attempt.period == period else { return }
            if case .trying = state { change(to: .closed(failures: 0)) } else { state = .closed(failures: 0) }
        }

        mutating func failed(_ attempt: Attempt, at now: Duration) {
            guard attempt.period == period else { return }
            switch state {
            case .closed(let failures) where failures + 1 < threshold: state = .closed(failures: failures + 1)
            case .closed: change(to: .open(until: now + firstPause, pause: firstPause))
            case .trying(_, let pause):
                let longer = min(pause * 2, longestPause)
                change(to: .open(until: now + longer, pause: longer))
            // An attempt of this period does not exist.
            case .open: break
            }
        }

        /// Nothing is known of the server, and the next one may try it.
        mutating func gaveUp(_ attempt: Attempt, at now: Duration) {
            guard attempt.period == period, case .trying(_, let pause) = state else { return }
            change(to: .open(until: now, pause: pause))
        }

        private mutating func change(to new: State) {
            state = new
            period += 1
        }
    }
#endif
