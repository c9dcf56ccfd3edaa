/// How far a load is.
public struct LoadProgress: Hashable, Sendable {
    /// Bytes.
    public var received: Int
    /// Bytes; nil while unknown.
    public var expected: Int?
    /// The load has ended well.
    public var isFinished: Bool

    /// Less than zero counts as zero, and a total of zero or less as unknown.
    public init(received: Int = 0, expected: Int? = nil, isFinished: Bool = false) {
        self.received = max(received, 0)
        self.expected = expected.flatMap { $0 > 0 ? $0 : nil }
        self.isFinished = isFinished
    }

    /// 0 … 1; nil while the total is unknown. 1 once the load has ended well, known total or not.
    public var fraction: Double? {
        if isFinished { return 1 }
        return expected.map { min(Double(received) / Double($0), 1) }
    }
}
