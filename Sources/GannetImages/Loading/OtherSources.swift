import FoundationEssentials
import GannetCore
import GannetFetch

/// Images of a request's other sources, for as long as those are loaded in its place: kept in memory under their own names, never
/// under the request's.
struct OtherSources {
    let pipeline: ImagePipeline
    let prepared: PreparedRequest

    /// The key that a request for `other` with the same options has; nil for sources whose keys tell their present state too.
    private func key(of other: ImageSource) -> CacheKey? {
        let download = prepared.request.download
        guard download.method == "GET", case .url(let url) = other, other.keyText.hasPrefix("http") else { return nil }
        // Another origin was asked without what is for the first one's ears: that is not what such a request would bring.
        if download.credential != nil || !download.headers.isEmpty, case .url(let own) = prepared.request.source,
            HTTPOrigin(own) != HTTPOrigin(url)
        {
            return nil
        }
        return prepared.memoryKey(prepared.keys.variant.replacingSource(with: other.keyText))
    }

    func keep(_ made: MadeImage, from other: ImageSource) {
        let options = prepared.request.cache
        // If stored bytes were replaced meanwhile, it is unknown whether this image was made of the newer ones.
        guard prepared.keys.allowsStoring, options.write.contains(.memory), options.memoryExpiration != .expired,
            !pipeline.generations.hasReplaced(since: prepared.begun), let key = key(of: other)
        else { return }
        let cached = CachedImage(image: made.image, freshness: made.freshness, expiration: options.memoryExpiration)
        pipeline.keepInMemory(cached, for: key, since: prepared.begun)
        if pipeline.generations.hasReplaced(since: prepared.begun) { pipeline.configuration.memoryCache?.remove(key) }
    }

    /// The image, in memory, of the first other source that a load would turn to now: the one for saving data while that is on,
    /// and those behind sources that failed a moment ago.
    func image(in memory: any ImageMemoryCaching) -> CachedImage? {
        let (request, download) = (prepared.request, prepared.request.download)
        let low = download.lowDataSource == nil || !pipeline.fetcher.savesData ? nil : download.lowDataSource
        guard low != nil || !download.alternatives.isEmpty else { return nil }
        for source in [low ?? request.source] + download.alternatives {
            let isOwn = source == request.source
            if !isOwn, let key = key(of: source), let cached = memory.image(for: key) { return cached }
            let stored = isOwn ? prepared.keys.storage : prepared.keys.storage.replacingSource(with: source.keyText)
            // A load turns to this source unless it is skipped as failed, so images of later sources do not count.
            guard !request.schedule.retryFailedSources, pipeline.fetcher.failedSources.isListed(source, storedAt: stored) else {
                return nil
            }
        }
        return nil
    }
}
