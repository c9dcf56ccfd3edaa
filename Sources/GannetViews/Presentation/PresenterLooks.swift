import GannetCore
import GannetImages

/// A presenter's looks into memory and the loads after them. A manager prepares a request once for both.
struct PresenterLooks {
    /// The newest look that missed, until its load starts.
    private var missed: (generation: Generation, manager: ImageManager, look: MemoryLookup)?

    /// An error counts as a miss: the load that follows reports it. `readsDisk`: **blocks**, and looks on disk too.
    mutating func look(
        for request: ImageRequest, _ generation: Generation, in loader: any ImageLoading, readsDisk: Bool
    ) -> (cached: LoadedImage?, fallback: LoadedImage?) {
        if let manager = loader as? ImageManager, !readsDisk {
            let look = manager.look(for: request)
            missed = look.cached == nil ? (generation, manager, look) : nil
            return (look.cached, look.otherSize)
        }
        let cached =
            readsDisk ? (try? loader.blockingCachedImage(for: request)) ?? nil : loader.cachedImage(for: request)
        return (cached, cached == nil ? loader.otherSize(for: request) : nil)
    }

    /// Uses the look of the same call, unless a handler made another call in between or changed the loader.
    mutating func startLoad(_ request: ImageRequest, _ generation: Generation, by loader: any ImageLoading) -> PresentedLoad {
        defer { missed = nil }
        guard let missed, missed.generation == generation, let manager = loader as? ImageManager, manager === missed.manager
        else {
            return loader.startLoad(request)
        }
        return PresentedLoad(manager.task(for: request, after: missed.look))
    }
}
