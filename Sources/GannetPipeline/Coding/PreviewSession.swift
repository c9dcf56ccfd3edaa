package import GannetCore
import Synchronization

/// Previews of a picture whose bytes still arrive. Blocking; one asker at a time.
///
/// Between two previews the decoder keeps what it has reserved, for as long as the bytes take. Where a decode waits for that room it
/// gives everything back, and begins anew when nobody waits any more.
package final class PreviewSession: BudgetHolder {
    private struct State {
        var decoder: (any ImageDecoder)?
        var session: DecodeSession?
        /// A preview that fails once is not tried again: the final decode will say what is wrong.
        var isOver = false
    }

    private let decoding: ImageDecoding
    /// What its decoder reserves.
    private let part: ResourceBudget
    private let options: ResolvedDecodeOptions
    private let state = Mutex(State())

    package init(decoding: ImageDecoding, options: ResolvedDecodeOptions) {
        part = decoding.environment.budget.part()
        var decoding = decoding
        decoding.environment.budget = part
        self.decoding = decoding
        self.options = options
        part.enlist(self)
    }

    deinit { part.delist(self) }

    /// The picture as far as it came; nil if there is nothing new to show, or no decode budget free at once.
    package func preview(from bytes: ByteRope) -> DecodedImage? {
        // Who began to wait meanwhile could not be given way to.
        defer { part.askHolders() }
        return state.withLock { state -> DecodedImage? in
            guard !state.isOver else { return nil }
            do throws(ImageError) { return try Self.advance(&state, bytes, decoding, options) } catch {
                state = State(isOver: true)
                return nil
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

    private static func advance(
        _ state: inout State, _ bytes: ByteRope, _ decoding: ImageDecoding, _ options: ResolvedDecodeOptions
    ) throws(ImageError) -> DecodedImage? {
        let environment = decoding.environment
        if state.decoder == nil {
            // Who gave way must not be in the way of the same ones again.
            guard environment.budget.root.waitingCount == 0 else { return nil }
            guard case .found(let coder, let format) = decoding.coders.match(bytes, hint: options.formatHint) else { return nil }
            state.decoder = try (options.coder ?? coder).makeDecoder(for: format, options: options, environment: environment)
        }
        guard let decoder = state.decoder else { return nil }
        _ = try decoder.read(from: bytes)
        if state.session == nil, let header = decoder.header, let layout = decoder.outputLayout,
            case .found(let coder, let format) = decoding.coders.match(bytes, hint: options.formatHint)
        {
            let session = DecodeSession(
                decoder: decoder, header: header, layout: layout, options: options, environment: environment, bytes: bytes,
                coder: coder, format: format)
            try session.check()
            state.session = session
        }
        guard let session = state.session, let reservation = try environment.budget.reserveInTurn(session.neededBytes)
        else {
            return nil
        }
        defer { withExtendedLifetime(reservation) {} }
        return try session.preview()
    }
}
