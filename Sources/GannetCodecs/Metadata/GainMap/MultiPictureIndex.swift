import GannetCore

/// The index of the images in one file (CIPA DC-007, "MPF"): a TIFF directory in an APP2 segment. Offsets in it are from its TIFF header,
/// sizes and offsets are untrusted.
enum MultiPictureIndex {
    static let prefix = Array("MPF\0".utf8)
    /// Bytes of the directory that ``content(primary:map:)`` writes, with the prefix.
    static let writtenBytes = prefix.count + 82

    /// Where the images behind the first are, as far as they lie inside the file; at most 16. `content` is the segment's, which begins at
    /// `start` of a file of `count` bytes.
    static func images(in content: [UInt8], at start: Int, of count: Int) -> [Range<Int>] {
        guard content.starts(with: prefix), let reader = TIFFDirectoryReader(Array(content.dropFirst(prefix.count))),
            let entry = reader.entries(at: reader.firstDirectory).first(where: { $0.tag == 0xB002 }),
            let values = reader.externalValue(of: entry)
        else { return [] }
        let base = start + prefix.count
        var images: [Range<Int>] = []
        for position in stride(from: values.lowerBound, to: values.upperBound - 15, by: 16).prefix(17) {
            guard let size = reader.long(at: position + 4), let offset = reader.long(at: position + 8) else { break }
            // The first image begins at 0 of the file.
            guard offset > 0, size >= 4, base + offset + size <= count else { continue }
            images.append(base + offset..<base + offset + size)
        }
        return images
    }

    /// A directory of two images. `primary` is the size of the first, `map` that of the second; `offset` is where it begins, from the TIFF
    /// header on.
    static func content(primary: Int, map: Int, offset: Int) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
        func long(_ value: Int) -> [UInt8] { word(value >> 16) + word(value) }
        var bytes = prefix + [0x4D, 0x4D, 0, 42] + long(8) + word(3)
        bytes += word(0xB000) + word(7) + long(4) + Array("0100".utf8)
        bytes += word(0xB001) + word(4) + long(1) + long(2)
        bytes += word(0xB002) + word(7) + long(32) + long(50)
        bytes += long(0)
        // The first is the representative one; the second has no type of the standard's.
        bytes += long(0x030000) + long(primary) + long(0) + long(0)
        bytes += long(0) + long(map) + long(offset) + long(0)
        return bytes
    }
}
