import GannetCore
import GannetPipeline
import GannetTesting
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
            // The frame may have come after that drawing, so what is looked at is drawn after the question.
            if view.presenter.player?.tick(at: now).isWaiting != true { return red(try view.draw(at: now)) }
            await signal.wait(for: seen + 1)
        }
    }

    private func animation(_ count: Int = 4, isPartial: Bool = false) throws -> DecodedImage {
        .animated(clip(try NumberedFrames(count), delays: Array(repeating: ms(100), count: count), isPartial: isPartial))
    }

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

    @Test func testSDDisplayLink() async throws {  // AN-15: the time of the next redraw is told, and none when nothing moves
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
        view.presenter.show(GannetPipelineTests.still(try solid(7)))
        #expect(view.presenter.player == nil)
        #expect(try await frame(view, .zero) == 7 && view.wake == nil)
    }

    @Test("test14AnimatedImageViewStopPlayingWhenHidden")  // AN-23
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

    @Test("testSetGIFImageOnlyFirstFrameThenFullFrames") func firstFrameThenAll() async throws {
        let view = view()
        view.presenter.show(GannetPipelineTests.still(try solid(0)))
        #expect(view.presenter.player == nil)
        view.presenter.show(try animation())
        #expect(view.presenter.player != nil)
    }
}
