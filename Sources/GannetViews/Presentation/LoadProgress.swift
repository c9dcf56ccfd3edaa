/// The progress of a load.
public struct LoadProgress: Hashable, Sendable {
    /// Bytes.
    public var received: Int
    /// Bytes; nil while unknown.
    public var expected: Int?
    /// The load has ended successfully.
    public var isFinished: Bool

    /// Negative numbers count as zero, and a total of zero or less as unknown.
    public init(received: Int = 0, expected: Int? = nil, isFinished: Bool = false) {
        self.received = max(received, 0)
        self.expected = expected.flatMap { $0 > 0 ? $0 : nil }
        self.isFinished = isFinished
    }

    /// 0 … 1; nil while the total is unknown. 1 once the load has succeeded, even if the total was unknown.
    public var fraction: Double? {
        if isFinished { return 1 }
        return expected.map { min(Double(received) / Double($0), 1) }
    }
}
