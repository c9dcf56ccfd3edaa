public import GannetCore
public import GannetFetch
import Synchronization

/// Loads images: memory, disk, source, decode, transform, store. The one object most programs need.
///
///     let image = try await manager.image(for: "https://example.org/a.jpg", .fit(400, 300))
///
/// Holds only constants; what changes lives in the parts (see Documentation/Concurrency.md). Equal requests that run at the
/// same time share their work, whole or in part: the transfer, the decoded original, the finished image.
public final class ImageManager: Sendable {
    /// The configuration as given; most of its parts are shared objects, which may be changed at run time.
    public let configuration: ManagerConfiguration
    /// Fetches bytes by the cache rules of HTTP, without decoding them.
    public let fetcher: ByteFetcher
    package let observer: ObserverList
    let work: PixelWork

    let transfers: JobTable<FetchProgress, FetchedBytes>
    let originals: JobTable<LoadSnapshot, DecodedOriginal>
    let variants: JobTable<LoadSnapshot, LoadedImage>
    /// Transformers of chains that begin alike.
    let chains: JobTable<Never, DecodedImage>
    /// Stores that continue after the result was delivered.
    let stores = StoreQueue()
    let sizes = KnownSizes()
    let ownCaches = OwnCaches.shared
    /// Whether no part of this manager changes or observes requests, and its defaults are plain; see ``simpleHit(for:)``.
    let leavesRequestsAlone: Bool
    private let counter = Atomic<UInt64>(0)

    /// Opens nothing when it is made. Managers with the same caches may be used side by side, but share no running work.
    public init(configuration: ManagerConfiguration) {
        self.configuration = configuration
        let graph = JobGraph()
        (transfers, originals) = (JobTable(graph), JobTable(graph))
        (variants, chains) = (JobTable(graph), JobTable(graph))
        observer = ObserverList(configuration.observers)
        leavesRequestsAlone =
            configuration.interceptors.isEmpty && configuration.observers.isEmpty && configuration.optionsProcessor == nil
            && configuration.defaults.isPlain
        work = PixelWork(
            slots: configuration.concurrentDecodes, budget: configuration.decodeBudget, executor: configuration.executor)
        fetcher = ByteFetcher(
            loaders: configuration.loaders, cache: configuration.originalCache ?? configuration.diskCache,
            time: configuration.time, slots: configuration.slots, policy: configuration.httpPolicy,
            failedSources: configuration.failedSources
                ?? FailedSources(policy: configuration.policy, time: configuration.time),
            retry: configuration.retry, observers: configuration.observers,
            formatOf: { [coders = configuration.coders] in coders.format(of: $0) })
    }

    package var decodeGate: PriorityGate { work.gate }
    package var budget: ResourceBudget { work.budget }

    func nextNumber() -> UInt64 { counter.add(1, ordering: .relaxed).newValue }

    /// Loads the image. Cancelled with the caller's task.
    ///
    /// Throws `ImageError` with the stage where it failed; exactly one result, never the image of another request.
    public func image(for request: ImageRequest) async throws(ImageError) -> LoadedImage {
        try await image(for: request, priority: nil)
    }

    /// Loads with a priority that may be changed from outside; nil: the request's.
    package func image(for request: ImageRequest, priority: LivePriority?) async throws(ImageError) -> LoadedImage {
        try ImageError.checkCancellation()
        if let hit = simpleHit(for: request) { return hit }
        let prepared = await prepare(try begin(request))
        return try await load(prepared, priority: priority ?? LivePriority(prepared.request.schedule.priority))
    }

    /// The same for a source alone: `options` in order, later ones over earlier ones.
    public func image(for source: ImageSource, _ options: RequestOption...) async throws(ImageError) -> LoadedImage {
        try await image(for: ImageRequest(source, options: options))
    }

    /// A running load that can be watched, re-prioritised and cancelled.
    public func task(for request: ImageRequest) -> ImageTask { ImageTask(request, manager: self) }

    /// The same for a source alone: `options` in order, later ones over earlier ones.
    public func task(for source: ImageSource, _ options: RequestOption...) -> ImageTask {
        task(for: ImageRequest(source, options: options))
    }

    /// The image in the memory cache, without suspending or blocking. Returns only fresh images, unless the request's lookup
    /// policy says otherwise. Observers see a hit as a load; they see a miss in the load that follows. Nil if there are
    /// interceptors, which wrap every load and are asynchronous, and for a file whose state is not in the kernel's memory
    /// (``ImageLoader/identityAtOnce(of:)``).
    public func cachedImage(for request: ImageRequest) -> LoadedImage? {
        if let hit = simpleHit(for: request) { return hit }
        guard configuration.interceptors.isEmpty, let prepared = try? prepareAtOnce(request) else { return nil }
        return memoryImage(prepared)
    }

    /// Memory, then disk, on this thread: **blocks** for a file read and a decode. Nil where there are interceptors.
    /// - SDWebImage: queryDiskDataSync
    public func blockingCachedImage(for request: ImageRequest) throws(ImageError) -> LoadedImage? {
        let prepared = try blockingPrepare(request)
        guard configuration.interceptors.isEmpty else { return nil }
        if let hit = memoryImage(prepared) { return hit }
        return try blockingDiskImage(prepared)
    }

    func memoryImage(_ prepared: PreparedRequest) -> LoadedImage? {
        guard case .deliver(let picture) = lookUpMemory(prepared) else { return nil }
        let result = loaded(picture, prepared)
        if !observer.isEmpty { observer.tellMemoryHit(result, prepared) }
        return result
    }

    /// Whether memory has the image, whatever interceptors would do with the request. Observers are not notified.
    package func isInMemory(_ request: ImageRequest) -> Bool {
        guard let prepared = try? prepareAtOnce(request) else { return false }
        return isInMemory(prepared)
    }

    func isInMemory(_ prepared: PreparedRequest) -> Bool {
        if case .deliver = lookUpMemory(prepared) { true } else { false }
    }

    /// Waits for all transfers, including background revalidation and transfers whose source was changed meanwhile. For programs
    /// that are about to end: it keeps these transfers alive even if their callers cancel, and may not return while new loads
    /// keep starting.
    public func waitForTransfers() async { await transfers.drain() }

    /// Waits until all pending stores have finished.
    ///
    /// Throws the newest failure that no call has thrown yet: an encoder's, a serializer's, or a cache's.
    public func waitForStores() async throws(ImageError) {
        await stores.drain()
        var failure = stores.takeFailure()
        for cache in [configuration.diskCache, configuration.originalCache] {
            do throws(ImageError) { try await cache?.flush() } catch {
                // Each cache reports a failure once: the next call throws the others.
                if failure == nil { failure = error } else { stores.note(error) }
            }
        }
        if let failure { throw failure }
    }

    /// Loads that run now.
    public var runningCount: Int { variants.jobCount }

    /// Requests that wait for those loads; equal ones wait for the same load.
    public var waiterCount: Int { variants.waiterCount }
    /// No job of any table runs.
    package var isIdle: Bool {
        variants.jobCount == 0 && originals.jobCount == 0 && transfers.jobCount == 0 && stores.jobCount == 0
            && chains.jobCount == 0 && decodeGate.runningCount == 0
    }
    package var runningPriorities: [LoadPriority] { variants.runningPriorities }
    package var transferPriorities: [LoadPriority] { transfers.runningPriorities }
    package var originalWaiterCount: Int { originals.waiterCount }
    package var transferWaiterCount: Int { transfers.waiterCount }
    package var chainWaiterCount: Int { chains.waiterCount }

    func loaded(_ picture: CachedImage, _ prepared: PreparedRequest) -> LoadedImage {
        modified(LoadedImage(picture), prepared)
    }

    func modified(_ result: LoadedImage, _ prepared: PreparedRequest) -> LoadedImage {
        guard let modifier = prepared.request.transform.modifier else { return result }
        var result = result
        result.image = modifier.modify(result.image)
        return result
    }
}

extension ImageManager {
    /// Modifies previews and stale images in the same way as the result, each image once.
    func modifying(_ report: Report?, _ prepared: PreparedRequest) -> Report? {
        guard let report, let modifier = prepared.request.transform.modifier else { return report }
        let last = Mutex<(number: Int, preview: DecodedImage?, stale: DecodedImage?)>((0, nil, nil))
        return { snapshot in
            guard snapshot.preview != nil || snapshot.stale != nil else { return report(snapshot) }
            var snapshot = snapshot
            var known = last.withLock { $0 }
            if let preview = snapshot.preview {
                if known.preview == nil || known.number != snapshot.previewNumber { known.preview = modifier.modify(preview) }
                known.number = snapshot.previewNumber
                snapshot.preview = known.preview
            }
            if let stale = snapshot.stale?.image {
                known.stale = known.stale ?? modifier.modify(stale)
                if let image = known.stale { snapshot.stale?.image = image }
            }
            last.withLock { [known] in $0 = known }
            report(snapshot)
        }
    }
}
