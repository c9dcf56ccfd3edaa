package import GannetCore
import Synchronization

/// Makes previews of an image whose bytes are still arriving. Blocking; one caller at a time.
///
/// An animation plays as soon as two of its frames are complete. Each preview knows more frames than the one before; all share
/// one frame source, whose decoder continues. Before that, and for other images, a preview is a still.
///
/// Between previews the decoder keeps its reservation while bytes arrive. If another decode waits for that memory, the session
/// releases everything, and restarts when no decode waits any more.
package final class PreviewSession: BudgetHolder {
    private struct State {
        var decoder: (any ImageDecoder)?
        var session: DecodeSession?
        var clip: Clip?
        /// A failed preview is not retried: the final decode reports the error.
        var isOver = false
    }

    /// An animation that plays while it arrives.
    private struct Clip {
        let source: CodedFrameSource
        var poster: Bitmap?
        /// Frames in the previous preview.
        var told = 0
    }

    private enum Step {
        case nothing
        case image(DecodedImage)
        /// The animation's first frame has to be decoded; memory is reserved.
        case poster(CodedFrameSource, ResourceBudget.Reservation)
    }

    private let decoding: ImageDecoding
    /// The decoder's part of the budget.
    private let part: ResourceBudget
    private let options: ResolvedDecodeOptions
    private let playsClips: Bool
    private let state = Mutex(State())

    /// - Parameter playsClips: animations may play before they are complete, unless a single frame was requested.
    package init(decoding: ImageDecoding, options: ResolvedDecodeOptions, playsClips: Bool = true) {
        part = decoding.environment.budget.part()
        var decoding = decoding
        decoding.environment.budget = part
        self.decoding = decoding
        self.playsClips = playsClips && (options.frames == .all || options.frames == .preloaded)
        self.options = options
        part.enlist(self)
    }

    deinit {
        part.delist(self)
        state.withLock { $0.clip?.source.endGrowth() }
    }

    /// A preview from the bytes so far; nil if there is nothing new to show, or no decode budget free at once. `onlyWhole`: nor where the
    /// file shows its upper rows first.
    package func preview(from bytes: ByteRope, onlyWhole: Bool = false) -> DecodedImage? {
        // A decode that began to wait during this preview was not given the memory.
        defer { part.askHolders() }
        switch step({ state throws(ImageError) in try advance(&state, bytes, onlyWhole) }) {
        case .nothing: return nil
        case .image(let image): return image
        case .poster(let source, let reservation):
            defer { withExtendedLifetime(reservation) {} }
            // Outside the lock: after decoding, a source asks all holders to release memory, this session included.
            let result: Result<Bitmap, ImageError>
            do throws(ImageError) { result = .success(try source.frame(at: 0)) } catch { result = .failure(error) }
            let next = step { state throws(ImageError) in
                // Retry later, when other decodes leave room.
                if case .failure(let error) = result, error.underlying is BudgetShortage { return .nothing }
                state.clip?.poster = try result.get()
                return Self.grown(&state)
            }
            if case .image(let image) = next { return image }
            return nil
        }
    }

    private func step(_ body: (inout State) throws(ImageError) -> Step) -> Step {
        state.withLock { state -> Step in
            guard !state.isOver else { return .nothing }
            do throws(ImageError) { return try body(&state) } catch {
                state.clip?.source.endGrowth()
                state = State(isOver: true)
                return .nothing
            }
        }
    }

    package var heldBytes: Int { part.heldBytes }

    /// Does nothing while a preview is being made.
    package func giveWay() {
        _ = state.withLockIfAvailable { state in
            (state.decoder, state.session) = (nil, nil)
        }
    }

    private func advance(_ state: inout State, _ bytes: ByteRope, _ onlyWhole: Bool) throws(ImageError) -> Step {
        let environment = decoding.environment
        if let session = state.session {
            try session.extend(to: bytes)
        } else {
            try open(&state, bytes)
        }
        guard let session = state.session, !onlyWhole || session.header.isProgressive else { return .nothing }
        let frames = playsClips ? session.arrivedFrames : nil
        if let frames, frames > state.clip?.told ?? 0 {
            if state.clip == nil { state.clip = Clip(source: session.frameSource()) }
            state.clip?.source.grow(to: bytes)
            if state.clip?.poster != nil { return Self.grown(&state) }
            guard let source = state.clip?.source,
                let reservation = try environment.budget.reserveInTurn(session.neededBytes)
            else { return .nothing }
            return .poster(source, reservation)
        }
        // An animation that plays must not become a still again.
        guard state.clip == nil, !options.requireAnimated,
            let reservation = try environment.budget.reserveInTurn(session.neededBytes)
        else { return .nothing }
        defer { withExtendedLifetime(reservation) {} }
        return try session.preview().map { .image($0) } ?? .nothing
    }

    private func open(_ state: inout State, _ bytes: ByteRope) throws(ImageError) {
        let environment = decoding.environment
        var options = options
        // The number of frames is not known yet.
        options.requireAnimated = false
        if state.decoder == nil {
            // After giving way, do not compete with the same decodes again.
            guard environment.budget.root.waitingCount == 0 else { return }
            guard case .found(let coder, let format) = decoding.coders.match(bytes, hint: options.formatHint) else { return }
            state.decoder = try environment.places.coder(options.coder ?? coder, for: format, options.isolation)
                .makeDecoder(for: format, options: options.withoutRegion, environment: environment)
        }
        guard let decoder = state.decoder else { return }
        _ = try decoder.read(from: bytes)
        guard let header = decoder.header, let layout = decoder.outputLayout,
            case .found(let coder, let format) = decoding.coders.match(bytes, hint: options.formatHint)
        else { return }
        let session = DecodeSession(
            decoder: decoder, header: header, layout: layout, options: options, environment: environment, bytes: bytes,
            coder: options.coder ?? coder, format: format)
        try session.check()
        state.session = session
    }

    /// The animation with the frames that arrived since the last call.
    private static func grown(_ state: inout State) -> Step {
        guard let session = state.session, let clip = state.clip, let poster = clip.poster, let frames = session.arrivedFrames,
            frames > clip.told, let image = session.arrivingClip(frames: frames, poster: poster, source: clip.source)
        else { return .nothing }
        state.clip?.told = frames
        return .image(image)
    }
}
