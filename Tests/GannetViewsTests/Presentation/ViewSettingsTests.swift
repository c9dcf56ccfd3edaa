import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// A view's settings for animations and content apply to whatever it shows, from the moment they are set.
@MainActor @Suite struct ViewSettingsTests: PresenterSuite {
    let loader = ManualLoader()

    private func clip(loops: Int = 0) throws -> DecodedImage {
        .animated(
            GannetViewsTests.clip(
                try NumberedFrames(4), delays: Array(repeating: ms(100), count: 4), loops: loops))
    }

    @Test("a clip that is shown by hand plays as the view says")  // AN-20, OP-10
    func shownByHand() throws {
        let view = view()
        view.presenter.defaults.animation.autoPlays = false
        view.presenter.defaults.animation.rate = 3
        view.presenter.defaults.animation.loopCount = 7
        view.presenter.show(try clip())
        _ = try view.draw(at: .zero)
        let player = try #require(view.presenter.player)
        #expect(!player.isPlaying && player.rate == 3 && player.loopCount == 7)
    }

    @Test("by hand for a call that has settings of its own: as the call says")
    func shownByHandForACall() async throws {
        let view = view()
        var options = PresentationOptions()
        options.appliesImage = false
        options.animation = AnimationOptions()
        options.animation?.mode = .reverse
        let image = try clip()
        var isDone = false
        view.presenter.setImage(a, options: options) { _ in
            view.presenter.show(image)
            isDone = true
        }
        loader.load(0).succeed(image)
        await eventually { isDone }
        #expect(view.presenter.player?.mode == .reverse)
        view.presenter.defaults.animation.mode = .bounce
        _ = try view.draw(at: .zero)
        #expect(view.presenter.player?.mode == .reverse, "what a call says for itself stays")
    }

    @Test("settings count at once for the clip that plays, and leave alone what was set by hand")  // AN-11, AN-12, AN-13
    func runningClip() async throws {
        let view = view()
        loader.remember(try clip(), for: a.source)
        view.presenter.setImage(a)
        _ = try view.draw(at: .zero)
        let player = try #require(view.presenter.player)
        view.presenter.defaults.animation.rate = 2
        _ = try view.draw(at: ms(150))
        #expect(player.rate == 2 && view.wake == ms(175) + .microseconds(1), "the time before goes by as it did")
        player.setRate(4, at: ms(150))
        view.presenter.defaults.animation.mode = .reverse
        view.presenter.defaults.animation.loopCount = 5
        _ = try view.draw(at: ms(150))
        #expect(player.rate == 4 && player.mode == .reverse && player.loopCount == 5)
        // The same picture again: nothing has changed for it.
        view.presenter.setImage(a)
        #expect(view.presenter.player === player)
        // A call's own stays.
        var options = PresentationOptions()
        options.animation = AnimationOptions()
        view.presenter.setImage(a, options: options)
        _ = try view.draw(at: ms(200))
        view.presenter.defaults.animation.rate = 3
        _ = try view.draw(at: ms(200))
        #expect(view.presenter.player?.rate == 1)
    }

    @Test("settings count for loads that run") func runningLoad() async throws {
        let view = view()
        view.presenter.setImage(a)
        view.presenter.defaults.animation.rate = 2
        _ = try view.draw(at: .zero)
        loader.load(0).succeed(try clip())
        await eventually { view.presenter.player != nil }
        #expect(view.presenter.player?.rate == 2)
    }

    private let large = PixelSize(clamping: 400, 400)

    @Test("another content mode gets the pixels that it needs, without a flicker")  // AN-20
    func otherContentMode() async throws {
        let view = view(20, 10)
        var done = 0
        view.presenter.setImage(a) { _ in done += 1 }
        #expect(loader.load(0).request.decode.target == .size(.fit(20, 10)))
        loader.load(0).succeed(still(try solid(200, width: 10, height: 10), original: large))
        await eventually { done == 1 }
        view.presenter.defaults.contentMode = .scaleDown
        _ = try view.draw(at: .zero)
        #expect(loader.loads.count == 1, "the same pixels")
        view.presenter.defaults.contentMode = .fill
        #expect(loader.loads.count == 1, "there may be more to come")
        #expect(try pixel(view) == red)
        #expect(loader.loads.count == 2 && loader.load(1).request.decode.target == .size(.fill(20, 10)))
        #expect(!view.presenter.isLoading)
        // While that one runs: back again.
        view.presenter.defaults.contentMode = .fit
        _ = try view.draw(at: .zero)
        #expect(loader.loads.count == 2)
        loader.load(1).succeed(still(try solid(0, 200, width: 20, height: 10), original: large))
        await eventually { loader.loads.count == 3 }
        #expect(loader.load(2).request.decode.target == .size(.fit(20, 10)))
        loader.load(2).succeed(still(try solid(0, 0, 200, width: 10, height: 10), original: large))
        await eventually { (try? pixel(view)) != green }
        #expect(loader.loads.count == 3 && done == 1)
    }

    @Test("a new mode and a new call are one load, and so are a new mode and a first size")
    func noNeedlessLoads() async throws {
        let view = view(20, 10)
        var isDone = false
        view.presenter.setImage(a) { _ in isDone = true }
        loader.load(0).succeed(still(try solid(200, width: 10, height: 10), original: large))
        await eventually { isDone }
        view.presenter.defaults.contentMode = .fill
        view.presenter.setImage(b)
        _ = try view.draw(at: .zero)
        #expect(loader.loads.count == 2 && loader.load(1).request.decode.target == .size(.fill(20, 10)))
        let waiting = Presenter(loader: loader)
        waiting.setImage(a)
        waiting.defaults.contentMode = .stretch
        waiting.setSize(LayoutSize(width: 20, height: 10), scale: 1)
        #expect(loader.loads.count == 3 && loader.load(2).request.decode.target == .size(.stretch(20, 10)))
    }

    @Test("a picture as an indicator plays as long as the load takes")  // VW-31
    func indicator() async throws {
        let view = view()
        view.presenter.defaults.indicator = .image(try clip(loops: 1))
        view.presenter.setImage(a)
        for step in 0..<10 {
            let now = ms(step * 100)
            await eventually { (try? pixel(view, now)[0]) == step % 4 }
            #expect(try pixel(view, now)[0] == step % 4)
            #expect(view.wake != nil)
        }
    }

    @Test("transformers that count pixels of the original get all of it, unless a size is asked for")  // TR-01, TR-02, TR-03
    func wholePictures() async throws {
        func target(_ request: ImageRequest, _ change: (inout PresentationOptions) -> Void = { _ in }) -> DecodeTarget? {
            let view = view(20, 20)
            var options = PresentationOptions()
            change(&options)
            view.presenter.setImage(request, options: options)
            return loader.loads.last?.request.decode.target
        }
        let crop = StandardTransformer.crop(x: 100, y: 100, width: 50, height: 50)
        #expect(target(a) == .size(.fit(20, 20)))
        #expect(target(a.with(.transform(crop))) == nil)
        #expect(target(a.with(.transform(.crop(to: PixelSize(clamping: 5, 5))))) == nil)
        #expect(target(a.with(.transform(.resize(width: 1000)))) == nil)
        #expect(target(a.with(.transform(.pipeline(.grayscale, crop)))) == nil)
        #expect(target(a.with(.transform(.grayscale))) == .size(.fit(20, 20)))
        var sized = a.with(.transform(crop))
        sized.decode.target = .size(.fit(200, 200))
        #expect(target(sized) == .size(.fit(200, 200)))
        #expect(
            target(a) {
                $0.animation = AnimationOptions()
                $0.animation?.transformer = crop
            } == nil)
    }

    /// A view with one picture that came for it.
    private func shown(
        _ bitmap: Bitmap, of original: PixelSize, named scale: Double = 1, in size: LayoutSize, _ viewScale: Double,
        _ mode: ContentMode = .fit
    ) async -> HeadlessView {
        let view = HeadlessView(width: size.width, height: size.height, scale: viewScale, loader: loader)
        view.presenter.defaults.contentMode = mode
        var isDone = false
        view.presenter.setImage(a) { _ in isDone = true }
        var metadata = ImageMetadata(format: .png, originalSize: original)
        metadata.scale = scale
        loader.loads.last?.succeed(.still(bitmap, metadata))
        await eventually { isDone }
        return view
    }

    @Test("a picture that was made for a view is as large as the view in points, whatever their pixels")  // CG-04, VW-10, AN-24
    func points() async throws {
        let size = LayoutSize(width: 20, height: 10)
        let made = try solid(1, width: 40, height: 20)
        #expect(await shown(made, of: PixelSize(clamping: 400, 200), in: size, 2).presenter.intrinsicSize == size)
        // All of it: as many points as it says itself.
        let whole = LayoutSize(width: 40, height: 20)
        #expect(await shown(made, of: made.size, in: whole, 2).presenter.intrinsicSize == whole)
        #expect(await shown(made, of: made.size, named: 2, in: whole, 2).presenter.intrinsicSize == size)
    }

    @Test("a picture with two pixels a point fills a view that it was reduced for, and never counts more points than it has")
    func twoPixelsAPoint() async throws {
        let size = LayoutSize(width: 20, height: 20)
        let made = try solid(1, width: 20, height: 20)
        let view = await shown(made, of: PixelSize(clamping: 40, 40), named: 2, in: size, 1, .scaleDown)
        let frame = try #require(view.presenter.scene(in: size).layers.first?.frame)
        #expect(frame == LayoutRect(x: 0, y: 0, width: 20, height: 20) && view.presenter.intrinsicSize == size)
        // 30 pixels, 15 points, reduced to 20 pixels.
        let small = await shown(made, of: PixelSize(clamping: 30, 30), named: 2, in: size, 1, .scaleDown)
        #expect(abs(small.presenter.intrinsicSize.width - 15) < 0.01)
    }
}
