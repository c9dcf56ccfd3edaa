public import GannetCore

/// Shows pictures in one place of a view: loads, placeholder, indicator, transition, animation. Everything but drawing.
///
/// It belongs to the toolkit's actor. The owner says the time with `advance(to:)` before it draws ``scene(in:)``, and the
/// size with `setSize(_:scale:)`. Without a visible view no time passes.
public final class Presenter {
    /// The final picture, or why there is none. Called once, on the owner's actor.
    public typealias Completion = (Result<LoadedImage, ImageError>) -> Void
    /// How far the load is, on the owner's actor.
    public typealias ProgressHandler = (LoadProgress) -> Void

    /// What stays with the view.
    public var defaults = ViewDefaults() {
        didSet {
            (areSettingsNew, isLookDue) = (true, true)
            target?.presenterNeedsDisplay()
        }
    }
    /// The state has not heard of them.
    private var areSettingsNew = false
    /// Something may have to be loaded because of them.
    private var isLookDue = false
    /// Usually the program's ``ImageManager``. Another one counts for loads from now on.
    public var loader: any ImageLoading
    /// Who draws; nil: nobody is told that something has to be drawn.
    public weak var target: (any PresentationTarget)?
    /// Called when ``progress`` changes.
    public var onProgress: ProgressHandler?
    /// For calls that leave showing to their caller (``PresentationOptions/appliesPicture``): previews, another size that is in memory,
    /// and the stored picture while it is refreshed. ``show(_:isolation:)`` shows them. The final picture comes with the completion.
    public var onEarlyPicture: ((DecodedImage) -> Void)?
    /// What the animation on screen does, whichever it is: it outlives its ``player``.
    public var onAnimationEvent: ((AnimationEvent) -> Void)?

    let library: FrameLibrary
    /// Comes from any thread when a frame is decoded: the toolkit hops to its actor and redraws.
    let wakeUp: @Sendable () -> Void

    private var state = PresenterState()
    private var running: [Generation: PresentedLoad] = [:]
    private var calls: [Generation: (progress: ProgressHandler?, completion: Completion?)] = [:]
    private var priority: LoadPriority?
    private(set) var stage: Stage
    private var size: (layout: LayoutSize, scale: Double)?
    /// The newest call, for ``retry()``.
    private var asked: AskedCall?
    /// Counts the calls of ``setImage(_:options:completion:progress:isolation:)``.
    package private(set) var callNumber = 0

    /// `library` shares decoded frames with other views. `wakeUp` is called from any thread when a frame is ready: have the owner
    /// draw.
    public init(
        loader: any ImageLoading, library: FrameLibrary = .shared, wakeUp: @escaping @Sendable () -> Void = {}
    ) {
        self.loader = loader
        self.library = library
        self.wakeUp = wakeUp
        stage = Stage(library: library, wakeUp: wakeUp)
    }

    /// A view that goes away takes its loads with it. Their completions are not called: whoever would listen is gone.
    deinit { for load in running.values { load.cancel() } }

    // MARK: What is known

    /// Of the newest call; nil after nil was set. - SDWebImage: sd_imageURL
    public var source: ImageSource? { state.source }
    /// Of the newest call's load. - SDWebImage: sd_imageProgress
    public var progress: LoadProgress { state.progress }
    /// As it was last asked for: with the size of the view.
    public private(set) var request: ImageRequest?
    /// Some load runs that was asked for by a call, not by a change of the view's size alone.
    public var isLoading: Bool { state.isLoading }
    package var isWaitingForSize: Bool { state.isWaitingForSize }
    /// The picture on screen; nil while a placeholder is there.
    public var picture: DecodedImage? { if case .picture(let image, _) = state.content { image } else { nil } }
    /// The placeholder on screen.
    public var shownPlaceholder: ImagePlaceholder? { if case .placeholder(let it) = state.content { it } else { nil } }
    /// A picture, a placeholder or an indicator is there.
    package var hasContent: Bool {
        if isIndicatorVisible { return true }
        if case .nothing = state.content { return false }
        return true
    }
    /// Plays the animation on screen; nil for stills and placeholders that stand. The picture that comes next may bring another
    /// one.
    public var player: AnimationPlayer? { stage.current.player }
    /// Redraws are due until it is false again.
    public var isTransitionRunning: Bool { stage.isTransitionRunning }
    /// One is to be drawn: a load runs, and its indicator is not ``LoadIndicator/none``.
    public var isIndicatorVisible: Bool { stage.hasIndicator }
    /// Points of the picture or of the placeholder; zero if there is none.
    public var intrinsicSize: LayoutSize { stage.current.intrinsicSize }

    /// The frame on screen, decoded for drawing: what targets that are no canvas use.
    public var currentBitmap: Bitmap? { stage.current.bitmap }

    // MARK: Calls

    /// Shows the picture of `request` as soon as it is there. Nil: the placeholder. The completion is called exactly once, on
    /// the caller's actor: with the picture, with the error, or with `cancelled` when another call takes this one's place.
    /// An image in memory is on screen before this returns. For a file this needs the file's state in the kernel's memory.
    public func setImage(
        _ request: ImageRequest?, options: PresentationOptions = PresentationOptions(), completion: Completion? = nil,
        progress: ProgressHandler? = nil, isolation: isolated (any Actor)? = #isolation
    ) {
        tellCallers()
        if overtaken != nil {
            overtaken?.append(completion)
            return
        }
        depth += 1
        // Whoever waits for a transition is told before the new call shows anything: he may show something else.
        if options.keepsPreviousLoad { dispatch(.transitionEnded) } else { endCalls() }
        let resolved = ResolvedPresentation(options, defaults)
        asked = request.map { AskedCall(request: $0, options: options) }
        callNumber += 1
        let number = callNumber
        pending = (
            progress,
            { [weak self] result in
                if case .failure(let error) = result, error.code != .cancelled, self?.callNumber == number {
                    self?.asked?.failure = error.code
                }
                completion?(result)
            }
        )
        dispatch(.set(request, resolved))
        depth -= 1
        announce()
    }

    /// Ends the calls before another one. Calls that their completions make are over before they begin: a fallback for an image that
    /// is no longer wanted must not take the new one's place.
    private func endCalls(isolation: isolated (any Actor)? = #isolation) { overtaking { dispatch(.cancel) } }

    /// Calls made inside `body` are over before they begin. Their completions are called in the actor's next turn: one that calls again
    /// each time takes a turn each time, and does not keep the new call from beginning.
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
    /// Completions of calls made while ``overtaking(isolation:_:)`` runs; nil: it does not.
    private var overtaken: [Completion?]?

    /// Asks once more for the picture of the newest call if that failed, also where failed sources rest. For "try again" buttons, and
    /// for programs that learn that the network is back. The failed call's completion is not called again.
    public func retry(isolation: isolated (any Actor)? = #isolation) {
        guard let asked, asked.failure != nil, !isLoading else { return }
        var request = asked.request
        request.schedule.retryFailedSources = true
        setImage(request, options: asked.options)
    }

    /// A network is there again. With ``ViewDefaults/retriesOnReconnect`` a load that could not reach its server is tried again: now, or
    /// when the view is seen.
    public func networkReturned(isolation: isolated (any Actor)? = #isolation) {
        guard defaults.retriesOnReconnect, let asked, asked.couldNotReachServer else { return }
        if stage.isVisible { retry() } else { self.asked?.isDue = true }
    }

    /// Shows this picture; loads go on. It plays as the view says, or as the newest call does if that leaves showing to its caller.
    public func show(_ image: DecodedImage?, isolation: isolated (any Actor)? = #isolation) {
        tellCallers()
        let own = asked.flatMap { $0.options.appliesPicture ? nil : $0.options.animation }
        dispatch(.show(image, Showing(animation: own ?? defaults.animation, followsView: own == nil)))
    }

    /// Ends the loads. What is on screen stays. - SDWebImage: sd_cancelCurrentImageLoad
    public func cancel(isolation: isolated (any Actor)? = #isolation) {
        tellCallers()
        dispatch(.cancel)
    }

    /// Of running loads and of those that start later; nil: what each request says.
    public func setPriority(_ priority: LoadPriority?) {
        self.priority = priority
        guard let priority else { return }
        for load in running.values { load.setPriority(priority) }
    }

    /// Points and pixels per point. Nil: the view has no size of its own and takes that of the picture. What is no size, or no number, is
    /// not taken.
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

    /// The same, for toolkits that learn sizes while they draw, when callers may not touch other widgets: completions and progress wait for
    /// ``tellCallers(isolation:)``. True if there are any.
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

    /// Calls the completions that have waited.
    package func tellCallers(isolation: isolated (any Actor)? = #isolation) {
        guard let calls = held else { return }
        held = nil
        for call in calls { call() }
    }
    /// What callers are to be told later; nil: they are told at once.
    private var held: [() -> Void]?

    private func tell(_ call: @escaping () -> Void) { if held == nil { call() } else { held?.append(call) } }

    /// Hidden views play nothing, run no transition and need no redraw.
    public func setVisible(_ isVisible: Bool, isolation: isolated (any Actor)? = #isolation) {
        let appears = isVisible && !stage.isVisible
        stage.isVisible = isVisible
        if appears, defaults.retriesOnAppear || asked?.isDue == true { retry() }
        if !isVisible, stage.endTransition() { dispatch(.transitionEnded) }
        target?.presenterNeedsDisplay()
    }

    /// By the user's hand: stays, also when the view is hidden and seen again.
    package func setPlaying(_ plays: Bool, at now: Duration, isolation: isolated (any Actor)? = #isolation) {
        stage.setPlaying(plays, at: now)
        target?.presenterNeedsDisplay()
    }

    // MARK: Drawing

    /// Moves time on: frames, transitions, indicators. Answers when to call again; nil: only when asked to display.
    /// `now` is any clock that does not run backwards.
    public func advance(to now: Duration, isolation: isolated (any Actor)? = #isolation) -> Duration? {
        if isLookDue, stage.isVisible {
            isLookDue = false
            dispatch(.look)
        }
        let change = stage.advance(to: now)
        hasMoved = change.isVisible
        let player = stage.current.player
        if let due = change.placeholderDue { dispatch(.placeholderDue(due)) }
        // Before anybody is told of the animation, who may begin another transition: this is the end of the one before.
        if change.transitionEnded { dispatch(.transitionEnded) }
        if let player { tellEvents(of: player) }
        return stage.wake
    }

    /// Not while the stage moves: who is told may look at it, and change it.
    private func tellEvents(of player: AnimationPlayer) {
        for event in player.takeEvents() {
            player.onEvent?(event)
            onAnimationEvent?(event)
        }
    }

    /// The last ``advance(to:isolation:)`` changed what is drawn. Where it did not, and nothing asked to display, there is nothing to
    /// draw again.
    public private(set) var hasMoved = false

    /// The scene has, or may have, views that a container must embed.
    package var hasViews: Bool { stage.hasViews }

    /// What to draw in a view of this size.
    public func scene(in view: LayoutSize) -> Scene { stage.scene(in: view, mode: defaults.contentMode, progress: progress) }

    // MARK: Carrying out

    private var pending: (ProgressHandler?, Completion?)?

    private func dispatch(_ input: PresenterInput, isolation: isolated (any Actor)? = #isolation) {
        if areSettingsNew {
            areSettingsNew = false
            dispatch(.settings(defaults.animation, defaults.contentMode))
        }
        depth += 1
        let oldGeneration = state.generation
        let effects = state.reduce(input)
        if state.generation != oldGeneration, let call = pending {
            calls[state.generation] = (call.0, call.1)
            pending = nil
        }
        for effect in effects { perform(effect) }
        // After what callers are told before their completion.
        if isTransitionOver {
            isTransitionOver = false
            dispatch(.transitionEnded)
        }
        depth -= 1
        announce()
    }
    private var depth = 0
    /// The newest picture came with a transition that nobody can see.
    private var isTransitionOver = false

    /// Effects dispatch too; only what is left at the end is worth announcing.
    private func announce() {
        guard depth == 0, state.isLoading != announcedLoading else { return }
        announcedLoading = state.isLoading
        target?.presenterDidChangeLoading(announcedLoading)
    }
    private var announcedLoading = false

    private func perform(_ effect: PresenterEffect, isolation: isolated (any Actor)? = #isolation) {
        switch effect {
        case .resolve(let generation, let request):
            // Somebody who was told something before this may have ended it.
            guard state.isUnderWay(generation) else { break }
            if generation == state.generation { self.request = request }
            // A reload for a larger view asks for what is stored, whatever the call has asked for.
            if state.isSilent(generation) { self.request?.cache.lookup = asked?.request.cache.lookup }
            // An error is a miss: the load that follows tells what is wrong.
            let cached =
                state.readsDiskAtOnce(generation)
                ? (try? loader.blockingCachedImage(for: request)) ?? nil : loader.cachedImage(for: request)
            let standIn = cached == nil ? loader.standIn(for: request) : nil
            dispatch(.resolved(generation, request, cached: cached, standIn: standIn))
        case .startLoad(let generation, let request): start(generation, request)
        case .cancelLoad(let generation): running.removeValue(forKey: generation)?.cancel()
        case .show(let content, let transition, let succession):
            let oldSize = intrinsicSize
            stage.show(content, transition, succession)
            if intrinsicSize != oldSize { target?.presenterDidResize() }
            target?.presenterNeedsDisplay()
            isTransitionOver = transition.isVisible && !stage.isTransitionRunning
        case .offer(let image): tell { [weak self] in self?.onEarlyPicture?(image) }
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
            running[generation] = nil
            if let completion = calls.removeValue(forKey: generation)?.completion { tell { completion(result) } }
        }
    }

    private func start(_ generation: Generation, _ request: ImageRequest, isolation: isolated (any Actor)? = #isolation) {
        precondition(isolation != nil, "a presenter belongs to an actor: call it from there")
        var request = request
        if let priority { request.schedule.priority = priority }
        let load = loader.startLoad(request)
        running[generation] = load
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
        switch event {
        case .progress(let received, let expected): dispatch(.progress(generation, received: received, expected: expected))
        case .preview(let image): dispatch(.preview(generation, image))
        case .stale(let loaded): dispatch(.stale(generation, loaded))
        case .finished(let result):
            running[generation] = nil
            dispatch(.finished(generation, result))
        }
    }
}
