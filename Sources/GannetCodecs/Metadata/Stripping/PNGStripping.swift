import GannetCore

/// Strips PNG (3rd edition, section 5): chunks with a type and a checksum.
enum PNGStripping {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Chunks that affect pixels. EXIF, text, times and unknown chunks are not among them.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST",
        "pHYs", "sPLT", "acTL", "fcTL", "fdAT",
    ]

    static func strip(_ bytes: [UInt8]) -> [UInt8]? {
        var result = signature
        result.reserveCapacity(bytes.count)
        var turn: Orientation?
        var place: Int?
        var position = signature.count
        while position < bytes.count {
            guard position + 12 <= bytes.count else { return nil }
            let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - position - 12 else { return nil }
            let end = position + 12 + length
            let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
            if type == "eXIf", place == nil {
                turn = turn ?? EXIF.orientation(in: EXIF.strippingPrefix(Array(bytes[position + 8..<end - 4])))
            }
            if type == "IDAT" { place = place ?? result.count }
            if kept.contains(type) { result += bytes[position..<end] }
            position = end
            if type == "IEND" { break }
        }
        guard let turn = turn ?? orientation(of: bytes), turn != .up, let place else { return result }
        return result[..<place] + chunk("eXIf", EXIF.block(orientation: turn)) + result[place...]
    }

    /// The orientation that the decoder also finds in texts of ImageMagick and in XMP, so that images stay upright.
    private static func orientation(of bytes: [UInt8]) -> Orientation? {
        #if PNG
            let decoder = try? PNGCoder().makeDecoder(
                for: .png, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            _ = try? decoder?.read(from: ByteRope(bytes))
            return decoder?.header?.orientation
        #else
            return nil
        #endif
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(checksum(body))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }

    /// CRC-32 of ISO 3309, bit by bit: for metadata, not for pixels.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
