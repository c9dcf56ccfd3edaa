/// HMAC-SHA-256 (RFC 2104, FIPS 198-1).
package enum HMAC {
    /// Lower-case hexadecimal digits, 64 of them. O(n), about 1 µs for short messages.
    package static func sha256(_ message: some Collection<UInt8>, key: [UInt8]) -> String {
        Hexadecimal.text(of: sha256Bytes(message, key: key))
    }

    /// 32 bytes.
    package static func sha256Bytes(_ message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
        var key = key
        if key.count > 64 {
            var digest = SHA256()
            digest.update(key)
            key = digest.finish()
        }
        let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
        var inner = SHA256()
        inner.update(padded.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(padded.map { $0 ^ 0x5C })
        outer.update(inner.finish())
        return outer.finish()
    }

    /// Compares in constant time (for texts of equal length), so that a code cannot be guessed digit by digit.
    package static func isEqual(_ left: String, _ right: String) -> Bool {
        let (a, b) = (Array(left.utf8), Array(right.utf8))
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
