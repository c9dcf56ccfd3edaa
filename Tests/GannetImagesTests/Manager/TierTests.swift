import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// The request chooses which tiers are read and filled. From SDWebImage's and Kingfisher's tests of their managers.
@Suite struct TierTests {
    private let url = ImageSource(ManagerFixture.url)

    private func request(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(source: url)
        change(&request)
        request.schedule.waitsForStore = true
        return request
    }

    @Test func test12ThatStoreCacheTypeWork() async throws {  // CX-18, CX-20, MC-14, DC-01, NK-06, CG-12
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        let nothing = request {
            $0.cache.write = .none
            $0.cache.writeOriginal = .none
        }
        _ = try await fixture.manager.image(for: nothing)
        #expect(fixture.memory.usage.count == 0 && disk.keys.isEmpty)

        _ = try await fixture.manager.image(
            for: request {
                $0.cache.write = .memory
                $0.cache.writeOriginal = .none
            })
        #expect(fixture.memory.usage.count == 1 && disk.keys.isEmpty)

        fixture.memory.removeAll()
        let changed = request {
            $0.transform.transformers = [AddTransformer(amount: 1)]
            $0.cache.write = .disk
            $0.cache.writeOriginal = .disk
        }
        _ = try await fixture.manager.image(for: changed)
        #expect(fixture.memory.usage.count == 0)
        #expect(disk.keys.count == 2 && disk.keys.contains(ManagerFixture.url))
    }

    @Test func test15ThatQueryCacheTypeWork() async throws {  // CX-17, MG-04, CX-19, DC-23
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: request())
        fixture.memory.removeAll()
        let memoryOnly = request {
            $0.cache.lookup = .cacheOnly
            $0.cache.read = .memory
            $0.cache.readOriginal = .none
        }
        await #expect(throws: ImageError.self) { try await fixture.manager.image(for: memoryOnly) }
        let fromDisk = try await fixture.manager.image(for: request { $0.cache.lookup = .cacheOnly })
        #expect(fromDisk.origin == .disk)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func test16ThatTransformerUseDifferentCacheForOriginalAndTransformedImage() async throws {  // CX-21, MG-02, CX-04
        let pictures = InMemoryImageCache(identifier: "pictures")
        let originals = InMemoryImageCache(identifier: "originals")
        let fixture = ManagerFixture()
        fixture.serve()
        let result = try await fixture.manager.image(
            for: request {
                $0.transform.transformers = [AddTransformer(amount: 1)]
                $0.cache.store = pictures
                $0.cache.originalStore = originals
                $0.cache.encode = EncodeOptions(format: FakeImageCoder.format)
            })
        #expect(originals.keys == [ManagerFixture.url])
        #expect(pictures.keys.count == 1 && !pictures.keys.contains(ManagerFixture.url))
        #expect(result.encoded == nil)
    }

    // KS-04
    @Test func test17ThatThumbnailCacheQueryNotWriteToWrongKey() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(width: 64, height: 64)
        _ = try await fixture.manager.image(for: request())
        fixture.memory.removeAll()
        let small = try await fixture.manager.image(for: request { $0.decode.target = .size(.fit(8, 8)) })
        #expect(small.size.width == 8)
        #expect(fixture.memory.usage.count == 1)
        #expect(fixture.manager.cachedImage(for: request()) == nil)
    }

    @Test func test18ThatThumbnailLoadingCanUseFullSizeCache() async throws {  // MG-05, DC-19, DC-25
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(width: 64, height: 64)
        _ = try await fixture.manager.image(for: request())
        let small = request {
            $0.decode.target = .size(.fit(8, 8))
            $0.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        }
        // From the full-size picture in memory; and from its bytes on disk where sizes are not shared or memory is empty.
        #expect(try await fixture.manager.image(for: small).origin == .memory)
        let exact = request {
            $0.decode.target = .size(.fit(4, 4))
            $0.cache.sharesSizes = false
            $0.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        }
        #expect(try await fixture.manager.image(for: exact).origin == .disk)
        #expect(fixture.loader.loadCount == 1)
        #expect(disk.keys.count == 3)
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: small).origin == .disk)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func test19ThatDifferentThumbnailLoadShouldCallbackDifferentSize() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 64)
        async let small = fixture.manager.image(for: url, .fit(8, 8))
        async let large = fixture.manager.image(for: url, .fit(16, 16))
        let widths = try await [small.size.width, large.size.width]
        #expect(widths == [8, 16])
    }

    @Test func test21ThatQueryOriginalDiskCacheFromThumbnailShouldNotWriteBackDiskCache() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(width: 64, height: 64)
        _ = try await fixture.manager.image(for: request())
        let before = try await disk.entry(for: CacheKey(ManagerFixture.url), touch: false)?.bytes.contiguous()
        _ = try await fixture.manager.image(for: request { $0.decode.target = .size(.fit(8, 8)) })
        #expect(try await disk.entry(for: CacheKey(ManagerFixture.url), touch: false)?.bytes.contiguous() == before)
    }

    @Test func testWaitForCacheOnRetrieveImageWithProcessor() async throws {  // OP-22, MG-12, KF-19
        let gate = AsyncGate()
        let disk = InMemoryImageCache(storeGate: gate)
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        var waiting = request {
            $0.transform.transformers = [AddTransformer(amount: 1)]
            $0.cache.writeOriginal = .none
            $0.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        }
        let task = fixture.manager.task(for: waiting)
        await gate.waitForArrivals(1)
        #expect(task.result == nil)
        gate.open()
        _ = try await task.value
        #expect(disk.storeCount == 1)

        gate.close()
        waiting.transform.transformers = [AddTransformer(amount: 2)]
        waiting.schedule.waitsForStore = false
        _ = try await fixture.manager.image(for: waiting)
        #expect(disk.storeCount == 1)
        gate.open()
        try await fixture.manager.waitForStores()
        #expect(disk.storeCount == 2)
    }

    @Test func test09ThatCacheKeyFilterWork() async throws {  // KS-01, CX-26, MG-10, NK-23
        struct WithoutQuery: CacheKeyFilter {
            func key(for source: ImageSource) -> String? { source.keyText.split(separator: "?").first.map(String.init) }
        }
        struct Never: CacheKeyFilter { func key(for source: ImageSource) -> String? { nil } }
        let fixture = ManagerFixture()
        fixture.serve("https://example.org/a.fake?s=1")
        _ = try await fixture.manager.image(for: ImageRequest("https://example.org/a.fake?s=1", .keyFilter(WithoutQuery())))
        #expect(
            fixture.manager.cachedImage(for: ImageRequest("https://example.org/a.fake?s=2", .keyFilter(WithoutQuery()))) != nil)
        fixture.serve("https://example.org/b.fake")
        for _ in 0..<2 {
            _ = try await fixture.manager.image(for: ImageRequest("https://example.org/b.fake", .keyFilter(Never())))
        }
        #expect(fixture.loader.loadCount == 3)
    }

    @Test func test10ThatCacheSerializerWork() async throws {  // KS-02, CX-27
        struct Doubling: CacheSerializer {
            func data(for image: DecodedImage, data: EncodedImage?) async throws(ImageError) -> [UInt8]? {
                FakeImageCoder.bytes(width: image.size.width * 2, height: image.size.height * 2)
            }
        }
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        let changed = request {
            $0.transform.transformers = [AddTransformer(amount: 1)]
            $0.cache.serializer = Doubling()
        }
        _ = try await fixture.manager.image(for: changed)
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: changed).size == PixelSize(width: 16, height: 8))
    }

    /// Writes its own form of an image, and can read it.
    private struct Reddening: CacheSerializer {
        let writes = CallCount()
        let reads = CallCount()
        var writesOriginals = true

        func data(for image: DecodedImage, data: EncodedImage?) async throws(ImageError) -> [UInt8]? {
            writes.add()
            guard data != nil, writesOriginals else { return nil }
            return [7] + FakeImageCoder.bytes(width: image.size.width, height: image.size.height, red: 99)
        }

        func image(from data: [UInt8]) async throws(ImageError) -> DecodedImage? {
            reads.add()
            guard data.first == 7 else { return nil }
            let coders = CodersManager([FakeImageCoder()])
            return try ImageDecoding(coders: coders).decode(ByteRope(Array(data.dropFirst())))
        }
    }

    @Test func aSerializerWritesAndReadsUntransformedPicturesToo() async throws {  // KS-02, CX-27
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        let serializer = Reddening()
        let serialized = request { $0.cache.serializer = serializer }
        #expect(red(try await fixture.manager.image(for: serialized)) == 10)
        #expect(serializer.writes.count == 1 && serializer.reads.count == 0)
        let key = CacheKey(try fixture.manager.cacheKey(for: serialized))
        #expect(try await disk.entry(for: key, touch: false)?.bytes.contiguous().first == 7)
        fixture.memory.removeAll()
        let second = try await fixture.manager.image(for: serialized)
        #expect(red(second) == 99 && second.origin == .disk && serializer.reads.count == 1)
        // A request without a serializer does not get what another request's serializer wrote.
        fixture.memory.removeAll()
        let plain = try await fixture.manager.image(for: request())
        #expect(red(plain) == 10 && plain.origin == .disk)
        #expect(fixture.loader.loadCount == 1 && serializer.writes.count == 1)
        try await fixture.manager.cache.remove(ManagerFixture.url)
        #expect(disk.keys.isEmpty)
    }

    // KS-02
    @Test func whatASerializerWroteFollowsItsSource() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        func freshness(_ etag: String) -> Freshness {
            var freshness = Freshness(freshUntil: fixture.time.now + .seconds(60))
            freshness.etag = etag
            return freshness
        }
        fixture.serve(freshness: freshness("\"1\""))
        let serialized = request { $0.cache.serializer = Reddening() }
        _ = try await fixture.manager.image(for: serialized)
        let key = CacheKey(try fixture.manager.cacheKey(for: serialized))
        let first = try await disk.metadata(for: key)?.freshness
        #expect(first?.etag == "\"1\"" && first?.freshUntil == fixture.time.now + .seconds(60))
        // The source has another picture once the stored one is stale.
        fixture.time.advance(by: .seconds(61))
        fixture.memory.removeAll()
        fixture.serve(red: 20, freshness: freshness("\"2\""))
        #expect(red(try await fixture.manager.image(for: serialized)) == 20)
        let second = try await disk.metadata(for: key)?.freshness
        #expect(second?.etag == "\"2\"" && second?.freshUntil == fixture.time.now + .seconds(60))
        fixture.memory.removeAll()
        #expect(red(try await fixture.manager.image(for: serialized)) == 99)
    }

    @Test func aSerializerMayBeAllThatWritesToTheDisk() async throws {  // DC-38
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        var serialized = request { $0.cache.serializer = Reddening() }
        serialized.cache.writeOriginal = .none
        _ = try await fixture.manager.image(for: serialized)
        #expect(disk.keys == [try fixture.manager.cacheKey(for: serialized)])
        fixture.memory.removeAll()
        #expect(red(try await fixture.manager.image(for: serialized)) == 99 && fixture.loader.loadCount == 1)
    }

    @Test(arguments: [false, true]) func anOriginalThatASerializerLeavesAloneStaysAsItCame(_ keepsOriginal: Bool) async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        var serialized = request { $0.cache.serializer = Reddening(writesOriginals: false) }
        if !keepsOriginal { serialized.cache.writeOriginal = .none }
        _ = try await fixture.manager.image(for: serialized)
        // Never twice, and never encoded again.
        let key = try #require(disk.keys.first)
        #expect(disk.keys.count == 1 && (key == ManagerFixture.url) == keepsOriginal)
        let stored = try await disk.entry(for: CacheKey(key), touch: false)
        #expect(stored?.bytes.contiguous() == FakeImageCoder.bytes(width: 8, height: 4, red: 10))
        fixture.memory.removeAll()
        #expect(red(try await fixture.manager.image(for: serialized)) == 10 && fixture.loader.loadCount == 1)
    }

    @Test func test11ThatOptionsProcessorWork() async throws {  // KS-03, MG-11, KF-20, NK-10
        struct Small: Sendable {
            func process(_ request: ResolvedRequest) -> ResolvedRequest {
                var request = request
                request.decode.target = .size(.fit(2, 2))
                return request
            }
        }
        let fixture = ManagerFixture { $0.optionsProcessor = Small().process }
        fixture.serve(width: 8, height: 8)
        #expect(try await fixture.manager.image(for: request()).size.width == 2)
    }

    @Test func testDefaultOptionCouldApply() async throws {  // KF-20, MG-11
        let fixture = ManagerFixture { $0.defaults = [.transform(AddTransformer(amount: 7))] }
        fixture.serve(red: 1)
        #expect(red(try await fixture.manager.image(for: request())) == 8)
        #expect(red(try await fixture.manager.image(for: request().with(.transform()))) == 1)
    }

    // testAnyImageModifier
    @Test func testImageModifierResultShouldNotBeCached() async throws {  // KF-12, TR-20
        struct FirstPixel: ImageModifier {
            func modify(_ image: DecodedImage) -> DecodedImage {
                guard
                    let bitmap = try? AddTransformer(amount: 1).transform(
                        image.bitmap, context: TransformContext(metadata: image.metadata))
                else { return image }
                return .still(bitmap, image.metadata)
            }
        }
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(red: 10)
        let modified = request { $0.transform.modifier = FirstPixel() }
        #expect(red(try await fixture.manager.image(for: modified)) == 11)
        #expect(fixture.manager.cachedImage(for: modified).map(red) == 11)
        #expect(fixture.manager.cachedImage(for: request()).map(red) == 10)
        fixture.memory.removeAll()
        #expect(red(try await fixture.manager.image(for: modified)) == 11)
    }

    // CX-20
    @Test func testOriginalImageNotBeStoredWithoutOptionSet() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: request { $0.cache.writeOriginal = .none })
        #expect(disk.keys.isEmpty)
    }

    @Test func testRetrievingWithAlternativeSource() async throws {  // KF-06
        let fixture = ManagerFixture()
        fixture.serve("https://example.org/good.fake")
        let result = try await fixture.manager.image(
            for: ImageRequest("https://example.org/bad.fake", .alternatives(["https://example.org/good.fake"])))
        #expect(result.size.width == 8)
        #expect(fixture.loader.loadCount == 2)
        // An alternative image is stored under its own source, not under the one that failed.
        #expect(fixture.memory.usage.count == 1 && !fixture.memory.contains(CacheKey("https://example.org/bad.fake")))
        fixture.serve("https://example.org/bad.fake", width: 5)
        let second = ImageRequest("https://example.org/bad.fake", .retryingFailed)
        #expect(try await fixture.manager.image(for: second).size.width == 5)
    }

    // U-18
    @Test func twoTenantsNeverShareAStoredPicture() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: ImageRequest(url, .header("Authorization", "one"), .waitingForStore))
        #expect(fixture.manager.cachedImage(for: ImageRequest(url, .header("Authorization", "two"))) == nil)
        _ = try await fixture.manager.image(for: ImageRequest(url, .header("Authorization", "two"), .waitingForStore))
        #expect(fixture.loader.loadCount == 2)
        #expect(disk.keys.allSatisfy { !$0.contains("one") && !$0.contains("two") }, "a secret stands in a key")
    }

    @Test func noStoreLeavesNothingAnywhere() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(freshness: Freshness(forbidsStoring: true))
        _ = try await fixture.manager.image(for: request { $0.decode.target = .size(.fit(2, 2)) })
        #expect(disk.keys.isEmpty && fixture.memory.usage.count == 0)
    }
}
