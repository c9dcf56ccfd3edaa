import GannetCore
import GannetPipeline
import Testing

/// The behaviours of SDWebImage's and Kingfisher's view tests, on the headless view: every assertion about what is shown
/// is made on drawn pixels.
@MainActor @Suite struct PresenterTests {
    let loader = ManualLoader()
    let a: ImageRequest = "https://example.org/a.png"
    let b: ImageRequest = "https://example.org/b.png"

    private func view(_ width: Double = 8, _ height: Double = 8) -> HeadlessView {
        HeadlessView(width: width, height: height, loader: loader)
    }

    private func pixel(_ view: HeadlessView, _ now: Duration = .zero, x: Int = 4, y: Int = 4) throws -> [Int] {
        let bitmap = try view.draw(at: now)
        let row = bitmap.row(y)
        return (0..<4).map { Int(row[x * 4 + $0]) }
    }

    private let red = [200, 0, 0, 255]
    private let green = [0, 200, 0, 255]
    private let blue = [0, 0, 200, 255]
    private let clear = [0, 0, 0, 0]
    private func picture(_ color: [Int]) throws -> DecodedImage {
        still(try solid(UInt8(color[0]), UInt8(color[1]), UInt8(color[2])))
    }
    private func placeholder(_ color: [Int]) -> ImagePlaceholder {
        .color(DrawColor(red: UInt8(color[0]), green: UInt8(color[1]), blue: UInt8(color[2])))
    }

    // testImageDownloadForImageView, testImageDownloadWithResourceForImageView, testImageDownloadCompletionHandlerRunningOnMainQueue
    @Test("testUIImageViewSetImageWithURL, testImageSettingWithPlaceholder")  // VW-01, VW-10
    func placeholderThenPicture() async throws {
        let view = view()
        var options = PresentationOptions()
        options.placeholder = placeholder(blue)
        var results: [Result<LoadedImage, ImageError>] = []
        view.presenter.setImage(a, options: options) { results.append($0) }
        #expect(try pixel(view) == blue && view.presenter.isLoading && view.presenter.source == a.source)
        loader.loads[0].succeed(try picture(red))
        await until { !results.isEmpty }
        #expect(try pixel(view) == red && !view.presenter.isLoading)
        #expect(results.count == 1 && view.announcements == [true, false])
    }

    // testUIImageViewSetImageWithURLDiskSync
    @Test("a memory hit is on screen before the call returns: no placeholder, no indicator, no transition")  // VW-22
    func memoryHit() throws {
        loader.remember(try picture(red), for: a.source)
        let view = view()
        view.presenter.defaults.transition = .fade
        view.presenter.defaults.indicator = .activity
        view.presenter.defaults.placeholder = placeholder(blue)
        var finished = 0
        view.presenter.setImage(a) { _ in finished += 1 }
        #expect(finished == 1 && loader.loads.isEmpty && view.announcements.isEmpty)
        #expect(try pixel(view) == red && !view.presenter.isTransitionRunning && !view.presenter.isIndicatorVisible)
    }

    @Test("testSettingNilURL, testUIImageViewImageUrlForNilWorks")  // VW-19
    func nilSource() async throws {
        let view = view()
        var options = PresentationOptions()
        options.placeholder = placeholder(blue)
        var errors: [ImageError.Code] = []
        view.presenter.setImage(a) { if case .failure(let error) = $0 { errors.append(error.code) } }
        view.presenter.setImage(nil, options: options) { if case .failure(let error) = $0 { errors.append(error.code) } }
        #expect(errors == [.cancelled, .misuse] && loader.loads[0].isCancelled && view.presenter.source == nil)
        #expect(try pixel(view) == blue)
    }

    @Test(
        "testSettingNonWorkingImageWith{CustomizePlaceholderAndFailureImage, FailureImage, EmptyFailureImage}, …WithoutFailureImage"
    )
    func failurePictures() async throws {  // VW-17
        for (failure, expected) in [(placeholder(green), green), (.empty, clear), (nil, blue)] as [(ImagePlaceholder?, [Int])] {
            let loader = ManualLoader()
            let view = HeadlessView(width: 8, height: 8, loader: loader)
            var options = PresentationOptions()
            options.placeholder = placeholder(blue)
            options.failure = failure
            var count = 0
            view.presenter.setImage(a, options: options) { _ in count += 1 }
            loader.loads[0].fail()
            await until { count > 0 }
            #expect(count == 1)
            #expect(try pixel(view) == expected)
        }
    }

    @Test("testSettingImageWhileKeepingCurrentOne, testMe, testSettingImageKeepingRespectingPlaceholder")
    func keepingCurrent() async throws {  // VW-17
        let view = view()
        var options = PresentationOptions()
        options.keepsCurrent = true
        options.placeholder = placeholder(blue)
        var done = 0
        view.presenter.setImage(a, options: options) { _ in done += 1 }
        #expect(try pixel(view) == blue, "with nothing to keep the placeholder is shown")
        loader.loads[0].succeed(try picture(red))
        await until { done == 1 }
        view.presenter.setImage(b, options: options) { _ in done += 1 }
        #expect(try pixel(view) == red, "the old picture stays until the new one arrives")
        loader.loads[1].succeed(try picture(green))
        await until { done == 2 }
        #expect(try pixel(view) == green)
        options.keepsCurrent = false
        view.presenter.setImage(a, options: options)
        #expect(try pixel(view) == blue)
    }

    @Test("the same source again does not flash its placeholder")  // U-08
    func sameSource() async throws {
        let view = view()
        var done = 0
        view.presenter.defaults.placeholder = placeholder(blue)
        view.presenter.setImage(a) { _ in done += 1 }
        loader.loads[0].succeed(try picture(red))
        await until { done == 1 }
        view.presenter.setImage(a)
        #expect(try pixel(view) == red && view.presenter.isLoading)
    }

    @Test("testUIViewAutoCancelImage, testDownloadForMultipleURLs, testIssue665")  // VW-13
    func autoCancel() async throws {
        let view = view()
        var log: [String] = []
        view.presenter.setImage(a) { result in
            if case .failure(let error) = result { log.append("a \(error.code)") }
        }
        view.presenter.setImage(b) { result in
            if case .success = result { log.append("b") }
        }
        #expect(log == ["a cancelled"], "reported before the second call returns")
        loader.loads[0].succeed(try picture(red))
        loader.loads[1].succeed(try picture(green))
        await until { log.count == 2 }
        #expect(log == ["a cancelled", "b"])
        #expect(try pixel(view) == green)
    }

    @Test("testUIViewAvoidAutoCancelImage: both finish, and the older never covers the newer")  // VW-16
    func avoidAutoCancel() async throws {
        let view = view()
        var options = PresentationOptions()
        var log: [String] = []
        view.presenter.setImage(a) { if case .success = $0 { log.append("a") } }
        options.keepsPreviousLoad = true
        view.presenter.setImage(b, options: options) { if case .success = $0 { log.append("b") } }
        #expect(!loader.loads[0].isCancelled)
        loader.loads[1].succeed(try picture(green))
        await until { log == ["b"] }
        loader.loads[0].succeed(try picture(red))
        await until { log.count == 2 }
        #expect(log == ["b", "a"])
        #expect(try pixel(view) == green)
    }

    // testImageDownloadCancelForImageView, testCancelImageTask
    @Test("testUIViewCancelCurrentImageLoad, testUIViewCancelCurrentImageLoadWithTransition, testUIViewCancelCallbackWithError")
    func cancel() async throws {
        let view = view()
        view.presenter.defaults.transition = .fade
        var codes: [ImageError.Code] = []
        view.presenter.setImage(a) { if case .failure(let error) = $0 { codes.append(error.code) } }
        view.presenter.cancel()
        loader.loads[0].succeed(try picture(red))
        var other = false
        view.presenter.setImage(b) { _ in other = true }
        loader.loads[1].fail()
        await until { other }
        #expect(codes == [.cancelled] && view.presenter.picture == nil && !view.presenter.isLoading)
        #expect(try pixel(view) == clear)
    }

    @Test(
        "testUIViewCancelWithDelayPlaceholderShouldCallbackOnceBeforeSecond, testUIViewCancelWithoutDelayPlaceholderShouldCallbackOnceBeforeSecond",
        arguments: [PlaceholderTiming.immediately, .onFailure])
    func callbackOnceBeforeSecond(timing: PlaceholderTiming) async throws {
        let view = view()
        var options = PresentationOptions()
        options.placeholder = placeholder(blue)
        options.placeholderTiming = timing
        var log: [String] = []
        view.presenter.setImage(a, options: options) { _ in log.append("first") }
        view.presenter.setImage(b, options: options) { _ in log.append("second") }
        #expect(log == ["first"])
        loader.loads[1].succeed(try picture(green))
        await until { log.count > 1 }
        #expect(log == ["first", "second"])
    }

    @Test("delayed placeholder: only when the load takes long, or only when it fails")  // VW-17
    func delayedPlaceholder() async throws {
        let view = view()
        var options = PresentationOptions()
        options.placeholder = placeholder(blue)
        options.placeholderTiming = .after(.milliseconds(100))
        view.presenter.setImage(a, options: options)
        #expect(try pixel(view, .seconds(1)) == clear)
        #expect(view.wake == .milliseconds(1100))
        _ = try pixel(view, .milliseconds(1100))
        #expect(try pixel(view, .milliseconds(1100)) == blue)
        options.placeholderTiming = .onFailure
        var failed = false
        view.presenter.setImage(b, options: options) { _ in failed = true }
        #expect(try pixel(view, .seconds(9)) == clear)
        loader.loads[1].fail()
        await until { failed }
        #expect(try pixel(view, .seconds(9)) == blue)
    }

    @Test("testUIViewImageProgressKVOWork: observed to 1.0; unknown total ends as 1")  // VW-15
    func progress() async throws {
        let view = view()
        var fractions: [Double?] = []
        view.presenter.setImage(a, progress: { fractions.append($0.fraction) })
        loader.loads[0].send(.progress(received: 25, expected: 100))
        loader.loads[0].send(.progress(received: 300, expected: 100))
        loader.loads[0].succeed(try picture(red))
        await until { fractions.count == 3 }
        #expect(fractions == [0.25, 1, 1])
        var unknown: [Double?] = []
        view.presenter.setImage(b, progress: { unknown.append($0.fraction) })
        loader.loads[1].send(.progress(received: 25, expected: nil))
        loader.loads[1].send(.progress(received: 26, expected: -1))
        loader.loads[1].succeed(try picture(red))
        await until { unknown.count == 3 }
        #expect(unknown == [nil, nil, 1] && view.presenter.progress.fraction == 1)
    }

    @Test("previews replace each other or wait, as told")  // VW-35
    func previews() async throws {
        for strategy in [PreviewStrategy.replace, .keepCurrent] {
            let loader = ManualLoader()
            let view = HeadlessView(width: 8, height: 8, loader: loader)
            var options = PresentationOptions()
            options.placeholder = placeholder(blue)
            options.previews = strategy
            var seen = 0
            view.presenter.setImage(a, options: options, progress: { _ in seen += 1 })
            loader.loads[0].send(.preview(try picture(green)))
            loader.loads[0].send(.progress(received: 1, expected: 2))
            await until { seen == 1 }
            #expect(try pixel(view) == (strategy == .replace ? green : blue))
        }
    }

    @Test("a smaller size of the picture in memory is shown in place of a placeholder")  // CG-05
    func standIns() async throws {
        loader.rememberSmaller(try picture(green), for: a.source)
        let view = view()
        var options = PresentationOptions()
        options.placeholder = placeholder(blue)
        var results = 0
        view.presenter.setImage(a, options: options) { _ in results += 1 }
        #expect(try pixel(view) == green && view.presenter.isLoading && results == 0)
        loader.loads[0].succeed(try picture(red))
        await until { results == 1 }
        #expect(try pixel(view) == red)
        // A picture that is to stay stays; who takes no previews gets none.
        options.keepsCurrent = true
        loader.rememberSmaller(try picture(green), for: b.source)
        view.presenter.setImage(b, options: options)
        #expect(try pixel(view) == red)
        options.keepsCurrent = false
        options.previews = .keepCurrent
        view.presenter.setImage(b, options: options)
        #expect(try pixel(view) == blue)
    }

    @Test("a stale picture is shown, then its successor; the completion comes once")
    func stale() async throws {
        let view = view()
        var results = 0
        view.presenter.setImage(a) { _ in results += 1 }
        loader.loads[0].send(.stale(LoadedImage(image: try picture(red), origin: .disk)))
        await until { view.presenter.picture != nil }
        #expect(try pixel(view) == red && results == 0)
        loader.loads[0].succeed(try picture(green), origin: .revalidated)
        await until { results == 1 }
        #expect(try pixel(view) == green)
    }

    // testUIViewInternalSetImageWithURL
    @Test("avoidAutoSetImage: the caller shows the picture himself")
    func byHand() async throws {
        let view = view()
        var options = PresentationOptions()
        options.appliesPicture = false
        options.placeholder = placeholder(blue)
        var loaded: LoadedImage?
        view.presenter.setImage(a, options: options) { loaded = try? $0.get() }
        loader.loads[0].succeed(try picture(red))
        await until { loaded != nil }
        #expect(try pixel(view) == blue)
        view.presenter.show(loaded?.image)
        #expect(try pixel(view) == red)
        view.presenter.show(nil)
        #expect(try pixel(view) == clear)
    }

    @Test("the picture is decoded for the view's size and scale factor; larger views get a sharper one, silently")
    func automaticSize() async throws {
        let view = HeadlessView(width: 20, height: 10, scale: 2, loader: loader)
        var done = 0
        view.presenter.setImage(a) { _ in done += 1 }
        #expect(loader.loads[0].request.decode.target == .size(.fit(40, 20)))
        loader.loads[0].succeed(still(try solid(200), original: PixelSize(clamping: 400, 400)))
        await until { done == 1 }
        view.resize(width: 22, height: 11, scale: 2)
        #expect(loader.loads.count == 1, "a tenth more is not worth a reload")
        view.resize(width: 20, height: 10, scale: 3)
        #expect(loader.loads.count == 2 && loader.loads[1].request.decode.target == .size(.fit(60, 30)))
        #expect(try pixel(view, x: 30, y: 15) == red && !view.presenter.isLoading && view.announcements == [true, false])
        let coarse = view.presenter.picture?.bitmap.identity
        loader.loads[1].succeed(still(try solid(0, 200), original: PixelSize(clamping: 400, 400)))
        await until { view.presenter.picture?.bitmap.identity != coarse }
        #expect(try pixel(view, x: 30, y: 15) == green)
        #expect(done == 1)

        view.presenter.defaults.contentMode = .fill
        view.presenter.setImage(b)
        #expect(loader.loads[2].request.decode.target == .size(.fill(60, 30)))
        var own = a
        own.decode.target = .size(.fit(7, 7))
        view.presenter.setImage(own)
        #expect(loader.loads[3].request.decode.target == .size(.fit(7, 7)))
        view.presenter.defaults.sizing = .asRequested
        view.presenter.setImage(b)
        #expect(loader.loads[4].request.decode.target == nil)
    }

    @Test("a view without a size waits for it, and then asks memory first")
    func waitsForSize() throws {
        let presenter = Presenter(loader: loader)
        loader.remember(try picture(red), for: a.source)
        presenter.setImage(a)
        #expect(loader.lookups.isEmpty && presenter.picture == nil && presenter.isLoading)
        presenter.setSize(LayoutSize(width: 10, height: 10), scale: 1)
        #expect(loader.lookups.count == 1 && presenter.picture != nil && !presenter.isLoading && loader.loads.isEmpty)
        presenter.setImage(b)
        #expect(loader.loads.count == 1)
    }

    // testCustomizeStructIndicatorExisting, testActivityIndicatorViewAnimating, testCanUseImageIndicatorViewAnimating
    @Test("testIndicatorViewExisting, testUIViewIndicatorWork: shows, updates, hides")  // VW-30, VW-31
    func indicators() async throws {
        for indicator in [
            LoadIndicator.activity, .bar, .image(try picture(green)),
            .custom(HeadlessMark(color: DrawColor(red: 0, green: 200, blue: 0))),
        ] {
            let loader = ManualLoader()
            let view = HeadlessView(width: 40, height: 40, loader: loader)
            view.presenter.defaults.indicator = indicator
            var done = false
            view.presenter.setImage(a) { _ in done = true }
            let first = try view.draw(at: .zero).packedBytes()
            #expect(first.contains { $0 != 0 } && view.presenter.isIndicatorVisible)
            switch indicator {
            case .activity, .bar:
                let wake = try #require(view.wake)
                #expect(try view.draw(at: wake + .milliseconds(40)).packedBytes() != first, "it moves")
            default: #expect(view.wake == nil)
            }
            loader.loads[0].succeed(try picture(red))
            await until { done }
            #expect(!view.presenter.isIndicatorVisible && view.presenter.picture != nil)
            #expect(try pixel(view, x: 20, y: 20) == red)
        }
    }

    @Test("a bar shows the fraction") func barFraction() async throws {
        let view = view(100, 10)
        view.presenter.defaults.indicator = .bar(color: DrawColor(red: 255, green: 255, blue: 255))
        var seen = 0
        view.presenter.setImage(a, progress: { _ in seen += 1 })
        loader.loads[0].send(.progress(received: 50, expected: 100))
        await until { seen == 1 }
        let bitmap = try view.draw(at: .zero)
        let filled = (0..<100).filter { Int(bitmap.row(5)[$0 * 4 + 3]) == 255 }
        #expect(filled == Array(20..<50))
    }

    @Test("testImageSettingWithCustomizePlaceholder: every kind of placeholder")  // VW-18
    func placeholders() throws {
        let kinds: [(ImagePlaceholder, [Int])] = [
            (.empty, clear), (.image(try picture(green)), green), (placeholder(blue), blue),
            (.view(HeadlessMark(color: DrawColor(red: 200, green: 0, blue: 0))), red), (.blurHash("not a hash"), clear),
        ]
        for (kind, expected) in kinds {
            let view = view()
            var options = PresentationOptions()
            options.placeholder = kind
            view.presenter.setImage(a, options: options)
            #expect(try pixel(view) == expected)
        }
        let view = view()
        var options = PresentationOptions()
        options.placeholder = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        view.presenter.setImage(a, options: options)
        #expect(try pixel(view)[3] == 255)
    }

    @Test("priority reaches running and later loads") func priority() {
        let view = view()
        view.presenter.setImage(a)
        view.presenter.setPriority(.low)
        #expect(loader.loads[0].priorityChanges == [.low])
        view.presenter.setImage(b)
        #expect(loader.loads[1].request.schedule.priority == .low)
    }

    @Test("a view that goes away cancels its load") func goesAway() async throws {
        var view: HeadlessView? = view()
        view?.presenter.setImage(a)
        #expect(!loader.loads[0].isCancelled)
        view = nil
        await until { loader.loads[0].isCancelled }
        #expect(loader.loads[0].isCancelled)
    }

    @Test("recycling under slow loads: the wrong picture never appears, each call ends once")  // U-08
    func recycling() async throws {
        let view = view()
        var ends = [Int](repeating: 0, count: 200)
        for index in 0..<200 {
            view.presenter.setImage(ImageRequest(source: .file("/\(index)"))) { _ in ends[index] += 1 }
            // An older load answers late, as if its cancelling had come too late.
            if index > 3 {
                loader.loads[index - 3].send(.finished(.success(LoadedImage(image: try picture(red), origin: .network))))
            }
            await Task.yield()
            #expect(try pixel(view) == clear)
        }
        loader.loads[199].succeed(try picture(green))
        await until { ends[199] == 1 }
        #expect(ends.allSatisfy { $0 == 1 })
        #expect(try pixel(view) == green)
    }
}
