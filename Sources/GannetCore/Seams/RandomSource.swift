/// Where chance comes from (jitter of retries, temporary names). Tests seed theirs.
public protocol RandomSource: Sendable {
    /// All 64 bits equally likely; may be called from any thread.
    func next() -> UInt64
}

/// The system's generator, fit for secrets.
public struct SystemRandomSource: RandomSource {
    /// Nothing is opened or seeded.
    public init() {}

    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
