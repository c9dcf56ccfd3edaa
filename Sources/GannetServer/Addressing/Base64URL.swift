#if Server
    /// Base64 with the alphabet of URLs and without padding (RFC 4648 §5).
    enum Base64URL {
        private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

        static func encode(_ bytes: [UInt8]) -> String {
            var text: [UInt8] = []
            text.reserveCapacity((bytes.count * 4 + 2) / 3)
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let part = bytes[start..<min(start + 3, bytes.count)]
                let value = (0..<3).reduce(UInt32(0)) { $0 << 8 | (start + $1 < part.endIndex ? UInt32(bytes[start + $1]) : 0) }
                for index in 0...part.count { text.append(digits[Int(value >> UInt32(18 - 6 * index) & 63)]) }
            }
            return String(decoding: text, as: UTF8.self)
        }

        /// The same with the padding that many encoders add, as imgproxy takes it: of sources, not of signatures.
        static func decode(padded text: some StringProtocol) -> [UInt8]? {
            let bytes = Array(text.utf8)
            return decode(bytes.prefix((bytes.lastIndex { $0 != UInt8(ascii: "=") } ?? -1) + 1))
        }

        /// Nil for other characters, and for a last digit with bits that no byte needs: each value has one spelling.
        static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
            var bytes: [UInt8] = []
            var (value, bits) = (UInt32(0), 0)
            for character in text {
                guard let digit = digit(character) else { return nil }
                value = value << 6 | digit
                bits += 6
                guard bits >= 8 else { continue }
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(bits)))
                value &= (1 << UInt32(bits)) - 1
            }
            return bits < 6 && value == 0 ? bytes : nil
        }

        private static func digit(_ character: UInt8) -> UInt32? {
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
            case UInt8(ascii: "-"): 62
            case UInt8(ascii: "_"): 63
            default: nil
            }
        }
    }
#endif
