import GannetCore

/// All decisions of a slot: a pure machine. No clock, no tasks, no toolkit.
struct PresenterState: Sendable {
    private struct Load: Sendable {
        var request: ImageRequest
        var options: ResolvedPresentation
        /// Placeholder and indicator have been dealt with.
        var isPrepared = false
        var isWaitingForSize = false
        /// A reload for a larger view: nobody is told, nothing flickers.
        var isSilent = false
        /// The size of the view the request was made for.
        var pixels: PixelSize?
    }

    /// The picture on screen, as far as sizes go.
    private struct ShownPicture: Sendable {
        var request: ImageRequest
        var options: ResolvedPresentation
        var pixels: PixelSize?
        var isLimited: Bool
    }

    /// The newest call.
    private(set) var generation: Generation = 0
    private(set) var source: ImageSource?
    private(set) var progress = LoadProgress()
    private(set) var content = ShownContent.nothing
    private var loads: [Generation: Load] = [:]
    private var shownGeneration: Generation = 0
    private var shownSource: ImageSource?
    private var shownPicture: ShownPicture?
    private var waiting: (Generation, Result<LoadedImage, ImageError>)?
    private var hasIndicator = false
    /// Nil: not known yet. Some(nil): the view has no size of its own.
    private var viewSize: PixelSize??

    var isLoading: Bool { loads.values.contains { !$0.isSilent } }
    var hasPicture: Bool { if case .picture = content { true } else { false } }

    mutating func reduce(_ input: PresenterInput) -> [PresenterEffect] {
        var effects: [PresenterEffect] = []
        switch input {
        case .set(let request, let options): set(request, options, &effects)
        case .resolved(let generation, let request, let cached, let standIn):
            resolved(generation, request, cached, standIn, &effects)
        case .sized(let size): sized(size, &effects)
        case .placeholderDue(let generation): placeholderDue(generation, &effects)
        case .progress(let generation, let received, let expected):
            guard let load = loads[generation], !load.isSilent, generation == self.generation else { break }
            progress = LoadProgress(received: received, expected: expected)
            effects.append(.progress(generation, progress))
        case .preview(let generation, let image): preview(generation, image, &effects)
        case .stale(let generation, let loaded): stale(generation, loaded, &effects)
        case .finished(let generation, let result): finished(generation, result, isSynchronous: false, &effects)
        case .transitionEnded: endWaiting(&effects)
        case .cancel:
            cancelAll(&effects)
        case .show(let image):
            endSilentLoads(&effects)
            shownGeneration = generation
            shownSource = source
            shownPicture = nil
            show(image.map { .picture($0, AnimationOptions()) } ?? .nothing, .none, &effects)
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
            shownPicture = nil
            if !(options.call.keepsCurrent && hasPicture) {
                show(options.placeholder.map { .placeholder($0) } ?? .nothing, .none, &effects)
            }
            let error = ImageError(.misuse, stage: .resolve, "There is no source: nil was given. The placeholder is shown.")
            effects.append(.report(generation, .failure(error)))
            return
        }
        loads[generation] = Load(request: request, options: options)
        resolveOrWait(generation, &effects)
    }

    private func needsSize(_ load: Load) -> Bool { load.options.sizing == .automatic && load.request.decode.target == nil }

    private mutating func resolveOrWait(_ generation: Generation, _ effects: inout [PresenterEffect]) {
        guard let load = loads[generation] else { return }
        guard needsSize(load) else { return effects.append(.resolve(generation, load.request, nil)) }
        guard let size = viewSize else {
            loads[generation]?.isWaitingForSize = true
            return prepare(generation, &effects)
        }
        loads[generation]?.isWaitingForSize = false
        loads[generation]?.pixels = size
        effects.append(.resolve(generation, load.request, size))
    }

    private mutating func resolved(
        _ generation: Generation, _ request: ImageRequest, _ cached: LoadedImage?, _ standIn: LoadedImage?,
        _ effects: inout [PresenterEffect]
    ) {
        guard loads[generation] != nil else { return }
        if let cached { return finished(generation, .success(cached), isSynchronous: true, &effects) }
        prepare(generation, &effects)
        // Instead of a placeholder, not instead of a picture that is to stay.
        if let standIn, !hasPicture { preview(generation, standIn.image, &effects) }
        effects.append(.startLoad(generation, request))
    }

    /// What is seen while the load runs.
    private mutating func prepare(_ generation: Generation, _ effects: inout [PresenterEffect]) {
        guard let load = loads[generation], !load.isPrepared else { return }
        loads[generation]?.isPrepared = true
        guard !load.isSilent else { return }
        let isSameSource = shownSource == load.request.source
        if !(hasPicture && (load.options.call.keepsCurrent || isSameSource)) {
            shownSource = nil
            shownPicture = nil
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

    private mutating func sized(_ size: PixelSize?, _ effects: inout [PresenterEffect]) {
        if case .some(let old) = viewSize, old == size { return }
        viewSize = .some(size)
        for generation in loads.keys.sorted() where loads[generation]?.isWaitingForSize == true {
            resolveOrWait(generation, &effects)
        }
        growIfNeeded(&effects)
    }

    /// A view that has become a quarter larger than its reduced picture gets a sharper one, without a flicker.
    private mutating func growIfNeeded(_ effects: inout [PresenterEffect]) {
        guard loads.isEmpty, let shown = shownPicture, shown.isLimited, let old = shown.pixels,
            case .some(.some(let new)) = viewSize,
            new.width * 4 > old.width * 5 || new.height * 4 > old.height * 5
        else { return }
        generation += 1
        loads[generation] = Load(request: shown.request, options: shown.options, isPrepared: true, isSilent: true)
        resolveOrWait(generation, &effects)
    }

    // MARK: Results

    private mutating func preview(_ generation: Generation, _ image: DecodedImage, _ effects: inout [PresenterEffect]) {
        guard let load = loads[generation], generation >= shownGeneration, !load.isSilent, load.options.call.appliesPicture,
            load.options.call.previews == .replace
        else { return }
        let succession = succession(of: generation, load)
        shownGeneration = generation
        shownSource = load.request.source
        shownPicture = nil
        show(.picture(image, load.options.animation), .none, as: succession, &effects)
    }

    private mutating func stale(_ generation: Generation, _ loaded: LoadedImage, _ effects: inout [PresenterEffect]) {
        guard let load = loads[generation], generation >= shownGeneration, load.options.call.appliesPicture else { return }
        present(loaded, generation, load, transition: .none, &effects)
    }

    private mutating func finished(
        _ generation: Generation, _ result: Result<LoadedImage, ImageError>, isSynchronous: Bool,
        _ effects: inout [PresenterEffect]
    ) {
        guard let load = loads.removeValue(forKey: generation) else { return }
        let isNewest = generation == self.generation
        switch result {
        case .success(let loaded):
            if isNewest, !load.isSilent {
                progress = LoadProgress(received: progress.received, expected: progress.expected, isFinished: true)
                effects.append(.progress(generation, progress))
                stopIndicator(&effects)
            }
            // An older load that went on may not cover what a newer one has shown.
            guard generation >= shownGeneration, load.options.call.appliesPicture else {
                return report(generation, load, result, &effects)
            }
            let runs =
                !load.isSilent
                && TransitionRule.runs(
                    origin: loaded.origin, isSynchronous: isSynchronous, isForced: load.options.call.forcesTransition,
                    isFinal: true)
            let transition = runs ? load.options.transition : .none
            present(loaded, generation, load, transition: transition, &effects)
            if load.options.call.waitsForTransition, transition.isVisible {
                waiting = (generation, result)
            } else {
                report(generation, load, result, &effects)
            }
            growIfNeeded(&effects)
        case .failure:
            if isNewest { stopIndicator(&effects) }
            if generation >= shownGeneration, isNewest, !load.isSilent { showFailure(load, &effects) }
            report(generation, load, result, &effects)
        }
    }

    private mutating func present(
        _ loaded: LoadedImage, _ generation: Generation, _ load: Load, transition: ImageTransition,
        _ effects: inout [PresenterEffect]
    ) {
        let succession = succession(of: generation, load)
        shownGeneration = generation
        shownSource = load.request.source
        shownPicture = ShownPicture(
            request: load.request, options: load.options, pixels: load.pixels ?? nil,
            isLimited: load.pixels != nil
                && (loaded.image.metadata.isVector || !loaded.image.metadata.knowsOriginal
                    || loaded.size.area < loaded.image.metadata.originalSize.area)
        )
        show(.picture(loaded.image, load.options.animation), transition, as: succession, &effects)
    }

    private func succession(of generation: Generation, _ load: Load) -> Succession {
        load.isSilent ? .resized : shownGeneration == generation ? .more : .other
    }

    private mutating func showFailure(_ load: Load, _ effects: inout [PresenterEffect]) {
        if let failure = load.options.failure {
            shownSource = nil
            shownPicture = nil
            show(.placeholder(failure), .none, &effects)
        } else if !hasPicture, load.options.timing != .immediately {
            show(load.options.placeholder.map { .placeholder($0) } ?? .nothing, .none, &effects)
        }
    }

    private func report(
        _ generation: Generation, _ load: Load, _ result: Result<LoadedImage, ImageError>, _ effects: inout [PresenterEffect]
    ) {
        if !load.isSilent { effects.append(.report(generation, result)) }
    }

    // MARK: Ending

    private mutating func cancelAll(_ effects: inout [PresenterEffect]) {
        endWaiting(&effects)
        for generation in loads.keys.sorted() {
            guard let load = loads.removeValue(forKey: generation) else { continue }
            effects.append(.cancelLoad(generation))
            if generation == self.generation, !load.isSilent {
                stopIndicator(&effects)
                if load.options.timing == .onFailure, !hasPicture, let placeholder = load.options.placeholder {
                    show(.placeholder(placeholder), .none, &effects)
                }
            }
            report(generation, load, .failure(.cancelled()), &effects)
        }
    }

    /// Nobody knows of them, so nobody expects that one ends and takes the place of what was shown by hand.
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
        // The transition before is over, however far it was.
        endWaiting(&effects)
    }
}
