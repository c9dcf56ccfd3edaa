import GannetCore

/// `count` requests begin in each `interval` on average, evenly spread; after a rest as many as were not begun in it, at most `count`,
/// begin at once.
public struct RateLimit: Hashable, Sendable {
    /// Requests in one ``interval``, at least 1.
    public var count: Int
    /// The time that ``count`` requests are spread over.
    public var interval: Duration

    /// `count` in each second unless another time is given; less than 1 counts as 1.
    public init(count: Int, interval: Duration = .seconds(1)) {
        self.count = max(count, 1)
        self.interval = interval
    }
}

/// A bucket of tokens that fills at a steady rate. Pure.
package struct RateLimiter: Sendable {
    package let limit: RateLimit
    private var tokens: Double
    private var last: Duration?

    package init(_ limit: RateLimit) {
        self.limit = limit
        tokens = Double(limit.count)
    }

    /// Zero if one may begin now (and it is then counted), else how long to wait before asking again.
    package mutating func reserve(now: Duration) -> Duration {
        let interval = max(limit.interval.seconds, 1e-9)
        let rate = Double(limit.count) / interval
        if let last { tokens = min(Double(limit.count), tokens + max((now - last).seconds, 0) * rate) }
        last = now
        if tokens >= 1 {
            tokens -= 1
            return .zero
        }
        // Asked again then; a year at a time is in the range of the number.
        return .nanoseconds(Int64(min((1 - tokens) / rate * 1e9, 3.2e16).rounded(.up)) + 1)
    }
}
