package import GannetCore

/// The few EXIF fields that matter for display (Exif 2.32, TIFF 6.0). A block begins with its TIFF header ("II" or "MM"). Every
/// offset in it is untrusted until checked, so nothing here traps or loops.
package enum EXIF {
    /// Tag 0x0112 of the first directory. Nil if it is missing or not 1 … 8, or the block is damaged before it.
    package static func orientation(in tiff: [UInt8]) -> Orientation? {
        guard let reader = TIFFDirectoryReader(tiff) else { return nil }
        guard let entry = reader.entries(at: reader.firstDirectory).first(where: { $0.tag == 0x0112 }) else { return nil }
        return reader.integer(of: entry).flatMap { Orientation(rawValue: $0) }
    }

    /// The block of an image of other pixels than it was made for: upright, `size` large, sRGB, without the thumbnail of the
    /// second directory. The length stays, so other offsets remain valid. An unreadable block is returned unchanged.
    package static func describing(size: PixelSize, in tiff: [UInt8]) -> [UInt8] {
        guard let reader = TIFFDirectoryReader(tiff) else { return tiff }
        var result = tiff
        for entry in reader.entries(at: reader.firstDirectory) {
            switch entry.tag {
            case 0x0112: result.set(entry, to: 1, reader)
            case 0x8769:
                for entry in reader.integer(of: entry).map(reader.entries) ?? [] {
                    switch entry.tag {
                    case 0xA001: result.set(entry, to: 1, reader)
                    case 0xA002: result.set(entry, to: size.width, reader)
                    case 0xA003: result.set(entry, to: size.height, reader)
                    default: break
                    }
                }
            default: break
            }
        }
        removeThumbnail(from: &result, reader)
        return result
    }

    /// The JPEG of the second directory (Exif 2.32, 4.5.5), as a file with the orientation of the first. Nil: there is none, or its end is
    /// missing.
    package static func thumbnail(in tiff: [UInt8]) -> [UInt8]? {
        guard let reader = TIFFDirectoryReader(tiff), let range = thumbnail(reader), range.count > 4,
            range.upperBound <= tiff.count, tiff[range].starts(with: [0xFF, 0xD8, 0xFF])
        else { return nil }
        let turn = prefix + block(orientation: orientation(in: tiff) ?? .up)
        let segment: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(turn.count + 2)]
        return segment + turn + Array(tiff[range].dropFirst(2))
    }

    /// Where the second directory says that it is; may end behind the block.
    private static func thumbnail(_ reader: TIFFDirectoryReader) -> Range<Int>? {
        guard let (_, directory) = reader.second else { return nil }
        let entries = reader.entries(at: directory)
        let numbers = Dictionary(entries.map { ($0.tag, reader.integer(of: $0)) }, uniquingKeysWith: { first, _ in first })
        guard case (let start??, let count??) = (numbers[0x0201], numbers[0x0202]), start >= 8, start < reader.bytes.count else {
            return nil
        }
        return start..<start + count
    }

    private static func removeThumbnail(from block: inout [UInt8], _ reader: TIFFDirectoryReader) {
        guard let (link, directory) = reader.second else { return }
        if let range = thumbnail(reader) { block.zero(range) }
        for entry in reader.entries(at: directory) { block.zero(entry.position..<entry.position + 12) }
        block.zero(link)
    }

    /// The block in a JPEG APP1 payload or a box with the "Exif\0\0" prefix; unchanged bytes without the prefix.
    package static func strippingPrefix(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: prefix) ? Array(bytes.dropFirst(prefix.count)) : bytes
    }

    /// The prefix of the TIFF header in a JPEG APP1 segment.
    package static let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

    /// A block with only the orientation: 26 bytes, big-endian.
    package static func block(orientation: Orientation) -> [UInt8] {
        [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8,
            0, 1,
            0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0,
            0, 0, 0, 0,
        ]
    }

    /// A block with a JPEG thumbnail in its second directory; big-endian.
    package static func block(thumbnail: [UInt8]) -> [UInt8] {
        func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
        // Directory 0 has no entries and ends at 14; directory 1 has three and ends at 56.
        let parts: [[UInt8]] = [
            [0x4D, 0x4D, 0, 42, 0, 0, 0, 8], [0, 0], long(14),
            [0, 3],
            [0x01, 0x03, 0, 3], long(1), [0, 6, 0, 0],
            [0x02, 0x01, 0, 4], long(1), long(56),
            [0x02, 0x02, 0, 4], long(1), long(thumbnail.count),
            long(0), thumbnail,
        ]
        return Array(parts.joined())
    }
}

/// Walks the directories of an untrusted TIFF block.
struct TIFFDirectoryReader {
    struct Entry {
        var tag: Int
        var type: Int
        var count: Int
        /// Offset of the entry's 12 bytes.
        var position: Int
    }

    let bytes: [UInt8]
    let isBigEndian: Bool
    private(set) var firstDirectory = 0

    /// Nil if this is no TIFF header. `versions`: the numbers behind the byte order; some makers of cameras have their own.
    init?(_ bytes: [UInt8], versions: [Int] = [42]) {
        guard bytes.count >= 8 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0x49, 0x49): isBigEndian = false
        case (0x4D, 0x4D): isBigEndian = true
        default: return nil
        }
        self.bytes = bytes
        guard let version = word(at: 2), versions.contains(version), let first = long(at: 4) else { return nil }
        firstDirectory = first
    }

    /// The entries inside the block; a truncated directory loses its rest. At most 65,535.
    func entries(at directory: Int) -> [Entry] {
        guard let count = word(at: directory) else { return [] }
        var result: [Entry] = []
        for index in 0..<count {
            let position = directory + 2 + index * 12
            guard position + 12 <= bytes.count, let tag = word(at: position), let type = word(at: position + 2),
                let values = long(at: position + 4)
            else { break }
            result.append(Entry(tag: tag, type: type, count: values, position: position))
        }
        return result
    }

    /// The offset of the second directory, and where it is written; nil if there is none.
    var second: (link: Range<Int>, directory: Int)? {
        guard let count = word(at: firstDirectory) else { return nil }
        let position = firstDirectory + 2 + count * 12
        guard let directory = long(at: position), directory >= 8, directory != firstDirectory else { return nil }
        return (position..<position + 4, directory)
    }

    /// The first value of a BYTE, SHORT or LONG entry. (Some writers store the orientation as LONG or BYTE.)
    func integer(of entry: Entry) -> Int? {
        guard entry.count >= 1 else { return nil }
        switch entry.type {
        case 1: return bytes[entry.position + 8].asInt
        case 3: return word(at: entry.position + 8)
        case 4, 13: return long(at: entry.position + 8)
        default: return nil
        }
    }

    /// The range of an entry's values outside the entry, cut to the block.
    func externalValue(of entry: Entry) -> Range<Int>? {
        let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
        guard sizes.indices.contains(entry.type) else { return nil }
        let length = sizes[entry.type] * entry.count
        guard length > 4, let start = long(at: entry.position + 8), start >= 8, start < bytes.count else { return nil }
        return start..<min(bytes.count, start + length)
    }

    func word(at offset: Int) -> Int? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        let (first, second) = (bytes[offset].asInt, bytes[offset + 1].asInt)
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    func long(at offset: Int) -> Int? {
        guard let first = word(at: offset), let second = word(at: offset + 2) else { return nil }
        return isBigEndian ? first << 16 | second : second << 16 | first
    }
}

extension UInt8 {
    fileprivate var asInt: Int { Int(self) }
}

extension [UInt8] {
    /// Overwrites the value of an entry that holds one SHORT or LONG; what does not fit stays.
    fileprivate mutating func set(_ entry: TIFFDirectoryReader.Entry, to value: Int, _ reader: TIFFDirectoryReader) {
        guard entry.count == 1, entry.type == 3 || entry.type == 4, entry.type == 4 || value <= 0xFFFF else { return }
        let count = entry.type == 3 ? 2 : 4
        for index in 0..<count {
            let shift = 8 * (reader.isBigEndian ? count - 1 - index : index)
            self[entry.position + 8 + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }

    fileprivate mutating func zero(_ range: Range<Int>) {
        for index in range.clamped(to: indices) { self[index] = 0 }
    }
}
