public import GannetCore
import GannetFetch
import Synchronization

/// Loads images before they are needed, at low priority.
///
/// Every call starts its own batch; a later batch never cancels an earlier one. An image that becomes visible while it is
/// prefetched is not loaded twice: the visible request joins the running work, whose priority rises at once.
public final class ImagePrefetcher: Sendable {
    private let manager: ImageManager
    private let gate: PriorityGate
    private let batches = Mutex<[ObjectIdentifier: PrefetchBatch]>([:])
    private let live: LivePriority
    /// How far the images of all batches are processed. `disk`: only the bytes are stored, and nothing is decoded. Otherwise images
    /// are decoded and transformed, in memory and on disk.
    public let destination: CacheTier

    /// `concurrency`: images loaded at once over all batches, default 3. - SDWebImage: maxConcurrentPrefetchCount
    public init(
        manager: ImageManager, concurrency: Int = 3, priority: LoadPriority = .low, destination: CacheTier = .memory
    ) {
        self.manager = manager
        live = LivePriority(priority)
        self.destination = destination
        gate = PriorityGate(limit: concurrency)
    }

    /// The priority of requests that have none. May be changed at any time: running and waiting loads change with it.
    public var priority: LoadPriority {
        get { live.current }
        set { live.set(newValue) }
    }

    /// May be changed at any time.
    public var concurrency: Int {
        get { gate.limit }
        set {
            gate.limit = newValue
            for batch in runningBatches { batch.noteLimit() }
        }
    }

    /// While paused, no load starts; running loads continue.
    public var isPaused: Bool {
        get { gate.isSuspended }
        set { gate.isSuspended = newValue }
    }

    /// Starts at once. The batch runs to its end even if the caller drops it.
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

    /// For code that is not async yet: the same with closures. `progress` may be skipped if it is produced faster than it is
    /// consumed; `completion` is called exactly once and last, also after ``PrefetchBatch/cancel()``.
    /// - SDWebImage: prefetchURLs(_:progress:completed:)
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest],
        on executor: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
        progress: (@Sendable (PrefetchBatch.Progress) -> Void)? = nil,
        completion: @escaping @Sendable (PrefetchBatch.Progress) -> Void
    ) -> PrefetchBatch {
        let batch = prefetch(requests)
        // Ends with the batch, which always ends. Never cancelled, so that the completion is not lost.
        Task {
            for await step in batch.updates { if let progress { executor { progress(step) } } }
            let end = batch.progress
            executor { completion(end) }
        }
        return batch
    }

    /// Batches that are not over yet.
    public var runningBatches: [PrefetchBatch] { batches.withLock { Array($0.values) } }

    /// - SDWebImage: cancelPrefetching
    public func cancelAll() { for batch in runningBatches { batch.cancel() } }

    /// The kind of child task that ended: an image load, or the wait for a changed limit.
    private enum Ended { case image, watch }

    private func run(_ requests: [ImageRequest], _ batch: PrefetchBatch) async {
        // At most one more child task than slots: a batch of a million requests does not create a million tasks.
        await withTaskGroup(of: Ended.self) { group in
            var next = requests.startIndex
            var running = 0
            var isWatching = false
            while next < requests.endIndex || running > 0 {
                while running < max(gate.limit, 1), next < requests.endIndex {
                    let index = next
                    group.addTask {
                        await self.one(requests[index], index, batch)
                        return .image
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
                case .image: running -= 1
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
        let prepared = await manager.pipeline.prepare(try manager.pipeline.begin(request))
        if destination == .disk {
            if await manager.hasStoredBytes(prepared, priority: priority) { return .skipped }
            let result = try await manager.fetchBytes(prepared, priority: priority)
            return result.origin == .disk ? .skipped : .loaded
        }
        if manager.pipeline.isInMemory(prepared) { return .skipped }
        // An image made from a larger one in memory is new there, too.
        _ = try await manager.pipeline.load(prepared, priority: priority)
        return .loaded
    }
}

extension ImagePrefetcher {
    /// The same for URLs, texts or values of your own, all with these options.
    @_disfavoredOverload @discardableResult
    public func prefetch(_ sources: [some ImageSourceConvertible], _ options: RequestOption...) -> PrefetchBatch {
        prefetch(sources.map { ImageRequest($0, options: options) })
    }
}
