public import GannetCore
import GannetFetch

// Summaries of stored images: what can be shown while the image itself is read or fetched again.

extension ImageManager {
    /// The summary stored with the image of this request, or with its original; nil if there is none. Reads only the entry's
    /// metadata, and answers for stale and for expired entries too, as long as they are there.
    ///
    /// Entries have one if the load that stored them asked for it: `request.with(.summarized)`.
    public func summary(for request: ImageRequest) async -> ImageSummary? {
        guard let load = try? begin(request) else { return nil }
        let prepared = await prepare(load)
        let options = prepared.request.cache
        if let cache = options.store ?? configuration.diskCache,
            let summary = try? await cache.metadata(for: prepared.keys.variant)?.summary
        {
            return summary
        }
        guard let original = try? await originalCache(options)?.metadata(for: prepared.keys.storage),
            freshness(of: original, for: prepared) != nil
        else { return nil }
        return original.summary
    }

    func summary(of image: DecodedImage) async throws(ImageError) -> ImageSummary {
        try await work.encode(image) { () throws(ImageError) in try ImageSummary(image.bitmap) }
    }

    /// Adds the summary to a stored original. Its bytes are stored before they are decoded, so the summary follows later, unless
    /// other bytes have been stored there by then.
    func summarizeOriginal(_ picture: CachedImage, _ original: DecodedOriginal, _ prepared: PreparedRequest) {
        let options = prepared.request.cache
        guard options.writesOriginal(isPicture: prepared.keys.isStoredResponse), let cache = originalCache(options) else {
            return
        }
        stores.launch(storeKey(prepared.keys.storage, cache)) { [self] () throws(ImageError) in
            let key = original.stored?.key ?? prepared.keys.storage
            func current() async throws(ImageError) -> CacheEntryMetadata? {
                guard let metadata = try await cache.metadata(for: key), metadata.summary == nil,
                    original.stored.map({ $0.metadata.storedAt == metadata.storedAt }) ?? true,
                    metadata.freshness.etag == picture.freshness.etag,
                    metadata.freshness.lastModified == picture.freshness.lastModified
                else { return nil }
                return metadata
            }
            guard try await current() != nil else { return }
            let summary = try await self.summary(of: picture.image)
            // Read once more: meanwhile the source may have been asked again.
            guard var metadata = try await current() else { return }
            metadata.summary = summary
            try await cache.update(metadata, for: key)
        }
    }

    /// Where stored responses are: as ``FetchRequest/cache`` and the fetcher's have it.
    func originalCache(_ options: ResolvedCacheOptions) -> (any ImageCaching)? {
        options.originalStore ?? options.store ?? configuration.originalCache ?? configuration.diskCache
    }
}
