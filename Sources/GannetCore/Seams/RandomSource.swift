/// Where chance comes from (jitter of retries, temporary names). Tests seed theirs.
public protocol RandomSource: Sendable {
    func next() -> UInt64
}

public struct SystemRandomSource: RandomSource {
    public init() {}

    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
