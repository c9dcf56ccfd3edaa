public import GannetCore

// Summaries of stored pictures: what can be shown while the picture itself is read or fetched again.

extension ImageManager {
    /// The summary stored with the picture of this request, or with its original; nil if there is none. Reads only the entry's
    /// metadata, and answers for stale and for expired entries too, as long as they are there.
    ///
    /// Entries have one if the load that stored them asked for it: `request.summarized()`.
    public func summary(for request: ImageRequest) async -> PictureSummary? {
        guard let prepared = try? prepare(request) else { return nil }
        let options = prepared.request.cache
        if let cache = options.store ?? configuration.diskCache,
            let summary = try? await cache.metadata(for: prepared.keys.variant)?.summary
        {
            return summary
        }
        return try? await originalCache(options)?.metadata(for: prepared.keys.storage)?.summary
    }

    func summary(of image: DecodedImage) async throws(ImageError) -> PictureSummary {
        try await configuration.executor.run { () throws(ImageError) in try PictureSummary(image.bitmap) }
    }

    /// The original's bytes are stored before anybody has decoded them: its summary follows.
    func summarizeOriginal(_ picture: CachedPicture, _ prepared: PreparedRequest) {
        let options = prepared.request.cache
        guard options.writeOriginal.contains(.disk), let cache = originalCache(options) else { return }
        stores.launch(storeKey(prepared.keys.storage, cache)) { [self] () throws(ImageError) in
            guard var metadata = try await cache.metadata(for: prepared.keys.storage), metadata.summary == nil else { return }
            metadata.summary = try await self.summary(of: picture.image)
            try await cache.update(metadata, for: prepared.keys.storage)
        }
    }

    func originalCache(_ options: ResolvedCacheOptions) -> (any ImageCaching)? {
        options.originalStore ?? configuration.originalCache ?? options.store ?? configuration.diskCache
    }
}
