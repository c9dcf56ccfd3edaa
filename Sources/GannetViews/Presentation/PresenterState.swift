import GannetCore
import GannetImages

/// All decisions of a slot, as a pure state machine. No clock, no tasks, no toolkit.
struct PresenterState: Sendable {
    /// The newest call.
    private(set) var generation: Generation = 0
    private(set) var source: ImageSource?
    private(set) var progress = LoadProgress()
    private(set) var content = ShownContent.nothing
    private var loads: [Generation: PresenterLoad] = [:]
    private var shownGeneration: Generation = 0
    private var shownSource: ImageSource?
    private var shownImage: ShownImage?
    private var waiting: (Generation, Result<LoadedImage, ImageError>)?
    private var hasIndicator = false
    /// The image on screen is not whole.
    private(set) var showsPreview = false
    /// Nil: not known yet. Some(nil): the view has no intrinsic size.
    private var viewSize: PixelSize??
    private var viewScale = 1.0
    private var mode = ContentMode.fit

    var isLoading: Bool { loads.values.contains { !$0.isSilent } }
    /// A load that was requested has begun, and its image may still be shown.
    var isRunning: Bool {
        loads.contains { $0.key >= shownGeneration && !$0.value.isSilent && !$0.value.isWaitingForSize }
    }
    /// The image on screen is that of a call, whole or not.
    var showsResult: Bool { shownImage != nil || (hasImage && showsPreview) }
    /// As for a larger view, but of the whole image.
    var shownRequest: (cached: ImageRequest, fallback: ImageRequest?)? {
        showsPreview ? nil : shownImage?.reload.map { ($0.request, $0.fallback) }
    }
    var isWaitingForSize: Bool { loads.values.contains(where: \.isWaitingForSize) }
    func isUnderWay(_ generation: Generation) -> Bool { loads[generation] != nil }
    func isSilent(_ generation: Generation) -> Bool { loads[generation]?.isSilent == true }
    /// False for a reload for a larger view: the view shows an image already.
    func readsDiskAtOnce(_ generation: Generation) -> Bool {
        guard let load = loads[generation], !load.isSilent else { return false }
        return load.options.call.readsDiskAtOnce
    }
    var hasImage: Bool { if case .image = content { true } else { false } }

    mutating func reduce(_ input: PresenterInput) -> [PresenterEffect] {
        var effects: [PresenterEffect] = []
        switch input {
        case .set(let request, let options): set(request, options, &effects)
        case .resolved(let generation, let request, let cached, let fallback):
            resolved(generation, request, cached, fallback, &effects)
        case .sized(let size, let scale): sized(size, scale, &effects)
        case .settings(let animation, let mode): settings(animation, mode, &effects)
        case .look: growIfNeeded(&effects)
        case .placeholderDue(let generation): placeholderDue(generation, &effects)
        case .progressed(let generation, let new):
            guard loads[generation]?.isSilent == false else { break }
            loads[generation]?.progress = new
            tell(new, of: generation, &effects)
        case .preview(let generation, let image): preview(generation, image, &effects)
        case .stale(let generation, let loaded): stale(generation, loaded, &effects)
        case .finished(let generation, let result): finished(generation, result, isSynchronous: false, &effects)
        case .transitionEnded: endWaiting(&effects)
        case .cancel:
            cancelAll(&effects)
        case .show(let image, let showing):
            endSilentLoads(&effects)
            shownGeneration = generation
            shownSource = source
            shownImage = nil
            showsPreview = false
            show(image.map { .image($0, showing) } ?? .nothing, .none, &effects)
        }
        return effects
    }

    // MARK: Beginning

    private mutating func set(
        _ request: ImageRequest?, _ options: ResolvedPresentation, _ effects: inout [PresenterEffect]
    ) {
        if !options.call.keepsPreviousLoad { cancelAll(&effects) }
        endWaiting(&effects)
        generation += 1
        source = request?.source
        progress = LoadProgress()
        guard let request else {
            stopIndicator(&effects)
            shownGeneration = generation
            shownSource = nil
            shownImage = nil
            // Also with `keepsCurrent`: no other image will come to replace it.
            show(options.placeholder.map { .placeholder($0) } ?? .nothing, .none, &effects)
            let error = ImageError(.misuse, stage: .resolve, "There is no source: nil was given. The placeholder is shown.")
            effects.append(.report(generation, .failure(error)))
            return
        }
        loads[generation] = PresenterLoad(request: request, options: options)
        resolveOrWait(generation, &effects)
    }

    private mutating func resolveOrWait(_ generation: Generation, _ effects: inout [PresenterEffect]) {
        guard let load = loads[generation] else { return }
        guard load.needsSize else { return effects.append(.resolve(generation, load.request)) }
        guard let size = viewSize else {
            loads[generation]?.isWaitingForSize = true
            return prepare(generation, &effects)
        }
        loads[generation]?.isWaitingForSize = false
        var request = load.request
        if let target = size.flatMap({ mode.target(for: $0) }) { request.decode.target = .size(target) }
        loads[generation]?.pixels = size
        loads[generation]?.scale = viewScale
        loads[generation]?.target = request.decode.target
        effects.append(.resolve(generation, request))
    }

    private mutating func resolved(
        _ generation: Generation, _ request: ImageRequest, _ cached: LoadedImage?, _ fallback: LoadedImage?,
        _ effects: inout [PresenterEffect]
    ) {
        guard loads[generation] != nil else { return }
        if let cached { return finished(generation, .success(cached), isSynchronous: true, &effects) }
        prepare(generation, &effects)
        // Before the caller sees the fallback image: if its handler makes another call, there must be a load to cancel.
        effects.append(.startLoad(generation, request))
        // Instead of a placeholder, but not instead of an image that is to stay.
        if let fallback, !hasImage { preview(generation, fallback.image, for: request, &effects) }
    }

    /// Shows placeholder and indicator while the load runs.
    private mutating func prepare(_ generation: Generation, _ effects: inout [PresenterEffect]) {
        guard let load = loads[generation], !load.isPrepared else { return }
        loads[generation]?.isPrepared = true
        guard !load.isSilent else { return }
        let isSameSource = shownSource == load.request.source
        if !(hasImage && (load.options.call.keepsCurrent || isSameSource)) {
            shownSource = nil
            shownImage = nil
            switch load.options.timing {
            case .immediately: show(load.options.placeholder.map { .placeholder($0) } ?? .nothing, .none, &effects)
            case .after(let delay):
                show(.nothing, .none, &effects)
                if load.options.placeholder != nil { effects.append(.waitForPlaceholder(generation, delay)) }
            case .onFailure: show(.nothing, .none, &effects)
            }
        }
        if load.options.indicator.isVisible {
            hasIndicator = true
            effects.append(.startIndicator(load.options.indicator))
        } else {
            stopIndicator(&effects)
        }
    }

    private mutating func placeholderDue(_ generation: Generation, _ effects: inout [PresenterEffect]) {
        guard generation == self.generation, let placeholder = loads[generation]?.options.placeholder, case .nothing = content
        else { return }
        show(.placeholder(placeholder), .none, &effects)
    }

    private mutating func sized(_ size: PixelSize?, _ scale: Double, _ effects: inout [PresenterEffect]) {
        viewScale = scale
        if case .some(let old) = viewSize, old == size { return }
        viewSize = .some(size)
        for generation in loads.keys.sorted() where loads[generation]?.isWaitingForSize == true {
            resolveOrWait(generation, &effects)
        }
        growIfNeeded(&effects)
    }

    /// The settings apply to the content on screen, and to images still to come, except where a call has its own. Images in other
    /// sizes are not loaded yet: a call may follow that makes them unnecessary.
    private mutating func settings(_ animation: AnimationOptions, _ mode: ContentMode, _ effects: inout [PresenterEffect]) {
        self.mode = mode
        for generation in Array(loads.keys) where loads[generation]?.options.call.animation == nil {
            loads[generation]?.options.animation = animation
        }
        if shownImage?.options.call.animation == nil { shownImage?.options.animation = animation }
        guard case .image(let image, var showing) = content, showing.followsView else { return }
        showing.animation = animation
        content = .image(image, showing)
        effects.append(.animate(animation))
    }

    /// If the view has become a quarter larger than its reduced image, or its content mode takes another part of the image, a
    /// sharper one is loaded, without a flicker.
    private mutating func growIfNeeded(_ effects: inout [PresenterEffect]) {
        guard loads.isEmpty, let shown = shownImage, shown.isLimited, let old = shown.pixels,
            case .some(.some(let new)) = viewSize,
            new.width * 4 > old.width * 5 || new.height * 4 > old.height * 5
                || mode.target(for: old).map({ .size($0) }) != shown.target,
            let reload = shown.reload
        else { return }
        generation += 1
        loads[generation] = reload
        resolveOrWait(generation, &effects)
    }

    // MARK: Results

    /// `request`: the image is a fallback for it, of another size; nil: the image is a preview.
    private mutating func preview(
        _ generation: Generation, _ image: DecodedImage, for request: ImageRequest? = nil, _ effects: inout [PresenterEffect]
    ) {
        guard let load = loads[generation], generation >= shownGeneration, !load.isSilent, load.options.call.showsPreviews
        else { return }
        guard load.options.call.appliesImage else { return offer(image, generation, &effects) }
        // A whole image is better than the beginning of a newer one, which may never be complete.
        if shownImage != nil, shownSource == load.request.source { return }
        // Possibly the first frame of an animation, which must not be seen before its transformer has run.
        if load.options.animation.transformer != nil, !image.isAnimated, image.metadata.isArriving, mayMove(image) { return }
        let succession = succession(of: generation, load)
        shownGeneration = generation
        shownSource = load.request.source
        shownImage = nil
        showsPreview = true
        let showing = request.map { load.showing(image, inPlaceOf: $0) } ?? load.showing(image)
        show(.image(image, showing), .none, as: succession, &effects)
    }

    private func mayMove(_ image: DecodedImage) -> Bool {
        guard let format = image.metadata.format else { return true }
        return [ImageFormat.gif, .png, .webp, .avif, .jxl].contains(format)
    }

    private mutating func stale(_ generation: Generation, _ loaded: LoadedImage, _ effects: inout [PresenterEffect]) {
        guard let load = loads[generation], generation >= shownGeneration else { return }
        guard load.options.call.appliesImage else { return offer(loaded.image, generation, &effects) }
        present(loaded, generation, load, transition: .none, &effects)
    }

    private func offer(_ image: DecodedImage, _ generation: Generation, _ effects: inout [PresenterEffect]) {
        if generation == self.generation { effects.append(.offer(image)) }
    }

    private mutating func finished(
        _ generation: Generation, _ result: Result<LoadedImage, ImageError>, isSynchronous: Bool,
        _ effects: inout [PresenterEffect]
    ) {
        guard let load = loads.removeValue(forKey: generation) else { return }
        let isNewest = generation == self.generation
        switch result {
        case .success(let loaded):
            // Sent after the image is shown, so that it does not replace what the caller sets in the handler.
            var told: [PresenterEffect] = []
            if !load.isSilent {
                var whole = load.progress
                whole.isFinished = true
                tell(whole, of: generation, &told)
                if isNewest { stopIndicator(&effects) }
            }
            // An older load that continued must not replace the image of a newer one.
            guard generation >= shownGeneration, load.options.call.appliesImage else {
                effects += told
                return report(generation, load, result, &effects)
            }
            // After "not modified" the image may already be on screen: nothing changes, and no transition runs.
            let isNew = !isShown(loaded.image) || shownGeneration != generation && load.options.call.forcesTransition
            let runs =
                !load.isSilent && isNew
                && TransitionRule.runs(
                    origin: loaded.origin, isSynchronous: isSynchronous, isForced: load.options.call.forcesTransition,
                    isFinal: true)
            let transition = runs ? load.options.transition : .none
            present(loaded, generation, load, transition: transition, &effects)
            effects += told
            if load.options.call.waitsForTransition, transition.isVisible {
                waiting = (generation, result)
            } else {
                report(generation, load, result, &effects)
            }
            growIfNeeded(&effects)
        case .failure(let error):
            if let request = load.fallback, error.code == .cacheMiss {
                loads[generation] = PresenterLoad(request: request, options: load.options, isPrepared: true, isSilent: true)
                return resolveOrWait(generation, &effects)
            }
            if isNewest { stopIndicator(&effects) }
            if generation >= shownGeneration, isNewest, !load.isSilent { showFailure(load, &effects) }
            report(generation, load, result, &effects)
        }
    }

    private mutating func present(
        _ loaded: LoadedImage, _ generation: Generation, _ load: PresenterLoad, transition: ImageTransition,
        _ effects: inout [PresenterEffect]
    ) {
        let succession = succession(of: generation, load)
        shownGeneration = generation
        shownSource = load.request.source
        shownImage = ShownImage(loaded, by: load)
        showsPreview = false
        show(.image(loaded.image, load.showing(loaded.image)), transition, as: succession, &effects)
    }

    private func isShown(_ image: DecodedImage) -> Bool {
        guard case .image(let shown, _) = content else { return false }
        return shown.isSame(as: image)
    }

    private func succession(of generation: Generation, _ load: PresenterLoad) -> Succession {
        load.isSilent ? .resized : shownGeneration == generation ? .more : .other
    }

    private mutating func showFailure(_ load: PresenterLoad, _ effects: inout [PresenterEffect]) {
        // An image that could not be refreshed is better than none. A preview of a failed image is not.
        if shownImage != nil, shownSource == load.request.source { return }
        // The view must not remove an image that the caller shows itself.
        if hasImage, !load.options.call.appliesImage { return }
        if let failure = load.options.failure {
            shownSource = nil
            shownImage = nil
            show(.placeholder(failure), .none, &effects)
        } else if !hasImage, load.options.timing != .immediately {
            show(load.options.placeholder.map { .placeholder($0) } ?? .nothing, .none, &effects)
        }
    }

    /// Each call gets the progress of its load, even of one that continues beside a newer one.
    private mutating func tell(_ new: LoadProgress, of generation: Generation, _ effects: inout [PresenterEffect]) {
        if generation == self.generation { progress = new }
        effects.append(.progress(generation, new))
    }

    private func report(
        _ generation: Generation, _ load: PresenterLoad, _ result: Result<LoadedImage, ImageError>,
        _ effects: inout [PresenterEffect]
    ) {
        if !load.isSilent { effects.append(.report(generation, result)) }
    }

    // MARK: Ending

    private mutating func cancelAll(_ effects: inout [PresenterEffect]) {
        // Sent at the end, when no action is left that could undo what callers set in their handlers.
        var told: [PresenterEffect] = []
        endWaiting(&told)
        for generation in loads.keys.sorted() {
            guard let load = loads.removeValue(forKey: generation) else { continue }
            effects.append(.cancelLoad(generation))
            if generation == self.generation, !load.isSilent {
                stopIndicator(&effects)
                if load.options.timing == .onFailure, !hasImage, let placeholder = load.options.placeholder {
                    show(.placeholder(placeholder), .none, &effects)
                }
            }
            report(generation, load, .failure(.cancelled()), &told)
        }
        effects += told
    }

    /// Callers do not know of these loads, and do not expect one to replace what they show by hand.
    private mutating func endSilentLoads(_ effects: inout [PresenterEffect]) {
        for generation in loads.keys.sorted() where loads[generation]?.isSilent == true {
            loads[generation] = nil
            effects.append(.cancelLoad(generation))
        }
    }

    private mutating func endWaiting(_ effects: inout [PresenterEffect]) {
        guard let (generation, result) = waiting else { return }
        waiting = nil
        effects.append(.report(generation, result))
    }

    private mutating func stopIndicator(_ effects: inout [PresenterEffect]) {
        guard hasIndicator else { return }
        hasIndicator = false
        effects.append(.stopIndicator)
    }

    private mutating func show(
        _ content: ShownContent, _ transition: ImageTransition, as succession: Succession = .other,
        _ effects: inout [PresenterEffect]
    ) {
        if case .nothing = self.content, case .nothing = content { return }
        self.content = content
        effects.append(.show(content, transition, succession))
        // The previous transition ends, however far it was.
        endWaiting(&effects)
    }
}
