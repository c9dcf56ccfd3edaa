/// How long a transfer may take. Each deadline includes the body. Another attempt of a ``RetryStrategy`` starts again from zero.
public struct LoadDeadlines: Hashable, Sendable {
    /// Default 10 s.
    public var connect: Duration
    /// The longest wait without a single byte, default 15 s.
    public var idle: Duration
    /// From the first call to the last byte, including redirects and authentication, default 60 s. Does not include waiting for a
    /// slot or for a person to enter a password.
    public var total: Duration
    /// A body that brings fewer bytes a second, on average over ten seconds, throws `timedOut`. Default 256; nil: as slowly as
    /// ``total`` allows. - curl: --speed-limit
    public var minimumBytesPerSecond: Int? {
        get { lowestRate?.bytesPerSecond }
        set { lowestRate = newValue.map { LowestRate(bytesPerSecond: $0, over: LowestRate.standard.interval) } }
    }
    package var lowestRate: LowestRate?

    /// All parameters have defaults and can be set separately.
    public init(
        connect: Duration = .seconds(10), idle: Duration = .seconds(15), total: Duration = .seconds(60),
        minimumBytesPerSecond: Int? = 256
    ) {
        self.init(connect: connect, idle: idle, total: total, lowestRate: nil)
        self.minimumBytesPerSecond = minimumBytesPerSecond
    }

    package init(
        connect: Duration = .seconds(10), idle: Duration = .seconds(15), total: Duration = .seconds(60), lowestRate: LowestRate?
    ) {
        self.connect = connect
        self.idle = idle
        self.total = total
        self.lowestRate = lowestRate
    }
}

/// The lowest rate at which a body may come. - curl: --speed-limit, --speed-time
package struct LowestRate: Hashable, Sendable {
    /// On average over each ``interval``, at least 1.
    package var bytesPerSecond: Int
    /// The interval, at least a second.
    package var interval: Duration

    /// Values below their least ones are raised to them.
    package init(bytesPerSecond: Int, over interval: Duration) {
        self.bytesPerSecond = max(bytesPerSecond, 1)
        self.interval = max(interval, .seconds(1))
    }

    /// 256 bytes a second over 10 s.
    package static let standard = LowestRate(bytesPerSecond: 256, over: .seconds(10))
}
