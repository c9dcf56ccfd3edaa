/// How long a transfer may take. Each deadline includes the body. Another attempt of a ``RetryStrategy`` starts again from zero.
public struct LoadDeadlines: Hashable, Sendable {
    /// Default 10 s.
    public var connect: Duration
    /// Without a single byte, default 15 s.
    public var idle: Duration
    /// From the first call to the last byte, including redirects and authentication, default 60 s. Does not include waiting for a
    /// slot or for a person to enter a password.
    public var total: Duration
    /// A body that comes more slowly throws `timedOut`. Default ``LowestRate/standard``; nil: as slowly as ``total`` allows.
    public var lowestRate: LowestRate?

    /// All parameters have defaults and can be set separately.
    public init(
        connect: Duration = .seconds(10), idle: Duration = .seconds(15), total: Duration = .seconds(60),
        lowestRate: LowestRate? = .standard
    ) {
        self.connect = connect
        self.idle = idle
        self.total = total
        self.lowestRate = lowestRate
    }
}

/// The lowest rate at which a body may come. - curl: --speed-limit, --speed-time
public struct LowestRate: Hashable, Sendable {
    /// On average over each ``interval``, at least 1.
    public var bytesPerSecond: Int
    /// At least a second.
    public var interval: Duration

    /// Values below their least ones are raised to them.
    public init(bytesPerSecond: Int, over interval: Duration) {
        self.bytesPerSecond = max(bytesPerSecond, 1)
        self.interval = max(interval, .seconds(1))
    }

    /// 256 bytes a second over 10 s.
    public static let standard = LowestRate(bytesPerSecond: 256, over: .seconds(10))
}
