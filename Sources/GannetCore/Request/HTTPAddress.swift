import Glibc

/// The one spelling of an `http` or `https` URL among several that mean the same (RFC 9110 §4.2.3), as far as scheme, host, port and
/// fragment go. Escapes are compared as they are written. User and password are taken out.
package enum HTTPAddress {
    /// URLs of other schemes only lose their user and password. Cheap for the usual spelling: every memory hit calls this.
    package static func normalized(_ text: String) -> String {
        // The pointer is the string's own, and ends with the closure that has it.
        if text.utf8.withContiguousStorageIfAvailable({ isNormal($0) }) ?? false { return text }
        var text = text
        if text.withUTF8({ isNormal($0) }) { return text }
        return text.withUTF8({ authorityStart($0) }) == nil ? withoutUserInfo(text) : rewritten(text)
    }

    /// The text, if it is an `http` or `https` URL in its normalized spelling and without user and password. Nil otherwise, and for texts that
    /// do not lie in one piece.
    package static func usual(_ text: String) -> String? {
        text.utf8.withContiguousStorageIfAvailable({ isNormal($0) }) ?? false ? text : nil
    }

    /// The normalized text, and the user and password that it lost, as they were written.
    package static func parts(of text: String) -> (text: String, userInfo: String?) {
        if text.utf8.withContiguousStorageIfAvailable({ isNormal($0) }) ?? false { return (text, nil) }
        return (normalized(text), URLParts(text).userInfo.map(String.init))
    }

    private static func withoutUserInfo(_ text: String) -> String {
        var parts = URLParts(text)
        guard parts.userInfo != nil else { return text }
        parts.userInfo = nil
        return parts.text
    }

    /// False also of what is no such URL.
    private static func isNormal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress, bytes.count > 8 else { return false }
        let front = UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(as: UInt64.self))
        var index = front == 0x2F2F_3A73_7074_7468 ? 8 : front & 0xFF_FFFF_FFFF_FFFF == 0x2F_2F3A_7074_7468 ? 7 : 0
        guard index > 0 else { return false }
        let isSecure = index == 8
        while index < bytes.count {
            let byte = base[index]
            if byte == UInt8(ascii: "/") { return memchr(base + index, Int32(UInt8(ascii: "#")), bytes.count - index) == nil }
            index += 1
            // Most are small letters.
            if byte >= UInt8(ascii: "a") { continue }
            if byte &- 65 < 26 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "@") {
                return false
            }
            if byte == UInt8(ascii: ":"), isNeedlessPort(bytes, from: index, isSecure: isSecure) { return false }
        }
        return false
    }

    private static func isNeedlessPort(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isSecure: Bool) -> Bool {
        func has(_ digits: StaticString) -> Bool {
            let end = start + digits.utf8CodeUnitCount
            guard end < bytes.count, bytes[end] == UInt8(ascii: "/") else { return false }
            return (start..<end).allSatisfy { bytes[$0] == digits.utf8Start[$0 - start] }
        }
        return has("") || (isSecure ? has("443") : has("80"))
    }

    private static func letter(_ byte: UInt8) -> UInt8 { byte | 0x20 }

    /// The offset behind `http://` or `https://` in upper or lower case; nil for other texts.
    private static func authorityStart(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count > 7, letter(bytes[0]) == UInt8(ascii: "h"), letter(bytes[1]) == UInt8(ascii: "t"),
            letter(bytes[2]) == UInt8(ascii: "t"), letter(bytes[3]) == UInt8(ascii: "p")
        else { return nil }
        let colon = letter(bytes[4]) == UInt8(ascii: "s") ? 5 : 4
        guard bytes.count > colon + 3, bytes[colon] == UInt8(ascii: ":"), bytes[colon + 1] == UInt8(ascii: "/"),
            bytes[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        return colon + 3
    }

    private static func rewritten(_ text: String) -> String {
        var parts = URLParts(text)
        let scheme = parts.scheme?.lowercased() ?? ""
        parts.scheme = scheme[...]
        parts.host = parts.host.map { $0.lowercased()[...] }
        if let port = parts.port, port.isEmpty || port == (scheme == "https" ? "443" : "80") { parts.port = nil }
        if parts.path.isEmpty { parts.path = "/" }
        (parts.userInfo, parts.fragment) = (nil, nil)
        return parts.text
    }
}
