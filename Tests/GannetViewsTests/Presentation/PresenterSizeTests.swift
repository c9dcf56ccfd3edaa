import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// Images are requested at the view's size.
@MainActor @Suite struct PresenterSizeTests: PresenterSuite {
    let loader = ManualLoader()

    // AN-24, CG-04, U-02
    @Test("the picture is decoded for the view's size and scale factor; larger views get a sharper one, silently")
    func automaticSize() async throws {
        let view = HeadlessView(width: 20, height: 10, scale: 2, loader: loader)
        var done = 0
        view.presenter.setImage(a) { _ in done += 1 }
        #expect(loader.loads[0].request.decode.target == .size(.fit(40, 20)))
        loader.loads[0].succeed(still(try solid(200), original: PixelSize(clamping: 400, 400)))
        await eventually { done == 1 }
        view.resize(width: 22, height: 11, scale: 2)
        #expect(loader.loads.count == 1, "a tenth more is not worth a reload")
        view.resize(width: 20, height: 10, scale: 3)
        #expect(loader.loads.count == 2 && loader.loads[1].request.decode.target == .size(.fit(60, 30)))
        #expect(try pixel(view, x: 30, y: 15) == red && !view.presenter.isLoading && view.announcements == [true, false])
        let coarse = view.presenter.image?.bitmap.identity
        loader.loads[1].succeed(still(try solid(0, 200), original: PixelSize(clamping: 400, 400)))
        await eventually { view.presenter.image?.bitmap.identity != coarse }
        #expect(try pixel(view, x: 30, y: 15) == green)
        #expect(done == 1)

        view.presenter.defaults.contentMode = .fill
        view.presenter.setImage(b)
        #expect(loader.loads[2].request.decode.target == .size(.fill(60, 30)))
        var own = a
        own.decode.target = .size(.fit(7, 7))
        view.presenter.setImage(own)
        #expect(loader.loads[3].request.decode.target == .size(.fit(7, 7)))
        view.presenter.defaults.decodesForView = false
        view.presenter.setImage(b)
        #expect(loader.loads[4].request.decode.target == nil)
    }

    @Test("a stored thumbnail of which nobody knows whether it is the whole gets sharper too")
    func growsWithUnknownOriginal() async throws {
        let view = HeadlessView(width: 20, height: 10, scale: 1, loader: loader)
        var done = 0
        view.presenter.setImage(a) { _ in done += 1 }
        loader.loads[0].succeed(try picture(red).made(of: nil))
        await eventually { done == 1 }
        view.resize(width: 40, height: 20, scale: 1)
        #expect(loader.loads.count == 2)
    }

    /// A view with a reduced picture that has grown: its silent reload is the loader's second load.
    private func grown() async throws -> HeadlessView {
        let view = HeadlessView(width: 10, height: 10, loader: loader)
        var isDone = false
        view.presenter.setImage(a) { _ in isDone = true }
        loader.load(0).send(.progress(LoadProgress(received: 5, expected: 10)))
        loader.load(0).succeed(still(try solid(200), original: PixelSize(clamping: 400, 400)))
        await eventually { isDone }
        view.resize(width: 20, height: 20, scale: 1)
        #expect(loader.loads.count == 2)
        return view
    }

    @Test("a picture shown by hand is not covered by a reload that nobody knows of")
    func shownByHand() async throws {
        let view = try await grown()
        view.presenter.show(try picture(green))
        #expect(loader.load(1).isCancelled)
        loader.load(1).succeed(try picture(blue))
        view.resize(width: 40, height: 40, scale: 1)
        #expect(loader.loads.count == 2 && !view.presenter.isLoading)
        #expect(try pixel(view) == green)
        // The caller's own loads continue.
        view.presenter.setImage(b)
        view.presenter.show(try picture(red))
        #expect(!loader.load(2).isCancelled)
        loader.load(2).succeed(try picture(blue))
        await eventually { !view.presenter.isLoading }
        #expect(try pixel(view) == blue)
    }

    @Test("a reload for a larger view moves no progress, whether it fails or not")
    func silentProgress() async throws {
        let view = try await grown()
        let before = view.presenter.progress
        #expect(before.isFinished && before.fraction == 1)
        var told = 0
        view.presenter.onProgress = { _ in told += 1 }
        loader.load(1).send(.progress(LoadProgress(received: 4, expected: 10)))
        loader.load(1).fail()
        // The next reload starts after this load ends.
        var side = 20.0
        await eventually {
            side += 1
            view.resize(width: side, height: side, scale: 1)
            return loader.loads.count == 3
        }
        #expect(told == 0 && view.presenter.progress == before)
        let coarse = view.presenter.image?.bitmap.identity
        loader.load(2).send(.progress(LoadProgress(received: 1, expected: 10)))
        loader.load(2).succeed(still(try solid(0, 200), original: PixelSize(clamping: 400, 400)))
        await eventually { view.presenter.image?.bitmap.identity != coarse }
        #expect(told == 0 && view.presenter.progress == before)
    }

    /// A view that shows the reduced picture of `request`, and has grown.
    private func grown(_ request: ImageRequest, _ freshness: Freshness = .unknown) async -> HeadlessView? {
        let view = HeadlessView(width: 10, height: 10, loader: loader)
        guard let bitmap = try? solid(200) else { return nil }
        let image = still(bitmap, original: PixelSize(clamping: 400, 400))
        view.presenter.setImage(request)
        loader.loads.last?.send(.finished(.success(LoadedImage(image: image, origin: .network, freshness: freshness))))
        await eventually { !view.presenter.isLoading }
        view.resize(width: 20, height: 20, scale: 1)
        return view
    }

    @Test("a larger view asks the caches, and its source only where the call leaves that to them")  // CG-04, VW-10
    func reloadsWhatIsStored() async throws {
        for lookup in [nil, .automatic, .cacheFirst] as [LookupPolicy?] {
            let view = try #require(await grown(lookup.map { a.with(.lookup($0)) } ?? a))
            let silent = try #require(loader.loads.last)
            #expect(silent.request.cache.lookup == .cacheOnly && silent.request.decode.target == .size(.fit(20, 20)))
            #expect(view.presenter.request?.cache.lookup == lookup, "the program sees what it asked for")
            silent.fail(.cacheMiss)
            await eventually { loader.loads.last !== silent }
            let second = try #require(loader.loads.last)
            #expect(second.request.cache.lookup == lookup && second.request.decode.target == .size(.fit(20, 20)))
            second.succeed(still(try solid(0, 200), original: PixelSize(clamping: 400, 400)))
            await eventually { (try? pixel(view)) == green }
            #expect(try pixel(view) == green)
        }
    }

    @Test("what a call wished of the network is not done once more for a larger view")  // CG-04, VW-10
    func reloadsWithoutWishes() async throws {
        for lookup in [LookupPolicy.revalidate, .loaderOnly, .cacheOnly] {
            let view = try #require(await grown(a.with(.lookup(lookup))))
            let count = loader.loads.count
            let silent = try #require(loader.loads.last)
            #expect(silent.request.cache.lookup == .cacheOnly)
            silent.fail(.cacheMiss)
            // The next reload starts after this load ends.
            var side = 20.0
            await eventually {
                side += 1
                view.resize(width: side, height: side, scale: 1)
                return loader.loads.count > count
            }
            #expect(loader.loads.last?.request.cache.lookup == .cacheOnly)
            #expect(try pixel(view) == red)
        }
        var post = a
        post.download.method = "POST"
        var unstored = a.with(.lookup(.loaderOnly))
        unstored.cache.writeOriginal = .none
        for (request, freshness) in [
            (post, Freshness.unknown), (unstored, .unknown), (a, Freshness(forbidsStoring: true)),
        ] {
            let count = loader.loads.count
            let view = try #require(await grown(request, freshness))
            #expect(loader.loads.count == count + 1 && !view.presenter.isLoading)
            #expect(try pixel(view) == red)
        }
    }

    // CG-04
    @Test("a view without a size waits for it, and then asks memory first")
    func waitsForSize() throws {
        let presenter = Presenter(loader: loader)
        loader.remember(try picture(red), for: a.source)
        presenter.setImage(a)
        #expect(loader.lookups.isEmpty && presenter.image == nil && presenter.isLoading)
        presenter.setSize(LayoutSize(width: 10, height: 10), scale: 1)
        #expect(loader.lookups.count == 1 && presenter.image != nil && !presenter.isLoading && loader.loads.isEmpty)
        presenter.setImage(b)
        #expect(loader.loads.count == 1)
    }
}
