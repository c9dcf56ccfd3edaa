import GannetCore
import GannetFetch

// Summaries are stored with images, or added to their originals.

extension ImagePipeline {
    func summary(of image: DecodedImage) async throws(ImageError) -> ImageSummary {
        try await work.encode(image) { () throws(ImageError) in try ImageSummary(image.bitmap) }
    }

    /// Adds the summary to a stored original. Its bytes are stored before they are decoded, so the summary follows later, unless
    /// other bytes have been stored there by then.
    func summarizeOriginal(_ picture: CachedImage, _ stored: StoredCopy?, _ prepared: PreparedRequest) {
        let options = prepared.request.cache
        guard options.writesOriginal(isStoredResponse: prepared.keys.isStoredResponse),
            let cache = StoredTiers(pipeline: self, prepared: prepared).originals
        else {
            return
        }
        stores.launch(storeName(prepared.keys.storage, cache)) { [self] () throws(ImageError) in
            let key = stored?.key ?? prepared.keys.storage
            func current() async throws(ImageError) -> CacheEntryMetadata? {
                guard let metadata = try await cache.metadata(for: key), metadata.summary == nil,
                    stored.map({ $0.metadata.storedAt == metadata.storedAt }) ?? true,
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
}
