/// EXIF and XMP in the chunks of WebP (RFC 9649, 2.7.1.5).
enum WebPMetadata {
    static func isWebP(_ file: [UInt8]) -> Bool {
        file.starts(with: Array("RIFF".utf8)) && file.dropFirst(8).starts(with: Array("WEBP".utf8))
    }

    static func xmp(in file: [UInt8]) -> [UInt8]? {
        chunks(of: file).first { $0.type == "XMP " }.map { Array(file[$0.content]) }
    }

    /// At the end, announced in the header of the extended format, which is made where the file has none. Nil: a damaged file.
    static func adding(_ metadata: EmbeddedMetadata, to file: [UInt8]) -> [UInt8]? {
        guard let first = chunks(of: file).first else { return nil }
        var result = file
        if first.type == "VP8X" {
            guard first.content.count >= 10 else { return nil }
        } else {
            guard let header = extendedHeader(first.type, file[first.content]) else { return nil }
            result.insert(contentsOf: chunk("VP8X", header), at: 12)
        }
        if let exif = metadata.exif {
            result[flags] |= 0b1000
            result += chunk("EXIF", exif)
        }
        if let xmp = metadata.xmp {
            result[flags] |= 0b0100
            result += chunk("XMP ", xmp)
        }
        result.replaceSubrange(4..<8, with: WebPStripping.littleEndian(result.count - 8))
        return result
    }

    /// Where the flags of the extended format are.
    private static let flags = 20

    /// The content of a VP8X chunk for a file that has only this image.
    private static func extendedHeader(_ type: String, _ image: ArraySlice<UInt8>) -> [UInt8]? {
        let bytes = Array(image.prefix(10))
        let (width, height, hasAlpha): (Int, Int, Bool)
        switch type {
        case "VP8 " where bytes.count == 10:
            // Frame tag and start code, then 14 bits each (RFC 6386, 9.1).
            (width, height) = (Int(bytes[6]) | Int(bytes[7] & 0x3F) << 8, Int(bytes[8]) | Int(bytes[9] & 0x3F) << 8)
            hasAlpha = false
        case "VP8L" where bytes.count >= 5:
            // A signature, then 14 bits each of width and height less one, then one of alpha (RFC 9649, 3.4).
            let word = bytes[1..<5].reversed().reduce(0) { $0 << 8 | Int($1) }
            (width, height, hasAlpha) = (word & 0x3FFF + 1, word >> 14 & 0x3FFF + 1, word >> 28 & 1 == 1)
        default: return nil
        }
        guard width > 0, height > 0 else { return nil }
        return [hasAlpha ? 0b1_0000 : 0, 0, 0, 0] + WebPStripping.littleEndian(width - 1).prefix(3)
            + WebPStripping.littleEndian(height - 1).prefix(3)
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + WebPStripping.littleEndian(content.count) + content + (content.count & 1 == 1 ? [0] : [])
    }

    private static func chunks(of file: [UInt8]) -> [(type: String, content: Range<Int>)] {
        var result: [(type: String, content: Range<Int>)] = []
        var position = 12
        while position + 8 <= file.count, let length = WebPStripping.littleEndian(file, position + 4),
            length <= file.count - position - 8
        {
            let type = String(decoding: file[position..<position + 4], as: UTF8.self)
            result.append((type, position + 8..<position + 8 + length))
            position += 8 + (length + 1) & ~1
        }
        return result
    }
}
