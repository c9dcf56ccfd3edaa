import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTesting
import GannetViews
import Testing

/// The behaviours of SDWebImage's and Kingfisher's view tests, on the headless view: setting, replacing, cancelling. Every
/// assertion about visible content is made on drawn pixels.
@MainActor @Suite struct PresenterTests: PresenterSuite {
    let loader = ManualLoader()

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
        await eventually { !results.isEmpty }
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

    @Test("without a source a picture goes that was to stay until the next one comes")  // VW-19
    func nilSourceWhileKeeping() async throws {
        let view = view()
        var options = PresentationOptions()
        options.keepsCurrent = true
        for (placeholder, shown) in [(placeholder(blue), blue), (nil, clear)] {
            loader.remember(try picture(red), for: a.source)
            view.presenter.setImage(a)
            #expect(try pixel(view) == red)
            options.placeholder = placeholder
            view.presenter.setImage(nil, options: options)
            #expect(try pixel(view) == shown)
        }
    }

    // KF-11, CG-25
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
        await eventually { done == 1 }
        view.presenter.setImage(b, options: options) { _ in done += 1 }
        #expect(try pixel(view) == red, "the old picture stays until the new one arrives")
        loader.loads[1].succeed(try picture(green))
        await eventually { done == 2 }
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
        await eventually { done == 1 }
        view.presenter.setImage(a)
        #expect(try pixel(view) == red && view.presenter.isLoading)
    }

    @Test("testUIViewAutoCancelImage, testDownloadForMultipleURLs, testIssue665")  // VW-13, VW-11
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
        await eventually { log.count == 2 }
        #expect(log == ["a cancelled", "b"])
        #expect(try pixel(view) == green)
    }

    @Test("testUIViewAvoidAutoCancelImage: both finish, and the older never covers the newer")  // VW-16, OP-24
    func avoidAutoCancel() async throws {
        let view = view()
        var options = PresentationOptions()
        var log: [String] = []
        view.presenter.setImage(a) { if case .success = $0 { log.append("a") } }
        options.keepsPreviousLoad = true
        view.presenter.setImage(b, options: options) { if case .success = $0 { log.append("b") } }
        #expect(!loader.loads[0].isCancelled)
        loader.loads[1].succeed(try picture(green))
        await eventually { log == ["b"] }
        loader.loads[0].succeed(try picture(red))
        await eventually { log.count == 2 }
        #expect(log == ["b", "a"])
        #expect(try pixel(view) == green)
    }

    // testImageDownloadCancelForImageView, testCancelImageTask
    // VW-13
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
        await eventually { other }
        #expect(codes == [.cancelled] && view.presenter.image == nil && !view.presenter.isLoading)
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
        await eventually { log.count > 1 }
        #expect(log == ["first", "second"])
    }

    // testUIViewInternalSetImageWithURL
    // OP-10, VW-09
    @Test("avoidAutoSetImage: the caller shows the picture himself")
    func byHand() async throws {
        let view = view()
        var options = PresentationOptions()
        options.appliesImage = false
        options.placeholder = placeholder(blue)
        var loaded: LoadedImage?
        view.presenter.setImage(a, options: options) { loaded = try? $0.get() }
        loader.loads[0].succeed(try picture(red))
        await eventually { loaded != nil }
        #expect(try pixel(view) == blue)
        view.presenter.show(loaded?.image)
        #expect(try pixel(view) == red)
        view.presenter.show(nil)
        #expect(try pixel(view) == clear)
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
        await eventually { loader.loads[0].isCancelled }
        #expect(loader.loads[0].isCancelled)
    }

    @Test("recycling under slow loads: the wrong picture never appears, each call ends once")  // U-08, VW-21
    func recycling() async throws {
        let loader = ManualLoader(answersAfterCancelling: true)
        let view = HeadlessView(width: 8, height: 8, loader: loader)
        var ends = [Int](repeating: 0, count: 200)
        for index in 0..<200 {
            view.presenter.setImage(ImageRequest(source: .file("/\(index)"))) { _ in ends[index] += 1 }
            // An older load answers late, as if its cancelling had come too late.
            if index > 3 {
                #expect(loader.loads[index - 3].succeed(try picture(red)))
            }
            await Task.yield()
            #expect(try pixel(view) == clear)
        }
        loader.loads[199].succeed(try picture(green))
        await eventually { ends[199] == 1 }
        #expect(ends.allSatisfy { $0 == 1 })
        #expect(try pixel(view) == green)
    }
}
