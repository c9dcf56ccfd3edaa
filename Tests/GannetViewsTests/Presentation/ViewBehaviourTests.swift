import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetKernels
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// Behaviours of SDWebImage's "View layer" and Kingfisher's "Image view", "Image binder" and "Buttons" that no other suite
/// covers, under their names.
@MainActor @Suite struct ViewBehaviourTests {
    let loader = ManualLoader()
    let a: ImageRequest = "https://example.org/a.png"
    let b: ImageRequest = "https://example.org/b.png"

    private func view() -> HeadlessView { HeadlessView(width: 8, height: 8, loader: loader) }
    private func picture(_ red: UInt8) throws -> DecodedImage { still(try solid(red)) }

    @Test("testUIViewImageUrlForStringWorks, testUIViewImageUrlForNSURLWorks")  // VW-12
    func sources() {
        let view = view()
        #expect(view.presenter.source == nil)
        view.presenter.setImage("https://example.org/a.png")
        #expect(view.presenter.source == ImageSource("https://example.org/a.png"))
        view.presenter.setImage(ImageRequest(source: .file("/pictures/b.png")))
        #expect(view.presenter.source == .file("/pictures/b.png"))
    }

    @Test func testSDGraphicsImageRenderer() throws {  // CD-46: size, scale, opacity, range
        for (scale, width, height) in [(1.0, 4, 4), (2, 8, 8), (1.5, 6, 6)] {
            let canvas = HeadlessView(width: 4, height: 4, scale: scale, loader: loader)
            let clear = try canvas.draw(at: .zero)
            #expect(clear.size == PixelSize(width: width, height: height) && clear.layout.format == .rgba8)
            #expect(clear.packedBytes().allSatisfy { $0 == 0 })
            var options = PresentationOptions()
            options.placeholder = .color(PixelColor(red: 9, green: 90, blue: 200))
            canvas.presenter.setImage(a, options: options)
            let full = try canvas.draw(at: .zero).packedBytes()
            #expect(full == Array(repeating: [9, 90, 200, 255], count: width * height).flatMap { $0 })
            options.placeholder = .color(PixelColor(red: 200, green: 100, blue: 0, alpha: 128))
            canvas.presenter.setImage(b, options: options)
            // Half clear is premultiplied.
            #expect(try Array(canvas.draw(at: .zero).packedBytes().prefix(4)) == [100, 50, 0, 128])
        }
    }

    @Test("pictures of 16 bits are drawn, too") func deepPictures() throws {
        let canvas = view()
        canvas.presenter.show(try still(widened(solid(7, 90, 200))))
        #expect(try Array(canvas.draw(at: .zero).packedBytes().prefix(4)) == [7, 90, 200, 255])
    }

    @Test(
        "testFadeCallsSuccessAfterMarkingLoadedOnCustomCallbackQueue, testLoadTransitionCallsSuccessAfterMarkingLoadedOnCustomCallbackQueue",
        arguments: [ImageTransition.none, .fade])
    func completionsSeeTheFinishedView(_ transition: ImageTransition) async throws {
        let view = view()
        view.presenter.defaults.transition = transition
        var seen: [Bool] = []
        view.presenter.setImage(a) { _ in
            seen.append(!view.presenter.isLoading && view.presenter.image != nil)
        }
        loader.loads[0].succeed(try picture(7))
        await eventually { !seen.isEmpty }
        #expect(seen == [true])
    }

    @Test("testUIViewTransitionFromDiskWork: the disk answers later, so the picture fades in; memory does not")  // VW-33
    func transitionFromDisk() async throws {
        let view = view()
        view.presenter.defaults.transition = .fade
        var done = 0
        view.presenter.setImage(a) { _ in done += 1 }
        _ = try view.draw(at: .zero)
        loader.loads[0].succeed(try picture(7), origin: .disk)
        await eventually { done == 1 }
        _ = try view.draw(at: .seconds(1))
        #expect(view.presenter.isTransitionRunning)
        loader.remember(try picture(9), for: b.source)
        view.presenter.setImage(b) { _ in done += 1 }
        _ = try view.draw(at: .seconds(2))
        #expect(done == 2 && !view.presenter.isTransitionRunning)
    }

    @Test(
        "testPlaceholderDefinesLayoutWhenLoadedImageIsNil, testFailureViewDefinesLayoutWhenLoadedImageIsNil, testFailureViewDefinesLayoutWithLoadTransitionWhenLoadedImageIsNil",
        arguments: [ImageTransition.none, .fade])
    func whatIsShownDefinesTheLayout(_ transition: ImageTransition) async throws {  // VW-36
        let view = view()
        #expect(view.presenter.intrinsicSize == .zero)
        view.presenter.defaults.transition = transition
        view.presenter.defaults.placeholder = .image(still(try solid(1, width: 6, height: 5)))
        view.presenter.defaults.failure = .image(still(try solid(2, width: 3, height: 7)))
        var done = 0
        view.presenter.setImage(a) { _ in done += 1 }
        #expect(view.presenter.intrinsicSize == LayoutSize(width: 6, height: 5))
        _ = try view.draw(at: .zero)
        loader.loads[0].fail()
        await eventually { done == 1 }
        #expect(view.presenter.intrinsicSize == LayoutSize(width: 3, height: 7))
    }

    @Test(
        "testFadeRestoresImageLayoutBeforeAnimationBegins, testFadeUsesFadePathForNonCachedImage, testLoadTransitionUsesLoadTransitionPathForNonCachedImage, testLoadTransitionKeepsPlaceholderWhileImageIsPrepared, testRendererKeepsImageBranchBeforeImageLoads",
        arguments: [ImageTransition.fade, ImageTransition(.slide(from: .left), duration: .milliseconds(400))])
    func theLayoutIsThePicturesBeforeTheTransition(_ transition: ImageTransition) async throws {  // VW-32, VW-36
        let view = view()
        view.presenter.defaults.transition = transition
        view.presenter.defaults.contentMode = .stretch
        #expect(view.presenter.scene(in: LayoutSize(width: 8, height: 8)).layers.isEmpty, "a view without a picture is a view")
        view.presenter.defaults.placeholder = .image(still(try solid(1, width: 6, height: 5)))
        var done = 0
        view.presenter.setImage(a) { _ in done += 1 }
        loader.loads[0].send(.progress(LoadProgress(received: 10, expected: 20)))
        await eventually { view.presenter.progress.received == 10 }
        #expect(red(try view.draw(at: .zero)) == 1, "the placeholder stays until there is a picture")
        loader.loads[0].succeed(still(try solid(200, width: 4, height: 3)))
        await eventually { done == 1 }
        #expect(view.presenter.isTransitionRunning && view.presenter.intrinsicSize == LayoutSize(width: 4, height: 3))
        #expect(red(try view.draw(at: .seconds(1))) == 1, "nothing of it is seen at its first moment")
        #expect(red(try view.draw(at: .seconds(3))) == 200)
    }

    @Test("testExternalTransitionPreservesCachedImageInsertion: what is in memory is there at once")  // VW-33
    func cachedInsertion() throws {
        let view = view()
        view.presenter.defaults.transition = .fade
        view.presenter.defaults.placeholder = .image(still(try solid(1)))
        _ = try view.draw(at: .zero)
        loader.remember(try picture(9), for: a.source)
        view.presenter.setImage(a)
        #expect(!view.presenter.isTransitionRunning && view.presenter.shownPlaceholder == nil)
        #expect(view.presenter.intrinsicSize == LayoutSize(width: 4, height: 4))
    }

    @Test("testImageDownloadCancelPartialTaskBeforeRequest, testImageDownloadCancelAllTasksAfterRequestStarted")  // VW-13
    func cancellingSome() async throws {
        let views = [view(), view(), view()]
        var results: [Int: ImageError.Code?] = [:]
        for (index, view) in views.enumerated() {
            view.presenter.setImage(a) { result in
                var code: ImageError.Code?
                if case .failure(let error) = result { code = error.code }
                results[index] = code
            }
        }
        views[0].presenter.cancel()
        views[1].presenter.cancel()
        #expect(results.count == 2 && results[0] == .cancelled && results[1] == .cancelled)
        loader.loads[2].succeed(try picture(3))
        await eventually { results.count == 3 }
        #expect(results[2] == .some(nil) && views[2].presenter.image != nil)
        #expect(views[0].presenter.image == nil && views[1].presenter.image == nil)
    }

    @Test("testSetSameURLWithDifferentProcessors, testLoadGIFImageWithDifferentOptions: the same source, another picture")
    func sameSourceOtherPicture() async throws {
        let view = view()
        var first = a
        first.decode.frames = .first
        var done = 0
        view.presenter.setImage(first) { _ in done += 1 }
        loader.loads[0].succeed(try picture(1))
        await eventually { done == 1 }
        view.presenter.setImage(a) { _ in done += 1 }
        #expect(loader.loads.count == 2, "it is asked for again")
        loader.loads[1].succeed(.animated(clip(try NumberedFrames(3), delays: Array(repeating: ms(100), count: 3))))
        await eventually { done == 2 }
        #expect(view.presenter.player != nil)
    }

    @Test("testPurgeFramesOnBackgroundStopsAnimation, testPurgeFramesOnBackgroundCanResumeOnForegroundWhenViewAttached")
    func purgedInTheBackground() async throws {  // AN-17, AN-23
        let budget = FrameBudget(capacity: 1 << 20)
        let library = FrameLibrary(budget: budget, executor: BlockingExecutor(name: "test", threads: 1), time: SteppedTime())
        let signal = Signal()
        let view = HeadlessView(width: 4, height: 4, loader: loader, library: library) { signal.fire() }
        view.presenter.show(.animated(clip(try NumberedFrames(4), delays: Array(repeating: ms(100), count: 4))))
        func frame(_ now: Duration) async throws -> Int {
            while true {
                let seen = signal.count
                _ = try view.draw(at: now)
                if view.presenter.player?.tick(at: now).isWaiting != true { return red(try view.draw(at: now)) }
                await signal.wait(for: seen + 1)
            }
        }
        #expect(try await frame(.zero) == 0)
        #expect(try await frame(ms(250)) == 2)
        view.presenter.setVisible(false)
        _ = try view.draw(at: ms(250))
        budget.purge()
        #expect(view.presenter.player?.isPlaying == false)
        #expect(red(try view.draw(at: .seconds(9))) == 2, "what is on screen stays")
        view.presenter.setVisible(true)
        #expect(try await frame(.seconds(10)) == 2)
        #expect(try await frame(.seconds(10) + ms(100)) == 3)
    }

    @Test(
        "test31AnimatedImageViewSetAnimationImages; test32AnimatedImageViewNotStopPlayingAnimationImagesWhenHidden deviates: hidden frame lists rest too"
    )
    func frameLists() throws {  // AN-20
        let view = view()
        let frames = try (0..<3).map { try solid(UInt8($0 * 50)) }
        view.presenter.show(
            .animated(
                AnimatedImage(
                    metadata: ImageMetadata(format: nil, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
                    delays: Array(repeating: ms(100), count: 3), source: FrameArray(frames))))
        #expect(view.presenter.player?.frameCount == 3)
        _ = try view.draw(at: .zero)
        #expect(view.presenter.player?.isPlaying == true)
        view.presenter.setVisible(false)
        _ = try view.draw(at: .zero)
        #expect(view.presenter.player?.isPlaying == false)
    }
}

/// VW-38: retries of failed loads.
@MainActor @Suite struct RetryingViewTests {
    let loader = ManualLoader()
    let a: ImageRequest = "https://example.org/a.png"

    private func failing() async -> HeadlessView {
        let view = HeadlessView(width: 8, height: 8, loader: loader)
        var done = 0
        view.presenter.setImage(a) { _ in done += 1 }
        loader.loads[0].fail()
        await eventually { done == 1 }
        return view
    }

    // VW-38
    @Test func aViewThatIsSeenAgainTriesAgain() async throws {
        let view = await failing()
        view.presenter.setVisible(false)
        view.presenter.setVisible(true)
        #expect(loader.loads.count == 1, "not unless it is wished")
        view.presenter.defaults.retriesOnAppear = true
        view.presenter.setVisible(true)
        #expect(loader.loads.count == 1, "it was seen all the time")
        view.presenter.setVisible(false)
        view.presenter.setVisible(true)
        #expect(loader.loads.count == 2)
        loader.loads[1].succeed(still(try solid(5)))
        await eventually { view.presenter.image != nil }
        view.presenter.setVisible(false)
        view.presenter.setVisible(true)
        #expect(loader.loads.count == 2, "there is nothing to try")
    }

    // VW-38
    @Test func aNetworkThatIsBackIsWorthAnotherTry() async throws {
        let view = await failing()
        view.presenter.networkReturned()
        #expect(loader.loads.count == 1, "not unless it is wished")
        view.presenter.defaults.retriesOnReconnect = true
        view.presenter.setVisible(false)
        view.presenter.networkReturned()
        #expect(loader.loads.count == 1, "nobody looks")
        view.presenter.setVisible(true)
        #expect(loader.loads.count == 2)
        view.presenter.networkReturned()
        #expect(loader.loads.count == 2, "it is being tried")
        loader.loads[1].fail()
        await eventually { !view.presenter.isLoading }
        view.presenter.setVisible(false)
        view.presenter.setVisible(true)
        #expect(loader.loads.count == 2, "no news of a network since")
        view.presenter.networkReturned()
        #expect(loader.loads.count == 3)
        loader.loads[2].succeed(still(try solid(5)))
        await eventually { view.presenter.image != nil }
        view.presenter.networkReturned()
        #expect(loader.loads.count == 3, "there is nothing to try")
    }

    @Test func aNetworkDoesNotMendPictures() async throws {
        let view = HeadlessView(width: 8, height: 8, loader: loader)
        view.presenter.defaults.retriesOnReconnect = true
        for code in [ImageError.Code.corrupt, .notFound, .httpStatus, .cancelled] {
            var done = false
            view.presenter.setImage(a) { _ in done = true }
            loader.loads.last?.send(.finished(.failure(ImageError(code, "It is so."))))
            await eventually { done }
            let count = loader.loads.count
            view.presenter.networkReturned()
            #expect(loader.loads.count == count, "\(code)")
        }
    }

    @Test func retryAsksOnceAndOnlyForFailures() async throws {
        let view = await failing()
        view.presenter.retry()
        view.presenter.retry()
        #expect(loader.loads.count == 2 && view.presenter.isLoading)
        view.presenter.cancel()
        view.presenter.retry()
        #expect(loader.loads.count == 2, "a cancelled load did not fail")
        let fresh = HeadlessView(width: 8, height: 8, loader: loader)
        fresh.presenter.retry()
        #expect(loader.loads.count == 2)
    }
}
