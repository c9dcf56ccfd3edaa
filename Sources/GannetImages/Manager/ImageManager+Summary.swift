public import GannetCore
import GannetFetch

// Summaries of stored images: what can be shown while the image itself is read or fetched again.

extension ImageManager {
    /// The summary stored with the image of this request, or with its original; nil if there is none. Reads only the entry's
    /// metadata, and answers for stale and for expired entries too, as long as they are there.
    ///
    /// Entries have one if the load that stored them asked for it: `request.with(.summarized)`.
    public func summary(for request: ImageRequest) async -> ImageSummary? {
        guard let load = try? pipeline.begin(request) else { return nil }
        let prepared = await pipeline.prepare(load)
        let options = prepared.request.cache
        if let cache = options.store ?? configuration.diskCache,
            let summary = try? await cache.metadata(for: prepared.keys.variant)?.summary
        {
            return summary
        }
        let tiers = StoredTiers(pipeline: pipeline, prepared: prepared)
        guard let original = try? await tiers.originals?.storedResponse(for: prepared.keys.storage)?.metadata,
            tiers.freshness(of: original) != nil
        else { return nil }
        return original.summary
    }
}
