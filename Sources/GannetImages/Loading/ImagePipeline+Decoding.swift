import GannetCore
import GannetFetch
import GannetPlatform

// Decoding: in a slot of the line for pixels, on its threads, within the budget.

extension ImagePipeline {
    func decoding(
        _ options: ResolvedDecodeOptions, _ load: LoadContext = LoadContext(), of origin: ImageOrigin? = nil,
        _ memory: RegionMemory? = nil
    ) -> ImageDecoding {
        var environment = DecodeEnvironment(
            limits: options.limits, pool: memory?.pool ?? configuration.pool, budget: work.budget,
            colorManager: configuration.colorManager,
            // Libraries may start threads only while no other work needs the processors.
            threads: work.isAlone ? BlockingExecutor.processorCount : 1,
            load: load)
        environment.places = configuration.places
        environment.places.origin = origin
        environment.memory = memory
        return ImageDecoding(coders: configuration.coders, environment: environment)
    }

    /// A stored result is already at its size, turned, in sRGB, and decoded by the request's own coder.
    static func storedOptions(_ options: ResolvedDecodeOptions) -> ResolvedDecodeOptions {
        var options = options
        (options.target, options.region) = (.original, nil)
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

    enum Attempt: Sendable {
        case done(DecodedImage)
        case needs(bytes: Int)
    }

    /// Decodes; if other decodes hold the budget, releases everything and returns the bytes that this one needs. Nil if the
    /// caller accepts only brief decodes, and this is none.
    static func attempt(
        _ decoding: ImageDecoding, _ bytes: ByteRope, _ options: ResolvedDecodeOptions,
        _ granted: ResourceBudget.Reservation?, _ priority: LoadPriority, onlyIfBrief: Bool = false
    ) throws(ImageError) -> Attempt? {
        let part = decoding.environment.budget.part(granted: granted)
        var decoding = decoding
        decoding.environment.budget = part
        do throws(ImageError) {
            if options.usesEmbeddedThumbnail == .ifLargeEnough,
                let image = decoding.embeddedThumbnail(of: bytes, options, mayBeSmaller: false)
            {
                return .done(image)
            }
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

    /// Waits for a slot, and for budget if other decodes hold it. The slot is released meanwhile, so that decodes that fit
    /// continue. A small image is decoded on the thread of the load: switching threads would take longer. Never on an actor of
    /// the caller, which may be that of the widgets.
    @concurrent
    func decodeInTurn(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ priority: LivePriority, _ load: LoadContext,
        of origin: ImageOrigin? = nil, _ memory: RegionMemory? = nil
    ) async throws(ImageError) -> DecodedImage {
        if memory == nil, canBatch(bytes, options, load), let image = try await decodedInBatch(bytes, options, priority, origin) {
            return image
        }
        var granted: ResourceBudget.Reservation?
        while true {
            // Once it has budget, it precedes decodes that wait for a slot: it had its turn, and holds memory that others need.
            let turn = granted == nil ? priority : LivePriority(.veryHigh)
            let attempt = try await work.gate.withSlot(priority: turn) { [granted] () throws(ImageError) -> Attempt? in
                let decoding = decoding(options, load, of: origin, memory)
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
}
