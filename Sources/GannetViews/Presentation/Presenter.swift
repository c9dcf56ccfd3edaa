public import GannetCore
public import GannetImages
public import Observation

/// Shows images in one place of a view: loads, placeholder, indicator, transition, animation. Everything but drawing.
///
/// It belongs to the toolkit's actor. The owner passes the time to `advance(to:)` before it draws ``scene(in:)``, and the size to
/// `setSize(_:scale:)`. While the view is hidden, no time passes. Programs that draw no scenes observe ``phase``, as ``ImageLoad`` does.
public final class Presenter: Observable {
    /// The final image, or the reason why there is none. Called once, on the owner's actor.
    package typealias Completion = (Result<LoadedImage, ImageError>) -> Void
    /// The progress of the load, on the owner's actor.
    package typealias ProgressHandler = (LoadProgress) -> Void

    /// The settings that stay with the view.
    public var defaults = ViewDefaults() {
        didSet {
            (areSettingsNew, isLookDue) = (true, true)
            target?.presenterNeedsDisplay()
        }
    }
    /// The settings have not been passed to `state` yet.
    private var areSettingsNew = false
    /// The settings may require a load.
    private var isLookDue = false
    /// Usually the program's ``ImageManager``. A new loader is used for loads from now on.
    public var loader: any ImageLoading
    /// Draws the content; nil: redraw requests go nowhere.
    public weak var target: (any PresentationTarget)?
    /// Called when ``progress`` changes.
    public var onProgress: ((LoadProgress) -> Void)?
    /// For calls that leave showing to their caller (``PresentationOptions/appliesImage``): gets previews, another size that is
    /// in memory, and the stored image while it is refreshed. ``show(_:isolation:)`` shows them. The final image comes with the
    /// completion.
    public var onEarlyImage: ((DecodedImage) -> Void)?
    /// Called for events of whichever animation is on screen; stays when a ``player`` is replaced.
    public var onAnimationEvent: ((AnimationEvent) -> Void)?

    let library: FrameLibrary
    /// Called from any thread when a frame is decoded: the toolkit hops to its actor and redraws.
    let wakeUp: @Sendable () -> Void

    private var state = PresenterState()
    var running = RunningLoads()
    private var looks = PresenterLooks()
    private var calls: [Generation: PresenterCall] = [:]
    var stage: Stage
    private var size: (layout: LayoutSize, scale: Double)?
    /// The newest call, for ``retry()``.
    var asked: AskedCall?
    /// Called after ``phase`` has changed, when callers may be notified.
    package var onPhase: (() -> Void)?
    /// Called with the outcome of each newest call, retries included; not if it was cancelled.
    package var onOutcome: Completion?
    private let registrar = ObservationRegistrar()
    /// The view's text runs from right to left, and so does its bar. Images are never mirrored.
    package var isRightToLeft = false
    /// Counts the calls of ``setImage(_:options:progress:completion:isolation:)``.
    package private(set) var callNumber = 0

    /// `library` shares decoded frames with other views. `wakeUp` is called from any thread when a frame is ready; the owner
    /// should then draw.
    public init(
        loader: any ImageLoading, library: FrameLibrary = .shared, wakeUp: @escaping @Sendable () -> Void = {}
    ) {
        self.loader = loader
        self.library = library
        self.wakeUp = wakeUp
        stage = Stage(library: library, wakeUp: wakeUp)
    }

    /// Cancels the loads when the view goes away. Their completions are not called, because their receiver is gone.
    deinit { running.cancelAll() }

    // MARK: State

    /// The source of the newest call; nil after nil was set. - SDWebImage: sd_imageURL
    public var source: ImageSource? { state.source }
    /// The progress of the newest call's load. - SDWebImage: sd_imageProgress
    public var progress: LoadProgress { state.progress }
    /// The newest request as it was last sent: with the size of the view.
    public private(set) var request: ImageRequest?
    /// True while a load runs that a call requested, as opposed to a change of the view's size.
    public var isLoading: Bool { state.isLoading }
    package var isWaitingForSize: Bool { state.isWaitingForSize }
    /// The request for the bytes of the image on screen, first to the caches and then, if they have none, to its source. Nil: it was shown
    /// by hand, or its source might answer with another image.
    package var shownRequest: (cached: ImageRequest, fallback: ImageRequest?)? { state.shownRequest }
    /// How an animation of the newest call plays.
    package var shownAnimation: AnimationOptions { asked?.options.animation ?? defaults.animation }
    /// False for images that were shown by hand.
    var showsResult: Bool { state.showsResult }
    /// The state of the image. Observable: a change notifies the observers that have read it.
    public var phase: ImagePhase {
        registrar.access(self, keyPath: \.phase)
        return currentPhase
    }
    private var currentPhase: ImagePhase {
        if state.isRunning { return .loading(progress, preview: image) }
        if let error = asked?.error, image == nil || state.showsPreview { return .failure(error) }
        return image.map { .image($0) } ?? .empty
    }
    /// The image on screen; nil while a placeholder is shown.
    public var image: DecodedImage? { if case .image(let image, _) = state.content { image } else { nil } }
    /// The placeholder on screen.
    public var shownPlaceholder: ImagePlaceholder? { if case .placeholder(let it) = state.content { it } else { nil } }
    /// An image, a placeholder or an indicator is there.
    package var hasContent: Bool {
        if isIndicatorVisible { return true }
        if case .nothing = state.content { return false }
        return true
    }

    // MARK: Calls

    /// Shows the image of `request` as soon as it is there. Nil: the placeholder. An image in memory is on screen before this
    /// returns. For a file this requires that the kernel has the file's status in memory.
    public func setImage(
        _ request: ImageRequest?, options: PresentationOptions = PresentationOptions(),
        isolation: isolated (any Actor)? = #isolation
    ) {
        setImage(request, options: options, completion: nil)
    }

    // Without a default for `completion`: a closure behind the call would be taken for `progress` otherwise.
    /// The same, and calls back on the caller's actor. The completion is called exactly once and last: with the image, with the
    /// error, or with `cancelled` when another call replaces this one.
    public func setImage(
        _ request: ImageRequest?, options: PresentationOptions = PresentationOptions(),
        progress: ((LoadProgress) -> Void)? = nil, completion: ((Result<LoadedImage, ImageError>) -> Void)?,
        isolation: isolated (any Actor)? = #isolation
    ) {
        tellCallers()
        if overtaken != nil {
            overtaken?.append(completion)
            return
        }
        depth += 1
        // A caller that waits for a transition is notified before the new call shows anything, because it may show something
        // else.
        if options.keepsPreviousLoad { dispatch(.transitionEnded) } else { endCalls() }
        let resolved = ResolvedPresentation(options, defaults)
        asked = request.map { AskedCall(request: $0, options: options) }
        callNumber += 1
        pending = PresenterCall(number: callNumber, progress: progress, completion: completion)
        announceSize()
        dispatch(.set(request, resolved))
        depth -= 1
        announce()
    }

    /// Ends the calls before another one. Calls made by their completions are cancelled before they start: a fallback for an
    /// image that is no longer wanted must not replace the new one.
    private func endCalls(isolation: isolated (any Actor)? = #isolation) { overtaking { dispatch(.cancel) } }

    /// Calls made inside `body` are cancelled before they start. Their completions are called in the actor's next turn, so that a
    /// completion that calls again each time takes one turn each time, and does not block the new call.
    private func overtaking(isolation: isolated (any Actor)? = #isolation, _ body: () -> Void) {
        overtaken = []
        body()
        let late = (overtaken ?? []).compactMap { $0 }
        overtaken = nil
        guard !late.isEmpty else { return }
        precondition(isolation != nil, "a presenter belongs to an actor: call it from there")
        // Unstructured, because the call that overtook them continues at once. Ends after this one round; it cannot be cancelled, so that
        // each completion is called.
        Task { [weak self] in
            _ = isolation
            func tell() { for completion in late { completion(.failure(.cancelled())) } }
            if let self { self.overtaking { tell() } } else { tell() }
        }
    }
    /// Completions of calls made while ``overtaking(isolation:_:)`` runs; nil while it does not.
    private var overtaken: [Completion?]?

    /// Shows this image; loads continue. It plays with the view's options, or with the newest call's if that leaves showing to
    /// its caller.
    public func show(_ image: DecodedImage?, isolation: isolated (any Actor)? = #isolation) {
        tellCallers()
        let own = asked.flatMap { $0.options.appliesImage ? nil : $0.options.animation }
        dispatch(.show(image, Showing(animation: own ?? defaults.animation, followsView: own == nil)))
    }

    /// Cancels the loads. The content on screen stays. - SDWebImage: sd_cancelCurrentImageLoad
    public func cancel(isolation: isolated (any Actor)? = #isolation) {
        tellCallers()
        dispatch(.cancel)
    }

    /// The priority of running and later loads; nil: that of each request.
    public func setPriority(_ priority: LoadPriority?) {
        running.priority = priority
        let loads = running
        if priority != nil { loads.passOn() }
    }

    /// Points, and pixels for each point. Nil: the view has no intrinsic size and takes the image's. Sizes that are not positive
    /// or not finite are ignored.
    public func setSize(_ layout: LayoutSize?, scale: Double, isolation: isolated (any Actor)? = #isolation) {
        guard let layout else {
            size = nil
            return dispatch(.sized(nil, scale: scale.isFinite && scale > 0 ? scale : 1))
        }
        guard layout.width > 0, layout.height > 0, layout.width.isFinite, layout.height.isFinite, scale > 0, scale.isFinite
        else { return }
        if let size, size.layout == layout, size.scale == scale { return }
        size = (layout, scale)
        let most = Double(PixelSize.maximumSide)
        let (width, height) = (min(layout.width * scale, most), min(layout.height * scale, most))
        dispatch(.sized(PixelSize(clamping: Int(width.rounded(.up)), Int(height.rounded(.up))), scale: scale))
    }

    /// The same, for toolkits that learn sizes while they draw, when handlers must not touch other widgets: completions and
    /// progress wait for ``tellCallers(isolation:)``. Returns true if there are any.
    package func setSizeWhileDrawing(
        _ layout: LayoutSize?, scale: Double, isolation: isolated (any Actor)? = #isolation
    ) -> Bool {
        let isFirst = held == nil
        if isFirst { held = [] }
        setSize(layout, scale: scale)
        guard isFirst, held?.isEmpty == true else { return isFirst }
        held = nil
        return false
    }

    /// Calls the completions and progress handlers that were held back.
    package func tellCallers(isolation: isolated (any Actor)? = #isolation) {
        guard let calls = held else { return }
        held = nil
        for call in calls { call() }
    }
    /// Calls to make later; nil: they are made at once.
    private var held: [() -> Void]?

    private func tell(_ call: @escaping () -> Void) { if held == nil { call() } else { held?.append(call) } }

    // MARK: Drawing

    /// Advances frames, transitions and indicators to `now`, the time of any clock that does not run backwards. Returns when to
    /// call again; nil: only when a redraw is requested.
    public func advance(to now: Duration, isolation: isolated (any Actor)? = #isolation) -> Duration? {
        if isLookDue, stage.isVisible {
            isLookDue = false
            dispatch(.look)
        }
        let change = stage.advance(to: now)
        hasMoved = change.isVisible
        let player = stage.current.player
        if let due = change.placeholderDue { dispatch(.placeholderDue(due)) }
        // Before the animation's handlers are called, which may begin another transition: this ends the previous one.
        if change.transitionEnded { dispatch(.transitionEnded) }
        if let player { tellEvents(of: player) }
        return stage.wake
    }

    /// Not called while the stage advances, because handlers may read and change it.
    private func tellEvents(of player: AnimationPlayer) {
        for event in player.takeEvents() {
            player.onEvent?(event)
            onAnimationEvent?(event)
        }
    }

    /// The last ``advance(to:isolation:)`` changed the content. If it did not, and no redraw was requested, drawing again is
    /// unnecessary.
    public private(set) var hasMoved = false

    // MARK: Carrying out

    private var pending: PresenterCall?

    func dispatch(_ input: PresenterInput, isolation: isolated (any Actor)? = #isolation) {
        if areSettingsNew {
            areSettingsNew = false
            dispatch(.settings(defaults.animation, defaults.contentMode))
        }
        depth += 1
        let oldGeneration = state.generation
        let effects = state.reduce(input)
        if state.generation != oldGeneration, let call = pending {
            calls[state.generation] = call
            pending = nil
        }
        for effect in effects { perform(effect) }
        // After the handlers that callers get before their completion.
        if isTransitionOver {
            isTransitionOver = false
            dispatch(.transitionEnded)
        }
        depth -= 1
        announce()
    }
    private var depth = 0
    /// The newest image came with a transition that cannot be seen.
    private var isTransitionOver = false

    /// Effects dispatch too; only the final state is announced.
    private func announce() {
        guard depth == 0 else { return }
        let phase = currentPhase
        if phase != announcedPhase {
            announcedPhase = phase
            registrar.withMutation(of: self, keyPath: \.phase) {}
            if onPhase != nil { tell { [weak self] in self?.onPhase?() } }
        }
        guard state.isLoading != announcedLoading else { return }
        announcedLoading = state.isLoading
        target?.presenterDidChangeLoading(announcedLoading)
    }
    private var announcedLoading = false
    private var announcedPhase = ImagePhase.empty

    private func announceSize() {
        guard intrinsicSize != announcedSize else { return }
        announcedSize = intrinsicSize
        target?.presenterDidResize()
    }
    private var announcedSize = LayoutSize.zero

    private func perform(_ effect: PresenterEffect, isolation: isolated (any Actor)? = #isolation) {
        switch effect {
        case .resolve(let generation, let request):
            // A handler that was called before may have ended the load.
            guard state.isUnderWay(generation) else { break }
            if generation == state.generation { self.request = request }
            // A reload for a larger view asks the caches only; ``request`` shows the lookup of the call.
            if state.isSilent(generation) { self.request?.cache.lookup = asked?.request.cache.lookup }
            let found = looks.look(
                for: running.prioritized(request), generation, in: loader, readsDisk: state.readsDiskAtOnce(generation))
            dispatch(.resolved(generation, request, cached: found.cached, fallback: found.fallback))
        case .startLoad(let generation, let request): start(generation, request)
        case .cancelLoad(let generation): running.remove(generation)?.cancel()
        case .show(let content, let transition, let succession):
            let isStill = transition.isVisible && target?.reducesMotion == true
            stage.show(content, isStill ? .none : transition, succession)
            announceSize()
            target?.presenterNeedsDisplay()
            isTransitionOver = transition.isVisible && !stage.isTransitionRunning
        case .offer(let image): tell { [weak self] in self?.onEarlyImage?(image) }
        case .animate(let options): stage.animate(options)
        case .startIndicator(let indicator):
            stage.startIndicator(indicator)
            target?.presenterNeedsDisplay()
        case .stopIndicator:
            stage.stopIndicator()
            target?.presenterNeedsDisplay()
        case .waitForPlaceholder(let generation, let delay):
            stage.placeholderWait = (generation, delay, nil)
            target?.presenterNeedsDisplay()
        case .progress(let generation, let progress):
            let call = calls[generation]
            let isNewest = generation == state.generation
            tell { [weak self] in
                call?.progress?(progress)
                if isNewest { self?.onProgress?(progress) }
            }
            if stage.hasIndicator { target?.presenterNeedsDisplay() }
        case .report(let generation, let result):
            _ = running.remove(generation)
            if let call = calls.removeValue(forKey: generation) { end(call, result) }
        }
    }

    private func end(_ call: PresenterCall, _ result: Result<LoadedImage, ImageError>) {
        var isOutcome = call.number == callNumber
        if case .failure(let error) = result {
            isOutcome = isOutcome && error.code != .cancelled
            if isOutcome { asked?.error = error }
        }
        let onOutcome = isOutcome ? onOutcome : nil
        guard call.completion != nil || onOutcome != nil else { return }
        tell {
            call.completion?(result)
            onOutcome?(result)
        }
    }

    private func start(_ generation: Generation, _ request: ImageRequest, isolation: isolated (any Actor)? = #isolation) {
        precondition(isolation != nil, "a presenter belongs to an actor: call it from there")
        let load = looks.startLoad(running.prioritized(request), generation, by: loader)
        running.add(load, generation)
        let loads = running
        if loads.isLowered { loads.passOn(to: load) }
        // Unstructured, because a view's call returns at once. Cancelled by `load.cancel()`, which ends the events; a presenter
        // that is gone has cancelled all its loads.
        Task { [weak self] in
            _ = isolation
            for await event in load.events {
                guard let self else { return }
                self.receive(event, generation)
            }
        }
    }

    private func receive(
        _ event: ImageTaskEvent, _ generation: Generation, isolation: isolated (any Actor)? = #isolation
    ) {
        if case .finished = event { _ = running.remove(generation) }
        dispatch(PresenterInput(event, generation))
    }
}
