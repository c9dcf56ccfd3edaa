import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetImages

/// `manager.cache` by keys: what keys identify, where they are looked up, and what their removal removes. // DC-22, NK-17
@Suite struct RemovedSourceTests {
    private let disk = InMemoryImageCache()
    private let originals = InMemoryImageCache(identifier: "originals")
    private let url = ManagerFixture.url

    private func fixture() -> ManagerFixture {
        let originals = originals
        let fixture = ManagerFixture(diskCache: disk) { $0.originalCache = originals }
        fixture.serve(width: 8, height: 8, red: 1)
        return fixture
    }

    private func small(_ side: Int, _ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(ImageSource(url), .fit(side, side), .waitingForStore)
        request.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        request.cache.sharesSizes = false
        change(&request)
        return request
    }

    // DC-22
    @Test func everySizeAndEveryAskersGoesWithTheSource() async throws {
        let fixture = fixture()
        let wishes = [
            small(2), small(4) { $0.transform.transformers = [AddTransformer(amount: 1)] },
            small(2) { $0.download.credential = .bearer("me") },
        ]
        for wish in wishes { _ = try await fixture.manager.image(for: wish) }
        fixture.serve("https://example.org/a.fake2", red: 1)
        _ = try await fixture.manager.image(for: ImageSource("https://example.org/a.fake2"))
        fixture.serve(width: 8, height: 8, red: 9)
        try await fixture.manager.cache.remove(url)
        #expect(disk.keys.isEmpty && originals.keys == ["https://example.org/a.fake2"])
        #expect(fixture.memory.usage.count == 1, "another source whose name begins alike")
        for (wish, value) in zip(wishes, [9, 10, 9] as [UInt8]) {
            #expect(fixture.manager.cachedImage(for: wish) == nil)
            #expect(red(try await fixture.manager.image(for: wish)) == value)
        }
    }

    @Test func aTierAloneKeepsTheOther() async throws {
        let fixture = fixture()
        _ = try await fixture.manager.image(for: small(2))
        try await fixture.manager.cache.remove(url, tier: .memory)
        #expect(fixture.memory.usage.count == 0 && disk.keys.count == 1 && originals.keys.count == 1)
        #expect(try await fixture.manager.image(for: small(2)).origin == .disk)
        try await fixture.manager.cache.remove(url, tier: .disk)
        #expect(fixture.memory.usage.count == 1 && disk.keys.isEmpty && originals.keys.isEmpty)
    }

    @Test func theKeyOfOneSizeRemovesThatOne() async throws {
        let fixture = fixture()
        for side in [2, 4] { _ = try await fixture.manager.image(for: small(side)) }
        try await fixture.manager.cache.remove(forKey: fixture.manager.cacheKey(for: small(2)))
        #expect(disk.keys == [try fixture.manager.cacheKey(for: small(4))] && originals.keys == [url])
        #expect(fixture.manager.cachedImage(for: small(4)) != nil && fixture.manager.cachedImage(for: small(2)) == nil)
    }

    /// The key of one user's request for the whole image: removes everything made for that user.
    @Test func theKeyOfAnAskerRemovesWhatIsHis() async throws {
        let fixture = fixture()
        let his = small(2) { $0.download.credential = .bearer("me") }
        for wish in [small(2), his] { _ = try await fixture.manager.image(for: wish) }
        var whole = his
        whole.decode.target = .original
        try await fixture.manager.cache.remove(forKey: fixture.manager.cacheKey(for: whole))
        #expect(disk.keys == [try fixture.manager.cacheKey(for: small(2))] && originals.keys == [url])
        #expect(fixture.manager.cachedImage(for: his) == nil && fixture.manager.cachedImage(for: small(2)) != nil)
    }

    @Test func aThumbnailThatIsBeingMadeDoesNotComeBack() async throws {
        let fixture = fixture()
        disk.storeGate.close()
        let wish = small(2) { $0.schedule.waitsForStore = false }
        _ = try await fixture.manager.image(for: wish)
        await disk.storeGate.waitForArrivals(1)
        try await fixture.manager.cache.remove(url)
        disk.storeGate.open()
        try await fixture.manager.waitForStores()
        #expect(disk.keys.isEmpty && fixture.memory.usage.count == 0)
    }

    // NK-17
    @Test func aNameWithAFragmentIsAnEntryOfItsOwn() async throws {
        let fixture = fixture()
        let cache = fixture.manager.cache
        _ = try await fixture.manager.image(for: small(2))
        _ = try await fixture.manager.image(for: ImageSource(url))
        #expect(await cache.tier(ofKey: url + "#round") == .none)
        let round = still(try solid(7, 7, 7))
        try await cache.store(round, data: ByteRope(FakeImageCoder.bytes(width: 1, height: 1, red: 7)), forKey: url + "#round")
        #expect(try await cache.image(forKey: url)?.size.width == 8)
        #expect(try await cache.data(forKey: url)?.contiguous() == FakeImageCoder.bytes(width: 8, height: 8, red: 1))
        #expect(cache.memoryImage(forKey: url + "#round")?.size == round.size)
        #expect(try await cache.data(forKey: "HTTPS://Example.org/a.fake#round") != nil)
        try await cache.remove(forKey: url + "#round")
        #expect(await cache.tier(ofKey: url + "#round") == .none)
        #expect(await cache.tier(ofKey: url) == .memory)
        // A key is never guessed to be a URL; a source is one, and has no fragment.
        try await cache.remove(forKey: url + "#part")
        #expect(await cache.tier(ofKey: url) == .memory)
        try await cache.remove(url + "#part")
        #expect(await cache.tier(ofKey: url) == .none)
        #expect(disk.keys.isEmpty && originals.keys.isEmpty && fixture.memory.usage.count == 0)
    }

    @Test func whatAFilterWroteIsFound() async throws {
        struct Capital: CacheKeyFilter {
            func key(for source: ImageSource) -> String? { "HTTPS://Example.org:443/a#v2" }
        }
        let fixture = fixture()
        let (cache, key) = (fixture.manager.cache, "HTTPS://Example.org:443/a#v2")
        let wish = small(8) { $0.cache.keyFilter = Capital() }
        let plain = small(8) {
            $0.cache.keyFilter = Capital()
            $0.decode.target = .original
        }
        for wish in [wish, plain] { _ = try await fixture.manager.image(for: wish) }
        #expect(cache.memoryImage(forKey: key) != nil)
        #expect(try await cache.data(forKey: key) != nil)
        try await cache.setExtendedData([3], forKey: key)
        #expect(try await cache.extendedData(forKey: key) == [3])
        try await cache.storeData(ByteRope(FakeImageCoder.bytes(width: 2, height: 2)), forKey: key)
        try await cache.remove(forKey: key)
        #expect(disk.keys.isEmpty && originals.keys.isEmpty && fixture.memory.usage.count == 0)
    }

    @Test(arguments: ["HTTPS://Example.org/a.fake", "https://example.org:443/a.fake"])
    func allAnswersGoHoweverTheURLIsWritten(_ written: String) async throws {
        let metadata = CacheEntryMetadata(storedAt: Timestamp(milliseconds: 0))
        for end in ["", "\u{1}vary=a", "\u{1}partial"] {
            try await originals.store(CacheEntry(bytes: ByteRope([1]), metadata: metadata), for: CacheKey(url + end))
        }
        try await fixture().manager.cache.remove(written)
        #expect(originals.keys.isEmpty)
    }

    @Test func theCacheOfOriginalsIsReadToo() async throws {  // CX-21
        let fixture = fixture()
        let cache = fixture.manager.cache
        _ = try await fixture.manager.image(for: ImageRequest(ImageSource(url), .waitingForStore))
        fixture.memory.removeAll()
        #expect(disk.keys.isEmpty && originals.keys == [url])
        #expect(await cache.tier(ofKey: url) == .disk)
        #expect(try await cache.data(forKey: url)?.contiguous() == FakeImageCoder.bytes(width: 8, height: 8, red: 1))
        try await cache.setExtendedData([5], forKey: url)
        #expect(try await cache.extendedData(forKey: url) == [5])
        #expect(try await cache.usage(of: .disk).count == 1)
        #expect(try await cache.image(forKey: url)?.origin == .disk)
        #expect(cache.memoryImage(forKey: url) != nil)
    }

    @Test func oneCacheForBothIsCountedOnce() async throws {
        let disk = disk
        let fixture = ManagerFixture(diskCache: disk) { $0.originalCache = disk }
        fixture.serve()
        _ = try await fixture.manager.image(for: ImageRequest(ImageSource(url), .waitingForStore))
        #expect(try await fixture.manager.cache.usage(of: .disk).count == 1)
    }
}
