/// Strips GIF89a: a header, then blocks with data in pieces of up to 255 bytes, then the trailer.
enum GIFStripping {
    /// Applications whose blocks affect display: loops and the colour profile.
    private static let kept = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"].map { Array($0.utf8) }

    static func strip(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 13 else { return nil }
        var position = 13 + tableBytes(bytes[10])
        guard position <= bytes.count else { return nil }
        var result = Array(bytes[..<position])
        result.reserveCapacity(bytes.count)
        while position < bytes.count {
            let start = position
            switch bytes[position] {
            case 0x3B: return result + [0x3B]
            // Between blocks it means nothing, and some writers put it where the trailer belongs.
            case 0x00: position += 1
            case 0x21:
                guard position + 1 < bytes.count, let end = dataEnd(bytes, position + 2) else { return nil }
                if keeps(bytes[position + 1], bytes[position + 2..<end]) { result += bytes[start..<end] }
                position = end
            case 0x2C:
                guard position + 10 <= bytes.count else { return nil }
                // The descriptor, a local palette, the code size, the data.
                guard let end = dataEnd(bytes, position + 10 + tableBytes(bytes[position + 9]) + 1) else { return nil }
                result += bytes[start..<end]
                position = end
            default: return nil
            }
        }
        return result
    }

    private static func tableBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// One past the empty piece that ends the data.
    private static func dataEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        var position = start
        while position < bytes.count {
            let count = Int(bytes[position])
            position += 1 + count
            if count == 0 { return position }
        }
        return nil
    }

    /// Keeps graphic control and known application blocks; drops comments, plain text and unknown applications.
    private static func keeps(_ label: UInt8, _ content: ArraySlice<UInt8>) -> Bool {
        switch label {
        case 0xF9: true
        case 0xFF: kept.contains { content.dropFirst().starts(with: $0) }
        default: false
        }
    }
}
