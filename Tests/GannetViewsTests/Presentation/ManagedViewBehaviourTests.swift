import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// Behaviours of Kingfisher's "Image view" that need a manager behind the view, by their names.
@MainActor @Suite struct ManagedViewBehaviourTests {
    private var request: ImageRequest {
        var request = ImageRequest(source: ImageSource(ManagerFixture.url))
        request.cache.lookup = .cacheFirst
        return request
    }

    /// The origin of the image that a new view shows for the request; nil: it shows none.
    private func show(_ request: ImageRequest, _ fixture: ManagerFixture) async -> LoadedImage.Origin? {
        let view = HeadlessView(width: 8, height: 8, loader: fixture.manager)
        var result: Result<LoadedImage, ImageError>?
        view.presenter.setImage(request) { result = $0 }
        await eventually { result != nil }
        guard case .success(let loaded) = result, view.presenter.image != nil else { return nil }
        return loaded.origin
    }

    @Test func testImageDownloadMultipleCaches() async {  // CX-04
        let (usual, own) = (InMemoryImageCache(), InMemoryImageCache(identifier: "own"))
        let fixture = ManagerFixture(diskCache: usual)
        fixture.serve()
        var request = request.with(.waitingForStore)
        request.cache.store = own
        #expect(await show(request, fixture) == .network)
        #expect(!own.keys.isEmpty && usual.keys.isEmpty)
    }

    // CX-02
    @Test func aViewMayHaveAManagerOfItsOwn() async {
        let (usual, own) = (ManagerFixture(), ManagerFixture())
        usual.serve()
        own.serve()
        let view = HeadlessView(width: 8, height: 8, loader: usual.manager)
        view.presenter.loader = own.manager
        var result: Result<LoadedImage, ImageError>?
        view.presenter.setImage(request) { result = $0 }
        await eventually { result != nil }
        #expect(view.presenter.image != nil && own.loader.loadCount == 1 && usual.loader.loadCount == 0)
    }

    @Test(
        "testMemoryImageCacheExtendingExpirationTask, testMemoryImageCacheNotExtendingExpirationTask", arguments: [true, false])
    func memoryExpiration(_ extends: Bool) async {  // KF-10
        let time = ManualTimeSource()
        let fixture = ManagerFixture {
            $0.memoryCache = MemoryCache(accessExtension: extends ? .cacheTime : .none, keepsWeakReferences: false, time: time)
            $0.time = time
        }
        fixture.serve()
        let request = request.with(.expiration(memory: .after(.seconds(100))))
        #expect(await show(request, fixture) == .network)
        time.advance(by: .seconds(90))
        #expect(await show(request, fixture) == .memory)
        time.advance(by: .seconds(90))
        #expect(await show(request, fixture) == (extends ? .memory : .network))
    }

    @Test("testDiskImageCacheExtendingExpirationTask, testDiskImageCacheNotExtendingExpirationTask", arguments: [true, false])
    func diskExpiration(_ extends: Bool) async throws {  // KF-10
        let folder = CacheFolder()
        let cache = folder.cache()
        let fixture = ManagerFixture(diskCache: cache) { $0.time = folder.time }
        fixture.serve()
        var request = request.with(.expiration(disk: .after(.seconds(100))), .waitingForStore)
        request.cache.countsUses = extends
        (request.cache.read, request.cache.write) = (.disk, .disk)
        #expect(await show(request, fixture) == .network)
        try await cache.flush()
        folder.time.advance(by: .seconds(90))
        #expect(await show(request, fixture) == .disk)
        folder.time.advance(by: .seconds(90))
        #expect(await show(request, fixture) == (extends ? .disk : .network))
    }

    @Test func testImageSettingWithAlternativeSource() async {  // KF-06
        let fixture = ManagerFixture()
        fixture.serve()
        let request = ImageRequest("https://example.org/none.fake", .alternatives([ImageSource(ManagerFixture.url)]))
        #expect(await show(request, fixture) == .network)
        #expect(fixture.loader.loadCount == 2)
    }

    @Test("what was prefetched as a whole is on screen before the call returns, and then in the view's size")  // PF-07, VW-22
    func prefetchedWhole() async throws {
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 32, red: 200)
        _ = try await fixture.manager.image(for: request)
        let view = HeadlessView(width: 8, height: 8, loader: fixture.manager)
        var result: Result<LoadedImage, ImageError>?
        view.presenter.setImage(request) { result = $0 }
        #expect(view.presenter.image?.size == PixelSize(width: 64, height: 32) && result == nil)
        let drawn = try view.draw(at: .zero)
        let middle = drawn.row(4)
        #expect(middle[0] == 200)
        await eventually { result != nil }
        #expect(view.presenter.image?.size == PixelSize(width: 8, height: 4))
        #expect(fixture.loader.loadCount == 1 && fixture.coder.decodeCount == 1)
    }

    @Test(
        "a refreshed picture in a view that grows is made anew of what is stored",
        arguments: [LookupPolicy.loaderOnly, .revalidate])
    func grownAfterRefresh(_ lookup: LookupPolicy) async throws {  // CG-04
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve(width: 64, height: 32)
        let view = HeadlessView(width: 8, height: 8, loader: fixture.manager)
        view.presenter.setImage(request.with(.lookup(lookup), .waitingForStore))
        await eventually { !view.presenter.isLoading }
        #expect(view.presenter.image?.size.width == 8)
        for side in [16.0, 32, 64] {
            view.resize(width: side, height: side, scale: 1)
            await eventually { view.presenter.image?.size.width == Int(side) }
            #expect(view.presenter.image?.size.width == Int(side))
        }
        #expect(fixture.loader.loadCount == 1)
    }

    private struct Slow: ImageDataProvider {
        let gate = AsyncGate()
        var cacheKey: String { "slow" }
        func data() async throws -> [UInt8] {
            await gate.wait()
            try Task.checkCancellation()
            return FakeImageCoder.bytes(width: 2, height: 2)
        }
    }

    @Test func testImageSettingCanCancelAlternativeSource() async {  // KF-06
        let fixture = ManagerFixture { $0.loaders.add(ProviderLoader()) }
        let slow = Slow()
        let view = HeadlessView(width: 8, height: 8, loader: fixture.manager)
        var ends: [ImageError.Code?] = []
        view.presenter.setImage(ImageRequest("https://example.org/none.fake", .alternatives([.provider(slow)]))) {
            ends.append($0.failureCode)
        }
        await slow.gate.waitForArrivals(1)
        view.presenter.cancel()
        slow.gate.open()
        await eventually { fixture.manager.isIdle }
        #expect(ends == [.cancelled] && view.presenter.image == nil)
    }
}
