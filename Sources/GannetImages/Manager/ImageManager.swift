public import GannetCore
public import GannetFetch

/// Loads images: memory, disk, source, decode, transform, store. The one object most programs need.
///
///     let image = try await manager.image(for: "https://example.org/a.jpg", .fit(400, 300))
///
/// Holds only constants; what changes lives in the parts (see Documentation/Concurrency.md). Equal requests that run at the
/// same time share their work, whole or in part: the transfer, the decoded original, the finished image.
public final class ImageManager: Sendable {
    package let pipeline: ImagePipeline

    /// Opens nothing when it is made. Managers with the same caches may be used side by side, but share no running work.
    public init(configuration: ManagerConfiguration) { pipeline = ImagePipeline(configuration) }

    /// As it was given; most parts of it are shared objects, which may be changed at run time.
    public var configuration: ManagerConfiguration { _read { yield pipeline.configuration } }
    /// Bytes with the cache rules of HTTP, without images.
    public var fetcher: ByteFetcher { pipeline.fetcher }
    package var observer: ObserverList { pipeline.observer }
    var work: PixelWork { pipeline.work }
    var transfers: JobTable<FetchProgress, FetchedBytes> { pipeline.transfers }
    var images: JobTable<LoadSnapshot, MadeImage> { pipeline.images }
    var encodings: JobTable<LoadSnapshot, EncodedImage> { pipeline.encodings }
    var stores: StoreQueue { pipeline.stores }
    var generations: Generations { pipeline.generations }

    package var decodeGate: PriorityGate { work.gate }
    /// Decodes that wait for their turn, if others of the same file may join them.
    package var waitingDecodes: Int { pipeline.batches.waitingCount }
    /// Images so far that were made in one decode with other sizes.
    package var sharedDecodeCount: Int { pipeline.batches.sharedCount }
    package var budget: ResourceBudget { work.budget }

    /// The image. Cancelled with the caller's task.
    ///
    /// Throws `ImageError` with the stage where it failed; exactly one result, never the image of another request.
    public func image(for request: ImageRequest) async throws(ImageError) -> LoadedImage {
        try await image(for: request, priority: nil)
    }

    /// Loads with a priority that may be changed from outside; nil: the request's.
    package func image(for request: ImageRequest, priority: LivePriority?) async throws(ImageError) -> LoadedImage {
        try ImageError.checkCancellation()
        if let hit = simpleHit(for: request) { return hit }
        let prepared = await pipeline.prepare(try pipeline.begin(request))
        return try await pipeline.load(prepared, priority: priority ?? LivePriority(prepared.request.schedule.priority))
    }

    /// The same for a URL, a text or a type of your own: `options` in order, later ones over earlier ones.
    public func image(for source: some ImageSourceConvertible, _ options: RequestOption...) async throws(ImageError)
        -> LoadedImage
    {
        try await image(for: ImageRequest(source, options: options))
    }

    /// A running load that can be watched, re-prioritised and cancelled.
    public func task(for request: ImageRequest) -> ImageTask { ImageTask(request, manager: self) }

    /// The same for a URL, a text or a type of your own: `options` in order, later ones over earlier ones.
    public func task(for source: some ImageSourceConvertible, _ options: RequestOption...) -> ImageTask {
        task(for: ImageRequest(source, options: options))
    }

    /// The image in the memory cache, without suspending or blocking. Returns only fresh images, unless the request's lookup
    /// policy says otherwise. Observers see a hit as a load; they see a miss in the load that follows. Nil if there are
    /// interceptors, which wrap every load and are asynchronous, and for a file whose state is not in the kernel's memory
    /// (``ImageLoader/identityAtOnce(of:)``).
    public func cachedImage(for request: ImageRequest) -> LoadedImage? {
        if let hit = simpleHit(for: request) { return hit }
        guard configuration.interceptors.isEmpty, let prepared = try? pipeline.prepareAtOnce(request) else { return nil }
        return pipeline.memoryImage(prepared)
    }

    /// Whether memory has the image, whatever interceptors would do with the request. Observers are not notified.
    package func isInMemory(_ request: ImageRequest) -> Bool {
        guard let prepared = try? pipeline.prepareAtOnce(request) else { return false }
        return pipeline.isInMemory(prepared)
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
    public var runningCount: Int { images.loadCount + encodings.loadCount }

    /// Requests that wait for those loads; equal ones wait for the same load.
    public var waiterCount: Int { images.loadWaiterCount + encodings.loadWaiterCount }
    /// No job of any table runs.
    package var isIdle: Bool {
        images.jobCount == 0 && encodings.jobCount == 0 && transfers.jobCount == 0 && stores.jobCount == 0
            && decodeGate.runningCount == 0
    }
    package var runningPriorities: [LoadPriority] { images.loadPriorities + encodings.loadPriorities }
    package var transferPriorities: [LoadPriority] { transfers.runningPriorities }
    /// Of all that images are made of, and of the loads' own callers.
    package var imageWaiterCount: Int { images.waiterCount }
    package var transferWaiterCount: Int { transfers.waiterCount }
}
