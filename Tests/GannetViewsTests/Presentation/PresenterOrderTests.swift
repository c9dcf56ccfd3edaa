import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// Calls that meet: from within each other's completions, in the middle of transitions, after previews of something else.
@MainActor @Suite struct PresenterOrderTests: PresenterSuite {
    let loader = ManualLoader()

    @Test("a completion that shows something else when its load fails does not win over the call that took its place")  // VW-16
    func fallbackOfAnOlderCall() async throws {
        let view = view()
        let fallback: ImageRequest = "https://example.org/fallback.png"
        loader.remember(try picture(blue), for: fallback.source)
        var log: [String] = []
        view.presenter.setImage(a) { result in
            log.append("a")
            if case .failure = result { view.presenter.setImage(fallback) }
        }
        view.presenter.setImage(b) { if case .success = $0 { log.append("b") } }
        #expect(view.presenter.source == b.source && view.presenter.request?.source == b.source)
        try #require(loader.loads.count == 2)
        loader.loads[1].succeed(try picture(green))
        await eventually { log.count == 2 }
        #expect(log == ["a", "b"])
        #expect(try pixel(view) == green)
        view.presenter.setImage(a) { if case .failure = $0 { view.presenter.setImage(fallback) } }
        view.presenter.setImage(nil)
        #expect(try pixel(view) == clear)
        #expect(view.presenter.source == nil)
    }

    @Test("calls from within completions of calls that are over are each told once, however many follow each other")  // VW-16
    func longChain() async throws {
        let view = view()
        var told: [Int] = []
        func next(_ number: Int) {
            view.presenter.setImage(a) { result in
                if case .failure(let error) = result, error.code == .cancelled { told.append(number) }
                if number < 30 { next(number + 1) }
            }
        }
        next(0)
        var isShown = false
        view.presenter.setImage(b) { if case .success = $0 { isShown = true } }
        #expect(view.presenter.source == b.source && loader.loads.count == 2)
        loader.loads[1].succeed(try picture(green))
        await eventually { isShown && told.count == 31 }
        #expect(told == Array(0...30))
        #expect(try pixel(view) == green && view.presenter.source == b.source)
    }

    @Test("a completion that calls again whenever its call was cancelled does not hold up the picture that took its place")
    func endlessChain() async throws {
        let view = view()
        var (made, told) = (0, 0)
        var goesOn = true
        func again() {
            made += 1
            view.presenter.setImage(a) { _ in
                told += 1
                if goesOn { again() }
            }
        }
        again()
        var isShown = false
        view.presenter.setImage(b) { if case .success = $0 { isShown = true } }
        loader.loads[1].succeed(try picture(green))
        await eventually { isShown && made > 10 }
        #expect(try pixel(view) == green && loader.loads.count == 2)
        goesOn = false
        await eventually { told == made }
        #expect(told == made)
        // Later calls are calls like others.
        view.presenter.setImage(a)
        #expect(view.presenter.source == a.source && loader.loads.count == 3)
    }

    @Test("a picture set from within the completion of another is shown")
    func nextInCompletion() async throws {
        let view = view()
        var log: [String] = []
        view.presenter.setImage(a) { _ in
            log.append("a")
            view.presenter.setImage(b) { _ in log.append("b") }
        }
        loader.loads[0].succeed(try picture(red))
        await eventually { loader.loads.count == 2 }
        loader.loads[1].succeed(try picture(green))
        await eventually { log.count == 2 }
        #expect(log == ["a", "b"])
        #expect(try pixel(view) == green && !view.presenter.isLoading)
    }

    @Test("a picture set when told that the one before is whole is not covered by that, nor is its indicator")  // VW-16, VW-31
    func nextInProgress() async throws {
        for isInMemory in [false, true] {
            let view = view()
            view.presenter.defaults.indicator = .activity
            let number = loader.loads.count
            var log: [String] = []
            let next: ImageRequest = isInMemory ? "https://example.org/c.png" : b
            if isInMemory { loader.remember(try picture(green), for: next.source) }
            func told(_ progress: LoadProgress) {
                guard progress.isFinished else { return }
                log.append("whole")
                view.presenter.setImage(next)
            }
            view.presenter.setImage(a, progress: told) { _ in log.append("a") }
            loader.loads[number].succeed(try picture(red))
            await eventually { log.count == 2 }
            #expect(log == ["whole", "a"] && view.presenter.source == next.source)
            #expect(view.presenter.isIndicatorVisible == !isInMemory)
            if isInMemory { #expect(try pixel(view) == green) }
        }
    }

    @Test("who is told of the end of two loads, and begins another, keeps its indicator")  // VW-31
    func nextInCancel() async throws {
        let view = view()
        view.presenter.defaults.indicator = .activity
        var options = PresentationOptions()
        options.keepsPreviousLoad = true
        view.presenter.setImage(a) { _ in view.presenter.setImage("https://example.org/c.png") }
        view.presenter.setImage(b, options: options)
        view.presenter.cancel()
        #expect(loader.loads.count == 3 && loader.loads[1].isCancelled && !loader.loads[2].isCancelled)
        #expect(view.presenter.isLoading && view.presenter.isIndicatorVisible)
    }

    @Test("the end of a hidden view's load is told before its completion, also where that waits for the transition")  // VW-34
    func hiddenTransition() async throws {
        let view = view()
        view.presenter.defaults.transition = .fade(.milliseconds(100))
        view.presenter.setVisible(false)
        var options = PresentationOptions()
        options.waitsForTransition = true
        var log: [String] = []
        view.presenter.setImage(a, options: options, progress: { _ in log.append("whole") }, completion: { _ in log.append("a") })
        loader.loads[0].succeed(try picture(red))
        await eventually { log.contains("a") }
        #expect(log == ["whole", "a"])
    }

    @Test("a picture set from within the completion of one that is too small stays the newest call")  // U-08
    func nextInsteadOfLarger() async throws {
        let view = view()
        view.presenter.setImage(a) { _ in view.presenter.setImage(b) }
        view.resize(width: 40, height: 40, scale: 1)
        loader.loads[0].succeed(still(try solid(200), original: PixelSize(clamping: 400, 400)))
        await eventually { loader.loads.count == 2 }
        #expect(view.presenter.source == b.source && view.presenter.request?.source == b.source)
        #expect(loader.loads.count == 2)
    }

    @Test("a completion that waits for a transition comes also if something else ends the transition")  // VW-34
    func transitionsThatAreCutShort() async throws {
        let view = view()
        view.presenter.defaults.transition = .fade(.milliseconds(100))
        _ = try view.draw(at: .zero)
        var options = PresentationOptions()
        options.waitsForTransition = true
        var log: [String] = []
        view.presenter.setImage(a, options: options) { _ in log.append("a") }
        loader.loads[0].succeed(try picture(red))
        await eventually { view.presenter.isTransitionRunning }
        #expect(log.isEmpty)
        view.presenter.show(try picture(blue))
        #expect(log == ["a"])
        #expect(try pixel(view) == blue)
        // Two loads that may both come, the second in the middle of the first one's transition.
        view.presenter.setImage(a, options: options) { _ in log.append("a again") }
        options.keepsPreviousLoad = true
        view.presenter.setImage(b, options: options) { _ in log.append("b") }
        loader.loads[1].succeed(try picture(red))
        await eventually { view.presenter.isTransitionRunning }
        loader.loads[2].succeed(try picture(green))
        await eventually { !view.presenter.isLoading }
        #expect(log == ["a", "a again"])
        _ = try view.draw(at: .seconds(1))
        _ = try view.draw(at: .seconds(2))
        #expect(log == ["a", "a again", "b"])
        #expect(try pixel(view, .seconds(2)) == green)
    }

    @Test("a clip from memory takes the place of another clip's preview at once, from its own beginning")  // VW-16, VW-22
    func otherClipAfterPreview() async throws {
        let view = view()
        let delays = Array(repeating: ms(100), count: 4)
        view.presenter.setImage(a)
        let first = clip(try NumberedFrames(4), delays: delays, isPartial: true)
        loader.loads[0].send(.preview(.animated(first)))
        await eventually { view.presenter.player != nil }
        _ = try view.draw(at: ms(1000))
        let frames = try (0..<4).map { try solid(UInt8(100 + $0)) }
        let second = AnimatedImage(
            metadata: ImageMetadata(format: .gif, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
            delays: delays, source: FrameArray(frames))
        loader.remember(.animated(second), for: b.source)
        view.presenter.setImage(b)
        #expect(view.presenter.player?.image === second && view.presenter.player?.currentFrame == 0)
        #expect(try pixel(view, ms(1350))[0] == 100)
    }

    @Test("who is told of a frame while a transition ends, and begins another, waits for that one")  // VW-34
    func toldAtTheEndOfATransition() async throws {
        let view = view()
        view.presenter.defaults.transition = ImageTransition(.fade, duration: ms(100), easing: .linear)
        var options = PresentationOptions()
        options.waitsForTransition = true
        var log: [String] = []
        view.presenter.setImage(a, options: options) { _ in log.append("a") }
        _ = try view.draw(at: .zero)
        loader.loads[0].succeed(.animated(clip(try NumberedFrames(4), delays: Array(repeating: ms(100), count: 4))))
        await eventually { view.presenter.isTransitionRunning }
        _ = try view.draw(at: .zero)
        let player = try #require(view.presenter.player)
        await eventually { !player.tick(at: ms(150)).isWaiting }
        loader.remember(try picture(green), for: b.source)
        options.forcesTransition = true
        view.presenter.onAnimationEvent = { _ in
            view.presenter.onAnimationEvent = nil
            view.presenter.setImage(b, options: options) { _ in log.append("b") }
        }
        _ = try view.draw(at: ms(150))
        #expect(log == ["a"] && view.presenter.isTransitionRunning && view.presenter.source == b.source)
        _ = try view.draw(at: ms(150))
        _ = try view.draw(at: ms(300))
        #expect(log == ["a", "b"])
    }

    @Test("a clip that was stopped by hand still stands when it is seen again, and one that was started goes on")  // AN-23
    func stoppedByHand() async throws {
        for autoPlays in [true, false] {
            let view = view()
            view.presenter.defaults.animation.autoPlays = autoPlays
            let clip = clip(try NumberedFrames(4), delays: Array(repeating: ms(100), count: 4))
            loader.remember(.animated(clip), for: a.source)
            view.presenter.setImage(a)
            _ = try view.draw(at: .zero)
            let player = try #require(view.presenter.player)
            #expect(player.isPlaying == autoPlays)
            if autoPlays { player.stop(at: ms(10)) } else { player.start(at: ms(10)) }
            for step in 1...2 {
                view.presenter.setVisible(false)
                _ = try view.draw(at: ms(step * 20))
                #expect(!player.isPlaying)
                view.presenter.setVisible(true)
                _ = try view.draw(at: ms(step * 20 + 10))
                #expect(player.isPlaying == !autoPlays)
            }
        }
    }

    @Test("the same clip set again goes on; one that was decoded for a larger view, too")  // AN-23, U-08
    func sameClip() async throws {
        let view = view()
        let delays = Array(repeating: ms(100), count: 4)
        func clip(_ side: Int, _ first: Int) throws -> AnimatedImage {
            let frames = try (0..<4).map { try solid(UInt8(first + $0), width: side, height: side) }
            return AnimatedImage(
                metadata: ImageMetadata(format: .gif, originalSize: PixelSize(clamping: 100, 100)), poster: frames[0],
                loopCount: 0, delays: delays, source: FrameArray(frames))
        }
        func shows(_ red: Int, at now: Duration) async throws {
            await eventually { (try? pixel(view, now)[0]) == red }
            #expect(try pixel(view, now)[0] == red)
        }
        let small = try clip(8, 50)
        loader.remember(.animated(small), for: a.source)
        view.presenter.setImage(a)
        _ = try view.draw(at: .zero)
        try await shows(52, at: ms(250))
        let player = try #require(view.presenter.player)
        view.presenter.setImage(a)
        #expect(view.presenter.player === player)
        try await shows(52, at: ms(250))
        // The next larger one.
        loader.remember(.animated(try clip(40, 150)), for: a.source)
        view.resize(width: 40, height: 40, scale: 1)
        #expect(view.presenter.player === player)
        let first = try pixel(view, ms(250))[0]
        #expect(first == 52 || first == 152, "not from the beginning")
        try await shows(152, at: ms(250))
        try await shows(153, at: ms(360))
        #expect(view.presenter.intrinsicSize == LayoutSize(width: 40, height: 40))
    }

    @Test("sizes and scales that are no numbers, or no sizes, are not taken") func impossibleSizes() throws {
        let view = view()
        for size in [
            LayoutSize(width: .infinity, height: 4), LayoutSize(width: 4, height: .nan), LayoutSize(width: -3, height: 4),
            LayoutSize(width: 1e300, height: 1e300),
        ] {
            view.presenter.setSize(size, scale: 1)
        }
        for scale in [Double.nan, .infinity, -1, 0] { view.presenter.setSize(LayoutSize(width: 4, height: 4), scale: scale) }
        view.presenter.setImage(a)
        #expect(loader.loads.count == 1)
    }

    @Test("views of no size at all draw an error, and very long ones draw") func impossibleViews() throws {
        for size in [Double.nan, .infinity, -.infinity] {
            #expect(throws: ImageError.self) { try HeadlessView(width: size, height: 4, loader: loader).draw(at: .zero) }
            #expect(throws: ImageError.self) {
                try HeadlessView(width: 4, height: 4, scale: size, loader: loader).draw(at: .zero)
            }
        }
        let long = HeadlessView(width: 1e30, height: 1, loader: loader)
        long.presenter.show(.still(try solid(7), ImageMetadata(format: .png, originalSize: PixelSize(clamping: 4, 4))))
        #expect(try long.draw(at: .zero).height == 1)
    }
}
