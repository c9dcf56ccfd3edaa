/// HMAC-SHA-256 (RFC 2104, FIPS 198-1) with a key of at most 64 bytes.
package enum HMAC {
    /// Lower-case hexadecimal digits, 64 of them. O(n), about 1 µs for short messages.
    package static func sha256(_ message: some Collection<UInt8>, key: [UInt8]) -> String {
        precondition(key.count <= 64, "longer keys are hashed first, and Gannet has none")
        let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
        var inner = SHA256()
        inner.update(padded.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(padded.map { $0 ^ 0x5C })
        outer.update(inner.finishBytes())
        return outer.finish()
    }
}
