import GannetCore

/// Strips WebP: RIFF chunks, little-endian, padded to even lengths.
enum WebPStripping {
    private static let kept: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]

    static func strip(_ bytes: [UInt8]) -> [UInt8]? {
        let claimed = littleEndian(bytes, 4) ?? 0
        guard claimed >= 4, claimed <= bytes.count - 8 else { return nil }
        let fileEnd = claimed + 8
        var result = Array(bytes[..<12])
        result.reserveCapacity(bytes.count)
        var turn: Orientation?
        var flags: Int?
        var position = 12
        while position < fileEnd {
            guard position + 8 <= fileEnd, let length = littleEndian(bytes, position + 4) else { return nil }
            guard length <= fileEnd - position - 8 else { return nil }
            let end = min(position + 8 + (length + 1) & ~1, fileEnd)
            let type = String(decoding: bytes[position..<position + 4], as: UTF8.self)
            if type == "EXIF" {
                turn = turn ?? EXIF.orientation(in: EXIF.strippingPrefix(Array(bytes[position + 8..<position + 8 + length])))
            }
            if type == "VP8X", length >= 1 { flags = flags ?? result.count + 8 }
            if kept.contains(type) { result += bytes[position..<end] }
            position = end
        }
        if let flags {
            // Bits 3 and 2 announce EXIF and XMP.
            result[flags] &= ~0b1100
            if let turn, turn != .up {
                result[flags] |= 0b1000
                // The input's last chunk may lack its padding, but another chunk follows here.
                if result.count & 1 == 1 { result.append(0) }
                let block = EXIF.block(orientation: turn)
                result += Array("EXIF".utf8) + littleEndian(block.count) + block
            }
        }
        result.replaceSubrange(4..<8, with: littleEndian(result.count - 8))
        return result
    }

    static func littleEndian(_ bytes: [UInt8], _ offset: Int) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        return bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    static func littleEndian(_ value: Int) -> [UInt8] {
        stride(from: 0, through: 24, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
