import GannetCore
import GannetFetch

/// How many bytes of its source a load has received: in events, closures, indicators and snapshots.
public struct LoadProgress: Hashable, Sendable {
    /// Bytes so far.
    public var received: Int
    /// Bytes in total; nil while unknown.
    public var expected: Int?
    /// The load has ended successfully.
    public var isFinished: Bool

    /// Negative numbers count as zero, and a total of zero or less as unknown.
    public init(received: Int = 0, expected: Int? = nil, isFinished: Bool = false) {
        self.received = max(received, 0)
        self.expected = expected.flatMap { $0 > 0 ? $0 : nil }
        self.isFinished = isFinished
    }

    init(_ fetched: FetchProgress) { self.init(received: fetched.bytes.count, expected: fetched.expected) }

    /// 0 … 1; nil while the total is unknown. 1 once the load has succeeded, even if the total was unknown.
    public var fraction: Double? {
        if isFinished { return 1 }
        return expected.map { min(Double(received) / Double($0), 1) }
    }
}

extension LoadProgress: CustomStringConvertible {
    /// `12 of 400 bytes`, or `12 bytes` while the total is unknown.
    public var description: String { "\(received)" + (expected.map { " of \($0)" } ?? "") + " bytes" }
}
