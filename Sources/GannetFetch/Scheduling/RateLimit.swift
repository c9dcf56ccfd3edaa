import GannetCore

/// Lets `count` requests begin per `interval` on average, evenly spread. After a pause, the requests that did not begin during
/// it, at most `count`, may begin at once.
package struct RateLimit: Hashable, Sendable {
    /// Requests in one ``interval``, at least 1.
    package var count: Int
    /// The time over which ``count`` requests are spread.
    package var interval: Duration

    /// `count` per second unless another interval is given; less than 1 counts as 1.
    package init(count: Int, interval: Duration = .seconds(1)) {
        self.count = max(count, 1)
        self.interval = interval
    }
}

/// A token bucket that fills at a steady rate. Pure.
package struct RateLimiter: Sendable {
    package let limit: RateLimit
    private var tokens: Double
    private var last: Duration?

    package init(_ limit: RateLimit) {
        self.limit = limit
        tokens = Double(limit.count)
    }

    /// Zero if a request may begin now (it is then counted), else the time to wait before the next attempt.
    package mutating func reserve(now: Duration) -> Duration {
        let interval = max(limit.interval.seconds, 1e-9)
        let rate = Double(limit.count) / interval
        if let last { tokens = min(Double(limit.count), tokens + max((now - last).seconds, 0) * rate) }
        last = now
        if tokens >= 1 {
            tokens -= 1
            return .zero
        }
        // At most about a year at a time, so that the number fits.
        return .nanoseconds(Int64(min((1 - tokens) / rate * 1e9, 3.2e16).rounded(.up)) + 1)
    }
}
