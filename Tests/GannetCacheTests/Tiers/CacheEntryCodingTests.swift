import GannetCache
import GannetCore
import GannetPlatform
import GannetTesting
import Testing

/// Whole entries as bytes, for foreign caches. // DC-26, U-05
@Suite struct CacheEntryCodingTests {
    private let key = CacheKey("https://example.org/a.png\u{1}variant")
    private let now = Timestamp(milliseconds: 1_767_225_600_000)

    private var entry: CacheEntry {
        CacheEntry(
            bytes: ByteRope((0..<300).map { UInt8(truncatingIfNeeded: $0) }),
            metadata: CacheEntryMetadata(
                format: "png", storedAt: now,
                freshness: Freshness(freshUntil: now, etag: "\"é\"", lastModified: "today", forbidsStoring: false),
                expiration: .after(.seconds(60)), isPartial: true, extended: [0, 255]))
    }

    @Test func comesBackWhole() throws {
        let bytes = try CacheEntryCoding.encode(entry, for: key, writtenAt: now)
        let found = try CacheEntryCoding.decode(bytes, for: key)
        #expect(found.bytes.contiguous() == entry.bytes.contiguous())
        #expect(found.metadata == entry.metadata)
    }

    @Test func anythingElseIsRefused() throws {
        let bytes = try CacheEntryCoding.encode(entry, for: key, writtenAt: now)
        for count in 0..<bytes.count {
            #expect(throws: ImageError.self) { try CacheEntryCoding.decode(Array(bytes[..<count]), for: key) }
        }
        #expect(throws: ImageError.self) { try CacheEntryCoding.decode(bytes + [0], for: key) }
        #expect(throws: ImageError.self) { try CacheEntryCoding.decode(bytes, for: CacheKey("another")) }
        for index in bytes.indices {
            var broken = bytes
            broken[index] ^= 0x10
            #expect(throws: ImageError.self) { try CacheEntryCoding.decode(broken, for: key) }
        }
    }
}
