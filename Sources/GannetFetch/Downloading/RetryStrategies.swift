public import GannetCore
package import GannetPlatform

/// Retries after failures that may be temporary. - Kingfisher: DelayRetryStrategy
public struct DelayRetryStrategy: RetryStrategy {
    /// The delay before the next attempt.
    public enum Interval: Sendable {
        /// Constant.
        case seconds(Double)
        /// Grows by the step each time: 1, 2, 3 …
        case accumulated(Double)
        /// Doubles each time, up to a limit.
        case exponential(first: Double, maximum: Double)
        /// A function from the number of retries so far to seconds.
        case custom(@Sendable (Int) -> Double)
    }

    /// Retries after the first attempt.
    public var maximumCount: Int
    /// Ignored if the server sends `Retry-After`, which then applies without ``jitter``.
    public var interval: Interval
    /// Random reduction of the delay, 0 … 1, so that many clients do not retry at once.
    public var jitter: Double
    /// Longest accepted `Retry-After`; a longer one gives up.
    public var maximumRetryAfter: Duration
    private let random: any RandomSource

    /// Three retries, three seconds apart, without jitter. `jitter` is clamped to 0 … 1; NaN counts as 0.
    public init(
        maximumCount: Int = 3, interval: Interval = .seconds(3), jitter: Double = 0, maximumRetryAfter: Duration = .seconds(60)
    ) {
        self.init(
            maximumCount: maximumCount, interval: interval, jitter: jitter, maximumRetryAfter: maximumRetryAfter,
            random: SystemRandomSource())
    }

    package init(
        maximumCount: Int = 3, interval: Interval = .seconds(3), jitter: Double = 0, maximumRetryAfter: Duration = .seconds(60),
        random: any RandomSource
    ) {
        self.maximumCount = maximumCount
        self.interval = interval
        self.jitter = jitter > 0 ? min(jitter, 1) : 0
        self.maximumRetryAfter = maximumRetryAfter
        self.random = random
    }

    /// Nil with a custom interval.
    public var identifier: String? {
        if case .custom = interval { return nil }
        return "delay(\(maximumCount),\(interval),\(jitter),\(maximumRetryAfter))"
    }

    public func delay(before attempt: Int, after error: ImageError) async -> Duration? {
        let retries = attempt - 1
        guard retries >= 1, retries <= maximumCount, Self.mayPass(error) else { return nil }
        if let wanted = error.retryAfter { return wanted <= maximumRetryAfter ? max(wanted, .zero) : nil }
        let seconds: Double =
            switch interval {
            case .seconds(let value): value
            case .accumulated(let step): step * Double(retries)
            case .exponential(let first, let maximum): min(first * Double(1 << min(retries - 1, 30)), maximum)
            case .custom(let function): function(retries)
            }
        guard seconds.isFinite else { return nil }
        let unit = Double(random.next() >> 11) / Double(1 << 53)
        return .milliseconds(Int64(min(max(seconds, 0), 1e9) * 1000 * (1 - jitter * unit)))
    }

    /// Network failures, and statuses that mean "later".
    public static func mayPass(_ error: ImageError) -> Bool {
        switch error.code {
        case .network, .hostNotFound, .connectionFailed, .timedOut: true
        case .httpStatus: [408, 425, 429, 500, 502, 503, 504].contains(error.httpStatus ?? 0)
        default: false
        }
    }
}

/// Retries as soon as a network is available, perhaps at once. - Kingfisher: NetworkRetryStrategy
///
/// Only for failures to reach the server. An error response has already come through a network; use ``DelayRetryStrategy`` for
/// those.
public struct NetworkRetryStrategy: RetryStrategy {
    /// How long to wait for the network; nil: as long as the load has waiters.
    public var timeout: Duration?
    /// Retries after the first attempt, so that loads from an unreachable host end.
    public var maximumCount: Int
    private let monitor: any NetworkMonitor
    private let time: any TimeSource

    /// Waits at most 30 s for a network, three times in a load. `timeout` nil waits without limit. A network is available with a
    /// route that leads out of this machine, by the kernel's tables, which are read once a second while a load waits.
    public init(timeout: Duration? = .seconds(30), maximumCount: Int = 3) {
        self.init(monitor: RouteMonitor(), timeout: timeout, maximumCount: maximumCount)
    }

    package init(
        monitor: any NetworkMonitor, timeout: Duration? = .seconds(30), maximumCount: Int = 3,
        time: any TimeSource = SystemTimeSource()
    ) {
        self.monitor = monitor
        self.timeout = timeout
        self.maximumCount = maximumCount
        self.time = time
    }

    public var identifier: String? {
        let route = (monitor as? RouteMonitor).map { "route(\($0.interval),\($0.proc))" }
        guard let watched = route ?? objectIdentity(monitor) else { return nil }
        return "network(\(maximumCount),\(timeout.map { "\($0)" } ?? "-"),\(watched))"
    }

    public func delay(before attempt: Int, after error: ImageError) async -> Duration? {
        guard attempt > 1, attempt - 1 <= maximumCount, Self.mayPass(error) else { return nil }
        if await monitor.isConnected() { return .zero }
        return await comesBack() ? .zero : nil
    }

    /// Whether the server was not reached, or the connection broke.
    public static func mayPass(_ error: ImageError) -> Bool {
        [.network, .hostNotFound, .connectionFailed, .timedOut].contains(error.code)
    }

    private func comesBack() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { [monitor] in
                do throws(ImageError) { try await monitor.waitUntilConnected() } catch { return false }
                return true
            }
            if let timeout {
                group.addTask { [time] in
                    try? await time.sleep(for: timeout)
                    return false
                }
            }
            let isBack = await group.next() ?? false
            group.cancelAll()
            return isBack
        }
    }
}
