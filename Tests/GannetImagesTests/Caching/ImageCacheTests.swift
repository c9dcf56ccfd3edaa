import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// SDWebImage's "Image cache" behaviours, by their names, on a manager's caches. // DC-01 … DC-38
@Suite struct ImageCacheTests: CacheSuite {
    let caches = CacheFixture()

    @Test func test03ImageCacheCanBeInstantiated() async throws {
        let other = ManagerFixture(diskCache: CacheFolder().cache())
        try await store()
        #expect(other.manager.cache.memoryImage(forKey: key) == nil)
        #expect(await other.manager.cache.tier(ofKey: key) == .none)
    }

    @Test func test04ClearDiskCache() async throws {  // DC-22
        try await store()
        try await cache.removeAll(tier: .disk)
        #expect(cache.memoryImage(forKey: key) != nil)
        #expect(try await cache.usage(of: .disk) == CacheUsage(count: 0, bytes: 0))
    }

    @Test func test05ClearMemoryCache() async throws {
        try await store()
        try await cache.removeAll(tier: .memory)
        #expect(cache.memoryImage(forKey: key) == nil)
        #expect(await cache.tier(ofKey: key) == .disk)
    }

    // DC-22
    @Test func test06InsertionOfImage() async throws {
        let image = try picture()
        try await cache.store(image, forKey: key, encode: fake)
        #expect(cache.memoryImage(forKey: key)?.bitmap.identity == image.bitmap.identity)
        #expect(await disk.contains(CacheKey(key)))
    }

    @Test func test07InsertionOfImageForcingDiskStorage() async throws {  // DC-01
        try await store(.disk)
        #expect(cache.memoryImage(forKey: key) == nil)
        #expect(await cache.tier(ofKey: key) == .disk)
        #expect(try await cache.image(forKey: key)?.origin == .disk)
        // The hit is in memory now.
        #expect(try await cache.image(forKey: key)?.origin == .memory)
    }

    @Test func test08InsertionOfImageOnlyInMemory() async throws {
        try await store(.memory)
        #expect(await cache.tier(ofKey: key) == .memory)
        #expect(try await cache.image(forKey: key, tier: .disk) == nil)
    }

    // DC-22
    @Test(
        """
        test10RemoveImageForKeyWithCompletion, test11RemoveImageforKeyNotFromDiskWithCompletion, \
        test12RemoveImageforKeyFromDiskWithCompletion
        """, arguments: [CacheTier.all, .memory, .disk, .none])
    func test10RemoveImageForKeyWithCompletion(tier: CacheTier) async throws {
        try await store()
        try await cache.remove(forKey: key, tier: tier)
        #expect((cache.memoryImage(forKey: key) == nil) == tier.contains(.memory))
        #expect(await disk.contains(CacheKey(key)) == !tier.contains(.disk))
    }

    @Test func test13DeleteOldFiles() async throws {  // DC-12
        let disk = folder.cache(maximumAge: .seconds(1))
        try await disk.store(folder.entry("a"), for: CacheKey(key))
        try await disk.flush()
        folder.time.advance(by: .seconds(1))
        try await disk.removeExpired()
        #expect(try folder.entryFiles() == [])
    }

    @Test func test14QueryCacheFirstFrameOnlyHitMemoryCache() async throws {  // DC-23, OP-19
        let frames = try (0..<3).map { try Pictures.bitmap(fill: UInt8($0)) }
        try await cache.store(Pictures.animation(frames), forKey: key, tier: .memory)
        var options = DecodeOptions()
        options.frames = .first
        let found = try #require(try await cache.image(forKey: key, options: options))
        #expect(!found.image.isAnimated)
        #expect(found.image.bitmap.identity == frames[0].identity)
        #expect(try await cache.image(forKey: key)?.image.isAnimated == true)
    }

    @Test("test20InitialCacheSize, test21InitialDiskCount") func test20InitialCacheSize() async throws {
        #expect(try await cache.usage(of: .all) == CacheUsage(count: 0, bytes: 0))
    }

    /// Names follow from the key alone; extensions play no part, because contents decide. // DC-05, DC-06, DC-18
    @Test("test31CachePathForAnyKey, test32CachePathForNilKey, test33CachePathForExistingKey") func test31CachePathForAnyKey()
        async throws
    {
        let path = disk.path(for: CacheKey(key))
        #expect(path.hasPrefix(folder.path + "/entries-1/"))
        #expect(folder.cache().path(for: CacheKey(key)) == path)
        #expect(disk.path(for: CacheKey(key + "?")) != path)
        try await store()
        try await disk.flush()
        #expect(try folder.entryFiles() == [path])
        // The empty key is a key too, with a separate file; a request without a source is rejected before it gets here.
        #expect(disk.path(for: CacheKey("")).hasPrefix(folder.path + "/entries-1/"))
        #expect(throws: ImageError.self) { try fixture.manager.cacheKey(for: ImageRequest("")) }
    }

    // DC-06
    @Test(
        """
        test34CachePathForSimpleKeyWithExtension, test35CachePathForKeyWithDotButNoExtension, \
        test36CachePathForKeyWithURLQueryParams, test49DiskCacheKeyForInvalidURL
        """,
        arguments: [
            ("https://a.org/b/image.JPG", "jpg"), ("https://a.org/b/image.tar.gz?x=1.png#y.gif", "gz"), ("image.png", "png"),
            ("https://example.org", nil), ("https://example.org/", nil), ("https://a.org/.hidden", nil),
            ("https://a.org/noextension?file=a.jpg", nil), ("https://a.org/photo.jpg@2x", "jpg"),
            ("https://a.org/a.p\u{0}n:g", "png"),
            ("https://a.org/a.png\u{1}fit 10x10.x", "png"), ("https://a.org/a.", nil), ("", nil),
        ] as [(String, String?)])
    func test36CachePathForKeyWithURLQueryParams(text: String, expected: String?) {
        #expect(CacheKey(text).suggestedFileExtension == expected)
    }

    @Test func test37CachePathForKeyWithTooLongExtension() {
        // Counted in bytes, as file names are.
        #expect(CacheKey("https://a.org/a." + String(repeating: "é", count: 103)).suggestedFileExtension == nil)
        #expect(CacheKey("https://a.org/a." + String(repeating: "é", count: 102)).suggestedFileExtension != nil)
        #expect(CacheKey(String(repeating: "k", count: 100_000)).suggestedFileExtension == nil)
    }

    @Test func testStoreFileWithForcedExtension() async throws {  // DC-06
        let plain = CacheKey("a")
        #expect(plain.with(fileExtension: "") == plain)
        #expect(plain.with(fileExtension: "PNG") == plain.with(fileExtension: "png"))
        try await disk.store(folder.entry("png"), for: plain.with(fileExtension: "png"))
        #expect(await !disk.contains(plain))
        #expect(await !disk.contains(plain.with(fileExtension: "jpg")))
        #expect(await disk.contains(plain.with(fileExtension: "png")))
    }

    @Test func test40InsertionOfImageData() async throws {
        let bytes = FakeImageCoder.bytes(width: 2, height: 2, red: 5)
        try await cache.storeData(ByteRope(bytes), forKey: key)
        #expect(try await cache.data(forKey: key)?.contiguous() == bytes)
        #expect(try await disk.metadata(for: CacheKey(key))?.format == "fake")
        #expect(try await cache.image(forKey: key)?.encoded?.bytes.contiguous() == bytes)
    }

    @Test func test41ThatCustomDecoderWorksForImageCache() async throws {  // CD-06
        try await store(.disk, fill: 9)
        let found = try #require(try await cache.image(forKey: key))
        #expect(red(found) == 9)
        #expect(fixture.coder.decodeCount == 1)
    }

    @Test func test41StoreImageDataToDiskWithCustomFileManager() async throws {  // DC-33
        let faults = FaultyFileSystem(
            folder.files, rule: FaultyFileSystem.fail(.makeDirectory, number: 1, errno: 13, forever: true))
        let other = CacheFolder()
        let refusing = other.cache(files: faults)
        try await refusing.store(other.entry("a"), for: CacheKey(key))
        await #expect(throws: ImageError.self) { try await refusing.flush() }
        #expect(try await refusing.entry(for: CacheKey(key)) == nil)
        #expect(other.observer.events == ["degraded"])
    }

    @Test func test41MatchAnimatedImageClassWorks() async throws {
        try await cache.store(picture(), forKey: key, tier: .memory)
        var options = DecodeOptions()
        options.requireAnimated = true
        #expect(try await cache.image(forKey: key, tier: .memory, options: options) == nil)
        try await cache.store(Pictures.animation([Pictures.bitmap(), Pictures.bitmap()]), forKey: key, tier: .memory)
        #expect(try await cache.image(forKey: key, tier: .memory, options: options)?.image.isAnimated == true)
    }

    @Test func test45DiskCacheRemoveExpiredData() async throws {
        let other = CacheFolder()
        // The smallest entry takes more than these bytes: nothing stays.
        let cache = other.cache(byteLimit: 300)
        try await cache.store(other.entry([UInt8](repeating: 1, count: 200)), for: CacheKey(key))
        try await cache.flush()
        #expect(try await cache.usage().count == 0)
        #expect(other.observer.count("cleaned tooLarge") == 1)
    }

    @Test func test47DiskCacheExtendedData() async throws {  // DC-07
        try await cache.store(picture(), forKey: key, extended: [1, 2, 3], encode: fake)
        #expect(try await cache.extendedData(forKey: key) == [1, 2, 3])
        try await disk.flush()
        #expect(try await folder.cache().metadata(for: CacheKey(key))?.extended == [1, 2, 3])
        try await cache.setExtendedData([], forKey: key)
        #expect(try await cache.extendedData(forKey: key) == [])
        #expect(try await cache.data(forKey: key) != nil)
        try await cache.setExtendedData([1], forKey: "nothing here")
        #expect(try await cache.extendedData(forKey: "nothing here") == nil)
    }

    @Test func test48CacheUseConcurrentIOQueue() async throws {  // DC-21, DC-30
        let shared = cache
        let image = try picture()
        let options = fake
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try? await shared.store(image, forKey: "k\(number)", tier: .disk, encode: options)
                    return (try? await shared.image(forKey: "k\(number)"))?.image.bitmap.size == image.bitmap.size
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(try await cache.usage(of: .disk).count == 50)
    }

    /// A thumbnail is made of the whole picture's bytes, and never stands under its key. // DC-25
    @Test func thumbnailsAreNotStoredUnderTheWholesKey() async throws {
        try await cache.storeData(ByteRope(FakeImageCoder.bytes(width: 8, height: 8, red: 3)), forKey: key)
        var options = DecodeOptions()
        options.target = .size(.fit(4, 4))
        let small = try #require(try await cache.image(forKey: key, options: options))
        #expect(small.image.bitmap.size == PixelSize(clamping: 4, 4))
        #expect(cache.memoryImage(forKey: key) == nil)
        #expect(try await cache.image(forKey: key)?.image.bitmap.size == PixelSize(clamping: 8, 8))
        #expect(try await cache.image(forKey: key, options: options)?.image.bitmap.size == PixelSize(clamping: 4, 4))
    }

    /// Kingfisher's names for what happens when the folder goes away. // DC-32
    @Test func testDiskCacheStillWorkWhenFolderDeletedExternally() async throws {
        try await store()
        try await disk.flush()
        try CacheFolder.removeTree(folder.path)
        #expect(try await cache.image(forKey: key, tier: .disk) == nil)
        try await store()
        try await disk.flush()
        #expect(try folder.entryFiles().count == 1)
    }

    @Test func testDiskCacheCalculateSizeWhenFolderDeletedExternally() async throws {
        try await store()
        try await disk.flush()
        try CacheFolder.removeTree(folder.path)
        #expect(try await cache.usage(of: .disk) == CacheUsage(count: 0, bytes: 0))
    }

    @Test("What has ended goes when it is told to, from each tier by itself", arguments: [CacheTier.memory, .disk, .all])
    func removeExpired(tier: CacheTier) async throws {  // MC-06
        let own = InMemoryImageCache(time: folder.time)
        let several = CachesManager([disk, own])
        let other = ManagerFixture(diskCache: several) { configuration in
            configuration.memoryCache = MemoryCache(time: folder.time)
            configuration.time = folder.time
        }
        let cache = other.manager.cache
        for (key, expiration) in [("short", CacheExpiration.after(.seconds(10))), ("long", .never)] {
            try await cache.store(picture(), forKey: key, expiration: expiration, encode: fake)
            let entry = try #require(try await own.entry(for: CacheKey(key), touch: false))
            try await disk.store(entry, for: CacheKey(key))
        }
        try await disk.flush()
        folder.time.advance(by: .seconds(20))
        let before = try await cache.usage(of: .memory).count
        try await cache.removeExpired(tier: tier)
        #expect(before == 2 && own.keys.contains("long"))
        #expect(try await cache.usage(of: .memory).count == (tier.contains(.memory) ? 1 : 2))
        #expect(own.keys.contains("short") == !tier.contains(.disk))
        #expect(try await disk.usage().count == (tier.contains(.disk) ? 1 : 2))
    }

    @Test func `Tiers are printed as they are written`() {
        #expect([CacheTier.memory, .disk, .all, .none].map { "\($0)" } == ["memory", "disk", "all", "none"])
    }

    @Test func testCleanDiskCacheNotification() async throws {  // DC-34
        let (stream, continuation) = AsyncStream<CacheCleaning>.makeStream()
        let cache = folder.cache(maximumAge: .seconds(10), onClean: { continuation.yield($0) })
        try await cache.store(folder.entry("a"), for: CacheKey("a"))
        try await cache.flush()
        folder.time.advance(by: .seconds(20))
        try await cache.removeExpired()
        continuation.finish()
        var digests: [Digest128] = []
        for await cleaning in stream where cleaning.reason == .expired { digests += cleaning.digests }
        #expect(digests == [CacheKey("a").digest])
    }
}
