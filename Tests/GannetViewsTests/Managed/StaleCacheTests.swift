import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Synchronization
import Testing

/// A cache that can be held just before and just after it reads.
private final class GatedCache: ImageCaching {
    let base = InMemoryImageCache()
    let before = AsyncGate(isOpen: true)
    let after = AsyncGate(isOpen: true)

    var identifier: String { "gated" }

    func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        await before.wait()
        let entry = try await base.entry(for: key, touch: touch)
        await after.wait()
        return entry
    }

    func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        try base.blockingEntry(for: key, touch: touch)
    }
    func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? { try await base.metadata(for: key) }
    func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) { try await base.store(entry, for: key) }
    func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        try await base.update(metadata, for: key)
    }
    func remove(_ key: CacheKey) async throws(ImageError) { try await base.remove(key) }
    func removeAll(prefix: String) async throws(ImageError) { try await base.removeAll(prefix: prefix) }
    func removeAll() async throws(ImageError) { try await base.removeAll() }
    func contains(_ key: CacheKey) async -> Bool { await base.contains(key) }
    func usage() async throws(ImageError) -> CacheUsage { try await base.usage() }
    func flush() async throws(ImageError) {}
}

/// Tells when it begins to decode, before it does.
private struct TellingCoder: ImageCoder {
    let base = FakeImageCoder()
    let willDecode: @Sendable () -> Void

    var identifier: String { base.identifier }
    var formats: [ImageFormat] { base.formats }
    func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder {
        willDecode()
        return try base.makeDecoder(for: format, options: options, environment: environment)
    }
    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
        try base.makeEncoder(for: format, options: options)
    }
}

private final class CountingTransformer: ImageTransformer {
    private let counted = Atomic(0)
    var count: Int { counted.load(ordering: .relaxed) }
    var identifier: String? { "counting" }

    func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        counted.add(1, ordering: .relaxed)
        return bitmap
    }
}

/// Kingfisher's "Stale cache" behaviours, under their names. Its checker, which says whether the image is still wanted,
/// corresponds to our cancellation: each step of a load from disk ends once no caller waits any more. // MG-08, MG-12
@Suite struct StaleCacheTests {
    private let cache = GatedCache()
    private let fixture: ManagerFixture
    private let url = ManagerFixture.url
    private var request: ImageRequest { ImageRequest(ImageSource(url)) }

    init() {
        fixture = ManagerFixture(diskCache: cache)
        fixture.serve(red: 3)
    }

    /// The source's bytes are on disk, nothing is in memory, and the cache has not been queried yet.
    private func storeOnDisk(_ urls: [String] = [ManagerFixture.url]) async throws {
        for url in urls {
            fixture.serve(url, red: 3)
            _ = try await fixture.manager.image(for: ImageRequest(ImageSource(url), .waitingForStore))
        }
        fixture.memory.removeAll()
    }

    /// Cancels while the cache waits at one of its gates.
    private func cancelled(at gate: AsyncGate, _ request: ImageRequest) async throws -> ImageError? {
        let (decodes, loads, arrived) = (fixture.coder.decodeCount, fixture.loader.loadCount, gate.arrivedCount)
        gate.close()
        let task = fixture.manager.task(for: request)
        await gate.waitForArrivals(arrived + 1)
        task.cancel()
        // Everybody has left, also below the task: what ends the jobs takes its way, and the picture could be quicker.
        await eventually { fixture.manager.isIdle }
        gate.open()
        var failure: ImageError?
        do throws(ImageError) { _ = try await task.value } catch { failure = error }
        await settled()
        #expect(fixture.coder.decodeCount == decodes)
        #expect(fixture.loader.loadCount == loads)
        return failure
    }

    /// Lets running work finish.
    private func settled() async {
        await eventually { fixture.observer.isBalanced }
    }

    @Test func testRetrieveImageInDiskCacheReturnsStaleWithoutCallingSerializerWhenCheckerIsAlreadyFalse() async throws {
        try await storeOnDisk()
        #expect(try await cancelled(at: cache.before, request)?.code == .cancelled)
        #expect(fixture.memory.usage.count == 0)
    }

    @Test func testRetrieveImageInDiskCacheReturnsImageWhenCheckerStaysTrue() async throws {
        try await storeOnDisk()
        let loads = fixture.loader.loadCount
        let found = try await fixture.manager.image(for: request)
        #expect(found.origin == .disk)
        #expect(red(found) == 3)
        #expect(fixture.loader.loadCount == loads)
    }

    @Test func testRetrieveImageInDiskCacheReturnsStaleWhenCheckerTurnsFalseAfterDiskReadBeforeDeserialize() async throws {
        try await storeOnDisk()
        #expect(try await cancelled(at: cache.after, request)?.code == .cancelled)
        #expect(fixture.memory.usage.count == 0)
    }

    @Test func testRetrieveImageInDiskCacheSkipsBackgroundDecodeWhenCheckerTurnsFalseAfterDeserialize() async throws {
        try await storeOnDisk()
        let transformer = CountingTransformer()
        let running = Mutex<ImageTask?>(nil)
        let coder = TellingCoder { running.withLock { $0 }?.cancel() }
        let other = ManagerFixture(diskCache: cache) { $0.coders = CodersManager([coder]) }
        cache.before.close()
        let task = other.manager.task(for: request.with(.transform(transformer)))
        running.withLock { $0 = task }
        cache.before.open()
        let failure = await #expect(throws: ImageError.self) { try await task.value }
        #expect(failure?.code == .cancelled)
        await eventually { other.observer.isBalanced }
        #expect(transformer.count == 0)
        #expect(!other.memory.contains(CacheKey(try other.manager.cacheKey(for: request.with(.transform(transformer))))))
    }

    @Test func testKingfisherManagerDoesNotRetryWhenDiskCacheRetrievalBecomesStale() async throws {
        try await storeOnDisk()
        let retried = request.with(.retry(DelayRetryStrategy(maximumCount: 3, interval: .seconds(0))))
        #expect(try await cancelled(at: cache.after, retried)?.code == .cancelled)
    }

    @Test func testKingfisherManagerStaleDiskCacheResultInvokesCompletionOnceEvenWithRetryStrategy() async throws {
        try await storeOnDisk()
        let (results, continuation) = AsyncStream<Result<LoadedImage, ImageError>>.makeStream()
        cache.after.close()
        let arrived = cache.after.arrivedCount
        let task = fixture.manager.load(request.with(.retry(DelayRetryStrategy(maximumCount: 3, interval: .seconds(0))))) {
            continuation.yield($0)
        }
        await cache.after.waitForArrivals(arrived + 1)
        task.cancel()
        cache.after.open()
        task.cancel()
        var seen = results.makeAsyncIterator()
        if case .failure(let error) = await seen.next() { #expect(error.code == .cancelled) } else { Issue.record("a picture") }
        await settled()
        continuation.finish()
        #expect(await seen.next() == nil)
    }

    @Test func testRetrieveImageFromCacheDoesNotUseAlternativeSourcesWhenResultIsStale() async throws {
        try await storeOnDisk()
        fixture.serve("https://example.org/b.fake", red: 4)
        let request = request.with(.alternatives(["https://example.org/b.fake"]))
        #expect(try await cancelled(at: cache.after, request)?.code == .cancelled)
    }

    @Test func testRetrieveImageFromOriginalCacheWithProcessorDoesNotDownloadWhenResultIsStale() async throws {
        try await storeOnDisk()
        let transformer = CountingTransformer()
        #expect(try await cancelled(at: cache.after, request.with(.transform(transformer)))?.code == .cancelled)
        #expect(transformer.count == 0)
    }

    @Test func testRetrieveImageFromOriginalCacheWithProcessorProcessesNormallyWhenCurrent() async throws {
        try await storeOnDisk()
        let loads = fixture.loader.loadCount
        let found = try await fixture.manager.image(for: request.with(.transform(AddTransformer(amount: 5))))
        #expect(red(found) == 8)
        #expect(found.origin == .disk)
        #expect(fixture.loader.loadCount == loads)
    }

    @Test func testRetrieveImageWithoutCheckerKeepsExistingBehavior() async throws {
        try await storeOnDisk()
        #expect(try await fixture.manager.image(for: request).origin == .disk)
        #expect(try await fixture.manager.image(for: request).origin == .memory)
        #expect(fixture.observer.isBalanced)
    }

    @Test func testStaleDiskCacheRetrievalDoesNotPromoteToMemoryWhenSuperseded() async throws {
        let second = "https://example.org/b.fake"
        try await storeOnDisk([url, second])
        cache.after.close()
        let arrived = cache.after.arrivedCount
        let overtaken = fixture.manager.task(for: request)
        await cache.after.waitForArrivals(arrived + 1)
        overtaken.cancel()
        let current = fixture.manager.task(for: ImageRequest(ImageSource(second)))
        await cache.after.waitForArrivals(arrived + 2)
        cache.after.open()
        #expect(try await current.value.origin == .disk)
        await #expect(throws: ImageError.self) { try await overtaken.value }
        await settled()
        #expect(fixture.manager.cachedImage(for: request) == nil)
        #expect(fixture.manager.cachedImage(for: ImageRequest(ImageSource(second))) != nil)
    }

    @MainActor @Test func testSettingTwoDiskCachedImagesOnSameViewCallsEachCompletionExactlyOnce() async throws {
        let second = "https://example.org/b.fake"
        try await storeOnDisk([url, second])
        let view = HeadlessView(width: 8, height: 8, loader: fixture.manager)
        var codes: [ImageError.Code?] = []
        func note(_ result: Result<LoadedImage, ImageError>) {
            if case .failure(let error) = result { codes.append(error.code) } else { codes.append(nil) }
        }
        view.presenter.setImage(request) { note($0) }
        view.presenter.setImage(ImageRequest(ImageSource(second))) { note($0) }
        _ = try await fixture.manager.image(for: ImageRequest(ImageSource(second)))
        await eventually { codes.count >= 2 }
        #expect(codes == [.cancelled, nil])
        #expect(view.presenter.source == ImageSource(second))
    }

    @MainActor @Test func testCancelDownloadTaskCancelsDiskCacheRetrieval() async throws {
        try await storeOnDisk()
        let decodes = fixture.coder.decodeCount
        let view = HeadlessView(width: 8, height: 8, loader: fixture.manager)
        cache.after.close()
        let arrived = cache.after.arrivedCount
        var codes: [ImageError.Code?] = []
        view.presenter.setImage(request) { if case .failure(let error) = $0 { codes.append(error.code) } }
        await cache.after.waitForArrivals(arrived + 1)
        view.presenter.cancel()
        await eventually { fixture.manager.isIdle }
        cache.after.open()
        await eventually { !codes.isEmpty }
        await settled()
        #expect(codes == [.cancelled])
        #expect(fixture.coder.decodeCount == decodes)
        #expect(fixture.memory.usage.count == 0)
    }
}
