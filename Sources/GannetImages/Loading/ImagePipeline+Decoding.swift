import GannetCore
import GannetFetch
import GannetPlatform

// Decoding: in a slot of the line for pixels, on its threads, within the budget.

extension ImagePipeline {
    func decoding(
        _ options: ResolvedDecodeOptions, _ load: LoadContext = LoadContext(), of origin: ImageOrigin? = nil
    ) -> ImageDecoding {
        var environment = DecodeEnvironment(
            limits: options.limits, pool: configuration.pool, budget: work.budget, colorManager: configuration.colorManager,
            // Threads of a library's own only where nothing else wants the processors.
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
        // The cache's own work, not a stranger's.
        options.isolation = .inProcess
        // The frame that was asked for is the only one there.
        if case .index = options.frames { options.frames = .first }
        return options
    }

    private enum Attempt: Sendable {
        case done(DecodedImage)
        case needs(bytes: Int)
    }

    /// Decodes, unless others hold the room for it: then what it needs, and nothing is held any more. Nil: the caller wants only brief
    /// decodes, and this is none.
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
                // Where a damaged picture may be shown in part, it must not be for want of room.
                if !image.metadata.isPartial || part.shortage == nil { return .done(image) }
            }
        } catch {
            if error.code == .cancelled || part.shortage == nil { throw error }
        }
        return .needs(bytes: part.shortage ?? 0)
    }

    /// Waits for a slot, and, where others hold the room, for room: without the slot, so that decodes that fit go on. A small image is
    /// decoded where the load runs, on Swift's own threads: a change of thread and back would take longer. Never on an actor of the
    /// caller's, which may be that of the widgets.
    @concurrent
    func decodeInTurn(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ priority: LivePriority, _ load: LoadContext,
        of origin: ImageOrigin? = nil
    ) async throws(ImageError) -> DecodedImage {
        var granted: ResourceBudget.Reservation?
        while true {
            // With room, it goes before those that wait for a slot: it has had its turn, and holds what others wait for.
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
                // Nothing is held while waiting for room. Each round learns more of what the file needs, so the loop ends.
                granted = nil
                granted = try await work.budget.reserveWhenFree(count) { priority.current }
            }
        }
    }
}
