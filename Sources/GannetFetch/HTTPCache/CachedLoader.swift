package import GannetCore
package import GannetPlatform

/// The answer of a loader behind a cache.
package struct CachedLoad: Sendable {
    /// `notModified`: the caller has it: see ``CacheUse/known``.
    package var response: LoadResponse
    package var status: CacheStatus
    /// The source was not asked, or could not be reached, although what is stored is no longer fresh.
    package var isStale = false
    let receipt: BodyReceipt

    /// Names the bytes. Nil before a body has been read to its end, and if it is not stored.
    package var identity: Digest128? { receipt.identity }
}

/// The cache for loaders without HTTP: providers, object stores, your own. It knows until when bytes are fresh, and validators.
///
/// A loader that is handed ``LoadRequest/stored`` may answer `notModified`.
package final class CachedLoader: ImageLoader {
    private let loader: any ImageLoader
    private let store: (any ImageCaching)?
    private let configuration: HTTPCacheConfiguration
    private let time: any TimeSource
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

    package var identifier: String { loader.identifier }
    package var isRemote: Bool { loader.isRemote }
    package func canLoad(_ source: ImageSource) -> Bool { loader.canLoad(source) }
    package func identity(of source: ImageSource) throws(ImageError) -> String? { try loader.identity(of: source) }
    package func identityAtOnce(of source: ImageSource) -> String? { loader.identityAtOnce(of: source) }
    package func requestHeaders(for request: LoadRequest) -> HTTPHeaders { loader.requestHeaders(for: request) }

    package func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        try await load(request, CacheUse()).response
    }

    /// Throws `cacheMiss` if only stored bytes were allowed, and the errors of the loader.
    package func load(_ request: LoadRequest, _ use: CacheUse) async throws(ImageError) -> CachedLoad {
        let key = use.key ?? CacheKey(request.source.keyText)
        let responses = (use.store ?? store).map { store in
            ResponseStore(
                cache: store, policy: configuration.policy, key: key, getKey: key, generations: generations,
                isOwn: use.store != nil, begun: generations.now
            ) { [observers, id = use.id] in for observer in observers { observer.note(id, .cacheDegraded($0)) } }
        }
        return try await Step(request: request, use: use, responses: responses, owner: self).answer()
    }

    /// One load.
    private struct Step {
        let request: LoadRequest
        let use: CacheUse
        let responses: ResponseStore?
        let owner: CachedLoader

        private var time: any TimeSource { owner.time }

        func answer() async throws(ImageError) -> CachedLoad {
            var facts = LoadFacts(lookup: use.lookup, demands: use.forcesRevalidation ? .forcesRevalidation : [], now: time.now)
            var status = CacheStatus(forward: .bypass)
            var stored: CacheEntryMetadata?
            if use.reads, let responses {
                facts.original = .unread
                if LoadPlan.next(facts) == .read(.original) {
                    stored = await responses.find(HTTPHeaders()).copy?.metadata
                    facts.now = time.now
                    facts.original = stored.map { .stored(StoredFacts($0.freshness)) } ?? .nothing
                    status.forward = stored.map { $0.freshness.isFresh(at: facts.now) ? .request : .stale } ?? .uriMiss
                }
            }
            if let stored, case .deliver = LoadPlan.next(facts), let hit = await delivered(stored, CacheStatus()) { return hit }
            guard case .ask = LoadPlan.next(facts) else { throw .nothingStored }
            do throws(ImageError) { return try await asked(stored, status) } catch {
                guard let stored else { throw error }
                facts.now = time.now
                facts.answer = .failed(LoadFailure(error))
                guard LoadPlan.next(facts) == .fallback(.original), let copy = await delivered(stored, status) else {
                    throw error
                }
                return copy
            }
        }

        private func asked(_ stored: CacheEntryMetadata?, _ status: CacheStatus) async throws(ImageError) -> CachedLoad {
            var asking = request
            asking.stored = stored ?? use.known.map { CacheEntryMetadata(storedAt: .distantPast, freshness: $0.freshness) }
            var response = try await owner.loader.load(asking)
            if case .notModified = response.body, asking.stored != nil {
                if let confirmed = await confirmed(stored, response, status) { return confirmed }
                // The entry that it refers to was removed meanwhile.
                asking.stored = nil
                response = try await owner.loader.load(asking)
            }
            return await received(response, status)
        }

        /// The stored bytes, or those that the caller has, with the newer freshness. Nil: they were removed.
        private func confirmed(
            _ stored: CacheEntryMetadata?, _ response: LoadResponse, _ status: CacheStatus
        ) async -> CachedLoad? {
            let policy = owner.configuration.policy
            var status = status
            guard let stored else {
                guard let known = use.known else { return nil }
                var response = response
                response.freshness = policy.completed(response.freshness.renewing(known.freshness))
                status.ttl = response.freshness.freshUntil.map { $0 - time.now }
                return CachedLoad(response: response, status: status, receipt: BodyReceipt(known.identity))
            }
            guard let responses, var now = try? await responses.cache.metadata(for: responses.key),
                now.storedAt == stored.storedAt
            else { return nil }
            now.freshness = policy.completed(response.freshness.renewing(now.freshness))
            status.isStored = use.writes && !now.freshness.forbidsStoring
            var answer = await delivered(now, status)
            answer?.response.origin = .revalidated
            if use.writes { await responses.rewrite(withoutHTTP: now, for: responses.key) }
            return answer
        }

        /// The stored bytes with this metadata; nil if they were removed.
        private func delivered(_ metadata: CacheEntryMetadata, _ status: CacheStatus) async -> CachedLoad? {
            guard let responses else { return nil }
            var body = LoadResponse.Body.notModified
            if use.known == nil || use.known?.identity != metadata.identity {
                guard let entry = try? await responses.cache.entry(for: responses.key, touch: use.countsUses),
                    !entry.metadata.isPartial
                else { return nil }
                body = .bytes(entry.bytes)
            } else if use.countsUses {
                await responses.cache.noteUse(of: responses.key)
            }
            var status = status
            status.ttl = metadata.freshness.freshUntil.map { $0 - time.now }
            var result = CachedLoad(
                response: LoadResponse(body: body, origin: .disk, freshness: metadata.freshness), status: status,
                receipt: BodyReceipt(metadata.identity))
            result.isStale = !metadata.freshness.isFresh(at: time.now)
            return result
        }

        /// Bytes of the source, stored when they are whole.
        private func received(_ response: LoadResponse, _ status: CacheStatus) async -> CachedLoad {
            var response = response
            response.freshness = owner.configuration.policy.completed(response.freshness)
            var result = CachedLoad(response: response, status: status, receipt: BodyReceipt())
            result.status.ttl = response.freshness.freshUntil.map { $0 - time.now }
            let maximum = owner.configuration.maximumBytes
            guard let responses, use.writes, !response.freshness.forbidsStoring, response.expectedBytes ?? 0 <= maximum else {
                return result
            }
            let (freshness, expiration, formatOf) = (response.freshness, use.expiration, owner.configuration.formatOf)
            let keep: @Sendable (ByteRope) async -> Void = { [time, receipt = result.receipt] rope in
                let bytes = rope.compacted()
                var metadata = CacheEntryMetadata(
                    format: formatOf?(bytes)?.identifier, storedAt: time.now, freshness: freshness, expiration: expiration)
                let identity = ResponseIdentity.of(bytes, etag: freshness.etag)
                metadata.identity = identity
                await responses.store(CacheEntry(bytes: bytes, metadata: metadata), at: responses.key)
                receipt.note(identity)
            }
            switch response.body {
            case .image, .notModified: return result
            case .bytes(let rope):
                guard rope.count <= maximum else { return result }
                await keep(rope)
            case .stream(let stream):
                let outlet = BodyIntake.Outlet(maximumBytes: maximum, whole: keep)
                result.response.body = .stream(BodyIntake(stream, to: outlet, place: nil, time: time).stream)
            }
            result.status.isStored = true
            return result
        }
    }
}
