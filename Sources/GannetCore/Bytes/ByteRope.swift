public import FoundationEssentials

/// Append-only bytes of a running or finished transfer: immutable chunks, their total, and whether they are complete.
///
/// A copy is a snapshot: it never changes, and copying moves no bytes. Several decoders can read one rope at different offsets.
public struct ByteRope: Sendable {
    /// The chunks in order; none is empty.
    public private(set) var chunks: [[UInt8]]
    /// Offset of each chunk's first byte; empty for a single chunk, as in most ropes.
    private var starts: [Int]
    /// Bytes in all chunks.
    public private(set) var count: Int
    /// True if no more bytes will arrive.
    public var isComplete: Bool

    /// Empty and not complete.
    public init() {
        chunks = []
        starts = []
        count = 0
        isComplete = false
    }

    /// One chunk.
    public init(_ bytes: [UInt8], isComplete: Bool = true) {
        self.init()
        append(bytes)
        self.isComplete = isComplete
    }

    /// One chunk, complete. One copy of the bytes.
    public init(_ data: Data) { self.init([UInt8](data)) }

    /// Also true if no bytes have arrived yet; see ``isComplete``.
    public var isEmpty: Bool { count == 0 }

    /// Adds the bytes as a separate chunk, without copying; ignores an empty one. Does not check ``isComplete``.
    public mutating func append(_ chunk: [UInt8]) {
        guard !chunk.isEmpty else { return }
        if !chunks.isEmpty {
            if starts.isEmpty { starts = [0] }
            starts.append(count)
        }
        chunks.append(chunk)
        count += chunk.count
    }

    /// Appends pieces of any size and merges small ones, so that there are few chunks, and copies of the rope stay cheap. A
    /// byte is copied each time its piece doubles: at most 18 times, for single bytes.
    package mutating func appendMerging(_ piece: [UInt8]) {
        append(piece)
        while chunks.count > 1 {
            let (last, before) = (chunks[chunks.count - 1].count, chunks[chunks.count - 2].count)
            guard before <= last * 2, before + last <= Self.mergedBytes else { return }
            // Not in place: earlier copies of the rope hold the piece.
            let merged = chunks[chunks.count - 2] + chunks[chunks.count - 1]
            chunks.removeLast(2)
            chunks.append(merged)
            starts.removeLast()
            if chunks.count == 1 { starts = [] }
        }
    }

    private static let mergedBytes = 256 << 10

    /// All bytes in one array. Free for one chunk, otherwise one copy.
    public func contiguous() -> [UInt8] {
        if chunks.count == 1 { return chunks[0] }
        var all: [UInt8] = []
        all.reserveCapacity(count)
        for chunk in chunks { all.append(contentsOf: chunk) }
        return all
    }

    /// The same bytes in one chunk, so that later calls of ``contiguous()`` are free.
    public func compacted() -> ByteRope {
        chunks.count <= 1 ? self : ByteRope(contiguous(), isComplete: isComplete)
    }

    /// The first bytes, at most `maximum`; copied only if they are in several chunks.
    package func withPrefix<R>(_ maximum: Int, _ body: (Span<UInt8>) -> R) -> R {
        guard let first = chunks.first, first.count >= min(maximum, count) else { return body(prefix(maximum).span) }
        return body(first.span.extracting(first: maximum))
    }

    /// Up to `maximum` bytes from `offset` on.
    public func prefix(_ maximum: Int, from offset: Int = 0) -> [UInt8] {
        var result: [UInt8] = []
        var position = offset
        while result.count < maximum, let (index, inside) = locate(position) {
            let take = min(maximum - result.count, chunks[index].count - inside)
            result.append(contentsOf: chunks[index][inside..<inside + take])
            position += take
        }
        return result
    }

    /// The chunk that contains `offset`, and the offset inside it. Nil at the end. O(log chunks).
    public func locate(_ offset: Int) -> (chunk: Int, inside: Int)? {
        guard offset >= 0, offset < count else { return nil }
        if starts.isEmpty { return (0, offset) }
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low, offset - starts[low])
    }
}

extension Data {
    /// Copies the bytes once, or twice if the rope has several chunks.
    public init(_ rope: ByteRope) { self = Data(rope.contiguous()) }
}
