/// EXIF and XMP in the chunks of PNG (3rd edition, 11.3.4.5; XMP specification, part 3).
enum PNGMetadata {
    /// Keyword, not compressed, no language, no translation.
    private static let xmpPrefix = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]

    /// The XMP packet, which like other readers this one expects uncompressed.
    static func xmp(in file: [UInt8]) -> [UInt8]? {
        var position = PNGStripping.signature.count
        while position + 12 <= file.count {
            let length = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= file.count - position - 12 else { return nil }
            let content = file[position + 8..<position + 8 + length]
            if file[position + 4..<position + 8].elementsEqual("iTXt".utf8), content.starts(with: xmpPrefix) {
                return Array(content.dropFirst(xmpPrefix.count))
            }
            position += 12 + length
        }
        return nil
    }

    /// Adds the metadata behind the header, which has 13 bytes. Nil if the header is incomplete.
    static func adding(_ metadata: EmbeddedMetadata, to file: [UInt8]) -> [UInt8]? {
        let place = PNGStripping.signature.count + 25
        guard place <= file.count else { return nil }
        var chunks: [UInt8] = []
        if let exif = metadata.exif { chunks += PNGStripping.chunk("eXIf", exif) }
        if let xmp = metadata.xmp { chunks += PNGStripping.chunk("iTXt", xmpPrefix + xmp) }
        return Array(file[..<place]) + chunks + Array(file[place...])
    }
}
