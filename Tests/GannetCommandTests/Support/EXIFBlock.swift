/// An EXIF block, little-endian, of entries whose values are texts, fractions and numbers.
struct EXIFBlock {
    enum Value {
        case text(String)
        case fraction(Int, Int)
        case short(Int)
    }

    var image: [(Int, Value)] = []
    var photo: [(Int, Value)] = []
    var place: [(Int, Value)] = []

    /// From the TIFF header on.
    var bytes: [UInt8] {
        var result = Array("II".utf8) + [42, 0] + Self.long(8)
        // The first directory has two pointers more, whose targets are known when it is laid out.
        let first = 2 + 12 * (image.count + 2) + 4
        var pieces: [UInt8] = []
        let after = 8 + first
        let photoAt = after
        let photoBytes = Self.directory(photo, at: photoAt)
        let placeAt = photoAt + photoBytes.count
        let placeBytes = Self.directory(place, at: placeAt)
        let imageAt = placeAt + placeBytes.count
        result += Self.short(image.count + 2)
        for (tag, value) in image { result += Self.entry(tag, value, pieces: &pieces, at: imageAt) }
        result += Self.short(0x8769) + Self.short(4) + Self.long(1) + Self.long(photoAt)
        result += Self.short(0x8825) + Self.short(4) + Self.long(1) + Self.long(placeAt)
        return result + Self.long(0) + photoBytes + placeBytes + pieces
    }

    private static func directory(_ entries: [(Int, Value)], at start: Int) -> [UInt8] {
        var (result, pieces) = (short(entries.count), [UInt8]())
        let end = start + 2 + 12 * entries.count + 4
        for (tag, value) in entries { result += entry(tag, value, pieces: &pieces, at: end) }
        return result + long(0) + pieces
    }

    private static func entry(_ tag: Int, _ value: Value, pieces: inout [UInt8], at start: Int) -> [UInt8] {
        func apart(_ type: Int, _ count: Int, _ bytes: [UInt8]) -> [UInt8] {
            defer { pieces += bytes }
            return short(tag) + short(type) + long(count) + long(start + pieces.count)
        }
        switch value {
        case .short(let number): return short(tag) + short(3) + long(1) + short(number) + [0, 0]
        case .fraction(let above, let below): return apart(10, 1, long(above) + long(below))
        case .text(let text):
            let bytes = Array(text.utf8) + [0]
            if bytes.count > 4 { return apart(2, bytes.count, bytes) }
            return short(tag) + short(2) + long(bytes.count) + bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
        }
    }

    private static func short(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8 & 255)] }
    private static func long(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
}
