/// A source of random numbers (jitter of retries, temporary names). Tests use seeded ones.
public protocol RandomSource: Sendable {
    /// All 64 bits equally likely; may be called from any thread.
    func next() -> UInt64
}

/// The system's generator, suitable for secrets.
public struct SystemRandomSource: RandomSource {
    /// Opens and seeds nothing.
    public init() {}

    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
