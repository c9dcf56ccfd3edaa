public import GannetCore
public import GannetPipeline
import Synchronization

/// Where views load from in tests: its loads do what a test says, when it says so.
///
/// ```swift
/// let loader = ManualLoader()
/// view.gannet.loader = loader
/// view.gannet.setImage(with: "https://example.org/a.png")
/// loader.first.succeed(picture)
/// ```
///
/// A load that is given up ends with `cancelled` at once; with `answersAfterCancelling` it goes on until the test ends it, as a load does
/// whose cancelling comes too late.
public final class ManualLoader: ImageLoading {
    /// One load that a view began.
    public final class Load: Sendable {
        /// As the view handed it over.
        public let request: ImageRequest
        let stream: AsyncStream<ImageTaskEvent>
        private let continuation: AsyncStream<ImageTaskEvent>.Continuation
        private let state = Mutex((cancelled: false, ended: false))
        private let priorities = Mutex<[LoadPriority]>([])
        private let answersAfterCancelling: Bool

        init(_ request: ImageRequest, answersAfterCancelling: Bool = false) {
            self.request = request
            self.answersAfterCancelling = answersAfterCancelling
            (stream, continuation) = AsyncStream.makeStream()
        }

        /// The view gave it up.
        public var isCancelled: Bool { state.withLock { $0.cancelled } }
        /// In order, without the first one, which stands in the request.
        public var priorityChanges: [LoadPriority] { priorities.withLock { $0 } }

        /// False: the load has ended, and nobody can be told any more.
        @discardableResult public func send(_ event: ImageTaskEvent) -> Bool {
            guard case .finished = event else {
                guard case .enqueued = continuation.yield(event) else { return false }
                return true
            }
            let isFirst = state.withLock { state in
                defer { state.ended = true }
                return !state.ended
            }
            guard isFirst else { return false }
            continuation.yield(event)
            continuation.finish()
            return true
        }

        /// False: it had ended.
        @discardableResult public func succeed(_ image: DecodedImage, origin: LoadedImage.Origin = .network) -> Bool {
            send(.finished(.success(LoadedImage(image: image, origin: origin))))
        }

        /// False: it had ended.
        @discardableResult public func fail(_ code: ImageError.Code = .network) -> Bool {
            send(.finished(.failure(ImageError(code, stage: .load, "The test says no."))))
        }

        func cancel() {
            state.withLock { $0.cancelled = true }
            if !answersAfterCancelling { send(.finished(.failure(.cancelled()))) }
        }

        func setPriority(_ priority: LoadPriority) { priorities.withLock { $0.append(priority) } }
    }

    private struct State {
        var loads: [Load] = []
        var cache: [String: LoadedImage] = [:]
        var smaller: [String: LoadedImage] = [:]
        var lookups: [ImageRequest] = []
    }

    private let state = Mutex(State())
    private let answersAfterCancelling: Bool

    /// Loads that are given up end at once, unless told.
    public init(answersAfterCancelling: Bool = false) { self.answersAfterCancelling = answersAfterCancelling }

    /// What was begun so far, in order.
    public var loads: [Load] { state.withLock { $0.loads } }

    /// A load nobody reads if there is none of this number: the test fails instead of the process.
    public func load(_ index: Int) -> Load {
        let loads = loads
        return index < loads.count ? loads[index] : Load("https://example.org/missing")
    }

    /// ``load(_:)`` of number 0.
    public var first: Load { load(0) }

    /// Every request memory was asked for.
    public var lookups: [ImageRequest] { state.withLock { $0.lookups } }

    /// From now on a picture of this source is in memory.
    public func remember(_ image: DecodedImage, for source: ImageSource) {
        state.withLock { $0.cache[source.keyText] = LoadedImage(image: image, origin: .memory) }
    }

    /// From now on a smaller picture of this source is in memory, to stand in while the right one loads.
    public func rememberSmaller(_ image: DecodedImage, for source: ImageSource) {
        state.withLock { $0.smaller[source.keyText] = LoadedImage(image: image, origin: .memory) }
    }

    public func standIn(for request: ImageRequest) -> LoadedImage? { state.withLock { $0.smaller[request.source.keyText] } }

    public func cachedImage(for request: ImageRequest) -> LoadedImage? {
        state.withLock {
            $0.lookups.append(request)
            return $0.cache[request.source.keyText]
        }
    }

    public func startLoad(_ request: ImageRequest) -> PresentedLoad {
        let load = Load(request, answersAfterCancelling: answersAfterCancelling)
        state.withLock { $0.loads.append(load) }
        return PresentedLoad(events: load.stream, cancel: { load.cancel() }, setPriority: { load.setPriority($0) })
    }
}
