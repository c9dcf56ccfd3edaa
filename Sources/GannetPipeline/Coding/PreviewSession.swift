package import GannetCore
import Synchronization

/// Previews of a picture whose bytes still arrive. Blocking; one asker at a time.
package final class PreviewSession: Sendable {
    private struct State {
        var decoder: (any ImageDecoder)?
        var session: DecodeSession?
        /// A preview that fails once is not tried again: the final decode will say what is wrong.
        var isOver = false
    }

    private let decoding: ImageDecoding
    private let options: ResolvedDecodeOptions
    private let state = Mutex(State())

    package init(decoding: ImageDecoding, options: ResolvedDecodeOptions) {
        self.decoding = decoding
        self.options = options
    }

    /// The picture as far as it came; nil if there is nothing new to show, or no decode budget free at once.
    package func preview(from bytes: ByteRope) -> DecodedImage? {
        state.withLock { state -> DecodedImage? in
            guard !state.isOver else { return nil }
            do throws(ImageError) { return try Self.advance(&state, bytes, decoding, options) } catch {
                state = State(isOver: true)
                return nil
            }
        }
    }

    private static func advance(
        _ state: inout State, _ bytes: ByteRope, _ decoding: ImageDecoding, _ options: ResolvedDecodeOptions
    ) throws(ImageError) -> DecodedImage? {
        let environment = decoding.environment
        if state.decoder == nil {
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
