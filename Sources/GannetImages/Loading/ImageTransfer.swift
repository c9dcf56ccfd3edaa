import GannetCore
import GannetFetch
import GannetPlatform

/// The transfer of one request's bytes, which all that is made of them shares.
final class ImageTransfer: FetchOwner {
    let pipeline: ImagePipeline
    let prepared: PreparedRequest

    init(pipeline: ImagePipeline, prepared: PreparedRequest) { (self.pipeline, self.prepared) = (pipeline, prepared) }

    /// Waits for the running transfer of a key, or carries out its work.
    typealias Join = (CacheKey, @escaping JobTable<FetchProgress, FetchedBytes>.Work) async throws(ImageError) -> (
        value: FetchedBytes, wasJoined: Bool
    )

    func request(_ priority: LivePriority) -> FetchRequest {
        var request = FetchRequest(prepared.request, keys: prepared.keys, id: prepared.id)
        request.accept = pipeline.configuration.coders.acceptHeader
        request.priority = priority.current
        request.policy = pipeline.configuration.policy
        request.countsUses = prepared.request.cache.countsUses
        if prepared.request.cache.lookup == .revalidate { request.download.forcesRevalidation = true }
        return request
    }

    /// One running transfer per key, whatever is made of its bytes. `failures`: sources whose bytes are no image.
    func fetched(
        _ ownKey: CacheKey, _ priority: LivePriority, after failures: [FailedAttempt] = [], _ join: Join
    ) async throws(ImageError) -> FetchedBytes {
        var key = ownKey
        for failure in failures { key = CacheKey(key.text + RequestKeys.separatorText + "after=" + failure.source.keyText) }
        let (fetched, wasJoined) = try await pipeline.observer.stage(.load, prepared.id) { () throws(ImageError) in
            try await join(key) { [self] job throws(ImageError) in
                var request = request(priority)
                request.failures = failures
                request.follower = job
                request.owner = self
                return try await pipeline.fetcher.fetchWaiting(request)
            }
        }
        if wasJoined { pipeline.observer.note(prepared.id, .joined(key)) }
        if fetched.needsRevalidation { revalidateBehind(after: failures) }
        return fetched
    }

    /// `stale-while-revalidate` (RFC 5861 §3): the stale image is delivered, the next request finds the new one.
    private func revalidateBehind(after failures: [FailedAttempt]) {
        var request = request(LivePriority(.low))
        request.failures = failures
        request.asksForWhole()
        let key = CacheKey("revalidate\u{1}" + prepared.keys.join.text)
        request.owner = self
        let forced = request
        pipeline.transfers.launch(key, priority: .low) { [fetcher = pipeline.fetcher] job throws(ImageError) in
            var forced = forced
            forced.follower = job
            return try await fetcher.fetch(forced)
        }
    }

    // MARK: Facts of the cache of bytes, for images

    /// Removes everything made of a source that has changed; the fetcher has already removed its bytes. New requests do not join
    /// a load that may have the old bytes.
    func invalidated(_ sourceText: String) async {
        let isOfSource = { (key: CacheKey) in
            key.text.split(separator: RequestKeys.separatorCharacter).contains { $0 == sourceText }
        }
        pipeline.transfers.retire(where: isOfSource)
        pipeline.images.retire(where: isOfSource)
        pipeline.encodings.retire(where: isOfSource)
        let (configuration, options) = (pipeline.configuration, prepared.request.cache)
        configuration.memoryCache?.remove(CacheKey(sourceText))
        configuration.memoryCache?.removeAll(prefix: sourceText + RequestKeys.separatorText)
        for cache in [configuration.diskCache, configuration.originalCache, options.store, options.originalStore] {
            try? await cache?.removeAll(of: sourceText)
        }
    }

    /// Removes images from memory that were made of other bytes than those stored now. Images on disk are compared when they are
    /// read; they are removed here only if the stored bytes to compare them with are gone.
    func replaced(_ storage: CacheKey, isGone: Bool) async {
        // Once newer bytes are stored, before memory is cleared of what was made of the older.
        pipeline.generations.note(.replaced)
        pipeline.configuration.memoryCache?.remove(storage)
        pipeline.configuration.memoryCache?.removeAll(prefix: storage.text + RequestKeys.separatorText)
        guard isGone, let cache = prepared.request.cache.store ?? pipeline.configuration.diskCache else { return }
        for part in RequestKeys.madeOfStored { try? await cache.removeAll(prefix: storage.text + part) }
    }
}

extension FetchedBytes {
    /// The source's freshness as far as it is known; unknown for sources without HTTP.
    var freshness: Freshness {
        var known = metadata?.freshness ?? encoded?.freshness ?? imageFreshness ?? .unknown
        if dependsOnUnkeyedUser { known.forbidsStoring = true }
        return known
    }

    /// Whether the response only answers the request's own range or condition, and so says nothing of the image.
    var answersFields: Bool { [206, 304].contains(metadata?.http?.status) }

    /// The bytes came from one of the request's other sources; URLs that differ in their fragments are one.
    func isFromOtherSource(than request: ResolvedRequest) -> Bool {
        source.map { $0 != request.source && $0.keyText != request.source.keyText } ?? false
    }

    /// As a result has them.
    func encoded(as image: DecodedImage) -> EncodedImage? {
        guard case .encoded(var encoded) = content else { return nil }
        encoded.format = image.metadata.format
        encoded.freshness = freshness
        return encoded
    }
}
