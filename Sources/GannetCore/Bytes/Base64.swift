import FoundationEssentials

/// Base64 (RFC 4648). Foundation reads and writes it; this is what images and addresses need around that.
package enum Base64 {
    private static let padding = UInt8(ascii: "=")

    /// Letters, digits, and the other characters of both alphabets.
    package static func isDigit(_ character: UInt8) -> Bool {
        PercentEncoding.isLetterOrDigit(character) || "+/-_".utf8.contains(character)
    }

    /// Takes both alphabets, white space, and missing padding. Nil for anything else, and for a text that ends within a byte. O(n).
    package static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
        var digits: [UInt8] = []
        digits.reserveCapacity(text.count + 2)
        for character in text {
            switch character {
            case UInt8(ascii: " "), 9, 10, 12, 13: continue
            case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
            default: digits.append(character)
            }
        }
        let padded = digits.count
        while digits.last == padding { digits.removeLast() }
        // Foundation takes padding between digits.
        guard padded - digits.count <= 2, digits.count % 4 != 1, !digits.contains(padding) else { return nil }
        while !digits.count.isMultiple(of: 4) { digits.append(padding) }
        return Data(base64Encoded: Data(digits)).map { Array($0) }
    }

    /// With the alphabet of URLs and without padding (§5).
    package static func urlText(of bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString().utf8.compactMap { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case padding: nil
            default: digit
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text as ``urlText(of:)`` writes it: each value has one spelling. Nil for another.
    ///
    /// - Parameter allowsPadding: as many encoders add it.
    package static func bytes(ofURLText text: some StringProtocol, allowsPadding: Bool = false) -> [UInt8]? {
        var digits = Array(text.utf8)[...]
        while allowsPadding, digits.last == padding { digits.removeLast() }
        guard let bytes = decoded(digits), urlText(of: bytes).utf8.elementsEqual(digits) else { return nil }
        return bytes
    }
}
