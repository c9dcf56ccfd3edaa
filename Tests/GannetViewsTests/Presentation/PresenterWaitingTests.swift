import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// The content of a view while its image is loading, or after it fails: placeholders, indicators, progress, previews.
@MainActor @Suite struct PresenterWaitingTests: PresenterSuite {
    let loader = ManualLoader()

    @Test(
        "testSettingNonWorkingImageWithCustomizePlaceholderAndFailureImage, testSettingNonWorkingImageWithFailureImage, testSettingNonWorkingImageWithEmptyFailureImage, testSettingNonWorkingImageWithoutFailureImage"
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
            await eventually { count > 0 }
            #expect(count == 1)
            #expect(try pixel(view) == expected)
        }
    }

    @Test("delayed placeholder: only when the load takes long, or only when it fails")  // VW-17, OP-08
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
        await eventually { failed }
        #expect(try pixel(view, .seconds(9)) == blue)
    }

    @Test("testUIViewImageProgressKVOWork: observed to 1.0; unknown total ends as 1")  // VW-15, VW-14
    func progress() async throws {
        let view = view()
        var fractions: [Double?] = []
        view.presenter.setImage(a, progress: { fractions.append($0.fraction) }, completion: nil)
        loader.loads[0].send(.progress(LoadProgress(received: 25, expected: 100)))
        loader.loads[0].send(.progress(LoadProgress(received: 300, expected: 100)))
        loader.loads[0].succeed(try picture(red))
        await eventually { fractions.count == 3 }
        #expect(fractions == [0.25, 1, 1])
        var unknown: [Double?] = []
        view.presenter.setImage(b, progress: { unknown.append($0.fraction) }, completion: nil)
        loader.loads[1].send(.progress(LoadProgress(received: 25, expected: nil)))
        loader.loads[1].send(.progress(LoadProgress(received: 26, expected: -1)))
        loader.loads[1].succeed(try picture(red))
        await eventually { unknown.count == 3 }
        #expect(unknown == [nil, nil, 1] && view.presenter.progress.fraction == 1)
    }

    @Test("a load that goes on beside a newer one still tells its call how far it is")  // VW-15
    func progressOfBoth() async throws {
        let view = view()
        var (older, newer, told) = ([Double?](), [Double?](), [Double?]())
        view.presenter.onProgress = { told.append($0.fraction) }
        view.presenter.setImage(a, progress: { older.append($0.fraction) }, completion: nil)
        var options = PresentationOptions()
        options.keepsPreviousLoad = true
        view.presenter.setImage(b, options: options, progress: { newer.append($0.fraction) }, completion: nil)
        loader.load(0).send(.progress(LoadProgress(received: 25, expected: 100)))
        await eventually { older.count == 1 }
        #expect(view.presenter.progress == LoadProgress(), "the view's is the newest call's")
        loader.load(1).send(.progress(LoadProgress(received: 50, expected: 100)))
        loader.load(0).succeed(try picture(red))
        await eventually { older.count == 2 && newer.count == 1 }
        #expect(view.presenter.progress.fraction == 0.5)
        loader.load(1).succeed(try picture(green))
        await eventually { newer.count == 2 }
        #expect(older == [0.25, 1] && newer == [0.5, 1] && told == newer)
    }

    @Test("previews replace each other or wait, as told")  // VW-35, MG-16, OP-02
    func previews() async throws {
        for showsPreviews in [true, false] {
            let loader = ManualLoader()
            let view = HeadlessView(width: 8, height: 8, loader: loader)
            var options = PresentationOptions()
            options.placeholder = placeholder(blue)
            options.showsPreviews = showsPreviews
            var seen = 0
            view.presenter.setImage(a, options: options, progress: { _ in seen += 1 }, completion: nil)
            loader.loads[0].send(.preview(try picture(green)))
            loader.loads[0].send(.progress(LoadProgress(received: 1, expected: 2)))
            await eventually { seen == 1 }
            #expect(try pixel(view) == (showsPreviews ? green : blue))
        }
    }

    @Test("a smaller size of the picture in memory is shown in place of a placeholder")  // CG-05
    func smallerSizesFromMemory() async throws {
        loader.rememberSmaller(try picture(green), for: a.source)
        let view = view()
        var options = PresentationOptions()
        options.placeholder = placeholder(blue)
        var results = 0
        view.presenter.setImage(a, options: options) { _ in results += 1 }
        #expect(try pixel(view) == green && view.presenter.isLoading && results == 0)
        loader.loads[0].succeed(try picture(red))
        await eventually { results == 1 }
        #expect(try pixel(view) == red)
        // An image that is to stay stays; a request without previews gets none.
        options.keepsCurrent = true
        loader.rememberSmaller(try picture(green), for: b.source)
        view.presenter.setImage(b, options: options)
        #expect(try pixel(view) == red)
        options.keepsCurrent = false
        options.showsPreviews = false
        view.presenter.setImage(b, options: options)
        #expect(try pixel(view) == blue)
    }

    @Test("a larger size stands in with the points of the picture it stands for: nothing moves when that comes")  // CG-05, VW-22
    func largerStandIns() async throws {
        let whole = PixelSize(clamping: 64, 32)
        for (mode, points) in [(ContentMode.fit, LayoutSize(width: 8, height: 4)), (.stretch, LayoutSize(width: 8, height: 8))] {
            for width in [64, 32, 4] {
                let loader = ManualLoader()
                loader.rememberSmaller(still(try solid(200, width: width, height: width / 2), original: whole), for: a.source)
                let view = HeadlessView(width: 8, height: 8, loader: loader)
                view.presenter.defaults.contentMode = mode
                view.presenter.setImage(a)
                #expect(view.presenter.image?.size.width == width)
                #expect(try pixel(view) == red)
                let size = view.presenter.intrinsicSize
                #expect(size.width <= points.width && size.height <= points.height)
                #expect(size.width == points.width || size.height == points.height)
                loader.first.succeed(still(try solid(200, width: 8, height: Int(points.height)), original: whole))
                await eventually { !view.presenter.isLoading }
                #expect(view.presenter.intrinsicSize == points)
            }
        }
    }

    @Test("a stale picture is shown, then its successor; the completion comes once")
    func stale() async throws {
        let view = view()
        var results = 0
        view.presenter.setImage(a) { _ in results += 1 }
        loader.loads[0].send(.stale(LoadedImage(image: try picture(red), origin: .disk)))
        await eventually { view.presenter.image != nil }
        #expect(try pixel(view) == red && results == 0)
        loader.loads[0].succeed(try picture(green), origin: .revalidated)
        await eventually { results == 1 }
        #expect(try pixel(view) == green)
    }

    // testCustomizeStructIndicatorExisting, testActivityIndicatorViewAnimating, testCanUseImageIndicatorViewAnimating
    @Test("testIndicatorViewExisting, testUIViewIndicatorWork: shows, updates, hides")  // VW-30, VW-31
    func indicators() async throws {
        for indicator in [
            LoadIndicator.activity, .bar, .image(try picture(green)),
            .custom(HeadlessMark(color: PixelColor(red: 0, green: 200, blue: 0))),
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
            await eventually { done }
            #expect(!view.presenter.isIndicatorVisible && view.presenter.image != nil)
            #expect(try pixel(view, x: 20, y: 20) == red)
        }
    }

    @Test("the layer of an own indicator says how far the load is")  // VW-30
    func progressOfOwnIndicators() async throws {
        let view = view()
        view.presenter.defaults.placeholder = .view(HeadlessMark(color: .middleGray))
        view.presenter.defaults.indicator = .custom(HeadlessMark(color: PixelColor(red: 0, green: 200, blue: 0)))
        func progress() -> [LoadProgress?] { view.presenter.scene(in: view.size).layers.map(\.progress) }
        var seen = 0
        view.presenter.setImage(a, progress: { _ in seen += 1 }, completion: nil)
        #expect(progress() == [nil, LoadProgress()])
        _ = try view.draw(at: .zero)
        loader.loads[0].send(.progress(LoadProgress(received: 50, expected: 100)))
        await eventually { seen == 1 }
        #expect(view.needsDisplay && progress() == [nil, LoadProgress(received: 50, expected: 100)])
        loader.loads[0].succeed(try picture(red))
        await eventually { seen == 2 }
        #expect(progress() == [nil])
    }

    // VW-15
    @Test("a bar shows the fraction") func barFraction() async throws {
        let view = view(100, 10)
        view.presenter.defaults.indicator = .bar(color: PixelColor(red: 255, green: 255, blue: 255))
        var seen = 0
        view.presenter.setImage(a, progress: { _ in seen += 1 }, completion: nil)
        loader.loads[0].send(.progress(LoadProgress(received: 50, expected: 100)))
        await eventually { seen == 1 }
        let bitmap = try view.draw(at: .zero)
        let filled = (0..<100).filter { Int(bitmap.row(5)[$0 * 4 + 3]) == 255 }
        #expect(filled == Array(20..<50))
    }

    @Test("testImageSettingWithCustomizePlaceholder: every kind of placeholder")  // VW-18
    func placeholders() throws {
        let kinds: [(ImagePlaceholder, [Int])] = [
            (.empty, clear), (.image(try picture(green)), green), (placeholder(blue), blue),
            (.view(HeadlessMark(color: PixelColor(red: 200, green: 0, blue: 0))), red), (.blurHash("not a hash"), clear),
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
}
