import Foundation
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTesting
import SQLiteCache
import Testing

/// What Gannet expects of a cache, tried on a foreign one. // PL-03, DC-26, DC-27
@Suite struct SQLiteCacheTests {
    private let time = ManualTimeSource()
    private let path = "/tmp/gannet-sqlite-\(UInt64.random(in: 0 ... .max)).db"

    private func withCache(limit: Int = 1 << 20, _ body: (SQLiteCache) async throws -> Void) async throws {
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try await body(try SQLiteCache(path: path, byteLimit: limit, time: time))
    }

    private func entry(_ count: Int, expiration: CacheExpiration = .standard) -> CacheEntry {
        let metadata = CacheEntryMetadata(
            format: "png", storedAt: time.now,
            freshness: Freshness(freshUntil: time.now + .seconds(60), etag: "\"a\"", lastModified: nil, forbidsStoring: false),
            expiration: expiration, extended: [1, 2, 3])
        return CacheEntry(bytes: ByteRope([UInt8](repeating: UInt8(count & 255), count: count)), metadata: metadata)
    }

    @Test func storesAndFindsEverything() async throws {
        try await withCache { cache in
            let key = CacheKey("https://example.org/a.png")
            try await cache.store(entry(5000), for: key)
            let found = try #require(try await cache.entry(for: key, touch: true))
            #expect(found.bytes.contiguous() == entry(5000).bytes.contiguous())
            #expect(found.metadata == entry(5000).metadata)
            #expect(try cache.blockingEntry(for: key, touch: false)?.bytes.count == 5000)
            #expect(await cache.contains(key))
            var changed = found.metadata
            changed.freshness.etag = "\"b\""
            try await cache.update(changed, for: key)
            #expect(try await cache.metadata(for: key)?.freshness.etag == "\"b\"")
            try await cache.update(changed, for: CacheKey("never there"))
            #expect(try await cache.usage().count == 1)
            try await cache.remove(key)
            #expect(await !cache.contains(key))
        }
    }

    @Test func keepsItsLimitByUse() async throws {
        try await withCache(limit: 10_000) { cache in
            for number in 0..<20 {
                try await cache.store(entry(3000), for: CacheKey("k\(number)"))
                time.advance(by: .seconds(1))
                _ = try await cache.entry(for: CacheKey("k0"), touch: true)
                time.advance(by: .seconds(1))
                #expect(try await cache.usage().bytes <= 10_000)
            }
            #expect(await cache.contains(CacheKey("k0")))
            #expect(await cache.contains(CacheKey("k19")))
            #expect(await !cache.contains(CacheKey("k5")))
            try await cache.store(entry(20_000), for: CacheKey("too large"))
            #expect(await !cache.contains(CacheKey("too large")))
        }
    }

    @Test func removesByPrefixAndEnds() async throws {
        try await withCache { cache in
            for name in ["a%\u{1}1", "a%\u{1}2", "ab"] { try await cache.store(entry(10), for: CacheKey(name)) }
            try await cache.removeAll(prefix: "a%")
            #expect(try await cache.usage().count == 1)
            try await cache.store(entry(10, expiration: .after(.seconds(5))), for: CacheKey("short"))
            try await cache.store(entry(10, expiration: .expired), for: CacheKey("ab"))
            time.advance(by: .seconds(5))
            #expect(await !cache.contains(CacheKey("short")))
            #expect(try await cache.usage().count == 0)
        }
    }

    /// Behind a manager, and as the lower one of two caches.
    @Test func worksBehindAManager() async throws {
        try await withCache { cache in
            let upper = InMemoryImageCache()
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: nil, diskCache: CachesManager([cache, upper], store: .lowestOnly),
                    loaders: LoadersManager(), coders: CodersManager([FakeImageCoder()])))
            try await manager.cache.storeData(ByteRope(FakeImageCoder.bytes(width: 3, height: 2, red: 9)), forKey: "a")
            let picture = try #require(try await manager.cache.image(forKey: "a"))
            #expect(picture.image.bitmap.size == PixelSize(clamping: 3, 2))
            #expect(upper.keys == ["a"])
        }
    }
}
