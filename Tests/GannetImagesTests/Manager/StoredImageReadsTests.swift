import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// How many files a stored image costs. The fake file system has no page cache, so each look at a file is one `readParts`.
@Suite struct StoredImageReadsTests: ManagerSuite {
    private let folder = CacheFolder()

    private func resized() -> ImageRequest { request { $0.transform.transformers = [AddTransformer(amount: 1)] } }

    private func reads(_ fixture: ManagerFixture, _ files: FaultyFileSystem) async throws -> Int {
        fixture.memory.removeAll()
        let before = files.count(of: .readParts)
        let loaded = try await fixture.manager.image(for: resized())
        #expect(loaded.origin == .disk && red(loaded) == 11)
        return files.count(of: .readParts) - before
    }

    @Test func aTransformedImageIsOneFileWhereTheIndexKnowsItsOriginalsDate() async throws {
        let files = FaultyFileSystem(folder.files)
        let fixture = ManagerFixture(diskCache: folder.cache(files: files))
        fixture.serve()
        _ = try await fixture.manager.image(for: resized())
        try await fixture.manager.configuration.diskCache?.flush()
        #expect(try await reads(fixture, files) == 1)
        #expect(try await reads(fixture, files) == 1)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func anotherProcessReadsTheOriginalsDateOnce() async throws {
        do {
            let fixture = ManagerFixture(diskCache: folder.cache())
            fixture.serve()
            _ = try await fixture.manager.image(for: resized())
            try await fixture.manager.configuration.diskCache?.flush()
        }
        let files = FaultyFileSystem(folder.files)
        let fixture = ManagerFixture(diskCache: folder.cache(files: files, change: { $0.isSoleOwner = true }))
        try await fixture.manager.configuration.diskCache?.flush()
        #expect(try await reads(fixture, files) == 2)
        #expect(try await reads(fixture, files) == 1)
    }

    @Test func aLaterOriginalIsSeen() async throws {
        let cache = folder.cache(change: { $0.isSoleOwner = true })
        let key = CacheKey("a")
        try await cache.store(folder.entry("1"), for: key)
        let first = folder.time.now
        // Waiting entries are not in the index yet.
        try await cache.flush()
        #expect(cache.wasStored(key, by: first))
        #expect(!cache.wasStored(key, by: Timestamp(milliseconds: first.milliseconds - 1)))
        #expect(!cache.wasStored(CacheKey("b"), by: first))
        folder.time.advance(by: .seconds(1))
        try await cache.store(folder.entry("2"), for: key)
        try await cache.flush()
        #expect(!cache.wasStored(key, by: first))
        #expect(cache.wasStored(key, by: folder.time.now))
    }

    /// The other one may be at another machine.
    @Test func ofSeveralCachesTheFirstOneKnowsTheDate() async throws {
        let (near, far) = (folder.cache(change: { $0.isSoleOwner = true }), InMemoryImageCache())
        let (both, key) = (CachesManager([far, near]), CacheKey("a"))
        // Before its folder has been read, it may have anything.
        try await near.store(folder.entry("0"), for: CacheKey("b"))
        try await near.flush()
        try await far.store(folder.entry("1"), for: key)
        #expect(both.wasStored(key, by: .distantPast))
        try await near.store(folder.entry("2"), for: key)
        try await near.flush()
        #expect(both.wasStored(key, by: folder.time.now))
        #expect(!both.wasStored(key, by: Timestamp(milliseconds: folder.time.now.milliseconds - 1)))
        #expect(
            !CachesManager([near, far]).wasStored(key, by: folder.time.now) && !CachesManager().wasStored(key, by: .distantPast))
    }

    @Test func besideAnotherOwnerTheIndexKnowsNoDate() async throws {
        let cache = folder.cache()
        let key = CacheKey("a")
        try await cache.store(folder.entry("1"), for: key)
        try await cache.flush()
        #expect(cache.wasStored(key, by: folder.time.now))
        let other = folder.cache()
        // It announces itself before its first write.
        try await other.store(folder.entry("3"), for: CacheKey("b"))
        try await other.flush()
        #expect(!cache.wasStored(key, by: folder.time.now))
        folder.time.advance(by: .seconds(1))
        try await other.store(folder.entry("2"), for: key)
        try await other.flush()
        withExtendedLifetime(other) { #expect(!cache.wasStored(key, by: folder.time.now)) }
    }
}
