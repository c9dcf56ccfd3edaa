/// The secret with which credentials become part of cache keys.
///
/// A key must keep the entries of different credentials apart, and must not reveal them. Readers of the cache could guess a
/// password from its plain digest; from a keyed one (HMAC-SHA-256, RFC 2104) they cannot. A cache that outlives the process keeps
/// its key beside its entries: see ``ImageCaching/scopeKey``.
public struct ScopeKey: Sendable {
    /// The length of a key.
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// A key that was made before and kept: 32 random bytes. Nil for any other number of bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A new key from the system's generator of secrets.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init { generator.next() }
    }

    /// Every word of `nextWord` must be as likely as every other.
    package init(of nextWord: () -> UInt64) {
        bytes = (0..<Self.byteCount / 8).flatMap { _ in
            let word = nextWord()
            return stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }

    /// Lives as long as the process: the key of caches that do not keep one.
    public static let process = ScopeKey()

    /// The text that replaces secrets in keys: 32 hexadecimal digits, equal for equal texts, about 2 µs. Takes several texts so that
    /// no two lists of them look alike.
    package func seal(_ secrets: [String]) -> String {
        var message: [UInt8] = []
        for secret in secrets {
            withUnsafeBytes(of: UInt64(secret.utf8.count).littleEndian) { message.append(contentsOf: $0) }
            message.append(contentsOf: secret.utf8)
        }
        return String(HMAC.sha256(message, key: bytes).prefix(32))
    }
}

extension ScopeKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the key.
    public var description: String { "ScopeKey(…)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Redaction.mirror(of: self) }
}
