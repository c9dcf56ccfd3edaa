import GannetCore

/// The segments of a JPEG before its first scan (ITU-T T.81, annex B), without their contents. Ends at what is no segment, at one that
/// reaches beyond the file, and after 1,024 of them.
struct JPEGSegments: Sequence, IteratorProtocol {
    struct Segment {
        var marker: UInt8
        /// Behind the length.
        var content: Range<Int>
    }

    private var reader: RopeReader
    private var position = 2
    private var left = 1024

    /// `file` begins with the start marker.
    init(_ file: ByteRope) { reader = RopeReader(file) }

    mutating func next() -> Segment? {
        guard left > 0, reader.byte(at: position) == 0xFF else { return nil }
        left -= 1
        var code = position + 1
        while reader.byte(at: code) == 0xFF { code += 1 }
        guard let marker = reader.byte(at: code), marker >= 0xC0, !(0xD0...0xDA).contains(marker),
            let high = reader.byte(at: code + 1), let low = reader.byte(at: code + 2)
        else { return nil }
        let end = code + 1 + Int(high) << 8 + Int(low)
        guard end >= code + 3, end <= reader.count else { return nil }
        position = end
        return Segment(marker: marker, content: code + 3..<end)
    }

    /// A segment as it is written. `content` is at most ``maximumBytes`` long.
    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        precondition(content.count <= maximumBytes, "a segment is at most 65,533 bytes long")
        return [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    static let maximumBytes = 65_533
}

extension ByteRope {
    /// Copies the segment's content.
    func content(_ segment: JPEGSegments.Segment) -> [UInt8] {
        prefix(segment.content.count, from: segment.content.lowerBound)
    }
}
