import GannetCore

/// EXIF and XMP in the application segments of JPEG (Exif 2.32, 4.5.4; XMP specification, part 3).
enum JPEGMetadata {
    private static let xmpPrefix = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    /// The packet of the first segment that has one, before the first scan. (What is larger than a segment is left out.)
    static func xmp(in file: [UInt8]) -> [UInt8]? {
        var position = 2
        while position < file.count, let (marker, start) = JPEGStripping.marker(file, position), marker != 0xDA,
            start + 2 <= file.count
        {
            let end = start + Int(file[start]) << 8 + Int(file[start + 1])
            guard end >= start + 2, end <= file.count else { return nil }
            let content = file[start + 2..<end]
            if marker == 0xE1, content.starts(with: xmpPrefix) { return Array(content.dropFirst(xmpPrefix.count)) }
            position = end
        }
        return nil
    }

    /// Adds the metadata behind the JFIF segment, which is the first. Nil if `file` does not begin as a JPEG.
    static func adding(_ metadata: EmbeddedMetadata, to file: [UInt8]) throws(ImageError) -> [UInt8]? {
        guard let (marker, start) = JPEGStripping.marker(file, 2), start + 2 <= file.count else { return nil }
        let end = start + Int(file[start]) << 8 + Int(file[start + 1])
        let place = marker == 0xE0 ? end : 2
        guard place <= file.count else { return nil }
        var segments: [UInt8] = []
        if let exif = metadata.exif { segments += try segment(EXIF.prefix + exif, "EXIF") }
        if let xmp = metadata.xmp { segments += try segment(xmpPrefix + xmp, "XMP") }
        return Array(file[..<place]) + segments + file[place...]
    }

    private static func segment(_ content: [UInt8], _ name: String) throws(ImageError) -> [UInt8] {
        guard content.count + 2 <= 0xFFFF else {
            throw ImageError(
                .encodeFailed, stage: .encode,
                "The \(name) data has \(content.count) bytes, and a JPEG holds 64 KiB of it at most. Write PNG or WebP, or leave it out."
            )
        }
        return [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }
}
