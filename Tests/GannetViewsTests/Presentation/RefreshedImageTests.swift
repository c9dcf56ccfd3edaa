import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// An image on screen while it is revalidated.
@MainActor @Suite struct RefreshedImageTests: PresenterSuite {
    let loader = ManualLoader()
    let delays = Array(repeating: ms(100), count: 4)

    private func stale(_ image: DecodedImage) -> ImageTaskEvent { .stale(LoadedImage(image: image, origin: .disk)) }

    @Test("a refresh that fails leaves the stored picture, whatever there is for failures")  // VW-17, MG-15
    func failedRefresh() async throws {
        let view = view()
        view.presenter.defaults.failure = placeholder(blue)
        var done = 0
        view.presenter.setImage(a) { _ in done += 1 }
        loader.load(0).send(stale(try picture(red)))
        // The start of an image that was to replace it.
        loader.load(0).send(.preview(try picture(green)))
        loader.load(0).fail()
        await eventually { done == 1 }
        #expect(try pixel(view) == red && view.presenter.image != nil && view.presenter.shownPlaceholder == nil)
        // The same source again: its image stays while it loads, and stays if that fails.
        view.presenter.setImage(a) { _ in done += 1 }
        loader.load(1).fail()
        await eventually { done == 2 }
        #expect(try pixel(view) == red)
        // An image from another source does not stay.
        var keeping = PresentationOptions()
        keeping.keepsCurrent = true
        view.presenter.setImage(b, options: keeping) { _ in done += 1 }
        #expect(try pixel(view) == red)
        loader.load(2).fail()
        await eventually { done == 3 }
        #expect(try pixel(view) == blue)
    }

    @Test("a preview of what failed gives way") func failedPreview() async throws {
        let view = view()
        view.presenter.defaults.failure = placeholder(blue)
        var isDone = false
        view.presenter.setImage(a) { _ in isDone = true }
        loader.load(0).send(.preview(try picture(red)))
        loader.load(0).fail()
        await eventually { isDone }
        #expect(try pixel(view) == blue)
    }

    @Test(
        "what is not modified is on screen already: no transition",
        arguments: [ImageTransition.crossfade(), ImageTransition(.flip(from: .left), duration: .milliseconds(400))])
    func notModified(_ transition: ImageTransition) async throws {  // VW-33, MG-15
        let view = view()
        view.presenter.defaults.transition = transition
        for forces in [false, true] {
            var options = PresentationOptions()
            options.waitsForTransition = true
            options.forcesTransition = forces
            let shown = try picture(red)
            var isDone = false
            view.presenter.setImage(nil)
            view.presenter.setImage(a, options: options) { _ in isDone = true }
            loader.loads.last?.send(stale(shown))
            await eventually { view.presenter.image != nil }
            _ = try view.draw(at: .zero)
            loader.loads.last?.succeed(shown, origin: .revalidated)
            await eventually { isDone }
            #expect(!view.presenter.isTransitionRunning)
            #expect(try pixel(view, ms(100)) == red)
        }
        // Another one comes in as ever.
        var isDone = false
        view.presenter.setImage(a) { _ in isDone = true }
        loader.loads.last?.succeed(try picture(green), origin: .revalidated)
        await eventually { isDone }
        #expect(view.presenter.isTransitionRunning)
    }

    @Test("who shows pictures himself is given the stored one and previews, too, and keeps them if the refresh fails")
    func earlyPictures() async throws {  // VW-09, OP-10
        let view = view()
        view.presenter.defaults.failure = placeholder(blue)
        var options = PresentationOptions()
        options.appliesImage = false
        var early: [DecodedImage] = []
        view.presenter.onEarlyImage = { early.append($0) }
        var done = 0
        view.presenter.setImage(a, options: options) { _ in done += 1 }
        loader.load(0).send(.preview(try picture(green)))
        loader.load(0).send(stale(try picture(red)))
        await eventually { early.count == 2 }
        #expect(try pixel(view) == clear)
        view.presenter.show(early[1])
        loader.load(0).fail()
        await eventually { done == 1 }
        #expect(try pixel(view) == red && early.count == 2)
        // If nothing was shown, the failure image appears.
        view.presenter.setImage(b, options: options) { _ in done += 1 }
        loader.load(1).fail()
        await eventually { done == 2 }
        #expect(try pixel(view) == blue)
    }

    @Test("who is offered a smaller picture and asks for something else ends the load it was offered for")  // CG-05
    func askedWhileOffered() throws {
        let view = view()
        var options = PresentationOptions()
        options.appliesImage = false
        loader.rememberSmaller(try picture(green), for: a.source)
        view.presenter.onEarlyImage = { _ in view.presenter.setImage(b) }
        view.presenter.setImage(a, options: options)
        #expect(loader.loads.map(\.request.source) == [a.source, b.source])
        #expect(loader.load(0).isCancelled && !loader.load(1).isCancelled && view.presenter.source == b.source)
    }

    @Test("a clip that is not modified plays on") func notModifiedClip() async throws {
        let view = view()
        view.presenter.defaults.transition = .fade
        let clip = DecodedImage.animated(clip(try NumberedFrames(4), delays: delays))
        var isDone = false
        view.presenter.setImage(a) { _ in isDone = true }
        loader.load(0).send(stale(clip))
        await eventually { view.presenter.player != nil }
        let player = try #require(view.presenter.player)
        for step in 0...2 {
            await eventually { (try? pixel(view, ms(step * 100))[0]) == step }
        }
        loader.load(0).succeed(clip, origin: .revalidated)
        await eventually { isDone }
        #expect(view.presenter.player === player && !view.presenter.isTransitionRunning)
        #expect(try pixel(view, ms(250))[0] == 2)
    }
}
