import GannetCore
import GannetImages

/// The content on screen and its motion: the part of a presenter that changes with time. No loads.
struct Stage {
    /// An image or placeholder, ready to draw.
    struct Act {
        var bitmap: Bitmap?
        var color: PixelColor?
        var view: (any PresentableView)?
        /// Placeholders made of a few components fill the view.
        var fills = false
        /// Pixels for each point.
        var scale = 1.0
        var player: AnimationPlayer?
        /// More of the player's animation, or the same one in another size. The player continues with it at the next draw,
        /// because the time is not known before.
        var next: AnimatedImage?
        var options = AnimationOptions()
        /// The options that the player last got, if they have changed since.
        var oldOptions: AnimationOptions?
        var hasStarted = false
        /// It was playing when the view was hidden.
        var resumes = false

        /// The previous content stays on screen until a frame has been transformed: the untransformed image must not be seen.
        var isHolding = false

        var intrinsicSize: LayoutSize {
            guard let bitmap = next?.poster ?? player?.image.poster ?? bitmap, !fills else { return .zero }
            return LayoutSize(width: Double(bitmap.width) / scale, height: Double(bitmap.height) / scale)
        }
    }

    private(set) var current = Act()
    private var previous = Act()
    /// The first drawn frame sets the start.
    private var transition: (ImageTransition, start: Duration?)?
    private var transitionStep = TransitionStep.end
    private var indicator: (LoadIndicator, start: Duration?)?
    private var indicatorAct = Act()
    private var indicatorPhase = 0
    var placeholderWait: (generation: Generation, delay: Duration, start: Duration?)?
    var isVisible = false
    private(set) var wake: Duration?
    private let library: FrameLibrary
    private let wakeUp: @Sendable () -> Void
    private var hasAppeared = false

    init(library: FrameLibrary, wakeUp: @escaping @Sendable () -> Void) {
        self.library = library
        self.wakeUp = wakeUp
    }

    var isTransitionRunning: Bool { transition != nil }
    var hasIndicator: Bool { indicator != nil }
    var hasViews: Bool { current.view != nil || previous.view != nil || indicatorAct.view != nil }

    mutating func show(_ content: ShownContent, _ newTransition: ImageTransition, _ succession: Succession = .other) {
        let old = current
        if case .image(.animated(let image), let showing) = content, goesOn(with: image, showing, succession, newTransition) {
            current.next = image
            current.scale = showing.scale ?? scale(of: .animated(image))
            return
        }
        let seen = old.isHolding ? previous : old
        current = act(content)
        current.player?.tellsLater = true
        // A caller that keeps the player must not hold a share of the memory for content off screen.
        old.player.map(leave)
        placeholderWait = nil
        let isMoving = newTransition.isVisible && isVisible && hasAppeared
        if isMoving || current.isHolding {
            previous = seen
            (previous.player, previous.next) = (nil, nil)
        }
        if isMoving {
            transition = (newTransition, nil)
            transitionStep = newTransition.step(at: .zero)
        } else {
            _ = endTransition()
        }
    }

    private func leave(_ player: AnimationPlayer) {
        (player.onChange, player.tellsLater) = (nil, false)
        player.pause(at: lastNow)
    }

    /// True if the current player can play this image too, which keeps its handlers and what was set by hand.
    private func goesOn(
        with image: AnimatedImage, _ showing: Showing, _ succession: Succession, _ newTransition: ImageTransition
    ) -> Bool {
        guard let player = current.player else { return false }
        let newest = current.next ?? player.image
        // The same instance again, as when a list binds a cell again.
        if newest === image { return showing.animation.isSame(as: current.options) && !newTransition.isVisible }
        switch succession {
        case .other: return false
        // More of the same animation.
        case .more: return newest.metadata.isArriving && newest.size == image.size && image.frameCount > 1
        // An animation that was decoded for a larger view.
        case .resized: return newest.frameCount == image.frameCount
        }
    }

    /// The view has new animation options. The transformer stays, because its output is on screen.
    mutating func animate(_ options: AnimationOptions) {
        guard current.player != nil else { return }
        var new = options
        new.transformer = current.options.transformer
        current.oldOptions = current.oldOptions ?? current.options
        current.options = new
    }

    /// True if one was running.
    mutating func endTransition() -> Bool {
        if !current.isHolding { previous = Act() }
        transitionStep = .end
        defer { transition = nil }
        return transition != nil
    }

    mutating func startIndicator(_ new: LoadIndicator) {
        indicator = (new, nil)
        indicatorPhase = 0
        indicatorAct = Act()
        switch new {
        case .image(let image):
            // Loops as long as the load takes, whatever the file's loop count.
            var animation = AnimationOptions()
            animation.loopCount = 0
            indicatorAct = act(.image(image, Showing(animation: animation)))
        case .custom(let view): indicatorAct.view = view
        case .inherited, .none, .activity, .bar: break
        }
    }

    mutating func stopIndicator() {
        indicator = nil
        indicatorAct = Act()
    }

    private func act(_ content: ShownContent) -> Act {
        switch content {
        case .nothing: return Act()
        case .image(let image, let showing):
            var act = Act(bitmap: image.bitmap, scale: showing.scale ?? scale(of: image), options: showing.animation)
            if case .animated(let animation) = image {
                act.player = AnimationPlayer(animation, options: showing.animation, library: library, onFrameReady: wakeUp)
                act.player?.onChange = wakeUp
                if let player = act.player, player.isRaw { (act.bitmap, act.isHolding) = (nil, true) }
            }
            return act
        case .placeholder(.empty): return Act()
        case .placeholder(.image(let image)): return act(.image(image, Showing()))
        case .placeholder(.color(let color)): return Act(color: color)
        case .placeholder(.blurHash(let hash)): return Act(bitmap: BlurHash.bitmap(hash), fills: true)
        case .placeholder(.thumbHash(let hash)): return Act(bitmap: ThumbHash.bitmap(hash), fills: true)
        case .placeholder(.view(let view)): return Act(view: view)
        }
    }

    private func scale(of image: DecodedImage) -> Double {
        image.metadata.scale.isFinite ? max(image.metadata.scale, 0.01) : 1
    }

    // MARK: Time

    private var lastNow = Duration.zero

    struct Change {
        /// Something drawn has changed.
        var isVisible = false
        var transitionEnded = false
        var placeholderDue: Generation?
    }

    mutating func advance(to now: Duration) -> Change {
        lastNow = now
        var change = Change()
        wake = nil
        guard isVisible else {
            current = hidden(current, now)
            indicatorAct = hidden(indicatorAct, now)
            return change
        }
        hasAppeared = true
        let before = (current.bitmap?.identity, indicatorAct.bitmap?.identity, indicatorPhase)
        let wasHolding = current.isHolding
        current = played(current, now)
        if wasHolding, !current.isHolding {
            change.isVisible = true
            if transition == nil { previous = Act() }
        }
        // Waits until the incoming content is ready.
        if let (moving, started) = transition, !current.isHolding {
            change.isVisible = true
            let start = started ?? now
            transition?.start = start
            transitionStep = moving.step(at: now - start)
            if now - start >= moving.duration {
                change.transitionEnded = endTransition()
            } else {
                // As often as the display refreshes.
                wake = now
            }
        }
        if let (_, started) = indicator { advanceIndicator(now, started ?? now) }
        if let wait = placeholderWait {
            let start = wait.start ?? now
            placeholderWait?.start = start
            if now - start >= wait.delay {
                placeholderWait = nil
                change.placeholderDue = wait.generation
            } else {
                wakeBy(start + wait.delay)
            }
        }
        if before != (current.bitmap?.identity, indicatorAct.bitmap?.identity, indicatorPhase) { change.isVisible = true }
        return change
    }

    private func hidden(_ act: Act, _ now: Duration) -> Act {
        guard let player = act.player, player.isPlaying else { return act }
        var act = act
        // An animation that has played all its loops stays at its end, however often it is seen again.
        act.resumes = !player.isFinished(at: now)
        // Stops as its options say; by default it keeps its frames and its position.
        if act.resumes { player.stop(at: now) } else { player.pause(at: now) }
        return act
    }

    /// Called by hand: from now on this decides, not ``AnimationOptions/autoPlays``.
    mutating func setPlaying(_ plays: Bool, at now: Duration) {
        guard let player = current.player else { return }
        current.hasStarted = true
        current.resumes = plays && !isVisible
        if !plays { player.stop(at: now) } else if isVisible { player.start(at: now) }
    }

    private mutating func played(_ act: Act, _ now: Duration) -> Act {
        guard let player = act.player else { return act }
        var act = act
        // Starts when it is first visible, and continues after it was hidden.
        if act.hasStarted ? act.resumes : act.options.autoPlays { player.start(at: now) }
        (act.hasStarted, act.resumes) = (true, false)
        // After the start, so that an animation that lacked only its end counts as ended and does not start over.
        if let next = act.next.take() { player.replace(next, at: now) }
        if let old = act.oldOptions.take() { player.change(from: old, to: act.options, at: now) }
        let tick = player.tick(at: now)
        // A frame that cannot be transformed is not shown untransformed.
        if !player.isRaw { act.bitmap = tick.bitmap }
        if !player.isRaw || !tick.isWaiting { act.isHolding = false }
        if let due = tick.wake { wakeBy(due) }
        return act
    }

    private mutating func advanceIndicator(_ now: Duration, _ start: Duration) {
        indicator?.start = start
        indicatorAct = played(indicatorAct, now)
        let step: Duration
        switch indicator?.0 ?? LoadIndicator.none {
        case .activity: step = IndicatorDrawing.dotStep
        case .bar: step = IndicatorDrawing.barStep
        case .inherited, .none, .image, .custom: return
        }
        indicatorPhase = Int((now - start) / step)
        wakeBy(start + step * (indicatorPhase + 1))
    }

    private mutating func wakeBy(_ time: Duration) { wake = min(wake ?? time, time) }

    // MARK: Drawing

    func scene(in view: LayoutSize, mode: ContentMode, progress: LoadProgress, isRightToLeft: Bool = false) -> Scene {
        guard view.width > 0, view.height > 0 else { return Scene() }
        var scene = Scene()
        let old = layer(previous, current.isHolding ? Placement() : transitionStep.old, view, mode)
        let new = current.isHolding ? nil : layer(current, transitionStep.new, view, mode)
        for layer in transitionStep.oldOnTop ? [new, old] : [old, new] {
            if let layer { scene.layers.append(layer) }
        }
        drawIndicator(view, progress, isRightToLeft, into: &scene)
        return scene
    }

    private func layer(_ act: Act, _ placement: Placement, _ view: LayoutSize, _ mode: ContentMode) -> Scene.Layer? {
        guard placement.opacity > 0 else { return nil }
        let whole = LayoutRect(x: 0, y: 0, width: view.width, height: view.height)
        let content: Scene.Layer.Content
        var frame = whole
        if let bitmap = act.bitmap {
            content = .bitmap(bitmap)
            if !act.fills { frame = mode.place(act.intrinsicSize, in: view) }
        } else if let color = act.color {
            content = .color(color)
        } else if let view = act.view {
            content = .view(view)
        } else {
            return nil
        }
        frame = placement.apply(to: frame, in: view)
        let clip = placement.clipRect(in: view).intersection(whole)
        guard !clip.isEmpty, !frame.isEmpty else { return nil }
        return Scene.Layer(content: content, frame: frame, clip: clip, opacity: min(placement.opacity, 1))
    }

    private func drawIndicator(
        _ view: LayoutSize, _ progress: LoadProgress, _ isRightToLeft: Bool, into scene: inout Scene
    ) {
        guard let indicator else { return }
        let whole = LayoutRect(x: 0, y: 0, width: view.width, height: view.height)
        switch indicator.0 {
        case .inherited, .none: break
        case .activity(let diameter, let color):
            for dot in IndicatorDrawing.dots(phase: indicatorPhase, diameter: diameter, color: color, in: view) {
                let frame = LayoutRect(
                    x: dot.x - dot.radius, y: dot.y - dot.radius, width: dot.radius * 2, height: dot.radius * 2)
                scene.layers.append(Scene.Layer(content: .dot(dot.color), frame: frame, clip: whole, opacity: 1))
            }
        case .bar(let color):
            let (groove, plain) = IndicatorDrawing.bar(fraction: progress.fraction, phase: indicatorPhase, in: view)
            var filled = plain
            if isRightToLeft { filled.x = view.width - plain.x - plain.width }
            scene.layers.append(Scene.Layer(content: .color(color), frame: groove, clip: whole, opacity: 0.3))
            if !filled.isEmpty {
                scene.layers.append(Scene.Layer(content: .color(color), frame: filled, clip: whole, opacity: 1))
            }
        case .image, .custom:
            guard var layer = layer(indicatorAct, Placement(), view, .scaleDown) else { return }
            if case .view = layer.content { layer.progress = progress }
            scene.layers.append(layer)
        }
    }
}
