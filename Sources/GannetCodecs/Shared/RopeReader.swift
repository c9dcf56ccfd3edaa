import GannetCore

/// Random access to the bytes of a rope, cheap for sequential access.
struct RopeReader {
    private let rope: ByteRope
    /// The chunk of the last access.
    private var chunk: [UInt8] = []
    private var start = 0

    init(_ rope: ByteRope) { self.rope = rope }

    var count: Int { rope.count }

    private mutating func moveTo(_ offset: Int) -> Bool {
        if offset >= start, offset - start < chunk.count { return true }
        guard let (index, inside) = rope.locate(offset) else { return false }
        chunk = rope.chunks[index]
        start = offset - inside
        return true
    }

    /// Nil after the end.
    mutating func byte(at offset: Int) -> UInt8? {
        moveTo(offset) ? chunk[offset - start] : nil
    }

    /// Passes over GIF's sub-blocks, each behind its length: to behind the empty one that ends them (true), or to the first one that is not
    /// whole (false).
    mutating func passSubBlocks(from offset: inout Int) -> Bool {
        while moveTo(offset) {
            let bytes = chunk.span
            let end = count - start
            var place = offset - start
            while place < bytes.count {
                let next = place + 1 + Int(bytes[place])
                guard next <= end else {
                    offset = start + place
                    return false
                }
                if next == place + 1 {
                    offset = start + next
                    return true
                }
                place = next
            }
            offset = start + place
        }
        return false
    }

    /// `count` bytes, or fewer at the end.
    mutating func bytes(from offset: Int, count: Int) -> [UInt8] {
        guard moveTo(offset) else { return [] }
        let inside = offset - start
        if inside + count <= chunk.count { return Array(chunk[inside..<inside + count]) }
        return rope.prefix(count, from: offset)
    }

    /// Passes the bytes from `offset` on to `body` in uncopied pieces, until `count` bytes or until `body` returns false.
    mutating func withPieces(from offset: Int, count: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
        var offset = offset
        var left = count
        while left > 0, moveTo(offset) {
            let inside = offset - start
            let length = min(left, chunk.count - inside)
            let goesOn = chunk.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[inside..<inside + length])) }
            guard goesOn else { return }
            offset += length
            left -= length
        }
    }
}
