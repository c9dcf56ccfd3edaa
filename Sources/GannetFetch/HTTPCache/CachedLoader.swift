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
    /// What is stored with the bytes, or would be; nil: nothing.
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

/// One load through a ``CachedLoader``. A class, so that no waiting step keeps a copy of it; one task uses it.
private final class CachedLoadStep {
    let request: LoadRequest
    let use: CacheUse
    let key: CacheKey
    let responses: ResponseStore?
    let owner: CachedLoader

    init(_ request: LoadRequest, _ use: CacheUse, _ key: CacheKey, _ responses: ResponseStore?, _ owner: CachedLoader) {
        (self.request, self.use, self.key, self.responses, self.owner) = (request, use, key, responses, owner)
    }

    private var time: any TimeSource { owner.time }
    private var policy: HTTPCachePolicy { owner.configuration.policy }

    func answer() async throws(ImageError) -> CachedLoad {
        let headers = owner.loader.requestHeaders(for: request)
        var facts = LoadFacts(lookup: use.lookup, demands: LoadDemands(of: headers), now: time.now)
        if use.forcesRevalidation { facts.demands.insert(.forcesRevalidation) }
        var status = CacheStatus(forward: .bypass)
        var stored: StoredCopy?
        if use.reads, let responses {
            facts.original = .unread
            if LoadPlan.next(facts) == .read(.original) {
                stored = await responses.find(headers).copy
                facts.now = time.now
                facts.original = stored.map { .stored(policy.facts(of: $0.metadata, request: headers, facts)) } ?? .nothing
                status.forward = stored.map { $0.metadata.freshness.isFresh(at: facts.now) ? .request : .stale } ?? .uriMiss
                if stored == nil, use.failure == nil { owner.note(use.id, .diskMiss(key)) }
            }
        }
        if let stored {
            if case .deliver(_, let revalidating) = LoadPlan.next(facts), !revalidating || use.caller != nil {
                if var hit = try await delivered(stored, CacheStatus()) {
                    hit.needsRevalidation = revalidating
                    return hit
                }
                // The bytes were removed since the look-up.
                facts.original = .nothing
            } else if use.lookup == .automatic, use.failure == nil {
                owner.note(use.id, .stale(stored.key))
            }
        }
        if let failure = use.failure {
            if let stored, let copy = try await fallback(stored, status, headers, facts, for: failure) { return copy }
            throw .nothingStored
        }
        guard case .ask = LoadPlan.next(facts) else { throw .nothingStored }
        try await use.caller?.willAsk()
        do throws(ImageError) { return try await asked(stored, status, headers) } catch {
            if use.caller == nil, let stored,
                let copy = try await fallback(stored, status, headers, facts, for: LoadFailure(error))
            {
                return copy
            }
            throw error
        }
    }

    private func fallback(
        _ stored: StoredCopy, _ status: CacheStatus, _ headers: HTTPHeaders, _ known: LoadFacts, for failure: LoadFailure
    ) async throws(ImageError) -> CachedLoad? {
        var facts = known
        facts.now = time.now
        guard policy.step(after: failure, with: stored.metadata, request: headers, facts) == .fallback(.original) else {
            return nil
        }
        return try await delivered(stored, status)
    }

    private func asked(
        _ stored: StoredCopy?, _ status: CacheStatus, _ headers: HTTPHeaders
    ) async throws(ImageError) -> CachedLoad {
        var asking = request
        asking.stored = stored?.metadata ?? use.known.map { CacheEntryMetadata(storedAt: .distantPast, freshness: $0.freshness) }
        let requestTime = time.now
        var response = try await owner.loader.load(asking)
        if case .notModified = response.body, asking.stored != nil {
            if let confirmed = try await confirmed(stored, response, status, headers, requestTime) { return confirmed }
            // The entry that it refers to was removed meanwhile.
            asking.stored = nil
            response = try await owner.loader.load(asking)
        }
        return await received(response, status, headers, requestTime, replacing: stored)
    }

    /// The stored bytes, or those that the caller has, with the newer freshness. Nil: they were removed.
    private func confirmed(
        _ stored: StoredCopy?, _ response: LoadResponse, _ known: CacheStatus, _ headers: HTTPHeaders, _ requestTime: Timestamp
    ) async throws(ImageError) -> CachedLoad? {
        var status = known
        guard let stored else {
            guard let known = use.known else { return nil }
            var response = response
            response.freshness = policy.completed(response.freshness.renewing(known.freshness))
            status.ttl = response.freshness.freshUntil.map { $0 - time.now }
            return CachedLoad(response: response, status: status, receipt: BodyReceipt(known.identity))
        }
        guard let responses, var now = try? await responses.cache.metadata(for: stored.key),
            now.storedAt == stored.metadata.storedAt
        else { return nil }
        if let old = now.http, let head = response.http {
            guard
                let renewed = responses.renewed(
                    now, old, by: head, headers, requestTime: requestTime, responseTime: time.now)
            else { return nil }
            now = renewed
        } else {
            now.freshness = policy.completed(response.freshness.renewing(now.freshness))
        }
        status.isStored = use.writes && !now.freshness.forbidsStoring
        guard var answer = try await delivered(StoredCopy(key: stored.key, metadata: now), status) else { return nil }
        answer.response.origin = .revalidated
        if use.writes {
            if let record = now.http {
                await responses.rewrite(now, record, for: stored.key, headers)
            } else {
                await responses.rewrite(withoutHTTP: now, for: stored.key)
            }
        }
        owner.note(use.id, .revalidated(stored.key))
        return answer
    }

    /// The stored bytes with this metadata; nil if they were removed.
    private func delivered(_ copy: StoredCopy, _ known: CacheStatus) async throws(ImageError) -> CachedLoad? {
        guard let responses else { return nil }
        let metadata = copy.metadata
        var body = LoadResponse.Body.notModified
        if use.known == nil || use.known?.identity != metadata.identity {
            let read = { [use] () async -> CacheEntry? in
                let entry = try? await responses.cache.entry(for: copy.key, touch: use.countsUses)
                return entry?.metadata.isPartial == false ? entry : nil
            }
            let entry = if let caller = use.caller { try await caller.read(read) } else { await read() }
            owner.note(use.id, entry == nil ? .diskMiss(copy.key) : .diskHit(copy.key))
            guard let entry else { return nil }
            body = .bytes(entry.bytes)
        } else if use.countsUses {
            await responses.cache.noteUse(of: copy.key)
        }
        var status = known
        status.ttl = metadata.freshness.freshUntil.map { $0 - time.now }
        return CachedLoad(
            response: LoadResponse(body: body, origin: .disk, freshness: metadata.freshness), status: status,
            isStale: !metadata.freshness.isFresh(at: time.now), isStored: true, copy: copy,
            receipt: BodyReceipt(metadata.identity))
    }

    /// Bytes of the source, stored when they are whole.
    private func received(
        _ arrived: LoadResponse, _ status: CacheStatus, _ headers: HTTPHeaders, _ requestTime: Timestamp,
        replacing old: StoredCopy?
    ) async -> CachedLoad {
        var response = arrived
        var record: StoredHTTPResponse?
        if let head = response.http {
            let http = policy.record(
                head, request: headers, requestTime: requestTime, responseTime: time.now,
                scopeKey: responses?.scopeKey ?? .process)
            response.freshness = policy.freshness(of: http)
            if !policy.mayStore(method: "GET", request: headers, status: head.status, response: head.headers) {
                response.freshness.forbidsStoring = true
            }
            // Where the redirects lead next time, nobody knows.
            if response.redirects > 0 { response.freshness.freshUntil = .distantPast } else { record = http }
        } else {
            response.freshness = policy.completed(response.freshness)
        }
        if case .stream(let body) = response.body, let caller = use.caller { response.body = .stream(caller.metered(body)) }
        let metadata = CacheEntryMetadata(
            storedAt: time.now, freshness: response.freshness, expiration: use.expiration, http: record)
        var result = CachedLoad(
            response: response, status: status, copy: use.writes ? StoredCopy(key: key, metadata: metadata) : nil,
            receipt: .none)
        result.status.ttl = response.freshness.freshUntil.map { $0 - time.now }
        let maximum = owner.configuration.maximumBytes
        guard let responses, use.writes, response.expectedBytes ?? 0 <= maximum else { return result }
        guard !response.freshness.forbidsStoring else {
            if response.http != nil, await responses.remove(old, headers) { result.earlier = .isRemoved }
            return result
        }
        let (formatOf, storesEmpty, receipt) = (owner.configuration.formatOf, use.storesEmpty, BodyReceipt())
        result.receipt = receipt
        let keep: @Sendable (ByteRope) async -> Void = { [time, metadata, record, key] rope in
            if rope.isEmpty, !storesEmpty { return }
            let bytes = rope.compacted()
            var metadata = metadata
            (metadata.storedAt, metadata.format) = (time.now, formatOf?(bytes)?.identifier)
            metadata.identity = ResponseIdentity.of(bytes, etag: metadata.freshness.etag)
            let entry = CacheEntry(bytes: bytes, metadata: metadata)
            var place = key
            if let record {
                place = await responses.keep(entry, record, headers)
            } else {
                await responses.store(entry, at: place)
            }
            receipt.note(StoredCopy(key: place, metadata: metadata))
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
        if old != nil || status.forward == .bypass { result.earlier = .isReplaced(identity: old?.metadata.identity) }
        return result
    }
}
