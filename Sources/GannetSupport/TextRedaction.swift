import GannetCore

/// Keeps user names, passwords, signatures and tokens of addresses, and values of header fields, out of everything that is printed.
package enum TextRedaction {
    /// `text` without anything before the `@` of an address, percent-encoded or not, and with `…` for the values of secret parameters
    /// (``SecretParameters``): `http://me:secret@host/a?w=3&token=x` becomes `http://host/a?w=3&token=…`.
    ///
    /// An address that is the whole of `text` may have any character in its password, as when it is mistyped. Within a
    /// sentence an address ends at a space or a quotation mark.
    package static func text(_ text: String) -> String { SecretParameters.redacted(withoutUsers(text)) }

    private static func withoutUsers(_ text: String) -> String {
        // Most lines have no address.
        guard text.utf8.contains(UInt8(ascii: ":")) || text.utf8.contains(UInt8(ascii: "%")) else { return text }
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        var copied = 0
        var index = 0
        while index < bytes.count {
            guard let start = authority(bytes, at: index) else {
                index += 1
                continue
            }
            if let end = endOfUser(bytes, from: start) {
                kept += bytes[copied..<start.index]
                copied = end
            }
            index = max(start.index, copied)
        }
        return copied == 0 ? text : String(decoding: kept + bytes[copied...], as: UTF8.self)
    }

    /// Redacts a cache key or a key of running requests, which contain header fields with their values.
    package static func key(_ key: String) -> String {
        let parts = key.split(separator: "\u{1}", omittingEmptySubsequences: false).map { part in
            guard part.hasPrefix("h="), let colon = part.firstIndex(of: ":") else { return text(String(part)) }
            return part[...colon] + "…"
        }
        return parts.joined(separator: "\u{1}")
    }

    /// Where the authority of an address begins.
    private struct Start {
        var index: Int
        /// The address is percent-encoded within another one.
        var isEncoded: Bool
        /// Only a scheme precedes it.
        var fillsText: Bool
    }

    /// Nil unless `index` is at a colon and two slashes. At the start of a text, a server's scheme and a colon suffice.
    private static func authority(_ bytes: [UInt8], at index: Int) -> Start? {
        guard let colon = character(":", bytes, index) else { return nil }
        let fillsText = index > 0 && bytes[..<index].allSatisfy(isOfScheme)
        guard let first = character("/", bytes, colon.end), let second = character("/", bytes, first.end) else {
            let scheme = String(decoding: bytes[..<index], as: UTF8.self).lowercased()
            guard fillsText, !colon.isEncoded, ["http", "https", "ftp"].contains(scheme) else { return nil }
            return Start(index: colon.end, isEncoded: false, fillsText: true)
        }
        return Start(index: second.end, isEncoded: second.isEncoded, fillsText: fillsText && !second.isEncoded)
    }

    /// The index after the `@`; nil if there is no user.
    private static func endOfUser(_ bytes: [UInt8], from start: Start) -> Int? {
        let limit = start.fillsText ? bytes.count : bytes[start.index...].firstIndex(where: endsWord) ?? bytes.count
        let stops: [Unicode.Scalar] = start.isEncoded ? ["/", "?", "#", "&"] : ["/", "?", "#"]
        var end = limit
        var (firstAt, lastAt): (Int?, Int?) = (nil, nil)
        for index in start.index..<limit {
            if end == limit, stops.contains(where: { character($0, bytes, index) != nil }) { end = index }
            guard let at = character("@", bytes, index) else { continue }
            if end == limit { lastAt = at.end } else { firstAt = firstAt ?? at.end }
        }
        // A slash in a password ends the authority early, and leaves something that is not a host and port.
        return lastAt ?? (isHost(bytes[start.index..<end]) ? nil : firstAt)
    }

    private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), bytes.last != UInt8(ascii: "]") else { return true }
        return bytes[(colon + 1)...].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The character at `index`, plain or percent-encoded, and the index after it.
    private static func character(
        _ wanted: Unicode.Scalar, _ bytes: [UInt8], _ index: Int
    ) -> (end: Int, isEncoded: Bool)? {
        guard index < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: wanted) { return (index + 1, false) }
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            Hexadecimal.bytes(of: bytes[(index + 1)...(index + 2)]) == [UInt8(ascii: wanted)]
        else { return nil }
        return (index + 3, true)
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
    }

    private static func endsWord(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F || "\"'<>".utf8.contains(byte) }
}
