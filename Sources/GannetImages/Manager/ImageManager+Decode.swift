import GannetCore
import GannetFetch
import GannetPlatform

// Pixels: decode and transform, in a slot of the decode gate, on the decoding executor, within the budget.

extension ImageManager {
    func decoding(
        _ options: ResolvedDecodeOptions, _ load: LoadContext = LoadContext(), of origin: ImageOrigin? = nil
    ) -> ImageDecoding {
        var environment = DecodeEnvironment(
            limits: options.limits, pool: configuration.pool, budget: work.budget, colorManager: configuration.colorManager,
            // Libraries may start threads only while no other work needs the processors.
            threads: work.isAlone ? BlockingExecutor.processorCount : 1,
            load: load)
        environment.places = configuration.places
        environment.places.origin = origin
        return ImageDecoding(coders: configuration.coders, environment: environment)
    }

    /// A stored result is already at its size, turned, in sRGB, and decoded by the request's own coder.
    static func storedOptions(_ options: ResolvedDecodeOptions) -> ResolvedDecodeOptions {
        var options = options
        options.target = .original
        options.coder = nil
        options.formatHint = nil
        options.scaleDownToBytes = nil
        options.requireAnimated = false
        // Written by Gannet's own encoders, so it is trusted.
        options.isolation = .inProcess
        // The stored result has the requested frame alone.
        if case .index = options.frames { options.frames = .first }
        return options
    }

    private enum Attempt: Sendable {
        case done(DecodedImage)
        case needs(bytes: Int)
    }

    /// Decodes; if other decodes hold the budget, releases everything and returns the bytes that this one needs. Nil if the
    /// caller accepts only brief decodes, and this is none.
    private static func attempt(
        _ decoding: ImageDecoding, _ bytes: ByteRope, _ options: ResolvedDecodeOptions,
        _ granted: ResourceBudget.Reservation?, _ priority: LoadPriority, onlyIfBrief: Bool = false
    ) throws(ImageError) -> Attempt? {
        let part = decoding.environment.budget.part(granted: granted)
        var decoding = decoding
        decoding.environment.budget = part
        do throws(ImageError) {
            guard let session = try onlyIfBrief ? decoding.openIfBrief(bytes, options) : decoding.open(bytes, options) else {
                return nil
            }
            if let reservation = try part.reserveInTurn(session.neededBytes, priority: priority) {
                defer { withExtendedLifetime(reservation) {} }
                let image = try session.decode()
                // A lack of budget must not be taken for damage where `allowsPartial` accepts damaged images.
                if !image.metadata.isPartial || part.shortage == nil { return .done(image) }
            }
        } catch {
            if error.code == .cancelled || part.shortage == nil { throw error }
        }
        return .needs(bytes: part.shortage ?? 0)
    }

    func decode(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ priority: LivePriority, _ prepared: PreparedRequest,
        _ load: LoadContext, of origin: ImageOrigin? = nil
    ) async throws(ImageError) -> DecodedImage {
        try await observer.stage(.decode, prepared.id) { () throws(ImageError) in
            let image = try await decodeInTurn(bytes, options, priority, load, of: origin)
            observer.note(prepared.id, .decoded(prepared.keys.decode))
            return image
        }
    }

    /// Waits for a slot, and for budget if other decodes hold it. The slot is released meanwhile, so that decodes that fit
    /// continue. A small image is decoded on the thread of the load: switching threads would take longer. Never on an actor of
    /// the caller, which may be that of the widgets.
    @concurrent
    func decodeInTurn(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ priority: LivePriority, _ load: LoadContext,
        of origin: ImageOrigin? = nil
    ) async throws(ImageError) -> DecodedImage {
        var granted: ResourceBudget.Reservation?
        while true {
            // Once it has budget, it precedes decodes that wait for a slot: it had its turn, and holds memory that others need.
            let turn = granted == nil ? priority : LivePriority(.veryHigh)
            let attempt = try await work.gate.withSlot(priority: turn) { [granted] () throws(ImageError) -> Attempt? in
                let decoding = decoding(options, load, of: origin)
                if work.isBriefFree,
                    let brief = try Self.attempt(decoding, bytes, options, granted, priority.current, onlyIfBrief: true)
                {
                    return brief
                }
                return try await work.executor.run { () throws(ImageError) -> Attempt? in
                    try Self.attempt(decoding, bytes, options, granted, priority.current)
                }
            }
            switch attempt {
            case .done(let image): return image
            case nil: continue
            case .needs(let count):
                // Nothing is held while waiting for budget. Each round learns more of what the file needs, so the loop ends.
                granted = nil
                granted = try await work.budget.reserveWhenFree(count) { priority.current }
            }
        }
    }

    /// Applies all transformers; a failure is an error, never the wrong image under the right key.
    func transformed(
        _ image: DecodedImage, _ prepared: PreparedRequest, _ priority: LivePriority
    ) async throws(ImageError) -> DecodedImage {
        let transformers = prepared.request.transform.transformers
        guard changes(image, prepared) else { return image }
        return try await observer.stage(.transform, prepared.id) { () throws(ImageError) in
            try await apply(transformers, to: image, prepared, priority)
        }
    }

    /// False if there are no transformers, or none that applies to images of this kind.
    func changes(_ image: DecodedImage, _ prepared: PreparedRequest) -> Bool {
        let transform = prepared.request.transform
        if transform.transformers.isEmpty { return false }
        if image.isAnimated, !transform.appliesTo.contains(.animated) { return false }
        return !image.metadata.isVector || transform.appliesTo.contains(.vector)
    }

    /// Applies them in a slot, on the decoding executor.
    func apply(
        _ transformers: [any ImageTransformer], to image: DecodedImage, _ prepared: PreparedRequest, _ priority: LivePriority
    ) async throws(ImageError) -> DecodedImage {
        let chain = chain(transformers, prepared)
        return try await work.run(priority: priority) { () throws(ImageError) in try chain.apply(to: image) }
    }

    /// Applies them within the caller's slot.
    func applyNow(
        _ transformers: [any ImageTransformer], to image: DecodedImage, _ prepared: PreparedRequest
    ) async throws(ImageError) -> DecodedImage {
        let chain = chain(transformers, prepared)
        return try await work.executor.run { () throws(ImageError) -> DecodedImage in try chain.apply(to: image) }
    }

    func chain(_ transformers: [any ImageTransformer], _ prepared: PreparedRequest) -> Transforming {
        Transforming(
            transformers: transformers, pool: configuration.pool, limits: prepared.request.decode.limits,
            load: prepared.request.context)
    }
}
