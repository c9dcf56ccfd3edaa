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

@MainActor @Suite struct AnimatedViewTests {
    let loader = ManualLoader()
    let signal = Signal()
    let library = FrameLibrary(
        budget: FrameBudget(capacity: 1 << 20), executor: BlockingExecutor(name: "test", threads: 1), time: SteppedTime())

    private func view() -> HeadlessView {
        let signal = signal
        return HeadlessView(width: 4, height: 4, loader: loader, library: library) { signal.fire() }
    }

    private func frame(_ view: HeadlessView, _ now: Duration) async throws -> Int {
        while true {
            let seen = signal.count
            _ = try view.draw(at: now)
            // The frame may have arrived after that drawing, so the view is drawn again after the check.
            if view.presenter.player?.tick(at: now).isWaiting != true { return red(try view.draw(at: now)) }
            await signal.wait(for: seen + 1)
        }
    }

    private func animation(_ count: Int = 4, isPartial: Bool = false) throws -> DecodedImage {
        .animated(clip(try NumberedFrames(count), delays: Array(repeating: ms(100), count: count), isPartial: isPartial))
    }

    // VW-07
    @Test("test08AnimatedImageViewSetAnimatedImageGIF, test12AnimatedImageViewLayerContents, test20AnimatedImageViewRendering")
    func plays() async throws {  // AN-20
        let view = view()
        view.presenter.show(try animation())
        #expect(view.presenter.player?.currentFrame == 0)
        var seen: [Int] = []
        for step in 0..<8 {
            let now = ms(1000 + step * 100)
            seen.append(try await frame(view, now))
            #expect(view.wake == now + ms(100))
        }
        #expect(seen == [0, 1, 2, 3, 0, 1, 2, 3])
    }

    @Test func testSDDisplayLink() async throws {  // AN-15: reports the time of the next redraw, and none when nothing moves
        let view = view()
        view.presenter.show(try animation())
        #expect(try await frame(view, ms(1000)) == 0 && view.wake == ms(1100))
        #expect(try await frame(view, ms(1040)) == 0 && view.wake == ms(1100), "asked in between it stays the same")
        #expect(try await frame(view, ms(1100)) == 1 && view.wake == ms(1200))
        view.presenter.player?.pause(at: ms(1100))
        #expect(try await frame(view, ms(5000)) == 1 && view.wake == nil, "who stands still needs no redraw")
        view.presenter.player?.start(at: ms(6000))
        #expect(try await frame(view, ms(6000)) == 1)
        let next = try #require(view.wake)
        #expect(next > ms(6000) && next <= ms(6100), "it goes on from here, and does not catch up")
    }

    @Test(
        "test06AnimatedImageViewSetImage, test13AnimatedImageViewInitWithImage, test37AnimatedImageWithStaticDataBehavior: a still has no player"
    )
    func still() async throws {
        let view = view()
        view.presenter.show(GannetTestSupport.still(try solid(7)))
        #expect(view.presenter.player == nil)
        #expect(try await frame(view, .zero) == 7 && view.wake == nil)
    }

    @Test("test14AnimatedImageViewStopPlayingWhenHidden")  // AN-23, CG-16, U-03
    func stopsWhenHidden() async throws {
        let view = view()
        view.presenter.show(try animation())
        #expect(try await frame(view, .zero) == 0)
        #expect(try await frame(view, ms(150)) == 1)
        view.presenter.setVisible(false)
        _ = try view.draw(at: ms(150))
        #expect(view.presenter.player?.isPlaying == false && view.wake == nil)
        view.presenter.setVisible(true)
        #expect(try await frame(view, .seconds(60)) == 1, "goes on where it was")
        #expect(try await frame(view, .seconds(60) + ms(60)) == 2)
    }

    @Test("a clip that is hidden begins anew, or gives its frames back, if its options say so of stopping")  // AN-22, AN-23
    func hiddenAsStopped() async throws {
        for (resets, clears) in [(true, false), (false, true), (true, true)] {
            let view = view()
            view.presenter.defaults.animation.resetsWhenStopped = resets
            view.presenter.defaults.animation.clearsBufferWhenStopped = clears
            view.presenter.show(try animation())
            for step in 0..<3 { #expect(try await frame(view, ms(step * 100)) == step) }
            view.presenter.setVisible(false)
            _ = try view.draw(at: ms(250))
            let player = try #require(view.presenter.player)
            #expect(!player.isPlaying)
            if clears { await eventually { player.buffer.loadedFrames.isEmpty } }
            #expect(player.buffer.loadedFrames.isEmpty == clears)
            view.presenter.setVisible(true)
            #expect(try await frame(view, .seconds(60)) == (resets ? 0 : 2))
            #expect(try await frame(view, .seconds(60) + ms(100)) == (resets ? 1 : 3))
        }
    }

    @Test("a clip that has played its loops stays at its end, however often it is hidden and seen")  // AN-23
    func staysAtItsEnd() async throws {
        // Drawn after its end before it is hidden, and not.
        for last in [ms(350), ms(450)] {
            let view = view()
            view.presenter.show(try finite())
            for step in 0..<4 { #expect(try await frame(view, ms(step * 100)) == step) }
            #expect(try await frame(view, last) == 3)
            for step in 5..<8 {
                view.presenter.setVisible(false)
                _ = try view.draw(at: ms(step * 100))
                view.presenter.setVisible(true)
                #expect(try await frame(view, ms(step * 100)) == 3)
                #expect(try await frame(view, ms(step * 100 + 50)) == 3)
                #expect(view.wake == nil && view.presenter.player?.isPlaying == false)
                #expect(library.budget.playingClips == 0, "who stands takes no share from those that play")
            }
            view.presenter.setPlaying(true, at: ms(900))
            #expect(try await frame(view, ms(900)) == 0, "by hand it starts over")
            #expect(try await frame(view, ms(1100)) == 2 && library.budget.playingClips == 1)
        }
    }

    /// Four frames of 100 ms, played once; reduced, or whole.
    private func finite(side: Int = 4, original: Int = 8) throws -> DecodedImage {
        let frames = try NumberedFrames(4, side: side)
        return .animated(
            AnimatedImage(
                metadata: ImageMetadata(format: .gif, originalSize: PixelSize(clamping: original, original)),
                poster: frames.poster, loopCount: 1, delays: Array(repeating: ms(100), count: 4), source: frames))
    }

    @Test("a finished clip that gets sharper in a larger view stays at its end")
    func finishedClipGrows() async throws {
        let view = view()
        var isDone = false
        view.presenter.setImage("https://example.org/a.gif") { _ in isDone = true }
        loader.load(0).succeed(try finite())
        await eventually { isDone }
        for step in 0..<5 { #expect(try await frame(view, ms(step * 100)) == min(step, 3)) }
        let coarse = view.presenter.player
        view.resize(width: 8, height: 8, scale: 1)
        loader.load(1).succeed(try finite(side: 8))
        await eventually { view.presenter.intrinsicSize.width == 8 }
        #expect(view.presenter.player === coarse, "it is the same clip")
        #expect(try await frame(view, ms(500)) == 3 && view.wake == nil)
        #expect(view.presenter.player?.isPlaying == false)
        view.presenter.setPlaying(true, at: ms(600))
        #expect(try await frame(view, ms(600)) == 0 && view.presenter.player?.isPlaying == true)
    }

    @Test("what is changed by hand is seen, also where nothing is due")
    func changesByHandAreSeen() async throws {
        let view = view()
        view.presenter.show(try finite())
        let player = try #require(view.presenter.player)
        // From here on, no decoded frame can trigger a redraw.
        try await player.buffer.preloadAll()
        for step in 0..<5 { _ = try await frame(view, ms(step * 100)) }
        #expect(view.wake == nil)
        let before = signal.count
        player.setLoopCount(2, at: ms(400))
        #expect(signal.count == before + 1)
        #expect(try await frame(view, ms(400)) == 3 && view.wake == ms(500))
        #expect(try await frame(view, ms(500)) == 0)
    }

    // AN-25
    @Test("test28AnimatedImageAutoPlayAnimatedImage") func autoPlay() async throws {
        let view = view()
        view.presenter.defaults.animation.autoPlays = false
        loader.remember(try animation(), for: "https://example.org/a.gif")
        view.presenter.setImage("https://example.org/a.gif")
        #expect(try await frame(view, .zero) == 0)
        #expect(try await frame(view, ms(950)) == 0)
        view.presenter.player?.start(at: ms(950))
        #expect(try await frame(view, ms(1050)) == 1)
    }

    @Test("test11AnimatedImageViewIntrinsicContentSize") func intrinsicSize() throws {
        let view = view()
        var metadata = ImageMetadata(format: .png, originalSize: PixelSize(clamping: 6, 4))
        metadata.scale = 2
        view.presenter.show(.still(try solid(1, width: 6, height: 4), metadata))
        #expect(view.presenter.intrinsicSize == LayoutSize(width: 3, height: 2))
    }

    @Test("test21AnimatedImageViewSetProgressiveAnimatedImage, test23AnimatedImageViewCategoryProgressive")  // AN-21
    func progressive() async throws {
        let view = view()
        let frames = try NumberedFrames(4)
        let delays = Array(repeating: ms(100), count: 4)
        var done = false
        view.presenter.setImage("https://example.org/a.gif") { _ in done = true }
        loader.loads[0].send(.preview(.animated(clip(frames, delays: Array(delays.prefix(2)), isPartial: true))))
        await eventually { view.presenter.player != nil }
        #expect(try await frame(view, .zero) == 0)
        #expect(try await frame(view, ms(900)) == 1, "waits on the last frame that is there")
        let player = try #require(view.presenter.player)
        loader.loads[0].succeed(.animated(clip(frames, delays: delays)))
        await eventually { done }
        #expect(view.presenter.player === player)
        #expect(try await frame(view, ms(900)) == 2)
        #expect(try await frame(view, ms(1000)) == 3)
        #expect(try await frame(view, ms(1100)) == 0)
    }

    @Test func `However long a clip waits for more, the frame that came is shown next`() async throws {  // AN-21
        let view = view()
        let frames = try NumberedFrames(6)
        let delays = Array(repeating: ms(100), count: 6)
        var done = false
        view.presenter.setImage("https://example.org/a.gif") { _ in done = true }
        func send(_ count: Int) {
            loader.loads[0].send(.preview(.animated(clip(frames, delays: Array(delays.prefix(count)), isPartial: true))))
        }
        send(2)
        await eventually { view.presenter.player != nil }
        #expect(try await frame(view, .zero) == 0)
        #expect(try await frame(view, ms(200)) == 1)
        send(3)
        await eventually { view.needsDisplay }
        #expect(try await frame(view, ms(5000)) == 2)
        // Two pieces between two drawings.
        send(4)
        loader.loads[0].succeed(.animated(clip(frames, delays: delays)))
        await eventually { done }
        #expect(try await frame(view, ms(9000)) == 3)
        #expect(try await frame(view, ms(9100)) == 4)
        #expect(Set(frames.decoded).count == frames.decoded.count, "no frame twice: \(frames.decoded)")
    }

    @Test("a clip of which all frames have come, and then only its end, while it is hidden, does not start over")
    func endsWhileHidden() async throws {
        let view = view()
        let frames = try NumberedFrames(3)
        let delays = Array(repeating: ms(100), count: 3)
        var isDone = false
        view.presenter.setImage("https://example.org/a.gif") { _ in isDone = true }
        loader.load(0).send(.preview(.animated(clip(frames, delays: delays, isPartial: true))))
        await eventually { view.presenter.player != nil }
        for step in 0..<5 { #expect(try await frame(view, ms(step * 100)) == min(step, 2)) }
        view.presenter.setVisible(false)
        _ = try view.draw(at: ms(500))
        loader.load(0).succeed(.animated(clip(frames, delays: delays, loops: 1)))
        await eventually { isDone }
        view.presenter.setVisible(true)
        #expect(try await frame(view, .seconds(9)) == 2)
        #expect(try await frame(view, .seconds(9) + ms(150)) == 2 && view.presenter.player?.isPlaying == false)
    }

    @Test("testSetGIFImageOnlyFirstFrameThenFullFrames") func firstFrameThenAll() async throws {
        let view = view()
        view.presenter.show(GannetTestSupport.still(try solid(0)))
        #expect(view.presenter.player == nil)
        view.presenter.show(try animation())
        #expect(view.presenter.player != nil)
    }
}
