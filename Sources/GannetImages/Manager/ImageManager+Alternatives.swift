import FoundationEssentials
import GannetCore
import GannetFetch

// Images of a request's other sources (`alternatives`, `lowDataSource`): kept in memory under the keys of those sources, never
// under the request's.

extension ImageManager {
    /// The key of a request for `other` with the same options; nil for sources whose keys contain their present state.
    private func alternativeKey(of other: ImageSource, _ prepared: PreparedRequest) -> CacheKey? {
        let download = prepared.request.download
        guard download.method == "GET", case .url(let url) = other, other.keyText.hasPrefix("http") else { return nil }
        // Another origin was not sent the credentials of the first one, so its image may differ from that of such a request.
        if download.credential != nil || !download.headers.isEmpty, case .url(let own) = prepared.request.source,
            HTTPOrigin(own) != HTTPOrigin(url)
        {
            return nil
        }
        return prepared.memoryKey(prepared.keys.variant.replacingSource(with: other.keyText))
    }

    func keepStandIn(_ image: DecodedImage, from other: ImageSource, _ original: DecodedOriginal, _ prepared: PreparedRequest) {
        let options = prepared.request.cache
        // If stored bytes were replaced meanwhile, it is unknown whether this image was made of the newer ones.
        guard prepared.keys.allowsStoring, options.write.contains(.memory), options.memoryExpiration != .expired,
            !generations.hasReplaced(since: prepared.begun),
            let key = alternativeKey(of: other, prepared)
        else { return }
        let picture = CachedImage(image: image, freshness: original.freshness, expiration: options.memoryExpiration)
        keepInMemory(picture, for: key, since: prepared.begun)
        if generations.hasReplaced(since: prepared.begun) { configuration.memoryCache?.remove(key) }
    }

    /// The image, in memory, of the first other source that a load would use now: `lowDataSource` in data-saving mode, otherwise
    /// the first alternative whose predecessors failed a moment ago.
    func alternative(_ prepared: PreparedRequest, in memory: any ImageMemoryCaching) -> CachedImage? {
        let (request, download) = (prepared.request, prepared.request.download)
        let low = download.lowDataSource == nil || !fetcher.savesData ? nil : download.lowDataSource
        guard low != nil || !download.alternatives.isEmpty else { return nil }
        for source in [low ?? request.source] + download.alternatives {
            let isOwn = source == request.source
            if !isOwn, let key = alternativeKey(of: source, prepared), let picture = memory.image(for: key) { return picture }
            let stored = isOwn ? prepared.keys.storage : prepared.keys.storage.replacingSource(with: source.keyText)
            // A load turns to this source unless it is skipped as failed, so images of later sources do not count.
            guard !request.schedule.retryFailedSources, fetcher.failedSources.isListed(source, storedAt: stored) else {
                return nil
            }
        }
        return nil
    }
}
