import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// An animation on screen that is replaced by a sharper one, by another image, or by transformed frames.
@MainActor @Suite struct ReplacedAnimationTests {
    let loader = ManualLoader()
    let library = FrameLibrary(
        budget: FrameBudget(capacity: 1 << 20), executor: BlockingExecutor(name: "test", threads: 1), time: SteppedTime())

    private func view() -> HeadlessView { HeadlessView(width: 4, height: 4, loader: loader, library: library) }

    private func clip(side: Int = 4, original: Int = 8, failing: Set<Int> = []) throws -> DecodedImage {
        let frames = try NumberedFrames(4, side: side, failing: failing)
        return .animated(
            AnimatedImage(
                metadata: ImageMetadata(format: .gif, originalSize: PixelSize(clamping: original, original)),
                poster: frames.poster, loopCount: 0, delays: Array(repeating: ms(100), count: 4), source: frames))
    }

    /// Draws until the frame that is due is there.
    private func frame(_ view: HeadlessView, _ now: Duration) async throws -> Int {
        await eventually {
            _ = try? view.draw(at: now)
            return view.presenter.player?.tick(at: now).isWaiting != true
        }
        return red(try view.draw(at: now))
    }

    private func shown(_ change: (Presenter) -> Void = { _ in }) async throws -> HeadlessView {
        let view = view()
        change(view.presenter)
        var isDone = false
        view.presenter.setImage("https://example.org/a.gif") { _ in isDone = true }
        loader.load(0).succeed(try clip())
        await eventually { isDone }
        #expect(try await frame(view, .zero) == 0)
        return view
    }

    @Test("what was set by hand, and who listens, stays when the view grows")  // AN-10, AN-11, AN-13
    func grows() async throws {
        let view = try await shown()
        let player = try #require(view.presenter.player)
        var (events, all): ([AnimationEvent], [AnimationEvent]) = ([], [])
        player.onEvent = { events.append($0) }
        view.presenter.onAnimationEvent = { all.append($0) }
        player.setRate(2, at: .zero)
        player.setMode(.bounce, at: .zero)
        // On its way back, in the middle of a frame.
        #expect(try await frame(view, ms(225)) == 2)
        let buffer = player.buffer
        view.resize(width: 8, height: 8, scale: 1)
        loader.load(1).succeed(try clip(side: 8))
        await eventually { view.presenter.intrinsicSize.width == 8 }
        #expect(view.presenter.player === player)
        #expect(try await frame(view, ms(225)) == 2 && view.presenter.currentBitmap?.width == 8)
        #expect(player.rate == 2 && player.mode == .bounce && view.wake == ms(250) + .microseconds(1))
        events = []
        all = []
        #expect(try await frame(view, ms(260)) == 1)
        #expect(events == [.frame(1)] && all == events)
        #expect(player.buffer !== buffer && buffer.byteCount == 0)
        #expect(library.budget.playingClips == 1, "the smaller clip counts no more")
    }

    @Test("a player that is kept while its view shows something else plays no more")
    func keptPlayer() async throws {
        let view = try await shown()
        let kept = try #require(view.presenter.player)
        #expect(library.budget.playingClips == 1)
        view.presenter.show(try clip())
        #expect(try await frame(view, ms(10)) == 0)
        #expect(!kept.isPlaying && library.budget.playingClips == 1)
        view.presenter.show(nil)
        #expect(library.budget.playingClips == 0)
    }

    @Test("who is told of a frame may stop the clip, or show something else")
    func toldInTheMiddle() async throws {
        let view = try await shown()
        let player = try #require(view.presenter.player)
        var told: [AnimationEvent] = []
        player.onEvent = {
            told.append($0)
            view.presenter.setPlaying(false, at: ms(100))
        }
        #expect(try await frame(view, ms(100)) == 1)
        #expect(!player.isPlaying && told == [.frame(1)])
        player.onEvent = nil
        view.presenter.onAnimationEvent = {
            told.append($0)
            view.presenter.show(nil)
        }
        player.start(at: ms(100))
        await eventually {
            _ = try? view.draw(at: ms(200))
            return view.presenter.player == nil
        }
        #expect(told == [.frame(1), .frame(2)])
    }

    /// 255 less: no frame of the fixtures looks like that.
    private struct Inverted: ImageTransformer {
        var identifier: String? { "inverted" }
        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            var copy = try bitmap.mutableCopy()
            for y in 0..<bitmap.height {
                var row = copy.mutableRow(y)
                for x in 0..<bitmap.width { row[x * 4] = 255 - row[x * 4] }
            }
            return copy.freeze()
        }
    }

    /// Returns its input, or fails.
    private struct Strict: ImageTransformer {
        var fails: Bool
        var identifier: String? { "strict \(fails)" }
        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            if fails { throw ImageError(.corrupt, stage: .transform, "It is so.") }
            return bitmap
        }
    }

    @Test("no frame is seen before its transformer has made it; what was there stays till then")  // AN-26
    func transformed() async throws {
        for transition in [ImageTransition.none, ImageTransition(.fade, duration: ms(50), easing: .linear)] {
            let view = view()
            view.presenter.defaults.animation.transformer = Inverted()
            view.presenter.defaults.transition = transition
            view.presenter.defaults.placeholder = .image(still(try solid(100)))
            var options = PresentationOptions()
            options.waitsForTransition = true
            var isDone = false
            view.presenter.setImage("https://example.org/a.gif", options: options) { _ in isDone = true }
            #expect(red(try view.draw(at: .zero)) == 100)
            loader.loads.last?.succeed(try clip())
            await eventually { view.presenter.image != nil }
            var seen: Set<Int> = []
            await eventually {
                let shown = (try? view.draw(at: .zero)).map { red($0) } ?? 0
                seen.insert(shown)
                return view.presenter.player?.tick(at: .zero).isWaiting == false
            }
            _ = try view.draw(at: .zero)
            seen.insert(red(try view.draw(at: ms(50))))
            #expect(seen.contains(255) && seen.isSubset(of: [100, 255]), "\(seen)")
            #expect(isDone && !view.presenter.isTransitionRunning)
        }
    }

    @Test("the first frame of a clip that arrives waits for the transformer; a picture that is none does not")
    func transformedPreviews() async throws {
        let view = view()
        view.presenter.defaults.animation.transformer = Inverted()
        for (number, format) in [ImageFormat.gif, .jpeg].enumerated() {
            var told = 0
            view.presenter.setImage("https://example.org/a", progress: { _ in told += 1 }, completion: nil)
            var metadata = ImageMetadata(format: format, originalSize: PixelSize(clamping: 4, 4))
            metadata.isArriving = true
            loader.load(number).send(.preview(.still(try solid(50), metadata)))
            loader.load(number).send(.progress(LoadProgress(received: 1, expected: 2)))
            await eventually { told > 0 }
            #expect(red(try view.draw(at: .zero)) == (format == .gif ? 0 : 50))
        }
    }

    @Test("a transformer that changes nothing, and one that fails")
    func strictTransformers() async throws {
        let view = view()
        view.presenter.defaults.animation.transformer = Strict(fails: false)
        view.presenter.show(try clip())
        #expect(try await frame(view, .zero) == 0 && view.presenter.currentBitmap != nil)
        #expect(try await frame(view, ms(100)) == 1)
        view.presenter.defaults.animation.transformer = Strict(fails: true)
        view.presenter.show(try clip())
        #expect(view.presenter.currentBitmap == nil)
        _ = try await frame(view, .zero)
        #expect(view.presenter.currentBitmap == nil && view.presenter.scene(in: view.size).layers.isEmpty)
    }
}
