import GannetCore
import GannetPlatform

// Answers from the store.

extension CacheExchange {
    /// The stored response; nil if its bytes were removed. Bytes that the caller has already are not read.
    func delivered(_ copy: StoredCopy, _ status: CacheStatus) async throws(ImageError) -> CachedResponse? {
        if isKnown(copy.metadata) {
            if use.countsUses { await responses?.cache.noteUse(of: copy.key) }
            return delivered(copy, nil, status)
        }
        guard let entry = try await entry(copy) else { return nil }
        return delivered(StoredCopy(key: copy.key, metadata: entry.metadata), entry.bytes, status)
    }

    func isKnown(_ metadata: CacheEntryMetadata) -> Bool {
        guard let known = use.known, !facts.demands.contains(.hasOwnConditions) else { return false }
        return known.identity == metadata.identity
    }

    func entry(_ copy: StoredCopy) async throws(ImageError) -> CacheEntry? {
        let read = { [responses, use] () async -> CacheEntry? in
            let entry = try? await responses?.cache.entry(for: copy.key, touch: use.countsUses)
            return entry?.metadata.isPartial == false ? entry : nil
        }
        let entry = if let caller = use.caller { try await caller.read(read) } else { await read() }
        cache.note(use.id, entry == nil ? .diskMiss(copy.key) : .diskHit(copy.key))
        return entry
    }

    /// `bytes` nil: the caller has them.
    func delivered(_ copy: StoredCopy, _ bytes: ByteRope?, _ status: CacheStatus) -> CachedResponse {
        let (now, metadata) = (time.now, copy.metadata)
        let http = metadata.http ?? Self.plain(metadata)
        var (shown, body, status) = (http, bytes, status)
        if let bytes, facts.demands.contains(.hasOwnConditions),
            let own = policy.answer(to: request.headers, from: http, bytes, now: now)
        {
            (shown, body) = (own.http, own.bytes)
        }
        var headers = shown.headers
        // A validated response is as old as its validation (RFC 9111 §4).
        if status.forwardStatus != 304 {
            headers.set("Age", String(policy.age(of: http, now: now).components.seconds))
        }
        status.ttl =
            metadata.http.map { policy.lifetime(of: $0) - policy.age(of: $0, now: now) }
            ?? metadata.freshness.freshUntil.map { $0 - now }
        let identity = metadata.identity ?? bytes.map { ResponseIdentity.of($0, etag: http.headers["ETag"]) }
        body?.isComplete = true
        var copy = copy
        if metadata.http != nil { copy.metadata.http = shown }
        var response = CachedResponse(
            head: HTTPResponseHead(status: shown.status, headers: headers, url: request.url),
            body: body.map { .stored($0) } ?? .same, status: status, freshness: metadata.freshness,
            copy: copy, receipt: BodyReceipt(identity))
        response.isStale = !metadata.freshness.isFresh(at: now) && status.forwardStatus != 304
        return response
    }

    /// Bytes that were stored by other means than HTTP, as a response.
    private static func plain(_ metadata: CacheEntryMetadata) -> StoredHTTPResponse {
        StoredHTTPResponse(
            status: 200, headers: HTTPHeaders(), varying: HTTPHeaders(), requestTime: metadata.storedAt,
            responseTime: metadata.storedAt, url: "")
    }
}
