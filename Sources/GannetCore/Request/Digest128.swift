import CGannetKernels

/// 128 bits of XXH3 without a key: equal across runs and machines. Not safe against crafted collisions, so an index built on it
/// must also compare the text.
package struct Digest128: Hashable, Sendable {
    /// The upper 64 bits; the first 16 digits of ``hex``.
    package let high: UInt64
    /// The lower 64 bits, by which values are hashed.
    package let low: UInt64

    /// For digests that were computed before and stored.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// O(n), about 15 ns for a URL.
    package init(_ text: String) {
        var text = text
        let digest = text.withUTF8 { gannet_hash128($0.baseAddress, $0.count) }
        self.init(high: digest.high, low: digest.low)
    }

    /// The digest of bytes.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let digest = gannet_hash128(bytes.baseAddress, bytes.count)
        self.init(high: digest.high, low: digest.low)
    }

    package static func == (left: Digest128, right: Digest128) -> Bool { left.low == right.low && left.high == right.high }

    package func hash(into hasher: inout Hasher) { hasher.combine(low) }

    /// 32 lower-case hexadecimal digits.
    package var hex: String {
        String(unsafeUninitializedCapacity: 32) { target in
            Self.writeHex(high, to: target, at: 0)
            Self.writeHex(low, to: target, at: 16)
            return 32
        }
    }

    /// 16 lower-case hexadecimal digits.
    package static func writeHex(_ word: UInt64, to target: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        for index in 0..<16 {
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * index)) & 15
            target[start + index] = nibble < 10 ? 48 + nibble : 87 + nibble
        }
    }
}

/// Checksums for stored bytes.
package enum Checksum {
    /// XXH3, 64 bits. O(n), above 10 GB/s.
    package static func xxh3(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBufferPointer { gannet_hash64($0.baseAddress, $0.count, seed) }
    }

    /// The same of a part of an array, without copying it.
    package static func xxh3(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBufferPointer { gannet_hash64($0.baseAddress, $0.count, seed) }
    }
}

/// A key of a cache or of the tables of running work: readable text, and its digest, computed once.
public struct CacheKey: Hashable, Sendable {
    /// Readable text, as long as its parts; compared when two digests are equal.
    public let text: String
    /// The digest of ``text``, by which caches index.
    package let digest: Digest128

    /// Computes the digest: O(n), about 15 ns for a URL.
    public init(_ text: String) {
        self.text = text
        self.digest = Digest128(text)
    }

    private init(_ text: String, _ digest: Digest128) { (self.text, self.digest) = (text, digest) }

    /// Another key of the same text, equal only to itself: for two kinds of work in one table. Allocates nothing.
    package func marked() -> CacheKey { CacheKey(text, Digest128(high: ~digest.high, low: digest.low)) }

    public static func == (left: CacheKey, right: CacheKey) -> Bool { left.digest == right.digest && left.text == right.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(digest.low) }
}

extension CacheKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// ``text`` for people: the source without query values, then the other parts.
    public var description: String {
        let parts = text.split(separator: "\u{1}", omittingEmptySubsequences: true)
        return parts.map { Redaction.url(String($0)) }.joined(separator: " ")
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Redaction.mirror(of: self) }
}
