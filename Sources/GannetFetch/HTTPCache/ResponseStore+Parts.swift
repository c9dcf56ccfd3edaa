import GannetCore
import GannetPlatform

// The beginnings of broken transfers.

extension ResponseStore {
    private var partKey: CacheKey { CacheKey(key.text + RequestKeys.separatorText + RequestKeys.partialPart) }

    /// The part that an earlier transfer left, if a request with these fields may continue it.
    func part(_ headers: HTTPHeaders) async -> BrokenTransfer? {
        // Parts are rare: nearly every load would read the disk in vain, which costs two changes of thread.
        guard cache.mightContain(partKey), let metadata = try? await cache.metadata(for: partKey), metadata.isPartial,
            let entry = try? await cache.entry(for: partKey, touch: false), let http = entry.metadata.http,
            HTTPVary(http.headers).matches(headers, stored: http, key: scopeKey), let url = http.parsedURL
        else { return nil }
        return BrokenTransfer(
            bytes: entry.bytes, head: HTTPResponseHead(status: http.status, headers: http.headers, url: url),
            total: http.headers["Content-Length"].flatMap { Int(digits: $0) }, from: place(of: http))
    }

    /// Stores the part for later requests, if a response to these fields may be stored.
    func keep(
        _ part: BrokenTransfer, _ headers: HTTPHeaders, sent: HTTPHeaders, expiration: CacheExpiration, now: Timestamp
    ) async {
        guard policy.mayStore(method: "GET", request: sent, status: part.head.status, response: part.head.headers) else { return }
        let record = policy.record(part.head, request: headers, requestTime: now, responseTime: now, scopeKey: scopeKey)
        let metadata = CacheEntryMetadata(
            storedAt: now, freshness: policy.freshness(of: record), expiration: expiration, http: record, isPartial: true)
        var bytes = part.bytes
        bytes.isComplete = true
        await store(CacheEntry(bytes: bytes, metadata: metadata), at: partKey)
    }

    func dropPart() async {
        guard cache.mightContain(partKey) else { return }
        await write { cache throws(ImageError) in try await cache.remove(partKey) }
    }
}

/// When a long transfer stores its bytes while it runs, in case the process is killed: first after 3 s, then each time its duration has
/// doubled. So all these writes together are no larger than the transfer itself, and short transfers write nothing.
struct PartTimes: Sendable {
    private static let first = Duration.seconds(3)

    private let began: Duration
    private var next: Duration

    init(since began: Duration) {
        self.began = began
        next = began + Self.first
    }

    /// True once for each such moment.
    mutating func isDue(at now: Duration) -> Bool {
        guard now >= next else { return false }
        next = now + max(now - began, Self.first)
        return true
    }
}
