/// The states of a circuit breaker. Several failures in a row open it for a while; then one attempt closes it, or opens it for
/// twice as long. A value without a clock: every call passes the time.
package struct CircuitBreakerState: Equatable, Sendable {
    /// Permission for one request, to be handed back with its outcome.
    package struct Attempt: Equatable, Sendable {
        fileprivate let period: UInt64
        fileprivate let start: Duration
    }

    private enum State: Equatable {
        /// Every request may be sent; failures in a row so far.
        case closed(failures: Int)
        /// None may.
        case open(until: Duration, pause: Duration)
        /// One may, and was sent at this time.
        case halfOpen(since: Duration, pause: Duration)
    }

    /// The number of failures in a row that opens it.
    let threshold: Int
    let firstPause: Duration
    let longestPause: Duration
    /// A reply that takes longer counts as a failure; nil: no reply is too slow.
    let slow: Duration?
    private var state = State.closed(failures: 0)
    /// Grows with each change of the state: attempts of earlier periods decide nothing.
    private var period: UInt64 = 0

    package init(
        threshold: Int = 3, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(30), slow: Duration? = nil
    ) {
        (self.threshold, self.firstPause, self.longestPause, self.slow) = (threshold, firstPause, longestPause, slow)
    }

    /// Open, or half open.
    var isOpen: Bool {
        if case .closed = state { return false }
        return true
    }

    /// Nil: not now. Every attempt ends with ``succeeded(_:)``, ``failed(_:at:)`` or ``gaveUp(_:at:)``; one that never does is
    /// forgotten after the longest pause.
    mutating func begin(at now: Duration) -> Attempt? {
        switch state {
        case .closed: break
        case .open(let until, let pause):
            guard now >= until else { return nil }
            change(to: .halfOpen(since: now, pause: pause))
        case .halfOpen(let since, let pause):
            guard now >= since + longestPause else { return nil }
            change(to: .halfOpen(since: now, pause: pause))
        }
        return Attempt(period: period, start: now)
    }

    /// Whether a reply that came now is too slow: ``failed(_:at:)`` is called instead of ``succeeded(_:)``.
    func isTooLate(_ attempt: Attempt, at now: Duration) -> Bool { slow.map { now - attempt.start > $0 } ?? false }

    mutating func succeeded(_ attempt: Attempt) {
        guard attempt.period == period else { return }
        if case .halfOpen = state { change(to: .closed(failures: 0)) } else { state = .closed(failures: 0) }
    }

    mutating func failed(_ attempt: Attempt, at now: Duration) {
        guard attempt.period == period else { return }
        switch state {
        case .closed(let failures) where failures + 1 < threshold: state = .closed(failures: failures + 1)
        case .closed: change(to: .open(until: now + firstPause, pause: firstPause))
        case .halfOpen(_, let pause):
            let longer = min(pause * 2, longestPause)
            change(to: .open(until: now + longer, pause: longer))
        // An attempt of this period does not exist.
        case .open: break
        }
    }

    /// Nothing is known of the server. The next request may try it.
    mutating func gaveUp(_ attempt: Attempt, at now: Duration) {
        guard attempt.period == period, case .halfOpen(_, let pause) = state else { return }
        change(to: .open(until: now, pause: pause))
    }

    private mutating func change(to new: State) {
        state = new
        period += 1
    }
}
