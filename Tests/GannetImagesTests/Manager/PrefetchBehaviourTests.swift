import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// SDWebImage's and Kingfisher's tests of their prefetchers, under their names.
@Suite struct PrefetchBehaviourTests {
    private func sources(_ count: Int, _ prefix: String = "p") -> [ImageRequest] {
        (0..<count).map { ImageRequest(ImageSource("https://example.org/\(prefix)\($0).fake")) }
    }

    private func fixture(_ count: Int, _ prefixes: [String] = ["p"], disk: (any ImageCaching)? = nil) -> ManagerFixture {
        let fixture = ManagerFixture(diskCache: disk)
        for prefix in prefixes { for index in 0..<count { fixture.serve("https://example.org/\(prefix)\(index).fake") } }
        return fixture
    }

    @Test func test01ThatSharedPrefetcherIsNotEqualToInitPrefetcher() {  // PF-04
        let manager = ManagerFixture().manager
        let (one, other) = (ImagePrefetcher(manager: manager), ImagePrefetcher(manager: manager))
        one.concurrency = 7
        one.isPaused = true
        #expect(other.concurrency == 3 && !other.isPaused)
    }

    @Test func `test02PrefetchMultipleImages, testPrefetchingImages, testPrefetchSources`() async {  // PF-01
        let fixture = fixture(3)
        let batch = ImagePrefetcher(manager: fixture.manager).prefetch(sources(3))
        var finished: [Int] = []
        for await progress in batch.updates { finished.append(progress.finished) }
        #expect(finished == finished.sorted() && finished.last == 3)
        #expect(batch.progress.loaded == 3 && batch.progress.total == 3 && batch.isFinished)
        #expect(fixture.memory.usage.count == 3)
    }

    @Test func `test03PrefetchWithEmptyArrayWillCallTheCompletionWithAllZeros, testPrefetchWithWrongInitParameters`() async {
        let progress = await ImagePrefetcher(manager: ManagerFixture().manager).prefetch([]).wait()
        #expect(progress.total == 0 && progress.finished == 0 && progress.fraction == 1)
    }

    @Test func `test04PrefetchWithMultipleArrayDifferentQueueWorks, testPrefetchMultiTimes`() async {  // PF-03
        let fixture = fixture(4, ["a", "b", "c"])
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        let results = await withTaskGroup(of: Int.self) { group in
            for prefix in ["a", "b", "c"] {
                group.addTask { await prefetcher.prefetch(self.sources(4, prefix)).wait().loaded }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == [4, 4, 4])
        #expect(fixture.loader.loadCount == 12)
    }

    @Test func `test05PrefetchLargeURLsAndDelegateWorks, testPrefetchMoreTaskThanMaxConcurrency`() async {
        let fixture = fixture(100)
        let prefetcher = ImagePrefetcher(manager: fixture.manager, concurrency: 1)
        let progress = await prefetcher.prefetch(sources(100)).wait()
        #expect(progress.loaded == 100 && progress.fraction == 1)
    }

    @Test func `test06PrefetchCancelToken, testCancelPrefetching`() async {  // PF-03
        let fixture = fixture(5)
        fixture.loader.gate.close()
        let batch = ImagePrefetcher(manager: fixture.manager, concurrency: 2).prefetch(sources(5))
        await fixture.loader.gate.waitForArrivals(2)
        batch.cancel()
        let progress = await batch.wait()
        #expect(progress.failed == 5 && progress.loaded == 0)
        #expect(batch.failures.count == 5 && batch.failures.values.allSatisfy { $0.code == .cancelled })
        fixture.loader.gate.open()
        #expect(batch.progress == progress)
    }

    @Test func test07DownloaderCancelDuringPrefetching() async {
        let fixture = fixture(3)
        fixture.loader.gate.close()
        let batch = ImagePrefetcher(manager: fixture.manager).prefetch(sources(3))
        await fixture.loader.gate.waitForArrivals(3)
        fixture.manager.cancelAll()
        let progress = await batch.wait()
        #expect(progress.finished == 3 && progress.failed == 3)
    }

    @Test func testPrefetcherCouldSkipCachedImages() async throws {  // PF-05
        let fixture = fixture(3)
        _ = try await fixture.manager.image(for: sources(3)[1])
        let progress = await ImagePrefetcher(manager: fixture.manager).prefetch(sources(3)).wait()
        #expect(progress.skipped == 1 && progress.loaded == 2)
        #expect(fixture.loader.loadCount == 3)
    }

    @Test func `A picture made of a larger one in memory was not there before`() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32)
        let source = ImageSource(ManagerFixture.url)
        _ = try await fixture.manager.image(for: ImageRequest(source, .fit(64, 64)))
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        let small = ImageRequest(source, .fit(16, 16))
        #expect(await prefetcher.prefetch([small]).wait().loaded == 1)
        #expect(await prefetcher.prefetch([small]).wait().skipped == 1)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func testPrefetcherForceRefreshDownloadImages() async throws {
        let fixture = fixture(2)
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        _ = await prefetcher.prefetch(sources(2)).wait()
        let again = await prefetcher.prefetch(sources(2).map { $0.with(.forceRefresh) }).wait()
        #expect(again.loaded == 2 && fixture.loader.loadCount == 4)
    }

    @Test func testFetchWithProcessor() async throws {
        let fixture = fixture(1)
        let request = sources(1)[0].with(.transform(AddTransformer(amount: 3)))
        _ = await ImagePrefetcher(manager: fixture.manager).prefetch([request]).wait()
        let cached = try #require(fixture.manager.cachedImage(for: request))
        #expect(red(cached) == 13)
    }

    @Test func `testAlsoPrefetchToMemory and testNotPrefetchToMemory`() async throws {  // PF-07
        let disk = InMemoryImageCache()
        let fixture = fixture(2, disk: disk)
        _ = await ImagePrefetcher(manager: fixture.manager, destination: .disk).prefetch(sources(2)).wait()
        #expect(fixture.memory.usage.count == 0 && disk.keys.count == 2 && fixture.coder.decodeCount == 0)
        let memory = await ImagePrefetcher(manager: fixture.manager).prefetch(sources(2)).wait()
        #expect(memory.loaded == 2 && fixture.memory.usage.count == 2 && fixture.loader.loadCount == 2)
        // In memory is not on disk.
        try await disk.removeAll()
        let again = await ImagePrefetcher(manager: fixture.manager, destination: .disk).prefetch(sources(2)).wait()
        #expect(again.loaded == 2 && disk.keys.count == 2 && fixture.loader.loadCount == 4)
    }

    /// Fails each source once, then delivers; or for ever.
    private func rig(retry: any RetryStrategy, failures: Int) -> (DownloadRig, ImageManager) {
        let rig = DownloadRig { request, number throws(ImageError) in
            if number <= failures { throw DownloadRig.broken }
            return .fixed(request, body: FakeImageCoder.bytes(width: 2, height: 2))
        }
        var configuration = ManagerConfiguration(
            memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager([rig.loader]),
            coders: CodersManager([FakeImageCoder()]))
        configuration.retry = retry
        return (rig, ImageManager(configuration: configuration))
    }

    @Test func testImagePrefetcherCanRetry() async {  // KF-07
        let (rig, manager) = rig(retry: DelayRetryStrategy(interval: .seconds(0)), failures: 2)
        let progress = await ImagePrefetcher(manager: manager).prefetch(sources(1)).wait()
        #expect(progress.loaded == 1 && rig.transport.requests.count == 3)
    }

    @Test func testImagePrefetcherRetryStrategyStopDoesNotRetry() async {
        struct Stop: RetryStrategy {
            func delay(before attempt: Int, after error: ImageError) async -> Duration? { nil }
        }
        let (rig, manager) = rig(retry: Stop(), failures: 2)
        let progress = await ImagePrefetcher(manager: manager).prefetch(sources(1)).wait()
        #expect(progress.failed == 1 && rig.transport.requests.count == 1)
    }
}
