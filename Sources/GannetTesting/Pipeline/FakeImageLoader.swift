public import GannetCore
import Synchronization

/// A loader that answers from a table, behind a gate that tests control.
public final class FakeImageLoader: ImageLoader {
    /// The answer for one source.
    public enum Answer: Sendable {
        /// The whole body at once.
        case bytes([UInt8], freshness: Freshness = .unknown)
        /// In pieces; the gate is passed before each.
        case pieces([[UInt8]], freshness: Freshness = .unknown)
        /// A decoded image without bytes.
        case image(DecodedImage, freshness: Freshness = .unknown)
        /// Thrown behind the gate.
        case failure(ImageError)
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var loads: [LoadRequest] = []
        var cancelled = 0
    }

    public let identifier: String
    /// Passed before the answer; open by default.
    public let gate: AsyncGate
    private let state = Mutex(State())

    /// Starts without answers: every source fails with `notFound`.
    public init(identifier: String = "fake", gate: AsyncGate = AsyncGate(isOpen: true)) {
        self.identifier = identifier
        self.gate = gate
    }

    /// - Parameter source: its key text, for example a URL.
    public func answer(_ source: String, with answer: Answer) {
        state.withLock { $0.answers[ImageSource(source).keyText] = answer }
    }

    /// All started loads, in order.
    public var loads: [LoadRequest] { state.withLock { $0.loads } }
    /// Started loads, including failed and cancelled ones.
    public var loadCount: Int { loads.count }
    /// Loads cancelled at the gate.
    public var cancelledCount: Int { state.withLock { $0.cancelled } }

    public func canLoad(_ source: ImageSource) -> Bool { true }

    public func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        let answer = state.withLock { state in
            state.loads.append(request)
            return state.answers[request.source.keyText]
        }
        try await pass()
        switch answer {
        case .bytes(let bytes, let freshness):
            return LoadResponse(
                body: .bytes(ByteRope(bytes)), origin: .network, expectedBytes: bytes.count, freshness: freshness)
        case .pieces(let pieces, let freshness):
            let position = Mutex(0)
            let stream = ByteStream { [self] () async throws(ImageError) -> [UInt8]? in
                let index = position.withLock { index in
                    index += 1
                    return index - 1
                }
                guard index < pieces.count else { return nil }
                if index > 0 { try await pass() }
                return pieces[index]
            }
            return LoadResponse(
                body: .stream(stream), origin: .network, expectedBytes: pieces.reduce(0) { $0 + $1.count }, freshness: freshness)
        case .image(let image, let freshness):
            return LoadResponse(body: .image(image), origin: .network, freshness: freshness)
        case .failure(let error): throw error
        case nil: throw ImageError(.notFound, stage: .load, "The fake loader has no answer for \(request.source.keyText).")
        }
    }

    private func pass() async throws(ImageError) {
        await gate.wait()
        if Task.isCancelled {
            state.withLock { $0.cancelled += 1 }
            throw .cancelled(stage: .load)
        }
    }
}
