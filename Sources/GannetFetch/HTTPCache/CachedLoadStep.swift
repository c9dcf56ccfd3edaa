import GannetCore
import GannetPlatform

/// One load through a ``CachedLoader``. A class, so that no waiting step keeps a copy of it; one task uses it.
final class CachedLoadStep {
    private let request: LoadRequest
    private let use: CacheUse
    private let key: CacheKey
    private let responses: ResponseStore?
    private let owner: CachedLoader
    private let headers: HTTPHeaders
    private var facts: LoadFacts
    private var status = CacheStatus(forward: .bypass)
    /// The entry that was found in the store.
    private var stored: StoredCopy?

    init(_ request: LoadRequest, _ use: CacheUse, _ key: CacheKey, _ responses: ResponseStore?, _ owner: CachedLoader) {
        (self.request, self.use, self.key, self.responses, self.owner) = (request, use, key, responses, owner)
        headers = owner.loader.requestHeaders(for: request)
        facts = LoadFacts(lookup: use.lookup, demands: LoadDemands(of: headers), now: owner.time.now)
        if use.forcesRevalidation { facts.demands.insert(.forcesRevalidation) }
    }

    private var time: any TimeSource { owner.time }
    private var policy: HTTPCachePolicy { owner.configuration.policy }

    func answer() async throws(ImageError) -> CachedLoad {
        if use.reads, let responses, let hit = try await lookedUp(responses) { return hit }
        if let failure = use.failure {
            if let copy = try await fallback(for: failure) { return copy }
            throw .nothingStored
        }
        guard case .ask = LoadPlan.next(facts) else { throw .nothingStored }
        try await use.caller?.willAsk()
        do throws(ImageError) { return try await asked() } catch {
            if use.caller == nil, let copy = try await fallback(for: LoadFailure(error)) { return copy }
            throw error
        }
    }

    // MARK: The stored entry

    /// Nil: the source is to be asked.
    @inline(never) private func lookedUp(_ responses: ResponseStore) async throws(ImageError) -> CachedLoad? {
        facts.original = .unread
        guard LoadPlan.next(facts) == .read(.original) else { return nil }
        stored = await responses.find(headers).copy
        facts.now = time.now
        facts.original = stored.map { .stored(policy.facts(of: $0.metadata, request: headers, facts)) } ?? .nothing
        status.forward = stored.map { $0.metadata.freshness.isFresh(at: facts.now) ? .request : .stale } ?? .uriMiss
        guard let stored else {
            if use.failure == nil { owner.note(use.id, .diskMiss(key)) }
            return nil
        }
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
        return nil
    }

    /// Nil: nothing may stand in for the failure.
    @inline(never) private func fallback(for failure: LoadFailure) async throws(ImageError) -> CachedLoad? {
        guard let stored else { return nil }
        facts.now = time.now
        guard policy.step(after: failure, with: stored.metadata, request: headers, facts) == .fallback(.original) else {
            return nil
        }
        return try await delivered(stored, status)
    }

    /// The stored bytes with this metadata; nil if they were removed.
    @inline(never) private func delivered(_ copy: StoredCopy, _ known: CacheStatus) async throws(ImageError) -> CachedLoad? {
        guard let responses else { return nil }
        var body = LoadResponse.Body.notModified
        if use.known == nil || use.known?.identity != copy.metadata.identity {
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
        let freshness = copy.metadata.freshness
        var status = known
        status.ttl = freshness.freshUntil.map { $0 - time.now }
        return CachedLoad(
            response: LoadResponse(body: body, origin: .disk, freshness: freshness), status: status,
            isStale: !freshness.isFresh(at: time.now), isStored: true, copy: copy, receipt: BodyReceipt(copy.metadata.identity))
    }

    // MARK: The source

    @inline(never) private func asked() async throws(ImageError) -> CachedLoad {
        var asking = request
        asking.stored = stored?.metadata ?? use.known.map { CacheEntryMetadata(storedAt: .distantPast, freshness: $0.freshness) }
        let requestTime = time.now
        let response = try await owner.loader.load(asking)
        if case .notModified = response.body, asking.stored != nil { return try await notModified(response, requestTime) }
        return await received(response, requestTime)
    }

    @inline(never) private func notModified(
        _ response: LoadResponse, _ requestTime: Timestamp
    ) async throws(ImageError) -> CachedLoad {
        if let confirmed = try await confirmed(response, requestTime) { return confirmed }
        // The entry that it refers to was removed meanwhile.
        var asking = request
        asking.stored = nil
        return await received(try await owner.loader.load(asking), requestTime)
    }

    /// The stored bytes, or those that the caller has, with the newer freshness. Nil: they were removed.
    private func confirmed(_ response: LoadResponse, _ requestTime: Timestamp) async throws(ImageError) -> CachedLoad? {
        // If the entry was removed, another response follows, with another status.
        var status = status
        guard let stored else {
            guard let known = use.known else { return nil }
            var response = response
            response.freshness = policy.completed(response.freshness.renewing(known.freshness), askedAt: requestTime)
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
            now.freshness = policy.completed(response.freshness.renewing(now.freshness), askedAt: requestTime)
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

    // MARK: Bytes of the source

    @inline(never) private func received(_ response: LoadResponse, _ requestTime: Timestamp) async -> CachedLoad {
        let result = judged(response, requestTime)
        guard let responses, let metadata = result.copy?.metadata,
            response.expectedBytes ?? 0 <= owner.configuration.maximumBytes
        else { return result }
        return await kept(result, metadata, responses)
    }

    /// With its freshness; not stored yet.
    @inline(never) private func judged(_ arrived: LoadResponse, _ requestTime: Timestamp) -> CachedLoad {
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
            // The redirects may lead elsewhere next time.
            if response.redirects > 0 { response.freshness.freshUntil = .distantPast } else { record = http }
        } else {
            response.freshness = policy.completed(response.freshness, askedAt: requestTime)
        }
        if case .stream(let body) = response.body, let caller = use.caller { response.body = .stream(caller.metered(body)) }
        status.ttl = response.freshness.freshUntil.map { $0 - time.now }
        var result = CachedLoad(response: response, status: status, receipt: .none)
        guard use.writes else { return result }
        let metadata = CacheEntryMetadata(
            storedAt: time.now, freshness: response.freshness, expiration: use.expiration, http: record)
        result.copy = StoredCopy(key: key, metadata: metadata)
        return result
    }

    /// Stored when it is whole, unless that is forbidden.
    @inline(never) private func kept(
        _ judged: CachedLoad, _ metadata: CacheEntryMetadata, _ responses: ResponseStore
    ) async -> CachedLoad {
        var result = judged
        guard !metadata.freshness.forbidsStoring else {
            if result.response.http != nil, await responses.remove(stored, headers) { result.earlier = .isRemoved }
            return result
        }
        let receipt = BodyReceipt()
        let keep = keep(metadata, responses, receipt)
        let maximum = owner.configuration.maximumBytes
        switch result.response.body {
        case .image, .notModified: return result
        case .bytes(let rope):
            guard rope.count <= maximum else { return result }
            await keep(rope)
        case .stream(let stream):
            let outlet = BodyIntake.Outlet(maximumBytes: maximum, whole: keep)
            result.response.body = .stream(BodyIntake(stream, to: outlet, place: nil, time: time).stream)
        }
        result.receipt = receipt
        result.status.isStored = true
        if stored != nil || status.forward == .bypass { result.earlier = .isReplaced(identity: stored?.metadata.identity) }
        return result
    }

    /// Stores the whole.
    private func keep(
        _ metadata: CacheEntryMetadata, _ responses: ResponseStore, _ receipt: BodyReceipt
    ) -> @Sendable (ByteRope) async -> Void {
        let (formatOf, storesEmpty) = (owner.configuration.formatOf, use.storesEmpty)
        return { [time, key, headers] rope in
            if rope.isEmpty, !storesEmpty { return }
            let bytes = rope.compacted()
            var metadata = metadata
            (metadata.storedAt, metadata.format) = (time.now, formatOf?(bytes)?.identifier)
            metadata.identity = ResponseIdentity.of(bytes, etag: metadata.freshness.etag)
            let entry = CacheEntry(bytes: bytes, metadata: metadata)
            var place = key
            if let record = metadata.http {
                place = await responses.keep(entry, record, headers)
            } else {
                await responses.store(entry, at: place)
            }
            receipt.note(StoredCopy(key: place, metadata: metadata))
        }
    }
}
