/// Escapes of RFC 3986 §2.1.
package enum PercentEncoding {
    /// Percent-encoded except for what RFC 3986 calls unreserved, and slashes where they separate parts of a path. A byte of a
    /// ``ByteText`` is that byte again.
    package static func encoded(_ text: String, keepsSlashes: Bool) -> String {
        let bytes = ByteText.bytes(of: text).flatMap { byte -> [UInt8] in
            let isKept = "-._~".utf8.contains(byte) || isLetterOrDigit(byte) || keepsSlashes && byte == UInt8(ascii: "/")
            return isKept ? [byte] : escape(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `%E9`
    package static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Decoded once. A percent sign that begins no escape stays as it is. O(n).
    package static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        let text = Array(text)
        guard var index = text.firstIndex(of: UInt8(ascii: "%")) else { return text }
        var result = Array(text[..<index])
        result.reserveCapacity(text.count)
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = Hexadecimal.digit(text[index + 1]),
                let low = Hexadecimal.digit(text[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }

    /// Decoded once, as a ``ByteText``: escapes need not be UTF-8.
    package static func decodedText(_ text: some StringProtocol) -> String { ByteText.text(of: decoded(text.utf8)) }

    /// Decoded once. Nil for a percent sign that begins no escape, and for bytes that are no UTF-8.
    package static func strictlyDecoded(_ text: some StringProtocol) -> String? {
        let bytes = decoded(text.utf8)
        // Each escape makes the text two bytes shorter.
        guard text.utf8.count - bytes.count == 2 * text.utf8.count(where: { $0 == UInt8(ascii: "%") }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// True for letters and digits of ASCII.
    package static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
