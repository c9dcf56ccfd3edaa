import GannetCore

/// EXIF and XMP in the application segments of JPEG (Exif 2.32, 4.5.4; XMP specification, part 3).
enum JPEGMetadata {
    /// The packet of the first segment that has one, before the first scan. (What is larger than a segment is left out.)
    static func xmp(in file: [UInt8]) -> [UInt8]? {
        let rope = ByteRope(file)
        for segment in JPEGSegments(rope) where segment.marker == 0xE1 {
            let content = rope.content(segment)
            if content.starts(with: GainMapXMP.prefix) { return Array(content.dropFirst(GainMapXMP.prefix.count)) }
        }
        return nil
    }

    /// Adds the metadata behind the JFIF segment, which is the first. Nil if `file` does not begin as a JPEG.
    static func adding(_ metadata: EmbeddedMetadata, to file: [UInt8]) throws(ImageError) -> [UInt8]? {
        // The place of a gain map is counted from the image's metadata, and its packet is one of them.
        if let map = UltraHDR.Attachment(of: file), let image = JPEGStripping.image(file) {
            var others = metadata
            others.xmp = nil
            guard let image = try adding(others, to: image) else { return nil }
            if let result = map.added(to: image, joining: metadata.xmp) { return result }
            throw tooLarge(metadata.xmp?.count ?? 0, "XMP")
        }
        guard let (marker, start) = JPEGStripping.marker(file, 2), start + 2 <= file.count else { return nil }
        let end = start + Int(file[start]) << 8 + Int(file[start + 1])
        let place = marker == 0xE0 ? end : 2
        guard place <= file.count else { return nil }
        var segments: [UInt8] = []
        if let exif = metadata.exif { segments += try segment(EXIF.prefix + exif, "EXIF") }
        if let xmp = metadata.xmp { segments += try segment(GainMapXMP.prefix + xmp, "XMP") }
        return Array(file[..<place]) + segments + Array(file[place...])
    }

    private static func segment(_ content: [UInt8], _ name: String) throws(ImageError) -> [UInt8] {
        guard content.count <= JPEGSegments.maximumBytes else { throw tooLarge(content.count, name) }
        return JPEGSegments.segment(0xE1, content)
    }

    private static func tooLarge(_ count: Int, _ name: String) -> ImageError {
        ImageError(
            .encodeFailed, stage: .encode,
            "The \(name) data has \(count) bytes, and a JPEG holds 64 KiB of it at most. Write PNG or WebP, or leave it out.")
    }
}
