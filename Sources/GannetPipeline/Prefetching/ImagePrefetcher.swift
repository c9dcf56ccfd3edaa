public import GannetCore
import Synchronization

/// Loads pictures before they are needed, at low priority.
///
/// Every call makes a batch of its own; a later batch never cancels an earlier one (PF-03). A picture that becomes visible while
/// it is prefetched is not loaded twice: the visible request joins the running work, which rises to its priority at once.
public final class ImagePrefetcher: Sendable {
    /// How far a prefetched picture comes.
    public enum Destination: Sendable {
        /// Decoded and transformed, in memory and on disk.
        case memory
        /// Only the bytes, on disk: nothing is decoded.
        case disk
    }

    private let manager: ImageManager
    private let gate: PriorityGate
    private let batches = Mutex<[ObjectIdentifier: PrefetchBatch]>([:])
    public let priority: LoadPriority
    public let destination: Destination

    /// `concurrency` pictures at once over all batches, default 3. - SDWebImage: maxConcurrentPrefetchCount
    public init(
        manager: ImageManager, concurrency: Int = 3, priority: LoadPriority = .low, destination: Destination = .memory
    ) {
        self.manager = manager
        self.priority = priority
        self.destination = destination
        gate = PriorityGate(limit: concurrency)
    }

    /// May be changed while running.
    public var concurrency: Int {
        get { gate.limit }
        set { gate.limit = newValue }
    }

    /// While paused nothing new is begun; what runs goes on.
    public var isPaused: Bool {
        get { gate.isSuspended }
        set { gate.isSuspended = newValue }
    }

    /// Begins at once. The batch runs to its end also if nobody keeps it.
    @discardableResult
    public func prefetch(_ requests: [ImageRequest]) -> PrefetchBatch {
        let batch = PrefetchBatch(total: requests.count)
        batches.withLock { $0[ObjectIdentifier(batch)] = batch }
        // Ends when every request has ended; cancelled by the batch's `cancel()` or by `cancelAll()`.
        let driver = Task(priority: priority.taskPriority) {
            await self.run(requests, batch)
            self.batches.withLock { $0[ObjectIdentifier(batch)] = nil }
        }
        batch.attach(driver)
        return batch
    }

    /// Batches that are not over yet.
    public var runningBatches: [PrefetchBatch] { batches.withLock { Array($0.values) } }

    /// - SDWebImage: cancelPrefetching
    public func cancelAll() { for batch in runningBatches { batch.cancel() } }

    private func run(_ requests: [ImageRequest], _ batch: PrefetchBatch) async {
        // No more child tasks than slots: a batch of a million costs no million tasks.
        await withTaskGroup(of: Void.self) { group in
            var next = requests.startIndex
            var running = 0
            while next < requests.endIndex || running > 0 {
                while running < max(gate.limit, 1), next < requests.endIndex {
                    let index = next
                    group.addTask { await self.one(requests[index], index, batch) }
                    running += 1
                    next += 1
                }
                if running > 0 {
                    await group.next()
                    running -= 1
                }
            }
        }
        batch.end()
    }

    private func one(_ request: ImageRequest, _ index: Int, _ batch: PrefetchBatch) async {
        do throws(ImageError) {
            let outcome = try await gate.withSlot(priority: priority) { () throws(ImageError) -> PrefetchBatch.Outcome in
                try await self.load(request)
            }
            batch.finish(index, outcome)
        } catch { batch.finish(index, .failed(error)) }
    }

    private func load(_ request: ImageRequest) async throws(ImageError) -> PrefetchBatch.Outcome {
        var request = request
        request.schedule.priority = request.schedule.priority ?? priority
        if manager.cachedImage(for: request) != nil { return .skipped }
        switch destination {
        case .memory:
            let result = try await manager.image(for: request)
            return result.origin == .memory ? .skipped : .loaded
        case .disk:
            let result = try await manager.fetchBytes(for: request)
            return result.origin == .disk ? .skipped : .loaded
        }
    }
}

/// One call of ``ImagePrefetcher/prefetch(_:)``: its progress, and the handle to cancel it.
public final class PrefetchBatch: Sendable {
    public enum Outcome: Sendable {
        case loaded
        /// It was cached already.
        case skipped
        case failed(ImageError)
    }

    /// Counts; a snapshot.
    public struct Progress: Hashable, Sendable {
        public var total: Int
        public var loaded = 0
        public var skipped = 0
        public var failed = 0
        public var finished: Int { loaded + skipped + failed }
        /// 0 … 1; 1 for an empty batch.
        public var fraction: Double { total == 0 ? 1 : Double(finished) / Double(total) }
    }

    private struct State {
        var progress: Progress
        var failures: [Int: ImageError] = [:]
        var driver: Task<Void, Never>?
        var isCancelled = false
        var isOver = false
        var listeners: [AsyncStream<Progress>.Continuation] = []
    }

    private let state: Mutex<State>

    init(total: Int) { state = Mutex(State(progress: Progress(total: total))) }

    public var progress: Progress { state.withLock { $0.progress } }
    /// By index of the request.
    public var failures: [Int: ImageError] { state.withLock { $0.failures } }
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

    /// Waits for the end; the final counts.
    public func wait() async -> Progress {
        for await _ in updates {}
        return progress
    }

    /// Ends the batch; what was not loaded yet counts as failed with `cancelled`. Other batches go on.
    public func cancel() {
        let driver = state.withLock { state in
            state.isCancelled = true
            return state.driver
        }
        driver?.cancel()
    }

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
            case .skipped: state.progress.skipped += 1
            case .failed(let error):
                state.progress.failed += 1
                state.failures[index] = error
            }
            for listener in state.listeners { listener.yield(state.progress) }
        }
    }

    func end() {
        state.withLock { state in
            state.isOver = true
            state.driver = nil
            for listener in state.listeners { listener.finish() }
            state.listeners = []
        }
    }
}
