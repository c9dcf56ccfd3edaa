package import GannetCore
package import GannetPlatform
import Synchronization

/// Guards the requests to one server: refuses them after failures, counts the failures, and reports when the server fails
/// and when it is back.
package final class CircuitBreaker: Sendable {
    private struct State {
        var breaker: CircuitBreakerState
        /// The failure was reported.
        var isReported = false
    }

    /// Its name in messages, without secrets.
    let server: String
    private let tally: RemoteTally
    private let time: any TimeSource
    private let report: @Sendable (String) -> Void
    private let state: Mutex<State>

    package init(
        _ tally: RemoteTally, server: String, breaker: CircuitBreakerState, time: any TimeSource,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.tally, self.server, self.time, self.report) = (tally, server, time, report)
        state = Mutex(State(breaker: breaker))
    }

    /// Open, or half open.
    package var isOpen: Bool { state.withLock { $0.breaker.isOpen } }

    /// Nil: the breaker is open.
    package func begin() -> CircuitBreakerState.Attempt? {
        let now = time.uptime
        return state.withLock { $0.breaker.begin(at: now) }
    }

    /// A slow reply counts as a failure, although it is used: later ones would keep requests waiting.
    package func succeeded(_ attempt: CircuitBreakerState.Attempt) {
        let now = time.uptime
        let slow = state.withLock { $0.breaker.isTooLate(attempt, at: now) ? $0.breaker.slow : nil }
        if let slow { return failed(attempt, "Its answers take more than \(slow.wholeMilliseconds) ms.") }
        let isBack = state.withLock { state in
            state.breaker.succeeded(attempt)
            guard state.isReported, !state.breaker.isOpen else { return false }
            state.isReported = false
            return true
        }
        if isBack { report("\(server) answers again.") }
    }

    /// A cancelled request says nothing of the server.
    package func failed(_ attempt: CircuitBreakerState.Attempt, _ error: ImageError) {
        guard error.code == .cancelled else { return failed(attempt, error.message) }
        let now = time.uptime
        state.withLock { $0.breaker.gaveUp(attempt, at: now) }
    }

    /// `reportsAtOnce`: not only when the breaker opens.
    package func failed(_ attempt: CircuitBreakerState.Attempt, _ reason: String, reportsAtOnce: Bool = false) {
        let now = time.uptime
        tally.count { $0.failures += 1 }
        let isGone = state.withLock { state in
            state.breaker.failed(attempt, at: now)
            guard !state.isReported, reportsAtOnce || state.breaker.isOpen else { return false }
            state.isReported = true
            return true
        }
        if isGone { report("\(server) cannot be used: \(reason) All works without it, and it is tried again.") }
    }
}
