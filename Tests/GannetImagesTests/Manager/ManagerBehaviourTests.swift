import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// SDWebImage's and Kingfisher's tests of their managers, under their names.
@Suite struct ManagerBehaviourTests: ManagerSuite {
    @Test func test01ThatSharedManagerIsNotEqualToInitManager() async throws {
        let (one, other) = (ManagerFixture(), ManagerFixture())
        one.serve()
        _ = try await one.manager.image(for: url)
        #expect(one.manager.cachedImage(for: ImageRequest(url)) != nil)
        #expect(other.manager.cachedImage(for: ImageRequest(url)) == nil)
    }

    @Test func `test02ThatDownloadInvokesCompletionBlockWithCorrectParamsAsync, testRetrieveImage`() async throws {
        let fixture = ManagerFixture()
        fixture.serve()
        let result = await withCheckedContinuation { continuation in
            fixture.manager.load(ImageRequest(url)) { continuation.resume(returning: $0) }
        }
        let loaded = try result.get()
        #expect(loaded.origin == .network && loaded.encoded != nil && loaded.size.width == 8)
        #expect(try await fixture.manager.image(for: url).origin == .memory)
    }

    @Test func test03ThatDownloadWithIncorrectURLInvokesCompletionBlockWithAnErrorAsync() async {
        let fixture = ManagerFixture()
        let result = await withCheckedContinuation { continuation in
            fixture.manager.load(ImageRequest("https://static2.dmcdn.net/none.fake")) { continuation.resume(returning: $0) }
        }
        #expect(result.failureCode == .notFound)
    }

    @Test func `test08ThatImageTransformerWork, testRetrieveImageWithProcessor, testShouldDownloadAndCacheProcessedImage`()
        async throws
    {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        let changed = request { $0.transform.transformers = [AddTransformer(amount: 1)] }
        #expect(red(try await fixture.manager.image(for: changed)) == 11)
        #expect(disk.keys.count == 2 && disk.keys.contains(ManagerFixture.url))
        #expect(disk.keys.contains(try fixture.manager.cacheKey(for: changed)))
        fixture.memory.removeAll()
        let again = try await fixture.manager.image(for: changed)
        #expect(red(again) == 11 && again.origin == .disk && fixture.loader.loadCount == 1)
    }

    @Test func test13ThatScaleDownLargeImageUseThumbnailDecoding() async throws {  // OP-11, CX-14
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 64)
        let small = try await fixture.manager.image(for: request { $0.decode.scaleDownToBytes = 4096 })
        #expect(small.size == PixelSize(width: 32, height: 32))
        #expect(fixture.manager.cachedImage(for: request()) == nil)
        let large = try await fixture.manager.image(for: request { $0.decode.scaleDownToBytes = 1 << 20 })
        #expect(large.size == PixelSize(width: 64, height: 64))
    }

    @Test func test14ThatCustomCacheAndLoaderWorks() async throws {  // CX-04, CX-05
        let fixture = ManagerFixture()
        let (cache, loader) = (InMemoryImageCache(identifier: "own"), FakeImageLoader(identifier: "own"))
        loader.answer(ManagerFixture.url, with: .bytes(FakeImageCoder.bytes(width: 1, height: 1, red: 3)))
        let own = request {
            $0.cache.store = cache
            $0.download.loader = loader
        }
        #expect(red(try await fixture.manager.image(for: own)) == 3)
        #expect(cache.keys.count == 1 && loader.loadCount == 1 && fixture.loader.loadCount == 0)
    }

    @Test func test15ThatOriginalQueryCacheTypeWork() async throws {  // CX-19
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: request())
        fixture.memory.removeAll()
        let changed = request {
            $0.transform.transformers = [AddTransformer(amount: 1)]
            $0.cache.lookup = .cacheOnly
        }
        var blind = changed
        blind.cache.readOriginal = .none
        #expect(await failureCode { try await fixture.manager.image(for: blind) } == .cacheMiss)
        #expect(red(try await fixture.manager.image(for: changed)) == 11)
        #expect(fixture.loader.loadCount == 1)
    }

    /// A context value that a foreign coder and a transformer read.
    private enum CoderKey: ContextKey {
        static let defaultValue = 0
        static func cacheInfluence(of value: Int) -> CacheInfluence { .pixels("amount=\(value)") }
    }
    private enum TransformerKey: ContextKey {
        static let defaultValue = 0
        static func cacheInfluence(of value: Int) -> CacheInfluence { .variant("amount=\(value)") }
    }

    /// Adds the request's value to the red of the file.
    private struct AddingCoder: ImageCoder {
        let inner = FakeImageCoder()
        var identifier: String { "adding" }
        var formats: [ImageFormat] { inner.formats }
        func recognizes(_ head: Span<UInt8>) -> Recognition { inner.recognizes(head) }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            AddingDecoder(
                try inner.makeDecoder(for: format, options: options, environment: environment),
                UInt8(environment.load[CoderKey.self]))
        }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            try inner.makeEncoder(for: format, options: options)
        }
    }

    private final class AddingDecoder: ImageDecoder {
        private let inner: any ImageDecoder
        private let amount: UInt8
        init(_ inner: any ImageDecoder, _ amount: UInt8) { (self.inner, self.amount) = (inner, amount) }
        var header: ImageHeader? { inner.header }
        var outputLayout: PixelLayout? { inner.outputLayout }
        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus { try inner.read(from: bytes) }
        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            try inner.decodeFrame(at: index, into: &buffer)
            var row = buffer.mutableRow(0)
            row[0] += amount
        }
    }

    private struct ByContext: ImageTransformer {
        var identifier: String? { "by-context" }
        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            try AddTransformer(amount: UInt8(context.load[TransformerKey.self])).transform(bitmap, context: context)
        }
    }

    /// Values of the request reach the coder and the transformer, and each value has its own images, in memory and on disk; a
    /// value that a stored image already contains is not added again.
    @Test func test20ThatContextPassDecodeOptionsWorks() async throws {  // CX-09, CX-29, NK-22, CG-20
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk) { $0.coders = CodersManager([AddingCoder()]) }
        fixture.serve()
        for inMemory in [true, true, false] {
            if !inMemory { fixture.memory.removeAll() }
            for (decoded, transformed) in [(0, 0), (4, 0), (7, 1), (4, 2)] {
                var wish = request().with(.context(CoderKey.self, decoded))
                #expect(red(try await fixture.manager.image(for: wish)) == UInt8(10 + decoded))
                wish = wish.with(.context(TransformerKey.self, transformed), .transform(ByContext()))
                #expect(red(try await fixture.manager.image(for: wish)) == UInt8(10 + decoded + transformed))
            }
        }
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func testRetrieveImageForceRefresh() async throws {  // KF-20
        let fixture = ManagerFixture()
        fixture.serve()
        _ = try await fixture.manager.image(for: url)
        fixture.serve(red: 99)
        #expect(red(try await fixture.manager.image(for: request().with(.forceRefresh))) == 99)
        #expect(red(try await fixture.manager.image(for: url)) == 99 && fixture.loader.loadCount == 2)
    }

    @Test func testRetrieveImageCancel() async {
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let task = Task { await failureCode { try await fixture.manager.image(for: self.url) } }
        await fixture.loader.gate.waitForArrivals(1)
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func testRetrieveImageOriginalCacheClaimsCachedButReturnsNoneShouldStillCallback() async throws {
        let fixture = ManagerFixture(diskCache: WrappedCache(isLying: true))
        fixture.serve()
        let changed = request { $0.transform.transformers = [AddTransformer(amount: 1)] }
        #expect(red(try await fixture.manager.image(for: changed)) == 11)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func `testRetrieveImageContinuationMisuseReproduction, testRetrieveImageRaceConditionSpecific`() async {  // MG-24
        let fixture = ManagerFixture()
        fixture.serve()
        let tasks = (0..<50).map { _ in
            Task { await failureCode { try await fixture.manager.image(for: ImageRequest(self.url, .lookup(.loaderOnly))) } }
        }
        for task in tasks { task.cancel() }
        for task in tasks { #expect([nil, .cancelled].contains(await task.value)) }
    }

    @MainActor @Test(arguments: [true, false])
    func `testSuccessCompletionHandlerRunningOnMainQueueByDefault, testErrorCompletionHandlerRunningOnMainQueueByDefault`(
        _ succeeds: Bool
    ) async {
        let fixture = ManagerFixture()
        if succeeds { fixture.serve() }
        let code = await failureCode { try await fixture.manager.image(for: url) }
        MainActor.assertIsolated("the result came elsewhere")
        #expect(code == (succeeds ? nil : .notFound))
    }

    @Test func `testSuccessCompletionHandlerRunningOnCustomQueue, testLoadCacheCompletionHandlerRunningOnCustomQueue`()
        async throws
    {
        let fixture = ManagerFixture()
        fixture.serve()
        let hops = CallCount()
        for expected in [LoadedImage.Origin.network, .memory] {
            let before = hops.count
            let result = await withCheckedContinuation { continuation in
                fixture.manager.load(ImageRequest(url), on: hops.executor) { continuation.resume(returning: $0) }
            }
            #expect(try result.get().origin == expected)
            #expect(hops.count == before + 1)
        }
    }

    @Test func `testOnlyFromCacheMissCompletionHandlerRunningOnCustomQueue, testShouldNotDownloadImageIfCacheOnlyAndNotInCache`()
        async
    {
        let fixture = ManagerFixture()
        fixture.serve()
        let hops = CallCount()
        let result = await withCheckedContinuation { continuation in
            fixture.manager.load(request().with(.onlyFromCache), on: hops.executor) { continuation.resume(returning: $0) }
        }
        #expect(result.failureCode == .cacheMiss && fixture.loader.loadCount == 0)
        #expect(hops.count == 1)
    }

    // KF-20
    @Test
    func
        `testImageShouldOnlyFromMemoryCacheOrRefreshCanBeGotFromMemory, testImageShouldOnlyFromMemoryCacheOrRefreshCanRefreshIfNotInMemory`()
        async throws
    {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        let memoryOrSource = request {
            $0.cache.read = .memory
            $0.cache.readOriginal = .none
        }
        _ = try await fixture.manager.image(for: memoryOrSource)
        #expect(try await fixture.manager.image(for: memoryOrSource).origin == .memory)
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: memoryOrSource).origin == .network)
        #expect(fixture.loader.loadCount == 2)
    }

    @Test func `testImageResultContainsDataWhenLoadFromMemoryCache, testImageResultContainsDataWhenLoadFromDiskCache`()
        async throws
    {  // OP-13
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        let whole = FakeImageCoder.bytes(width: 8, height: 4, red: 10)
        _ = try await fixture.manager.image(for: request())
        #expect(try await fixture.manager.image(for: request()).origin == .memory)
        #expect(try await fixture.manager.fetchBytes(for: request()).encoded?.bytes.contiguous() == whole)
        fixture.memory.removeAll()
        let loaded = try await fixture.manager.image(for: request())
        #expect(loaded.origin == .disk && loaded.encoded?.bytes.contiguous() == whole && fixture.loader.loadCount == 1)
    }

    @Test func `testAnimatedImageShouldRecreateFromCache, testAnimatedImageShouldNotRecreateWithSameOptions`() async throws {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        for _ in 0..<2 { _ = try await fixture.manager.image(for: request()) }
        #expect(fixture.coder.decodeCount == 1)
        for _ in 0..<2 { _ = try await fixture.manager.image(for: request().with(.firstFrameOnly)) }
        #expect(fixture.coder.decodeCount == 2 && fixture.loader.loadCount == 1)
    }

    @Test(arguments: [2.0, 3.0])
    func `testDownsamplingHandleScale2x, testDownsamplingHandleScale3x`(_ scale: Double) async throws {  // CX-10
        let fixture = ManagerFixture()
        fixture.serve(width: 100, height: 100)
        // Targets are pixels: as many for each point of the layout as its scale says.
        let side = Int(10 * scale)
        let loaded = try await fixture.manager.image(for: ImageRequest(url, .fit(side, side), .scale(scale)))
        #expect(loaded.size == PixelSize(width: side, height: side) && loaded.image.metadata.scale == scale)
    }

    @Test func testCallbackClearAfterSuccess() async throws {
        let fixture = ManagerFixture()
        fixture.serve()
        let task = fixture.manager.task(for: url)
        _ = try await task.value
        #expect(await eventually { fixture.manager.isIdle })
        #expect(fixture.manager.waiterCount == 0 && fixture.manager.runningCount == 0)
        // A late reader gets the end at once, and nothing twice.
        var ends = 0
        for await event in task.events { if case .finished = event { ends += 1 } }
        #expect(ends == 1)
    }

    /// Where an image is cached, queried without loading it.
    @Test
    func
        `testRetrieveImageWithAsyncCacheTypeCheckAcrossCacheStates, testRetrieveImageWithAsyncCacheTypeCheckHonoursOnlyFromCache, testRetrieveImageWithAsyncCacheTypeCheckUsesOriginalCacheFallback`()
        async throws
    {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        #expect(await fixture.manager.cache.tier(ofKey: ManagerFixture.url) == .none)
        #expect(await failureCode { try await fixture.manager.image(for: request().with(.onlyFromCache)) } == .cacheMiss)
        _ = try await fixture.manager.image(for: request())
        #expect(await fixture.manager.cache.tier(ofKey: ManagerFixture.url) == .memory)
        fixture.memory.removeAll()
        #expect(await fixture.manager.cache.tier(ofKey: ManagerFixture.url) == .disk)
        let changed = request { $0.transform.transformers = [AddTransformer(amount: 1)] }
        #expect(await fixture.manager.cache.tier(ofKey: try fixture.manager.cacheKey(for: changed)) == .none)
        #expect(red(try await fixture.manager.image(for: changed.with(.onlyFromCache))) == 11)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func testRetrieveImageWithAsyncCacheTypeCheckReturnsCancellableShellOnMiss() async {
        let gate = AsyncGate()
        let fixture = ManagerFixture(diskCache: WrappedCache(readGate: gate, isLying: true))
        fixture.serve()
        let task = fixture.manager.task(for: url)
        await gate.waitForArrivals(1)
        task.cancel()
        #expect(await failureCode { try await task.value } == .cancelled)
        #expect(fixture.loader.loadCount == 0)
    }
}
