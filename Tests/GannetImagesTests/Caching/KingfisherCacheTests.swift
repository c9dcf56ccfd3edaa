import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Kingfisher's "Image cache" behaviours, under their names; each also covers its `…Async` twin, because all but memory is async.
@Suite struct KingfisherCacheTests: CacheSuite {
    let caches = CacheFixture()

    /// A folder that can never be created is no error for loads; explicit calls report it. // DC-33
    @Test func testInvalidCustomCachePath() async throws {
        try await disk.store(folder.entry("a"), for: CacheKey("a"))
        try await disk.flush()
        // A file stands where the folder should be.
        let impossible = DiskCache(
            DiskCacheConfiguration(directory: folder.path + "/CACHEDIR.TAG/cache"), time: folder.time, observer: folder.observer)
        try await impossible.store(folder.entry("b"), for: CacheKey("b"))
        await #expect(throws: ImageError.self) { try await impossible.flush() }
        #expect(folder.observer.count("degraded") == 1)
    }

    @Test("testCustomCachePath, testCustomCachePathByBlock") func customPath() async throws {  // DC-03
        let other = CacheFolder()
        let cache = folder.cache(change: { $0.directory = other.path + "/inside" })
        try await cache.store(folder.entry("a"), for: CacheKey("a"))
        try await cache.flush()
        #expect(cache.path(for: CacheKey("a")).hasPrefix(other.path + "/inside/"))
        #expect(try other.entryFiles().count == 1)
        #expect(try folder.entryFiles() == [])
    }

    @Test("testMaxCachePeriodInSecond, testMaxMemorySize, testMaxDiskCacheSize") func limits() {
        let memory = MemoryCache(limits: MemoryCacheLimits(bytes: 1))
        memory.limits.bytes = 2 << 20
        #expect(memory.limits.bytes == 2 << 20)
        let configuration = DiskCacheConfiguration(directory: folder.path, byteLimit: 5 << 20, maximumAge: .seconds(60))
        #expect(DiskCache(configuration).configuration.byteLimit == 5 << 20)
        #expect(DiskCache(configuration).configuration.maximumAge == .seconds(60))
    }

    @Test func testClearDiskCache() async throws {
        try await store()
        try await cache.removeAll(tier: .disk)
        #expect(try folder.entryFiles() == [])
        #expect(cache.memoryImage(forKey: key) != nil)
    }

    @Test func testClearMemoryCache() async throws {
        try await store()
        try await cache.removeAll(tier: .memory)
        #expect(await cache.tier(ofKey: key) == .disk)
    }

    @Test("testNoImageFound, testCachedFileDoesNotExist") func nothingFound() async throws {
        #expect(try await cache.image(forKey: key) == nil)
        #expect(try await cache.data(forKey: key) == nil)
        #expect(await !disk.contains(CacheKey(key)))
    }

    @Test func testStoreImageInMemory() async throws {
        try await store(.memory)
        #expect(try await cache.image(forKey: key)?.origin == .memory)
        #expect(try await cache.usage(of: .disk).count == 0)
    }

    @Test func testMemoryStorageCacheCost() async throws {
        let (a, b) = (try picture(), try picture())
        try await cache.store(a, forKey: "a", tier: .memory)
        try await cache.store(b, forKey: "b", tier: .memory)
        #expect(try await cache.usage(of: .memory).bytes == a.byteCount + b.byteCount)
        try await cache.remove(forKey: "a")
        #expect(try await cache.usage(of: .memory).bytes == b.byteCount)
        try await cache.removeAll(tier: .memory)
        #expect(try await cache.usage(of: .memory).bytes == 0)
    }

    @Test("testStoreMultipleImages, testCachedFileExists") func several() async throws {
        for number in 0..<4 { try await store(key: "k\(number)", fill: UInt8(number)) }
        fixture.memory.removeAll()
        for number in 0..<4 {
            let found = try #require(try await cache.image(forKey: "k\(number)"))
            #expect(found.origin == .disk)
            #expect(red(found) == UInt8(number))
        }
    }

    @Test func testCachedFileWithCustomPathExtensionExists() async throws {  // DC-06
        let named = CacheKey(key).with(fileExtension: "jpg")
        try await disk.store(folder.entry("jpg"), for: named)
        try await disk.flush()
        #expect(try folder.entryFiles() == [disk.path(for: named)])
        #expect(await disk.contains(named))
    }

    @Test("testCachedImageIsFetchedSynchronouslyFromTheMemoryCache, testIsImageCachedForKey") func synchronous() async throws {
        #expect(cache.memoryImage(forKey: key) == nil)
        #expect(await cache.tier(ofKey: key) == .none)
        try await store()
        #expect(cache.memoryImage(forKey: key) != nil)
        #expect(await cache.tier(ofKey: key) == .memory)
    }

    /// The transformer is part of the key. // KF-04
    @Test("testCannotRetrieveCacheWithProcessorIdentifier, testRetrieveCacheWithProcessorIdentifier")
    func transformerIsPartOfTheKey() async throws {
        let plain = ImageRequest(ImageSource(ManagerFixture.url))
        let changed = plain.with(.transform(AddTransformer(amount: 1)))
        fixture.serve(red: 10)
        _ = try await fixture.manager.image(for: changed.with(.waitingForStore))
        #expect(fixture.manager.cachedImage(for: changed) != nil)
        #expect(fixture.manager.cachedImage(for: plain.with(.transform(AddTransformer(amount: 2)))) == nil)
        #expect(try fixture.manager.cacheKey(for: changed) != fixture.manager.cacheKey(for: plain))
    }

    @Test("testDefaultCache, testRetrieveDiskCacheSynchronously, testRetrieveDiskCacheAsynchronously")
    func retrieveFromDisk() async throws {
        fixture.serve(red: 4)
        let request = ImageRequest(ImageSource(ManagerFixture.url))
        _ = try await fixture.manager.image(for: request.with(.waitingForStore))
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: request).origin == .disk)
        fixture.memory.removeAll()
        #expect(try fixture.manager.blockingCachedImage(for: request).map(red) == 4)
    }

    /// A modifier applies to the delivered image, never to the stored one. // KF-12
    @Test("testModifierShouldOnlyApplyForFinalResultWhenMemoryLoad, testModifierShouldOnlyApplyForFinalResultWhenDiskLoad")
    func modifierIsForDelivery() async throws {
        struct Brighter: ImageModifier {
            func modify(_ image: DecodedImage) -> DecodedImage {
                let context = TransformContext(metadata: image.metadata)
                guard let bitmap = try? AddTransformer(amount: 1).transform(image.bitmap, context: context) else { return image }
                return .still(bitmap, image.metadata)
            }
        }
        fixture.serve(red: 10)
        let plain = ImageRequest(ImageSource(ManagerFixture.url))
        _ = try await fixture.manager.image(for: plain.with(.waitingForStore))
        let modified = plain.with(.modifier(Brighter()))
        for origin in [LoadedImage.Origin.memory, .disk] {
            if origin == .disk { fixture.memory.removeAll() }
            let result = try await fixture.manager.image(for: modified)
            #expect(result.origin == origin)
            #expect(red(result) == 11)
            #expect(fixture.manager.cachedImage(for: plain).map(red) == 10)
        }
    }

    @Test("testStoreToMemoryWithExpiration, testStoreToDiskWithExpiration") func expirations() async throws {
        let memory = MemoryCache(time: folder.time)
        let other = ManagerFixture(diskCache: disk) {
            $0.memoryCache = memory
            $0.time = folder.time
        }
        try await other.manager.cache.store(
            picture(), forKey: key, expiration: .after(.seconds(10)), encode: fake)
        folder.time.advance(by: .seconds(9))
        #expect(memory.contains(CacheKey(key)))
        #expect(await disk.contains(CacheKey(key)))
        folder.time.advance(by: .seconds(1))
        #expect(!memory.contains(CacheKey(key)))
        #expect(await !disk.contains(CacheKey(key)))
    }

    @Test func testCalculateDiskStorageSize() async throws {
        #expect(try await cache.usage(of: .disk).bytes == 0)
        try await store()
        let used = try await cache.usage(of: .disk).bytes
        #expect(used > 0)
        #expect(try folder.entryFiles().reduce(0) { $0 + (try folder.files.status($1).size) } == used)
    }

    /// An extension makes a different key; the cache does not guess extensions. // DC-06
    @Test(
        """
        testPossibleCacheFileURLIfOnDiskNotCached, testPossibleCacheFileURLIfOnDiskCachedWithWrongFileType, \
        testPossibleCacheFileURLIfOnDiskCachedWithExplicitFileType, \
        testPossibleCacheFileURLIfOnDiskCachedGuessingFileTypeNotHit, \
        testPossibleCacheFileURLIfOnDiskCachedGuessingFileType, testPossibleCacheFileURLIfOnDiskCachedArbitraryFileType
        """,
        arguments: [
            (nil, "jpg", false), ("png", "jpg", false), ("jpg", "jpg", true), ("JPG", "jpg", true), ("", "", true),
            ("", "jpg", false), ("jpg", "", false), ("anything", "anything", true),
        ] as [(String?, String, Bool)])
    func forcedExtensions(stored: String?, asked: String, isFound: Bool) async throws {
        let plain = CacheKey(key)
        if let stored { try await disk.store(folder.entry("a"), for: plain.with(fileExtension: stored)) }
        #expect(await disk.contains(plain.with(fileExtension: asked)) == isFound)
    }

    /// Asking where something is never blocks the caller: it suspends. // DC-20
    @Test(
        """
        testImageCachedTypeAsyncMemoryHit, testImageCachedTypeAsyncDiskHitRunsOffMainThreadWhenCallbackUntouch, \
        testImageCachedTypeAsyncNone, testImageCachedTypeAsyncDeliversOnMainQueueWhenRequested, testImageCachedTypeAsyncAwaitReturns
        """)
    @MainActor func whereItIs() async throws {
        #expect(await cache.tier(ofKey: key) == .none)
        try await store(.disk)
        #expect(await cache.tier(ofKey: key) == .disk)
        try await store(.memory)
        #expect(await cache.tier(ofKey: key) == .memory)
        MainActor.assertIsolated()
    }
}
