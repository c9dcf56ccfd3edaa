import GannetCore
import GannetFetch
import GannetPlatform

/// The entries of one request in the caches on disk, and the facts that the plan needs of them. Reads metadata.
struct StoredTiers {
    let pipeline: ImagePipeline
    let prepared: PreparedRequest

    private var configuration: ManagerConfiguration { _read { yield pipeline.configuration } }
    private var request: ResolvedRequest { prepared.request }

    /// Where images are; nil: this request reads none from a disk. Only images that differ from their original are there.
    var images: (any ImageCaching)? {
        guard request.cache.read.contains(.disk), prepared.keys.allowsStoring, prepared.keys.variant != prepared.keys.storage
        else { return nil }
        return request.cache.store ?? configuration.diskCache
    }

    /// Where stored responses are: as ``FetchRequest/cache`` and the fetcher's have it.
    var originals: (any ImageCaching)? {
        let options = request.cache
        return options.originalStore ?? options.store ?? configuration.originalCache ?? configuration.diskCache
    }

    /// Whether images of this request are made of stored responses.
    var readsOriginals: Bool {
        request.cache.readsOriginal(isStoredResponse: prepared.keys.isStoredResponse) && prepared.keys.allowsStoring
    }

    // MARK: The stored response

    /// The metadata of the stored response; nil if it was not stored after `date`, as far as the cache's index knows. An image of that
    /// date is not made of an older response, whatever the metadata says.
    func newestOriginal(since date: Timestamp) async -> CacheEntryMetadata? {
        wasStored(by: date) ? nil : await newestOriginal()
    }

    func newestOriginal() async -> CacheEntryMetadata? {
        guard let cache = originals, cache.mightContain(prepared.keys.storage) else { return nil }
        return (try? await cache.storedResponse(for: prepared.keys.storage))?.metadata
    }

    /// The same as ``newestOriginal(since:)`` on this thread.
    func blockingNewestOriginal(since date: Timestamp) -> CacheEntryMetadata? {
        guard !wasStored(by: date), let cache = originals, cache.mightContain(prepared.keys.storage) else { return nil }
        return (try? cache.blockingStoredResponse(for: prepared.keys.storage))?.metadata
    }

    private func wasStored(by date: Timestamp) -> Bool {
        (originals as? any LookupAtOnce)?.wasStored(prepared.keys.storage, by: date) == true
    }

    // MARK: Facts

    /// Of an image on disk.
    func facts(of stored: CacheEntryMetadata, newest: CacheEntryMetadata?) -> StoredFacts {
        var facts = StoredFacts(stored.freshness)
        facts.storedAt = stored.storedAt
        // An answer to other fields says nothing of this image.
        if let newest, !newest.isPartial, freshness(of: newest) != nil {
            facts.newest = .stored(at: newest.storedAt, resemblance: stored.freshness.resemblance(to: newest.freshness))
        }
        return facts
    }

    /// Of the stored bytes, as the fetcher would judge them. An answer to other fields is none.
    func finding(_ copy: StoredCopy, _ facts: LoadFacts) -> LoadFinding {
        let stored = copy.metadata
        guard !stored.isPartial, freshness(of: stored) != nil, let loader else { return .nothing }
        if copy.isRedirected { return .stored(StoredFacts(stored.freshness)) }
        let headers = loader.requestHeaders(for: loadRequest)
        return .stored(pipeline.fetcher.policy.facts(of: stored, request: headers, facts))
    }

    /// Nil: the stored response is one to other fields than this request's (`Vary`).
    func freshness(of stored: CacheEntryMetadata) -> Freshness? {
        guard let http = stored.http else { return stored.freshness }
        let vary = HTTPVary(http.headers)
        if vary.isEmpty { return stored.freshness }
        guard let loader else { return nil }
        let load = loadRequest
        let scopeKey = pipeline.scopeKey(of: request.cache)
        guard vary.matches(loader.requestHeaders(for: load), stored: http, key: scopeKey) else { return nil }
        var freshness = stored.freshness
        if FetchJob.dependsOnUnkeyedUser(vary, load, loader) { freshness.forbidsStoring = true }
        return freshness
    }

    private var loader: (any ImageLoader)? { request.download.loader ?? configuration.loaders.loader(for: request.source) }

    /// The request as its loader sees it.
    private var loadRequest: LoadRequest {
        LoadRequest(
            source: request.source, download: request.downloadBox, maximumBytes: request.decode.limits.maximumEncodedBytes,
            priority: request.schedule.priority, context: request.context, accept: configuration.coders.acceptHeader)
    }
}
