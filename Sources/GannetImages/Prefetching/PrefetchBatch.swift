public import GannetCore
import Synchronization

/// One call of ``ImagePrefetcher/prefetch(_:)``: its progress, and the handle to cancel it.
public final class PrefetchBatch: Sendable {
    /// The outcome of one request of the batch.
    public enum Outcome: Sendable {
        /// Now at the batch's destination, and was not before.
        case loaded
        /// Cached at the batch's destination already.
        case skipped
        /// Also with `cancelled`, for requests that were left when the batch ended.
        case failed(ImageError)
    }

    /// Counts; a snapshot.
    public struct Progress: Hashable, Sendable {
        /// Requests of the batch; it does not change.
        public var total: Int
        /// Loaded by this batch, or by a running load that it joined.
        public var loaded = 0
        /// Cached already. - Kingfisher: skippedResources
        public var skipped = 0
        /// Failed with an error, or cancelled; ``PrefetchBatch/failures`` lists them.
        public var failed = 0
        /// Requests with any outcome.
        public var finished: Int { loaded + skipped + failed }
        /// 0 … 1; 1 for an empty batch.
        public var fraction: Double { total == 0 ? 1 : Double(finished) / Double(total) }
    }

    /// One request that is finished.
    public struct Item: Sendable {
        /// The index of the request in the batch.
        public var index: Int
        /// Final: each request has one.
        public var outcome: Outcome
    }

    private struct State {
        var progress: Progress
        var failures: [Int: ImageError] = [:]
        var skipped: Set<Int> = []
        /// Indices of finished requests, in the order in which they finished.
        var order: [Int] = []
        var itemListeners: [AsyncStream<Item>.Continuation] = []
        var driver: Task<Void, Never>?
        var isCancelled = false
        var isOver = false
        var listeners: [AsyncStream<Progress>.Continuation] = []
        /// Callers of `wait()`, which are notified of the end only.
        var waiters: [AsyncStream<Void>.Continuation] = []
    }

    private let state: Mutex<State>
    private let (limitChanges, limitChanged) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(total: Int) { state = Mutex(State(progress: Progress(total: total))) }

    /// The current counts; ``updates`` reports each change.
    public var progress: Progress { state.withLock { $0.progress } }
    /// The errors by index of the request.
    public var failures: [Int: ImageError] { state.withLock { $0.failures } }
    /// True once every request has its outcome, also after a cancellation.
    public var isFinished: Bool { state.withLock { $0.isOver } }

    /// The newest progress after every item; ends with the batch. A slow reader misses steps in between, never the last.
    public var updates: AsyncStream<Progress> {
        let (stream, continuation) = AsyncStream.makeStream(of: Progress.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            continuation.yield(state.progress)
            if state.isOver { continuation.finish() } else { state.listeners.append(continuation) }
        }
        return stream
    }

    /// Every request as it finishes, in that order, from the first one on, for any number of readers; ends with the batch.
    public var items: AsyncStream<Item> {
        let (stream, continuation) = AsyncStream.makeStream(of: Item.self)
        state.withLock { state in
            for index in state.order { continuation.yield(Item(index: index, outcome: Self.outcome(of: index, state))) }
            if state.isOver { continuation.finish() } else { state.itemListeners.append(continuation) }
        }
        return stream
    }

    private static func outcome(of index: Int, _ state: State) -> Outcome {
        if let error = state.failures[index] { return .failed(error) }
        return state.skipped.contains(index) ? .skipped : .loaded
    }

    /// Waits for the end and returns the final counts.
    public func wait() async -> Progress {
        // Without the steps in between, each of which would wake the caller.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            if state.isOver { continuation.finish() } else { state.waiters.append(continuation) }
        }
        for await _ in stream {}
        return progress
    }

    /// Ends the batch; requests that are not loaded yet count as failed with `cancelled`. Other batches continue.
    public func cancel() {
        let driver = state.withLock { state in
            state.isCancelled = true
            return state.driver
        }
        driver?.cancel()
    }

    func noteLimit() { limitChanged.yield() }

    /// Returns after the next ``noteLimit()``, or at once if one came while no task was waiting; also when its task is cancelled.
    func limitChange() async { for await _ in limitChanges { return } }

    func attach(_ driver: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            if !state.isOver { state.driver = driver }
            return state.isCancelled
        }
        if isCancelled { driver.cancel() }
    }

    func finish(_ index: Int, _ outcome: Outcome) {
        state.withLock { state in
            switch outcome {
            case .loaded: state.progress.loaded += 1
            case .skipped:
                state.progress.skipped += 1
                state.skipped.insert(index)
            case .failed(let error):
                state.progress.failed += 1
                state.failures[index] = error
            }
            state.order.append(index)
            for listener in state.listeners { listener.yield(state.progress) }
            for listener in state.itemListeners { listener.yield(Item(index: index, outcome: outcome)) }
        }
    }

    func end() {
        state.withLock { state in
            state.isOver = true
            state.driver = nil
            for listener in state.listeners { listener.finish() }
            state.listeners = []
            for waiter in state.waiters { waiter.finish() }
            state.waiters = []
            for listener in state.itemListeners { listener.finish() }
            state.itemListeners = []
        }
    }
}
