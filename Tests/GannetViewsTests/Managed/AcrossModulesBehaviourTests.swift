import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Glibc
import Synchronization
import Testing

/// SDWebImage's and Kingfisher's behaviours that involve several components: views over managers, files on the main actor, hooks
/// that wait.
@MainActor @Suite struct AcrossModulesBehaviourTests {
    private let url = ImageSource(ManagerFixture.url)

    private struct Provider: ImageDataProvider {
        var cacheKey: String { "slow" }
        let gate: AsyncGate
        let cancels: CallCount
        func data() async throws -> [UInt8] {
            await gate.wait()
            if Task.isCancelled { cancels.add() }
            return FakeImageCoder.bytes(width: 2, height: 2)
        }
    }

    @Test func testImageViewCancelDownloadTaskCancelsProvider() async {
        let manager = ManagerFixture { $0.loaders = LoadersManager() }.manager
        let provider = Provider(gate: AsyncGate(), cancels: CallCount())
        let view = HeadlessView(width: 8, height: 8, loader: manager)
        let ends = CallCount()
        view.presenter.setImage(ImageRequest(.provider(provider))) { result in
            if result.failureCode == .cancelled { ends.add() }
        }
        await provider.gate.waitForArrivals(1)
        view.presenter.cancel()
        #expect(await eventually { provider.cancels.count >= 1 })
        #expect(ends.count == 1 && view.presenter.image == nil)
    }

    @Test func testSettingTwoDiskCachedImagesOnSameViewCallsEachCompletionExactlyOnce() async throws {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        let other: ImageSource = "https://example.org/b.fake"
        fixture.serve()
        fixture.serve("https://example.org/b.fake", red: 20)
        for source in [url, other] { _ = try await fixture.manager.image(for: ImageRequest(source, .waitingForStore)) }
        fixture.memory.removeAll()
        let view = HeadlessView(width: 8, height: 8, loader: fixture.manager)
        let (first, second) = (CallCount(), CallCount())
        view.presenter.setImage(ImageRequest(url)) { _ in first.add() }
        view.presenter.setImage(ImageRequest(other)) { _ in second.add() }
        await eventually { second.count == 1 }
        #expect(first.count == 1 && second.count == 1 && fixture.loader.loadCount == 2)
    }

    @Test func `testLocalFileImageDataProviderMainQueue, testLocalFileImageDataProviderMainQueueAsync`() async throws {
        let folder = CacheFolder()
        try #require(mkdir(folder.path, 0o700) == 0)
        let path = folder.path + "/a.fake"
        try Data(FakeImageCoder.bytes(width: 3, height: 2, red: 4)).write(to: URL(filePath: path))
        let manager = ManagerFixture { $0.loaders = LoadersManager() }.manager
        let loaded = try await manager.image(for: .file(path))
        MainActor.assertIsolated("the result came elsewhere")
        #expect(loaded.origin == .file && red(loaded) == 4)
    }

    @Test func filesAreTouchedOnThreadsOfTheirOwn() async throws {  // DC-30, MG-19, NK-07, U-24
        let folder = CacheFolder()
        let threads = Mutex<Set<String>>([])
        let files = FaultyFileSystem(folder.files) { _, _, _, _ in
            let name = try? POSIXFileSystem().read("/proc/thread-self/comm", maximumBytes: 64, nofollow: false)
            let text = String(decoding: name ?? [], as: UTF8.self)
            threads.withLock { _ = $0.insert(text) }
            return nil
        }
        let fixture = ManagerFixture(diskCache: folder.cache(files: files))
        fixture.serve()
        _ = try await fixture.manager.image(for: ImageRequest(url, .waitingForStore))
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: ImageRequest(url)).origin == .disk)
        try await fixture.manager.cache.remove(ManagerFixture.url)
        try await fixture.manager.waitForStores()
        let seen = threads.withLock { $0 }
        #expect(!seen.isEmpty && seen.allSatisfy { $0.hasPrefix("gannet-files") }, "\(seen)")
    }

    private struct Waiting: RequestModifier {
        let gate: AsyncGate
        var identifier: String? { "waiting" }
        func modify(_ request: HTTPRequest) async throws -> HTTPRequest? {
            await gate.wait()
            try Task.checkCancellation()
            return request
        }
    }

    @Test func testRetrieveImageWithAsyncCacheTypeCheckCancelsAsyncRequestModifierShell() async {
        let rig = DownloadRig(answer: DownloadRig.always())
        let gate = AsyncGate()
        let task = Task { await rig.fetch { $0.download.requestModifier = Waiting(gate: gate) } }
        await gate.waitForArrivals(1)
        task.cancel()
        #expect(await task.value.failureCode == .cancelled)
        #expect(rig.cache.keys.isEmpty && rig.loader.slots.runningCount == 0)
    }
}
