/// An EXIF block, little-endian, of entries whose values are texts, fractions and numbers.
package struct EXIFBlock {
    package enum Value {
        case text(String)
        case fraction(Int, Int)
        case fractions([(Int, Int)])
        case signedFraction(Int, Int)
        case short(Int)
    }

    package var image: [(Int, Value)] = []
    package var photo: [(Int, Value)] = []
    package var place: [(Int, Value)] = []

    package init(image: [(Int, Value)] = [], photo: [(Int, Value)] = [], place: [(Int, Value)] = []) {
        (self.image, self.photo, self.place) = (image, photo, place)
    }

    /// From the TIFF header on.
    package var bytes: [UInt8] {
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
        for (tag, target) in [(0x8769, photoAt), (0x8825, placeAt)] {
            result += Self.short(tag)
            result += Self.short(4)
            result += Self.long(1)
            result += Self.long(target)
        }
        result += Self.long(0)
        for part in [photoBytes, placeBytes, pieces] { result += part }
        return result
    }

    private static func directory(_ entries: [(Int, Value)], at start: Int) -> [UInt8] {
        var (result, pieces) = (short(entries.count), [UInt8]())
        let end = start + 2 + 12 * entries.count + 4
        for (tag, value) in entries { result += entry(tag, value, pieces: &pieces, at: end) }
        return result + long(0) + pieces
    }

    private static func entry(_ tag: Int, _ value: Value, pieces: inout [UInt8], at start: Int) -> [UInt8] {
        var (type, count, bytes) = (0, 1, [UInt8]())
        switch value {
        case .short(let number): (type, bytes) = (3, short(number))
        case .fraction(let above, let below): (type, bytes) = (5, long(above) + long(below))
        case .fractions(let parts): (type, count, bytes) = (5, parts.count, parts.flatMap { long($0.0) + long($0.1) })
        case .signedFraction(let above, let below): (type, bytes) = (10, long(above) + long(below))
        case .text(let text): (type, count, bytes) = (2, text.utf8.count + 1, Array(text.utf8) + [0])
        }
        var result = short(tag)
        result += short(type)
        result += long(count)
        if bytes.count > 4 {
            result += long(start + pieces.count)
            pieces += bytes
        } else {
            result += bytes
            result += [UInt8](repeating: 0, count: 4 - bytes.count)
        }
        return result
    }

    private static func short(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8 & 255)] }
    private static func long(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
}
