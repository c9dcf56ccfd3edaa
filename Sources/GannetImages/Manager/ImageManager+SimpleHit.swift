import GannetCore
import GannetFetch
import GannetPlatform

extension ImageManager {
    /// Fast path: the image in memory of a request without options, or with options of decoding alone. Gives the same result as
    /// ``ImagePipeline/lookUpMemory(_:)`` without resolving the request and making all its keys, which are most of the cost of a hit.
    /// Nil if memory does not deliver the image, or if the request needs the general way.
    func simpleHit(for request: ImageRequest) -> LoadedImage? {
        guard pipeline.leavesRequestsAlone, let memory = configuration.memoryCache,
            let key = RequestKeys.variant(ofSimple: request),
            let cached = memory.image(for: key)
        else { return nil }
        var facts = LoadFacts(lookup: .automatic, now: configuration.time.now)
        facts.memory = .stored(StoredFacts(of: cached))
        guard case .deliver = LoadPlan.next(facts) else { return nil }
        return LoadedImage(cached)
    }
}
