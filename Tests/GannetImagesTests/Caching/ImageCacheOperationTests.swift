import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// More of SDWebImage's "Image cache" behaviours, by their names: operations for each tier, and parts of one's own. // CM-01, DC-20
@Suite struct ImageCacheOperationTests: CacheSuite {
    static let tiers: [CacheTier] = [.none, .memory, .disk, .all]

    let caches = CacheFixture()

    /// A manager always has the same pair of caches; `ImageManager.shared` is always the same manager.
    @Test("test01SharedImageCache, test02Singleton") func oneCacheOfAManager() async throws {
        let (first, second) = (fixture.manager.cache, fixture.manager.cache)
        try await first.store(picture(), forKey: key, tier: .memory)
        #expect(second.memoryImage(forKey: key) != nil)
    }

    /// A query of the caches alone is a task like any load. // MG-14
    @Test func test09RetrieveImageThroughNSOperation() async throws {
        fixture.serve()
        let request = ImageRequest(ImageSource(ManagerFixture.url))
        _ = try await fixture.manager.image(for: request.with(.waitingForStore))
        fixture.memory.removeAll()
        let query = fixture.manager.task(for: request.with(.onlyFromCache))
        #expect(try await query.value.origin == .disk)
        #expect(fixture.loader.loadCount == 1)
    }

    /// Cancelling is done when the call returns, and the callback comes once. // MG-08
    @Test func test15CancelQueryShouldCallbackOnceInSync() async throws {
        let (results, continuation) = AsyncStream<Result<LoadedImage, ImageError>>.makeStream()
        fixture.loader.gate.close()
        let query = fixture.manager.load(ImageRequest(ImageSource(ManagerFixture.url))) { continuation.yield($0) }
        query.cancel()
        #expect(query.isCancelled)
        query.cancel()
        var seen = results.makeAsyncIterator()
        guard case .failure(let error) = await seen.next() else {
            Issue.record("a picture came out of a cancelled query")
            return
        }
        #expect(error.code == .cancelled)
        fixture.loader.gate.open()
        await eventually { fixture.observer.isBalanced }
        continuation.finish()
        #expect(await seen.next() == nil)
    }

    /// Without bytes the image is encoded: in the requested format, else in the one it came from. // DC-02
    @Test func test42StoreCacheWithImageAndFormatWithoutImageData() async throws {
        try await store(.disk)
        #expect(try await disk.metadata(for: CacheKey(key))?.format == "fake")
        let bitmap = try Pictures.bitmap(bytes: 64)
        let image = DecodedImage.still(bitmap, ImageMetadata(format: FakeImageCoder.format, originalSize: bitmap.size))
        try await cache.store(image, forKey: "b", tier: .disk)
        #expect(try await disk.metadata(for: CacheKey("b"))?.format == "fake")
        // Nobody here writes JPEG.
        await #expect(throws: ImageError.self) {
            try await cache.store(image, forKey: "c", tier: .disk, encode: EncodeOptions(format: .jpeg))
        }
    }

    @Test func test43CustomDefaultCacheDirectory() {  // DC-03
        #expect(DiskCacheConfiguration.defaultDirectory(application: "viewer").hasSuffix("/viewer"))
        #expect(DiskCacheConfiguration().directory == DiskCacheConfiguration.defaultDirectory())
        #expect(DiskCacheConfiguration(directory: folder.path).directory == folder.path)
    }

    @Test func `Each program has a cache of its own`() {  // DC-02
        #expect(DiskCacheConfiguration.defaultDirectory().hasSuffix("/gannet"))
        #expect(!DiskCacheConfiguration.defaultDirectory().hasSuffix("/.cache/gannet"))
        #expect(DiskCacheConfiguration.program("/usr/bin/viewer") == "viewer")
        #expect(DiskCacheConfiguration.program("/opt/a b/viewer (deleted)") == "viewer")
        for path in ["", "/", "..", "/.."] { #expect(DiskCacheConfiguration.program(path) == "program", "\(path)") }
    }

    @Test func test42CustomMemoryCache() async throws {  // MC-12
        final class Forgetful: ImageMemoryCaching {
            func image(for key: CacheKey) -> CachedImage? { nil }
            func store(_ picture: CachedImage, for key: CacheKey) {}
            func remove(_ key: CacheKey) {}
            func removeAll(prefix: String) {}
            func removeAll() {}
            func contains(_ key: CacheKey) -> Bool { false }
            var usage: CacheUsage { CacheUsage(count: 0, bytes: 0) }
            func trim(toFraction fraction: Double) {}
        }
        let other = ManagerFixture(diskCache: disk) { $0.memoryCache = Forgetful() }
        try await other.manager.cache.store(picture(), forKey: key, encode: fake)
        #expect(other.manager.cache.memoryImage(forKey: key) == nil)
        #expect(try await other.manager.cache.image(forKey: key)?.origin == .disk)
    }

    @Test func test43CustomDiskCache() async throws {  // PL-03
        let own = InMemoryImageCache()
        let other = ManagerFixture(diskCache: own)
        try await other.manager.cache.store(picture(), forKey: key, encode: fake)
        #expect(own.keys == [key])
        #expect(await other.manager.cache.tier(ofKey: key) == .memory)
    }

    @Test("test49SDImageCacheQueryOp, test50SDImageCacheQueryOp", arguments: tiers)
    func query(tier: CacheTier) async throws {
        try await store(.all)
        let found = try await cache.image(forKey: key, tier: tier)
        if tier.contains(.memory) {
            #expect(found?.origin == .memory)
        } else if tier.contains(.disk) {
            #expect(found?.origin == .disk)
        } else {
            #expect(found == nil)
        }
    }

    @Test("test51SDImageCacheStoreOp", arguments: tiers) func storing(tier: CacheTier) async throws {
        try await store(tier)
        #expect((cache.memoryImage(forKey: key) != nil) == tier.contains(.memory))
        #expect(await disk.contains(CacheKey(key)) == tier.contains(.disk))
    }

    @Test("test52SDImageCacheRemoveOp", arguments: tiers) func removing(tier: CacheTier) async throws {
        try await store(.all)
        try await cache.remove(forKey: key, tier: tier)
        #expect((cache.memoryImage(forKey: key) != nil) == !tier.contains(.memory))
        #expect(await disk.contains(CacheKey(key)) == !tier.contains(.disk))
    }

    @Test("test53SDImageCacheContainsOp", arguments: tiers) func containing(tier: CacheTier) async throws {
        try await store(tier)
        let expected: CacheTier = tier.contains(.memory) ? .memory : tier.contains(.disk) ? .disk : .none
        #expect(await cache.tier(ofKey: key) == expected)
    }

    @Test("test54SDImageCacheClearOp", arguments: tiers) func clearing(tier: CacheTier) async throws {
        try await store(.all)
        try await cache.removeAll(tier: tier)
        #expect((cache.memoryImage(forKey: key) != nil) == !tier.contains(.memory))
        #expect(try await cache.usage(of: .disk).count == (tier.contains(.disk) ? 0 : 1))
    }
}
