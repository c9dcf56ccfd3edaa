import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Kingfisher's tests of its manager, under their names: originals, serializers, waiting, modifiers, providers, alternatives.
@Suite struct ManagerStoreBehaviourTests: ManagerSuite {
    /// Counts its runs; can be made to fail.
    private final class Counting: ImageTransformer {
        let identifier: String? = "counting"
        private let runs = Mutex(0)
        private let fails: Bool
        init(fails: Bool = false) { self.fails = fails }
        var count: Int { runs.withLock { $0 } }

        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            runs.withLock { $0 += 1 }
            if fails { throw ImageError(.unsupported, stage: .transform, "no") }
            return try AddTransformer(amount: 1).transform(bitmap, context: context)
        }
    }

    // MARK: Originals

    @Test func `testOriginalImageCouldBeStored, testCouldProcessOnOriginalImage`() async throws {  // KF-20, MG-05
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: request().with(.transform(AddTransformer(amount: 1))))
        #expect(disk.keys.contains(ManagerFixture.url))
        #expect(red(try await fixture.manager.image(for: request().with(.transform(AddTransformer(amount: 2))))) == 12)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func testFailingProcessOnOriginalImage() async throws {  // MG-17
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: request())
        #expect(
            await failureCode { try await fixture.manager.image(for: request().with(.transform(Counting(fails: true)))) }
                == .unsupported)
        #expect(disk.keys == [ManagerFixture.url] && fixture.loader.loadCount == 1)
    }

    @Test func `testCacheOriginalImageWithOriginalCache, testCouldProcessOnOriginalImageWithOriginalCache`() async throws {
        let originals = InMemoryImageCache(identifier: "originals")
        let fixture = ManagerFixture(diskCache: InMemoryImageCache()) { $0.originalCache = originals }
        fixture.serve()
        _ = try await fixture.manager.image(for: request().with(.transform(AddTransformer(amount: 1))))
        #expect(originals.keys == [ManagerFixture.url])
        #expect(red(try await fixture.manager.image(for: request().with(.transform(AddTransformer(amount: 2))))) == 12)
        #expect(fixture.loader.loadCount == 1)
    }

    // MARK: Serializers

    private struct Own: CacheSerializer {
        /// Nil: the coders encode.
        var bytes: [UInt8]?
        func data(for image: DecodedImage, data: EncodedImage?) async throws(ImageError) -> [UInt8]? { bytes }
    }

    @Test func testCouldProcessDoNotHappenWhenSerializerCachesTheProcessedData() async throws {  // KS-02
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        let transformer = Counting()
        let wish = request().with(.transform(transformer), .serializer(Own()))
        _ = try await fixture.manager.image(for: wish)
        fixture.memory.removeAll()
        #expect(red(try await fixture.manager.image(for: wish)) == 11)
        #expect(transformer.count == 1)
    }

    @Test func testCouldProcessAgainWhenSerializerCachesOriginalData() async throws {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        let transformer = Counting()
        let wish = request { $0.cache.write = .memory }.with(.transform(transformer))
        _ = try await fixture.manager.image(for: wish)
        fixture.memory.removeAll()
        #expect(red(try await fixture.manager.image(for: wish)) == 11)
        #expect(transformer.count == 2 && fixture.loader.loadCount == 1)
    }

    @Test func `testCanUseCustomizeDefaultCacheSerializer, testCanUseCustomizeDefaultCacheSerializerStoreEncoded`() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        let own = FakeImageCoder.bytes(width: 1, height: 1, red: 77)
        for (serializer, expected) in [
            (Own(bytes: own), own), (Own(), FakeImageCoder.bytes(width: 8, height: 4, red: 11, green: 1, blue: 1)),
        ] {
            let wish = request().with(.transform(AddTransformer(amount: 1)), .serializer(serializer))
            let key = CacheKey(try fixture.manager.cacheKey(for: wish))
            fixture.memory.removeAll()
            try await disk.remove(key)
            _ = try await fixture.manager.image(for: wish)
            #expect(try await disk.entry(for: key, touch: false)?.bytes.contiguous() == expected)
        }
    }

    // MARK: Waiting

    @Test(arguments: [true, false])
    func `testWaitForCacheOnRetrieveImage, testNotWaitForCacheOnRetrieveImage`(_ waits: Bool) async throws {  // OP-22
        let gate = AsyncGate()
        let disk = InMemoryImageCache(storeGate: gate)
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        let wish = request {
            $0.transform.transformers = [AddTransformer(amount: 1)]
            $0.cache.writeOriginal = .none
            $0.schedule.waitsForStore = waits
        }
        let task = fixture.manager.task(for: wish)
        await gate.waitForArrivals(1)
        if waits {
            #expect(task.result == nil)
        } else {
            _ = try await task.value
        }
        #expect(disk.storeCount == 0)
        gate.open()
        _ = try await task.value
        try await fixture.manager.waitForStores()
        #expect(disk.storeCount == 1)
    }

    @Test func testCacheCallbackCoordinatorStateChanging() async throws {
        // The result comes once, after the picture and its original are stored as asked.
        for (write, original, count) in [
            (CacheTier.all, CacheTier.disk, 2), (.memory, .disk, 1), (.all, .none, 1), (.memory, .none, 0),
        ] {
            let disk = InMemoryImageCache()
            let fixture = ManagerFixture(diskCache: disk)
            fixture.serve()
            _ = try await fixture.manager.image(
                for: request {
                    $0.transform.transformers = [AddTransformer(amount: 1)]
                    $0.cache.write = write
                    $0.cache.writeOriginal = original
                })
            #expect(disk.storeCount == count)
        }
    }

    // MARK: Modifiers

    private struct Scaled: ImageModifier {
        func modify(_ image: DecodedImage) -> DecodedImage {
            var metadata = image.metadata
            metadata.scale += 1
            return .still(image.bitmap, metadata)
        }
    }

    @Test
    func
        `testShouldApplyImageModifierWhenDownload, testShouldApplyImageModifierWhenLoadFromMemoryCache, testShouldApplyImageModifierWhenLoadFromDiskCache`()
        async throws
    {  // KF-12
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        let wish = request().with(.modifier(Scaled()))
        for origin in [LoadedImage.Origin.network, .memory, .disk] {
            if origin == .disk { fixture.memory.removeAll() }
            let loaded = try await fixture.manager.image(for: wish)
            #expect(loaded.origin == origin && loaded.image.metadata.scale == 2)
        }
    }

    // MARK: Providers

    private struct Provider: ImageDataProvider {
        var cacheKey = "camera"
        var answer: @Sendable () async throws -> [UInt8]
        func data() async throws -> [UInt8] { try await answer() }
    }

    private static func local() -> ManagerFixture { ManagerFixture { $0.loaders = LoadersManager() } }

    @Test func `testRetrieveWithImageProvider, testProviderDeliversWhenNotCancelled`() async throws {  // KF-05
        let provider = Provider { FakeImageCoder.bytes(width: 2, height: 2, red: 8) }
        let loaded = try await Self.local().manager.image(for: .provider(provider))
        #expect(red(loaded) == 8 && loaded.origin == .data)
    }

    @Test func `testRetrieveWithImageProviderFail, testFailingProcessOnDataProviderImage`() async throws {
        struct Broken: Error {}
        let fixture = Self.local()
        #expect(await failureCode { try await fixture.manager.image(for: .provider(Provider { throw Broken() })) } == .io)
        let good = Provider(cacheKey: "good") { FakeImageCoder.bytes(width: 2, height: 2) }
        let wish = ImageRequest(.provider(good), .transform(Counting(fails: true)))
        #expect(await failureCode { try await fixture.manager.image(for: wish) } == .unsupported)
    }

    @Test(arguments: [true, false])
    func
        `testCancellingProviderTaskDeliversCancelledError, testCancelPropagatesIntoCooperativeAsyncProvider, testCancelSuppressesLateSuccessFromNonCooperativeProvider, testRetrieveImageWithAsyncCacheTypeCheckCancelsProviderBackedShell`(
            _ cooperates: Bool
        ) async
    {
        let gate = AsyncGate()
        let cancels = CallCount()
        let provider = Provider {
            // Returns when the task is cancelled.
            await gate.wait()
            if Task.isCancelled { cancels.add() }
            if cooperates { try Task.checkCancellation() }
            return FakeImageCoder.bytes(width: 2, height: 2)
        }
        let fixture = Self.local()
        let task = fixture.manager.task(for: .provider(provider))
        await gate.waitForArrivals(1)
        task.cancel()
        #expect(await failureCode { try await task.value } == .cancelled)
        #expect(await eventually { cancels.count >= 1 })
        #expect(fixture.memory.usage.count == 0)
    }

    @Test func `testLocalFileCacheKey, testLocalFileExplicitKey`() throws {
        let fixture = Self.local()
        #expect(ImageSource.file("/a b.png").keyText == "file:///a b.png")
        struct Fixed: CacheKeyFilter { func key(for source: ImageSource) -> String? { "own" } }
        let own = try fixture.manager.cacheKey(for: ImageRequest(.provider(Provider { [] }), .keyFilter(Fixed())))
        #expect(own == "own")
    }

    // MARK: Alternatives

    @Test func `testContextRemovingAlternativeSource, testRetrievingAlternativeSourceTaskUpdateBlockCalledBeforeCompletion`()
        async throws
    {
        let fixture = ManagerFixture()
        fixture.serve("https://example.org/third.fake", red: 3)
        let alternatives: [ImageSource] = ["https://example.org/second.fake", "https://example.org/third.fake"]
        let loaded = try await fixture.manager.image(for: ImageRequest(url, .alternatives(alternatives)))
        #expect(red(loaded) == 3)
        // Each source is tried once, in order, and observers see one load.
        let asked: [ImageSource] = [url] + alternatives
        #expect(fixture.loader.loads.map(\.source) == asked)
        #expect(fixture.observer.loadsStarted == 1 && fixture.observer.loadsEnded == 1)
    }

    @Test
    func
        `testContextAppendErrorIsThreadSafe, testContextPopAlternativeSourceIsThreadSafe, testContextTakeLowDataModeSourceIsThreadSafe`()
        async
    {
        let fixture = ManagerFixture()
        let second: ImageSource = "https://example.org/second.fake"
        fixture.serve("https://example.org/second.fake", red: 2)
        let good = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let first = ImageSource("https://example.org/none\(index).fake")
                    let loaded = try? await fixture.manager.image(for: ImageRequest(first, .alternatives([second])))
                    return loaded.map { red($0) == 2 } ?? false
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(good == 50)
    }

    @Test func `testRetrievingAlternativeSourceTaskUpdateBlockCalled, testRetrievingAlternativeSourceCanCancelUpdatedTask`() async
    {
        let fixture = ManagerFixture()
        fixture.serve("https://example.org/second.fake")
        fixture.loader.gate.close()
        let task = fixture.manager.task(for: ImageRequest(url, .alternatives(["https://example.org/second.fake"])))
        await fixture.loader.gate.waitForArrivals(1)
        // The first fails, the second waits: the same task, still to be cancelled.
        fixture.loader.gate.pass()
        await fixture.loader.gate.waitForArrivals(2)
        #expect(task.result == nil && fixture.loader.loadCount == 2)
        task.cancel()
        #expect(await failureCode { try await task.value } == .cancelled)
    }
}
