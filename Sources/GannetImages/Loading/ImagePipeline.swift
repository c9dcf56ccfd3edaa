import GannetCore
import GannetFetch
import GannetPlatform
import Synchronization

/// The parts that the loads of one manager share: as they were given, running jobs, turns, and stores. Holds only constants; state
/// lives in the parts.
package final class ImagePipeline: Sendable {
    let configuration: ManagerConfiguration
    let fetcher: ByteFetcher
    let observer: ObserverList
    let work: PixelWork

    let transfers: JobTable<FetchProgress, FetchedBytes>
    /// Images, and what they are made of: originals, and chains of transformers that begin alike.
    let images: JobTable<LoadSnapshot, MadeImage>
    /// Images as files.
    let encodings: JobTable<LoadSnapshot, EncodedImage>
    /// Stores that continue after the result was delivered.
    let stores = StoreQueue()
    let sizes = KnownSizes()
    let batches: DecodeBatches
    let requestCaches = RequestCaches.shared
    /// Whether no part of this manager changes or observes requests, and its defaults are plain; see ``ImageManager/simpleHit(for:)``.
    let leavesRequestsAlone: Bool
    let defaults: RequestDefaults
    private let counter = Atomic<UInt64>(0)

    init(_ configuration: ManagerConfiguration) {
        self.configuration = configuration
        defaults = RequestDefaults(configuration.defaults)
        let graph = JobGraph()
        (transfers, images, encodings) = (JobTable(graph), JobTable(graph), JobTable(graph))
        batches = DecodeBatches(graph)
        observer = ObserverList(configuration.observers)
        leavesRequestsAlone =
            configuration.interceptors.isEmpty && configuration.observers.isEmpty && configuration.optionsProcessor == nil
            && defaults.isPlain
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

    var generations: Generations { fetcher.generations }

    func nextNumber() -> UInt64 { counter.add(1, ordering: .relaxed).newValue }

    /// Whether a load that has begun is still wanted once it has joined.
    func isWanted(_ prepared: PreparedRequest) -> Bool {
        !generations.wasCancelled(prepared.request.source, since: prepared.begun)
    }
}
