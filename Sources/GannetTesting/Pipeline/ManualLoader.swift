public import GannetCore
public import GannetImages
public import GannetViews
import Synchronization

/// A loader for view tests: its loads finish when and how the test says.
///
/// ```swift
/// let loader = ManualLoader()
/// view.gannet.loader = loader
/// view.gannet.setImage(with: "https://example.org/a.png")
/// loader.first.succeed(picture)
/// ```
///
/// A cancelled load ends with `cancelled` at once. With `answersAfterCancelling` it continues until the test ends it, like a
/// load that is cancelled too late.
public final class ManualLoader: ImageLoading {
    /// One load that a view started.
    public final class Load: Sendable {
        /// The request as the view passed it.
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

        /// Whether the view has cancelled it.
        public var isCancelled: Bool { state.withLock { $0.cancelled } }
        /// Later priorities in order; the first is in the request.
        public var priorityChanges: [LoadPriority] { priorities.withLock { $0 } }

        /// False: the load has ended, and the event is dropped.
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

        /// False: the load had already ended.
        @discardableResult public func succeed(_ image: DecodedImage, origin: LoadedImage.Origin = .network) -> Bool {
            send(.finished(.success(LoadedImage(image: image, origin: origin))))
        }

        /// False: the load had already ended.
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

    /// By default cancelled loads end at once.
    public init(answersAfterCancelling: Bool = false) { self.answersAfterCancelling = answersAfterCancelling }

    /// The loads so far, in order.
    public var loads: [Load] { state.withLock { $0.loads } }

    /// For an unknown number, returns a load that is never read: the test fails instead of the process.
    public func load(_ index: Int) -> Load {
        let loads = loads
        return index < loads.count ? loads[index] : Load("https://example.org/missing")
    }

    /// ``load(_:)`` with number 0.
    public var first: Load { load(0) }

    /// All requests looked up in memory.
    public var lookups: [ImageRequest] { state.withLock { $0.lookups } }

    /// Puts an image of this source into memory.
    public func remember(_ image: DecodedImage, for source: ImageSource) {
        state.withLock { $0.cache[source.keyText] = LoadedImage(image: image, origin: .memory) }
    }

    /// Puts a smaller image of this source into memory, as a substitute while the right one loads.
    public func rememberSmaller(_ image: DecodedImage, for source: ImageSource) {
        state.withLock { $0.smaller[source.keyText] = LoadedImage(image: image, origin: .memory) }
    }

    public func otherSize(for request: ImageRequest) -> LoadedImage? { state.withLock { $0.smaller[request.source.keyText] } }

    public func cachedImage(for request: ImageRequest) -> LoadedImage? {
        state.withLock {
            $0.lookups.append(request)
            return $0.cache[request.source.keyText]
        }
    }

    public func startLoad(_ request: ImageRequest) -> PresentedLoad {
        let load = Load(request, answersAfterCancelling: answersAfterCancelling)
        state.withLock { $0.loads.append(load) }
        return PresentedLoad(
            events: load.stream, cancel: { load.cancel() }, priority: request.schedule.priority ?? .normal,
            setPriority: { load.setPriority($0) })
    }
}
