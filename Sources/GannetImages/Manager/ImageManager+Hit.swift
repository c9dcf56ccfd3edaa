import GannetCore
import GannetFetch
import GannetPlatform

extension ImageManager {
    /// The image of a request without options, or with those of decoding alone, from memory, as the general way finds it
    /// (``ImagePipeline/lookUpMemory(_:)``), without a resolved request and its keys: those are most of what a hit costs. Nil: memory does not deliver it, or the request has to go the general way.
    func simpleHit(for request: ImageRequest) -> LoadedImage? {
        guard pipeline.leavesRequestsAlone, let memory = configuration.memoryCache,
            let key = RequestKeys.variant(ofSimple: request),
            let picture = memory.image(for: key)
        else { return nil }
        var facts = LoadFacts(lookup: .automatic, now: configuration.time.now)
        facts.memory = .stored(StoredFacts(of: picture))
        guard case .deliver = LoadPlan.next(facts) else { return nil }
        return LoadedImage(picture)
    }
}
