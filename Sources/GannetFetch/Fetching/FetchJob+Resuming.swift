import GannetCore
import GannetPlatform

/// Bytes of a broken transfer, and the proof that later bytes belong to them: a strong validator and the total length.
struct BrokenTransfer: Sendable {
    var bytes: ByteRope
    var head: HTTPResponseHead
    var validator: String
    var total: Int
    /// Where the bytes came from.
    var place: StoredPlace

    /// Fewer bytes are not worth a range request.
    static let minimumBytes = 16 << 10

    static var cannotContinue: ImageError {
        ImageError(.protocolViolation, stage: .load, "The part that the server sent does not continue the stored one.")
    }

    /// Nil: the transfer must start again.
    init?(bytes: ByteRope, head: HTTPResponseHead, total: Int?, from place: StoredPlace) {
        guard bytes.count >= Self.minimumBytes, head.status == 200, let total, bytes.count < total,
            let validator = Self.strongValidator(head.headers),
            head.headers["Accept-Ranges"]?.lowercased().trimmedOWS() != "none", !head.headers.contains("Content-Encoding")
        else { return nil }
        self.bytes = bytes
        self.head = head
        self.validator = validator
        self.total = total
        self.place = place
        self.bytes.isComplete = false
    }

    /// A strong tag, or a modification time that is too long ago to hide a second change (RFC 9110 §8.8.2.2).
    static func strongValidator(_ headers: HTTPHeaders) -> String? {
        if headers.contains("ETag") {
            return HTTPCachePolicy.validator("ETag", of: headers).flatMap { HTTPValidators.isWeak($0) ? nil : $0 }
        }
        let zero = Timestamp(milliseconds: 0)
        guard let text = HTTPCachePolicy.validator("Last-Modified", of: headers), let modified = HTTPDate.parse(text, now: zero),
            let date = headers["Date"].flatMap({ HTTPDate.parse($0, now: zero) }), date - modified >= .seconds(60)
        else { return nil }
        return text
    }

    /// The head of the whole; throws if the response does not continue it.
    func continued(by response: LoadResponse) throws(ImageError) -> HTTPResponseHead {
        guard let head = response.http, let whole = whole(continuedBy: head) else { throw Self.cannotContinue }
        return whole
    }

    /// The head of the whole, if the answer to the range request is exactly the rest; nil otherwise.
    func whole(continuedBy answer: HTTPResponseHead) -> HTTPResponseHead? {
        guard answer.status == 206, let range = answer.headers["Content-Range"].flatMap(ContentRange.init),
            range.first == bytes.count, range.last == total - 1, range.total == total
        else { return nil }
        // Of another URL, equal validators prove nothing (RFC 9110 §8.8.1).
        guard place.isOf(answer.url) else { return nil }
        if let tag = answer.headers["ETag"], let own = head.headers["ETag"], !HTTPValidators.strongMatch(tag, own) { return nil }
        if let time = answer.headers["Last-Modified"], let own = head.headers["Last-Modified"], time != own { return nil }
        var whole = head
        whole.url = answer.url
        for field in answer.headers.fields
        where !["content-range", "content-length", "content-type"].contains(field.name.lowercased()) {
            whole.headers.remove(field.name)
        }
        for field in answer.headers.fields
        where !["content-range", "content-length", "content-type"].contains(field.name.lowercased()) {
            whole.headers.add(field.name, field.value)
        }
        return whole
    }
}

/// `bytes 200-999/1000`
struct ContentRange: Hashable {
    var first: Int
    var last: Int
    /// Nil for `*`.
    var total: Int?

    init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == " " })
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(digits: ends[0]), let last = Int(digits: ends[1]), first <= last else {
            return nil
        }
        self.first = first
        self.last = last
        if halves[1] != "*" {
            guard let total = Int(digits: halves[1]), last < total else { return nil }
            self.total = total
        }
    }
}

extension FetchJob {
    private var partKey: CacheKey { CacheKey(request.storageKey.text + RequestKeys.separatorText + RequestKeys.partialPart) }

    var mayResume: Bool {
        fetcher.resumesTransfers && isGet && request.writesCache && request.download.decryptor == nil
            && request.download.responseModifier == nil && !request.download.headers.contains("Range")
    }

    /// Finds the part that an earlier run left on disk.
    @inline(never) func keptPart(_ load: LoadRequest) async -> BrokenTransfer? {
        guard let cache, mayResume, request.readsCache, facts.original != .unread else { return nil }
        // Parts are rare: nearly every load would read the disk in vain, which costs two changes of thread.
        guard cache.mightContain(partKey), let metadata = try? await cache.metadata(for: partKey), metadata.isPartial,
            let entry = try? await cache.entry(for: partKey, touch: false), let http = entry.metadata.http,
            HTTPVary(http.headers).matches(loader.requestHeaders(for: load), stored: http, key: scopeKey),
            let url = http.parsedURL
        else { return nil }
        return BrokenTransfer(
            bytes: entry.bytes, head: HTTPResponseHead(status: http.status, headers: http.headers, url: url),
            total: http.headers["Content-Length"].flatMap { Int(digits: $0) }, from: place(of: http))
    }

    func dropPart() async { await write { cache throws(ImageError) in try await cache.remove(partKey) } }

    /// Keeps the bytes before the failure, in this job for a retry and on disk for later ones.
    @inline(never) func keep(_ rope: ByteRope, head: HTTPResponseHead?, _ expected: Int?, after error: ImageError) async {
        broken = nil
        guard [.network, .timedOut, .connectionFailed, .cancelled].contains(error.code) else { return }
        broken = await keepPart(rope, head: head, expected)
    }

    /// A long transfer stores its bytes while it runs, in case the process is killed: first after 3 s, then each time the
    /// duration has doubled. So all these writes together are no larger than the transfer itself, and short transfers write
    /// nothing.
    private static let firstKeep = Duration.seconds(3)

    func beginKeeping(at began: Duration) { keepsNext = mayResume && cache != nil ? began + Self.firstKeep : nil }

    @inline(never) func keepSoFar(_ rope: ByteRope, head: HTTPResponseHead?, _ expected: Int?, since began: Duration) async {
        let now = time.uptime
        keepsNext = now + max(now - began, Self.firstKeep)
        if await keepPart(rope, head: head, expected) != nil { hasKept = true }
    }

    /// Nil: it cannot be continued.
    private func keepPart(_ rope: ByteRope, head: HTTPResponseHead?, _ expected: Int?) async -> BrokenTransfer? {
        guard mayResume, let head,
            let part = BrokenTransfer(bytes: rope, head: head, total: expected, from: StoredPlace(head.url))
        else { return nil }
        let headers = loader.requestHeaders(for: plainLoad)
        guard policy.mayStore(method: "GET", request: sent(headers), status: head.status, response: head.headers) else {
            return part
        }
        let now = time.now
        let record = policy.record(
            head, request: headers, requestTime: now, responseTime: now, scopeKey: scopeKey)
        let metadata = CacheEntryMetadata(
            storedAt: now, freshness: policy.freshness(of: record), expiration: request.expiration, http: record, isPartial: true)
        var bytes = rope
        bytes.isComplete = true
        await store(CacheEntry(bytes: bytes, metadata: metadata), for: partKey)
        return part
    }

    /// Requests the rest. Nil: the server cannot or will not continue, or the image has changed.
    @inline(never) func continued(_ load: LoadRequest, _ part: BrokenTransfer) async throws(ImageError) -> Transfer? {
        var rest = load
        rest.stored = nil
        rest.partOf = part.place
        rest.download.headers.set("Range", "bytes=\(part.bytes.count)-")
        rest.download.headers.set("If-Range", part.validator)
        do throws(ImageError) {
            let whole = try await drained(rest, resuming: part)
            await dropPart()
            return whole
        } catch {
            switch error.code {
            case .protocolViolation: break
            case .httpStatus where error.httpStatus == 416: break
            default: throw error
            }
            broken = nil
            return nil
        }
    }
}
