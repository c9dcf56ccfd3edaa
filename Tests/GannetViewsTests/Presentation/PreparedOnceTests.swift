import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// A view's call prepares its request once, for the look into memory, for other sizes, and for the load.
@MainActor @Suite struct PreparedOnceTests {
    private struct Counting: Sendable {
        let calls: CallCount
        func process(_ request: ResolvedRequest) -> ResolvedRequest {
            calls.add()
            return request
        }
    }

    private let calls = CallCount()

    private func fixture(_ change: (inout ManagerConfiguration) -> Void = { _ in }) -> ManagerFixture {
        let fixture = ManagerFixture {
            $0.optionsProcessor = Counting(calls: calls).process
            change(&$0)
        }
        fixture.serve()
        return fixture
    }

    private func show(_ request: ImageRequest, by loader: any ImageLoading) async -> Result<LoadedImage, ImageError> {
        let view = HeadlessView(width: 8, height: 8, loader: loader)
        return await withCheckedContinuation { continuation in
            view.presenter.setImage(request) { result in
                _ = view
                continuation.resume(returning: result)
            }
        }
    }

    @Test func aMissAndItsLoadPrepareOnce() async throws {
        let fixture = fixture()
        _ = try await show(ImageRequest(ImageSource(ManagerFixture.url), .fit(4, 4)), by: fixture.manager).get()
        #expect(calls.count == 1 && fixture.loader.loadCount == 1)
    }

    @Test func aHitPreparesOnce() async throws {
        let fixture = fixture()
        let request = ImageRequest(ImageSource(ManagerFixture.url), .fit(4, 4))
        _ = try await fixture.manager.image(for: request)
        let before = calls.count
        let loaded = try await show(request, by: fixture.manager).get()
        #expect(loaded.origin == .memory && calls.count == before + 1)
    }

    /// The state of a file is asked for on a thread that may wait.
    @Test func aFileIsPreparedAgainForItsLoad() async throws {
        let folder = CacheFolder()
        try folder.files.makeDirectory(folder.path)
        try folder.files.write([FakeImageCoder.bytes(width: 3, height: 2)], toNew: folder.path + "/a.fake", sync: false)
        let fixture = fixture { $0.loaders = LoadersManager() }
        let loaded = try await show(ImageRequest(.file(folder.path + "/a.fake")), by: fixture.manager).get()
        #expect(loaded.bitmap.width == 3 && calls.count == 2)
    }

    @Test func aHandlersOtherCallHasALookOfItsOwn() async throws {
        let fixture = fixture()
        fixture.serve("https://example.org/b.fake", red: 20)
        let view = HeadlessView(width: 8, height: 8, loader: fixture.manager)
        // The first call's end is told while the second one's look and load are made.
        view.presenter.setImage(ImageRequest(ImageSource(ManagerFixture.url))) { _ in }
        let second = await withCheckedContinuation { continuation in
            view.presenter.setImage(ImageRequest("https://example.org/b.fake")) { continuation.resume(returning: $0) }
        }
        #expect(red(try second.get()) == 20 && calls.count == 2)
    }
}
