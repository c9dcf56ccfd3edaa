import GannetCore
import GannetImages
import GannetTestSupport
import GannetTesting
import GannetViews
import Observation
import Testing

/// The phases that an observer of a load has described.
@MainActor private final class Watch {
    private(set) var phases: [ImagePhase] = []
    private let load: ImageLoad

    init(_ load: ImageLoad) {
        self.load = load
        describe()
    }

    private func describe() {
        withObservationTracking {
            phases.append(load.phase)
        } onChange: { [weak self] in
            Task { @MainActor in self?.describe() }
        }
    }
}

/// The behaviour of Nuke's FetchImage and LazyImage and of Coil's AsyncImage: one image as an observable value.
@MainActor @Suite struct ImageLoadTests: PresenterSuite {
    let loader = ManualLoader()

    private func load(_ request: ImageRequest? = nil) -> ImageLoad { ImageLoad(request, loader: loader) }

    /// Lets the tasks that carry events run until the phase is another one.
    private func change(of load: ImageLoad, _ act: () throws -> Void) async throws {
        let old = load.phase
        try act()
        await eventually { load.phase != old }
    }

    // VW-36, NK-18, PL-09
    @Test func aLoadGoesThroughItsPhases() async throws {
        let load = load(a)
        #expect(load.phase == .loading(LoadProgress(), preview: nil) && load.source == a.source)
        let half = LoadProgress(received: 5, expected: 10)
        try await change(of: load) { loader.first.send(.progress(half)) }
        let preview = try picture(blue)
        try await change(of: load) { loader.first.send(.preview(preview)) }
        #expect(load.phase == .loading(half, preview: preview) && load.phase.isLoading)
        let image = try picture(red)
        try await change(of: load) { loader.first.succeed(image) }
        #expect(load.phase == .image(image) && load.phase.error == nil && load.phase.progress == nil)
    }

    // VW-36, NK-18
    @Test func anObserverDescribesEachPhaseOnce() async throws {
        let load = load()
        let watch = Watch(load)
        load.load(a)
        await eventually { watch.phases.count == 2 }
        let image = try picture(red)
        loader.first.succeed(image)
        await eventually { watch.phases.last == .image(image) }
        load.load(a)
        load.cancel()
        load.load(nil)
        await eventually { watch.phases.last == .empty }
        #expect(watch.phases.first == .empty && watch.phases.count == 4)
        #expect(watch.phases[1] == .loading(LoadProgress(), preview: nil))
    }

    // VW-36, VW-22
    @Test func anImageInMemoryIsThereAtOnceAndNothingSaysThatItLoads() async throws {
        let (red, green) = (try picture(red), try picture(green))
        loader.remember(red, for: a.source)
        let load = load(a)
        #expect(load.phase == .image(red))
        let watch = Watch(load)
        loader.remember(green, for: b.source)
        load.load(b)
        #expect(load.phase == .image(green) && loader.loads.isEmpty)
        await eventually { watch.phases.count == 2 }
        #expect(watch.phases == [.image(red), .image(green)])
    }

    // VW-36
    @Test func anotherSizeInMemoryIsThePreview() throws {
        let small = try picture(blue)
        loader.rememberSmaller(small, for: a.source)
        #expect(load(a).phase == .loading(LoadProgress(), preview: small))
    }

    // VW-36, NK-18
    @Test func onlyAnotherImageIsLoaded() async throws {
        let load = load(a)
        load.load(a)
        load.load(a.with(.priority(.high)))
        #expect(loader.loads.count == 1, "how urgent it is does not make it another image")
        try await change(of: load) { loader.first.fail() }
        load.load(a)
        #expect(loader.loads.count == 1 && load.phase.error?.code == .network, "a failure stays until it is retried")
        load.load(b)
        #expect(loader.loads.count == 2 && load.phase == .loading(LoadProgress(), preview: nil))
        load.load(b.with(.fit(4, 4)))
        load.load(b.with(.fit(4, 4), .transform(.blur(radius: 2))))
        load.load(b.with(.fit(4, 4), .transform(.blur(radius: 2))))
        #expect(loader.loads.count == 4 && loader.loads[1].isCancelled && loader.loads[2].isCancelled)
        load.load(nil)
        load.load(nil)
        #expect(load.phase == .empty && loader.loads[3].isCancelled && load.source == nil)
        load.load(b)
        #expect(loader.loads.count == 5)
    }

    // VW-36, VW-38
    @Test func aFailureIsRetriedAndNothingElse() async throws {
        let load = load(a)
        load.retry()
        #expect(loader.loads.count == 1, "it still loads")
        try await change(of: load) { loader.first.fail(.timedOut) }
        #expect(load.phase.error?.code == .timedOut && load.phase.image == nil)
        load.retry()
        #expect(loader.loads.count == 2 && loader.loads[1].request.schedule.retryFailedSources == true)
        #expect(load.phase == .loading(LoadProgress(), preview: nil))
        let image = try picture(red)
        try await change(of: load) { loader.loads[1].succeed(image) }
        load.retry()
        load.load(a)
        #expect(load.phase == .image(image) && loader.loads.count == 2)
        load.reload()
        #expect(loader.loads.count == 3 && load.phase == .loading(LoadProgress(), preview: image))
    }

    // VW-36
    @Test func aPreviewOfAFailedLoadIsAFailureAndAStoredImageIsNot() async throws {
        let load = load(a)
        try await change(of: load) { loader.first.send(.preview(try picture(blue))) }
        try await change(of: load) { loader.first.fail() }
        #expect(load.phase.error?.code == .network)
        load.load(b)
        let stored = try picture(green)
        try await change(of: load) { loader.load(1).send(.stale(LoadedImage(image: stored, origin: .disk))) }
        #expect(load.phase == .loading(LoadProgress(), preview: stored))
        try await change(of: load) { loader.load(1).fail() }
        #expect(load.phase == .image(stored), "better than none")
    }

    // VW-36, VW-13
    @Test func cancellingKeepsWhatIsThere() async throws {
        let load = load(a)
        load.cancel()
        #expect(load.phase == .empty && loader.first.isCancelled)
        load.reload()
        let preview = try picture(blue)
        try await change(of: load) { loader.load(1).send(.preview(preview)) }
        load.cancel()
        #expect(load.phase == .image(preview))
    }

    // VW-36, VW-16
    @Test func aResultThatComesTooLateIsDropped() async throws {
        let loader = ManualLoader(answersAfterCancelling: true)
        let load = ImageLoad(a, loader: loader)
        load.load(b)
        let image = try picture(green)
        try await change(of: load) { loader.load(1).succeed(image) }
        loader.first.succeed(try picture(red))
        await eventually { !load.phase.isLoading }
        #expect(load.phase == .image(image))
    }

    // VW-36
    @Test func theLoadEndsWithItsOwner() {
        var load: ImageLoad? = load(a)
        #expect(load?.phase.isLoading == true && !loader.first.isCancelled)
        load = nil
        #expect(loader.first.isCancelled)
    }

    // VW-36
    @Test func thePhaseIsFinalInCompletions() async throws {
        let load = load()
        var seen: [ImagePhase] = []
        load.presenter.setImage(a) { _ in seen.append(load.phase) }
        let image = try picture(red)
        loader.first.succeed(image)
        await eventually { !seen.isEmpty }
        #expect(seen == [.image(image)])
        load.presenter.setImage(b) { _ in
            seen.append(load.phase)
            load.load(a)
        }
        loader.load(1).fail()
        await eventually { seen.count == 2 }
        #expect(seen[1].error?.code == .network && load.phase.isLoading && load.source == a.source)
    }

    // VW-36
    @Test func priorityAppliesToRunningAndLaterLoads() {
        let load = load(a)
        load.priority = .high
        #expect(loader.first.priorityChanges == [.high])
        load.load(b)
        #expect(loader.load(1).request.schedule.priority == .high && load.priority == .high)
    }

    // VW-36
    @Test func aViewAndItsObserverShowTheSame() async throws {
        let view = view()
        let load = ImageLoad(view.presenter)
        view.presenter.defaults.placeholder = placeholder(blue)
        load.load(a)
        #expect(try pixel(view) == blue && load.phase.isLoading)
        #expect(loader.first.request.decode.target == .size(.fit(8, 8)), "the view's size")
        let image = try picture(red)
        try await change(of: load) { loader.first.succeed(image) }
        #expect(try pixel(view) == red && load.phase == .image(image))
        view.presenter.show(nil)
        #expect(load.phase == .empty)
    }

    // VW-36
    @Test func aSizeIsDecodedForAndALargerOneIsSharper() async throws {
        let load = load()
        load.setSize(LayoutSize(width: 10, height: 10), scale: 2)
        load.load(a)
        #expect(loader.first.request.decode.target == .size(.fit(20, 20)))
        let image = still(try solid(200), original: PixelSize(clamping: 400, 400))
        try await change(of: load) { loader.first.succeed(image) }
        load.setSize(LayoutSize(width: 40, height: 40), scale: 2)
        #expect(loader.load(1).request.decode.target == .size(.fit(80, 80)))
        #expect(load.phase == .image(image), "a sharper one is loaded without a flicker")
        let sharp = try picture(green)
        try await change(of: load) { loader.load(1).succeed(sharp) }
        #expect(load.phase == .image(sharp))
    }
}
