package import GannetCore
import Synchronization

/// Previews of a picture whose bytes still arrive. Blocking; one asker at a time.
///
/// An animation plays as far as it came, as soon as two of its frames are whole: each preview knows of more frames than the one before,
/// and all have one source of frames, whose decoder goes on where it is. Before that, and for all other pictures, a preview is a still.
///
/// Between two previews the decoder keeps what it has reserved, for as long as the bytes take. Where a decode waits for that room it
/// gives everything back, and begins anew when nobody waits any more.
package final class PreviewSession: BudgetHolder {
    private struct State {
        var decoder: (any ImageDecoder)?
        var session: DecodeSession?
        var clip: Clip?
        /// A preview that fails once is not tried again: the final decode will say what is wrong.
        var isOver = false
    }

    /// An animation that is played while it arrives.
    private struct Clip {
        let source: CodedFrameSource
        var poster: Bitmap?
        /// Frames that the preview before had.
        var told = 0
    }

    private enum Step {
        case nothing
        case picture(DecodedImage)
        /// The first frame of a clip has to be decoded; there is room for it.
        case poster(CodedFrameSource, ResourceBudget.Reservation)
    }

    private let decoding: ImageDecoding
    /// What its decoder reserves.
    private let part: ResourceBudget
    private let options: ResolvedDecodeOptions
    private let playsClips: Bool
    private let state = Mutex(State())

    /// `playsClips`: animations may be played as far as they came. Those of which one frame was asked for stand still anyway.
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

    /// The picture as far as it came; nil if there is nothing new to show, or no decode budget free at once.
    package func preview(from bytes: ByteRope) -> DecodedImage? {
        // Who began to wait meanwhile could not be given way to.
        defer { part.askHolders() }
        switch step({ state throws(ImageError) in try advance(&state, bytes) }) {
        case .nothing: return nil
        case .picture(let image): return image
        case .poster(let source, let reservation):
            defer { withExtendedLifetime(reservation) {} }
            // Not under the lock: a source asks for room to be given back when it has decoded, also of this session.
            let result: Result<Bitmap, ImageError>
            do throws(ImageError) { result = .success(try source.frame(at: 0)) } catch { result = .failure(error) }
            let next = step { state throws(ImageError) in
                // Another time, when others leave room for it.
                if case .failure(let error) = result, error.underlying is BudgetShortage { return .nothing }
                state.clip?.poster = try result.get()
                return Self.grown(&state)
            }
            if case .picture(let image) = next { return image }
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

    /// Does nothing while a preview is made.
    package func giveWay() {
        _ = state.withLockIfAvailable { state in
            (state.decoder, state.session) = (nil, nil)
        }
    }

    private func advance(_ state: inout State, _ bytes: ByteRope) throws(ImageError) -> Step {
        let environment = decoding.environment
        if let session = state.session {
            try session.extend(to: bytes)
        } else {
            try open(&state, bytes)
        }
        guard let session = state.session else { return .nothing }
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
        // What has begun to play does not stand still again.
        guard state.clip == nil, !options.requireAnimated,
            let reservation = try environment.budget.reserveInTurn(session.neededBytes)
        else { return .nothing }
        defer { withExtendedLifetime(reservation) {} }
        return try session.preview().map { .picture($0) } ?? .nothing
    }

    private func open(_ state: inout State, _ bytes: ByteRope) throws(ImageError) {
        let environment = decoding.environment
        var options = options
        // How many frames there are is not known yet.
        options.requireAnimated = false
        if state.decoder == nil {
            // Who gave way must not be in the way of the same ones again.
            guard environment.budget.root.waitingCount == 0 else { return }
            guard case .found(let coder, let format) = decoding.coders.match(bytes, hint: options.formatHint) else { return }
            state.decoder = try (options.coder ?? coder).makeDecoder(for: format, options: options, environment: environment)
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

    /// The clip with the frames that came since the last time.
    private static func grown(_ state: inout State) -> Step {
        guard let session = state.session, let clip = state.clip, let poster = clip.poster, let frames = session.arrivedFrames,
            frames > clip.told, let image = session.arrivingClip(frames: frames, poster: poster, source: clip.source)
        else { return .nothing }
        state.clip?.told = frames
        return .picture(image)
    }
}
