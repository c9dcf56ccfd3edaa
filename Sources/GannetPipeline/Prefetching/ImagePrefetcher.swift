public import FoundationEssentials
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
    private let live: LivePriority
    /// How far the pictures of all batches come; default: decoded, into memory.
    public let destination: Destination

    /// `concurrency` pictures at once over all batches, default 3. - SDWebImage: maxConcurrentPrefetchCount
    public init(
        manager: ImageManager, concurrency: Int = 3, priority: LoadPriority = .low, destination: Destination = .memory
    ) {
        self.manager = manager
        live = LivePriority(priority)
        self.destination = destination
        gate = PriorityGate(limit: concurrency)
    }

    /// Of requests that say nothing of their own. May be changed while running: what runs and what waits changes with it.
    public var priority: LoadPriority {
        get { live.current }
        set { live.set(newValue) }
    }

    /// May be changed while running.
    public var concurrency: Int {
        get { gate.limit }
        set {
            gate.limit = newValue
            for batch in runningBatches { batch.noteLimit() }
        }
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

    /// For code that is not async yet: the same, told by closures. `progress` may be skipped when it comes faster than it is taken;
    /// `completion` is called exactly once and last, also after ``PrefetchBatch/cancel()``.
    /// - SDWebImage: prefetchURLs(_:progress:completed:)
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest], on executor: CallbackExecutor = .direct,
        progress: (@Sendable (PrefetchBatch.Progress) -> Void)? = nil,
        completion: @escaping @Sendable (PrefetchBatch.Progress) -> Void
    ) -> PrefetchBatch {
        let batch = prefetch(requests)
        // Ends with the batch, which always ends; nobody cancels it, so that the completion is never lost.
        Task {
            for await step in batch.updates { if let progress { executor.run { progress(step) } } }
            let end = batch.progress
            executor.run { completion(end) }
        }
        return batch
    }

    /// Batches that are not over yet.
    public var runningBatches: [PrefetchBatch] { batches.withLock { Array($0.values) } }

    /// - SDWebImage: cancelPrefetching
    public func cancelAll() { for batch in runningBatches { batch.cancel() } }

    /// What of a batch's tasks ended: the load of a picture, or waiting for another limit.
    private enum Ended { case picture, watch }

    private func run(_ requests: [ImageRequest], _ batch: PrefetchBatch) async {
        // No more child tasks than slots, and one: a batch of a million costs no million tasks.
        await withTaskGroup(of: Ended.self) { group in
            var next = requests.startIndex
            var running = 0
            var isWatching = false
            while next < requests.endIndex || running > 0 {
                while running < max(gate.limit, 1), next < requests.endIndex {
                    let index = next
                    group.addTask {
                        await self.one(requests[index], index, batch)
                        return .picture
                    }
                    running += 1
                    next += 1
                }
                if next < requests.endIndex, !isWatching, !Task.isCancelled {
                    group.addTask {
                        await batch.limitChange()
                        return .watch
                    }
                    isWatching = true
                }
                switch await group.next() {
                case .picture: running -= 1
                case .watch: isWatching = false
                case nil: break
                }
            }
            group.cancelAll()
        }
        batch.end()
    }

    private func one(_ request: ImageRequest, _ index: Int, _ batch: PrefetchBatch) async {
        let priority = request.schedule.priority.map { LivePriority($0) } ?? live
        do throws(ImageError) {
            let outcome = try await gate.withSlot(priority: priority) { () throws(ImageError) -> PrefetchBatch.Outcome in
                try await self.load(request, priority)
            }
            batch.finish(index, outcome)
        } catch { batch.finish(index, .failed(error)) }
    }

    private func load(
        _ request: ImageRequest, _ priority: LivePriority
    ) async throws(ImageError) -> PrefetchBatch.Outcome {
        var request = request
        request.schedule.priority = priority.current
        let prepared = await manager.prepare(try manager.begin(request))
        switch destination {
        case .memory:
            if manager.isInMemory(prepared) { return .skipped }
            // Made of a larger one in memory it is new there, too.
            _ = try await manager.load(prepared, priority: priority)
            return .loaded
        case .disk:
            if await manager.hasStoredBytes(prepared, priority: priority) { return .skipped }
            let result = try await manager.fetchBytes(prepared, priority: priority)
            return result.origin == .disk ? .skipped : .loaded
        }
    }
}

extension ImagePrefetcher {
    /// The same for URLs, all with these options.
    @_disfavoredOverload @discardableResult
    public func prefetch(_ urls: [URL], _ options: RequestOption...) -> PrefetchBatch {
        prefetch(urls.map { ImageRequest(ImageSource($0), options: options) })
    }
}
