/// Limits of ``S3Cache``, and of the responses of `gannet serve` in S3.
public struct S3Limits: Sendable {
    /// For the connection, and once more for the head of a response. Default 300 ms.
    public var head = Duration.milliseconds(300)
    /// For all of an exchange. Default 2 s.
    public var whole = Duration.seconds(2)
    /// Entries with more bytes are neither written nor read. Default 16 MiB.
    public var entryBytes = 16 << 20
    /// Entries that may wait to be written; what is beyond is dropped. Default 64.
    public var waiting = 64
    /// Their bytes. Default 64 MiB.
    public var waitingBytes = 64 << 20
    /// Objects that are written at once. Default 2.
    public var writers = 2
    var breaker = CircuitBreakerState()

    /// All have defaults.
    public init() {}
}
