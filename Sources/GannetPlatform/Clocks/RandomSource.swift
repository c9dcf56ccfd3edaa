/// A source of random numbers (jitter of retries, temporary names). Tests use seeded ones.
package protocol RandomSource: Sendable {
    /// All 64 bits equally likely; may be called from any thread.
    func next() -> UInt64
}

/// The system's generator, suitable for secrets.
package struct SystemRandomSource: RandomSource {
    /// Opens and seeds nothing.
    package init() {}

    package func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
