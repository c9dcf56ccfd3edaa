#if Lottie
    /// Texts of JSON (RFC 8259 §7).
    enum JSONText {
        /// The byte after a backslash, and the byte that both mean.
        static let escapes: [UInt8: UInt8] = [
            UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt8(ascii: "/"),
            UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
        ]

        /// The text between quotation marks that ``JSONReader`` has checked.
        static func unescaped(_ text: ArraySlice<UInt8>) -> String {
            guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
            var bytes: [UInt8] = []
            var units: [UInt16] = []
            var index = text.startIndex
            while index < text.endIndex {
                guard text[index] == UInt8(ascii: "\\") else {
                    flush(&units, into: &bytes)
                    bytes.append(text[index])
                    index += 1
                    continue
                }
                if let plain = escapes[text[index + 1]] {
                    flush(&units, into: &bytes)
                    bytes.append(plain)
                    index += 2
                } else {
                    let digits = String(decoding: text[index + 2..<index + 6], as: UTF8.self)
                    units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
                    index += 6
                }
            }
            flush(&units, into: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Two of them may be one character.
        private static func flush(_ units: inout [UInt16], into bytes: inout [UInt8]) {
            guard !units.isEmpty else { return }
            bytes += String(decoding: units, as: UTF16.self).utf8
            units = []
        }
    }
#endif
