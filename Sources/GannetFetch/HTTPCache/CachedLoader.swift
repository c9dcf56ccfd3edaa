package import GannetCore
package import GannetPlatform

/// The answer of a loader behind a cache.
package struct CachedLoad: Sendable {
    /// `notModified`: the caller has it: see ``CacheUse/known``.
    package var response: LoadResponse
    package var status: CacheStatus
    /// The source was not asked, or could not be reached, although what is stored is no longer fresh.
    package var isStale = false
    /// The caller is to ask the source in the background.
    var needsRevalidation = false
    /// The bytes come from the store.
    var isStored = false
    /// The entry of the bytes, stored or not; nil: there is none.
    var copy: StoredCopy?
    var earlier = CachedResponse.Earlier.stays
    var receipt: BodyReceipt

    /// Names the bytes. Nil before a body has been read to its end, and if it is not stored.
    package var identity: Digest128? { receipt.identity }
}

/// The cache for loaders that do not send their requests through ``LoadRequest/route``: providers, object stores, your own. It knows
/// until when bytes are fresh, and validators; of HTTP only the last head that a loader reports.
///
/// A loader that is handed ``LoadRequest/stored`` may answer `notModified`.
package final class CachedLoader: Sendable {
    let loader: any ImageLoader
    private let store: (any ImageCaching)?
    let configuration: HTTPCacheConfiguration
    let time: any TimeSource
    private let generations: Generations
    private let observers: [any LoadObserver]

    package init(
        _ loader: any ImageLoader, store: (any ImageCaching)?, configuration: HTTPCacheConfiguration = HTTPCacheConfiguration(),
        time: any TimeSource = SystemTimeSource(), generations: Generations = Generations(), observers: [any LoadObserver] = []
    ) {
        self.loader = loader
        self.store = store
        self.configuration = configuration
        self.time = time
        self.generations = generations
        self.observers = observers
    }

    /// Throws `cacheMiss` if only stored bytes were allowed, and the errors of the loader.
    package func load(_ request: LoadRequest, _ use: CacheUse) async throws(ImageError) -> CachedLoad {
        let key = use.key ?? CacheKey(request.source.keyText)
        var responses = (use.store ?? store).map { store in
            ResponseStore(
                cache: store, policy: configuration.policy, key: key, generations: generations, isOwn: use.store != nil,
                begun: generations.now
            ) { [self, id = use.id] in note(id, .cacheDegraded($0)) }
        }
        guard request.download.method == "GET" else { return try await change(request, use, key, &responses) }
        return try await CachedLoadStep(request, use, key, responses, self).answer()
    }

    /// Other methods are not answered from the store. Unsafe ones make void what is stored.
    private func change(
        _ request: LoadRequest, _ use: CacheUse, _ key: CacheKey, _ responses: inout ResponseStore?
    ) async throws(ImageError) -> CachedLoad {
        if use.lookup == .cacheOnly { throw .nothingStored }
        try await use.caller?.willAsk()
        let isSafe = HTTPCachePolicy.isSafe(request.download.method)
        let response: LoadResponse
        do throws(ImageError) { response = try await loader.load(request) } catch {
            let wasDone =
                error.httpStatus.map { configuration.policy.invalidates(method: request.download.method, status: $0) }
                ?? (error.code != .cancelled && !HTTPCachePolicy.wasNotSent.contains(error.code))
            if !isSafe, wasDone { await generations.invalidate([key.sourceText], in: &responses, use.caller) }
            throw error
        }
        let status = response.http?.status ?? 200
        if configuration.policy.invalidates(method: request.download.method, status: status) {
            await generations.invalidate([key.sourceText], in: &responses, use.caller)
        }
        var freshness = response.freshness
        freshness.forbidsStoring = true
        let metadata = CacheEntryMetadata(storedAt: time.now, freshness: freshness, expiration: use.expiration)
        return CachedLoad(
            response: response, status: CacheStatus(forward: .method), copy: StoredCopy(key: key, metadata: metadata),
            receipt: .none)
    }

    /// Creates the event only if there are observers.
    func note(_ id: LoadID?, _ event: @autoclosure () -> LoadEvent) {
        guard !observers.isEmpty else { return }
        let event = event()
        for observer in observers { observer.note(id, event) }
    }
}
