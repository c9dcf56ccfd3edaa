import GannetCore
import GannetImages
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// A target that wants no motion, and counts changes of its size.
private final class QuietTarget: PresentationTarget {
    var reducesMotion = true
    var sizes: [LayoutSize] = []
    private weak var presenter: Presenter?

    init(_ presenter: Presenter) { self.presenter = presenter }

    func presenterNeedsDisplay() {}
    func presenterDidResize() { sizes += [presenter?.intrinsicSize].compactMap { $0 } }
}

/// Loads of views that are hidden; and views whose content comes without motion.
@MainActor @Suite struct HiddenViewTests: PresenterSuite {
    let loader = ManualLoader()

    private func hidden(_ action: HiddenAction, _ request: ImageRequest) -> HeadlessView {
        let view = view()
        view.presenter.defaults.whenHidden = action
        view.presenter.setImage(request)
        view.presenter.setVisible(false)
        return view
    }

    // VW-36
    @Test func loadsAreLessUrgentWhileNobodyLooks() {
        for (own, changes) in [(nil, [.low, .normal]), (.high, [.low, .high]), (.veryLow, [.veryLow, .veryLow])]
            as [(LoadPriority?, [LoadPriority])]
        {
            let number = loader.loads.count
            var request = a
            request.schedule.priority = own
            let view = hidden(.lowerPriority, request)
            view.presenter.setVisible(false)
            view.presenter.setVisible(true)
            view.presenter.setVisible(true)
            #expect(loader.load(number).priorityChanges == changes && !loader.load(number).isCancelled)
        }
    }

    // VW-36
    @Test func aLoadThatBeginsWhileNobodyLooksIsLowToo() {
        let view = hidden(ViewDefaults().whenHidden, a)
        view.presenter.setImage(b)
        #expect(loader.load(1).priorityChanges == [.low], "by default")
        view.presenter.setPriority(.veryHigh)
        #expect(loader.load(1).priorityChanges == [.low, .low])
        view.presenter.setVisible(true)
        #expect(loader.load(1).priorityChanges == [.low, .low, .veryHigh])
    }

    // VW-36
    @Test func keptLoadsStayAsUrgentAsTheyAre() async throws {
        let view = hidden(.keep, a)
        view.presenter.setVisible(true)
        #expect(loader.first.priorityChanges.isEmpty && !loader.first.isCancelled)
    }

    // VW-36
    @Test func aLoweredLoadEndsWhileNobodyLooks() async throws {
        let view = hidden(.lowerPriority, a)
        loader.first.succeed(try picture(red))
        await eventually { view.presenter.image != nil }
        view.presenter.setVisible(true)
        #expect(try pixel(view) == red && loader.loads.count == 1)
    }

    // VW-36
    @Test func cancelledLoadsBeginAgainWhenTheViewIsSeen() async throws {
        let view = hidden(.cancel, a)
        #expect(loader.first.isCancelled && view.presenter.phase == .empty)
        view.presenter.setVisible(true)
        #expect(loader.loads.count == 2 && view.presenter.isLoading)
        loader.load(1).succeed(try picture(red))
        await eventually { view.presenter.image != nil }
        view.presenter.setVisible(false)
        view.presenter.setVisible(true)
        #expect(try pixel(view) == red && loader.loads.count == 2, "an image stays")
    }

    // VW-36
    @Test func aCallOfTheCompletionReplacesTheCancelledOne() {
        let view = view()
        view.presenter.defaults.whenHidden = .cancel
        view.presenter.setImage(a) { _ in view.presenter.setImage(b) }
        view.presenter.setVisible(false)
        #expect(view.presenter.source == b.source && loader.loads.count == 2)
        view.presenter.setVisible(true)
        #expect(loader.loads.count == 2 && view.presenter.isLoading)
    }

    // VW-36
    @Test func releasedImagesAreLookedUpAgain() async throws {
        loader.remember(try picture(red), for: a.source)
        let view = hidden(.release, a)
        #expect(view.presenter.image == nil && view.presenter.phase == .empty && view.presenter.source == a.source)
        view.presenter.setVisible(true)
        #expect(try pixel(view) == red && loader.loads.isEmpty)
        view.presenter.setImage(b)
        view.presenter.setVisible(false)
        #expect(loader.first.isCancelled)
        view.presenter.setVisible(true)
        #expect(loader.loads.count == 2 && !loader.load(1).isCancelled)
        view.presenter.show(try picture(green))
        view.presenter.cancel()
        view.presenter.setVisible(false)
        #expect(try pixel(view) == green, "shown by hand: nothing could bring it back")
    }

    // VW-32
    @Test func withoutMotionTransitionsAreLeftOutAndCompletionsComeAtOnce() async throws {
        for isQuiet in [true, false] {
            let loader = ManualLoader()
            let presenter = Presenter(loader: loader)
            let target = QuietTarget(presenter)
            target.reducesMotion = isQuiet
            presenter.target = target
            presenter.defaults.transition = .fade
            presenter.setVisible(true)
            presenter.setSize(LayoutSize(width: 8, height: 8), scale: 1)
            _ = presenter.advance(to: .zero)
            var options = PresentationOptions()
            options.waitsForTransition = true
            var ended = false
            presenter.setImage(a, options: options) { _ in ended = true }
            loader.first.succeed(try picture(red))
            await eventually { presenter.image != nil }
            #expect(presenter.isTransitionRunning == !isQuiet && ended == isQuiet)
        }
    }

    // VW-36
    @Test func nothingMovesWhereTheSizeIsKnown() async throws {
        let presenter = Presenter(loader: loader)
        let target = QuietTarget(presenter)
        presenter.target = target
        presenter.defaults.placeholder = .image(still(try solid(9, width: 30, height: 3)))
        presenter.setSize(nil, scale: 1)
        var options = PresentationOptions()
        options.expectedSize = LayoutSize(width: 4, height: 4)
        presenter.setImage(a, options: options)
        #expect(presenter.intrinsicSize == options.expectedSize)
        loader.first.succeed(try picture(red))
        await eventually { presenter.image != nil }
        #expect(target.sizes == [LayoutSize(width: 4, height: 4)], "the placeholder's size was never the view's")
        presenter.setImage(b)
        #expect(target.sizes.last == LayoutSize(width: 30, height: 3))
    }
}
