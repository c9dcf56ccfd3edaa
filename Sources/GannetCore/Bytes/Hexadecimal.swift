/// Numbers in base 16.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two lower-case digits for each byte.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Nil for an odd number of digits, and for other characters.
    package static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
        var (bytes, high) = ([UInt8](), UInt8?.none)
        for character in text {
            guard let value = digit(character) else { return nil }
            if let first = high.take() { bytes.append(first << 4 | value) } else { high = value }
        }
        return high == nil ? bytes : nil
    }

    /// The value of a digit, lower or upper case; nil for other characters.
    package static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - 55
        default: nil
        }
    }
}
