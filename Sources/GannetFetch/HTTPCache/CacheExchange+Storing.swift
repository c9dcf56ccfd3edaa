import GannetCore
import GannetPlatform

// A response of the server, on its way to the caller and into the store.

extension CacheExchange {
    /// Bodies that callers rarely read, those of redirects and failures, are read before the head is passed on, up to this many bytes.
    private static let readAhead = 64 << 10

    /// The response, which is stored when its body has been read, if the rules allow it. `part`: the bytes before those that arrive.
    func received(
        _ answer: Answer, replacing old: StoredCopy?, _ place: ForwardLine.Place?, after part: BrokenTransfer? = nil
    ) async -> CachedResponse {
        let head = answer.head
        let rules = CacheDirectives(head.headers)
        let record = policy.record(
            head, request: request.headers, requestTime: answer.requestTime, responseTime: answer.responseTime, rules,
            scopeKey: responses?.scopeKey ?? .process)
        let freshness = policy.freshness(of: record, rules)
        var result = CachedResponse(
            head: head, body: .stream(answer.response.body), status: status, freshness: freshness,
            times: answer.response.times, copy: wouldBe(record, freshness), receipt: BodyReceipt())
        result.status.ttl = policy.lifetime(of: record) - policy.age(of: record, now: answer.responseTime)
        let mayBeStored =
            policy.mayStore(method: "GET", request: request.headers, status: head.status, response: head.headers, rules)
            || policy.mayRemember(redirect: record, request: request.headers)
        // Nothing that is made of it may be stored either.
        if !mayBeStored {
            result.freshness.forbidsStoring = true
            result.copy.metadata.freshness.forbidsStoring = true
        }
        guard let responses, use.writes else { return pass(result, part) }
        guard mayBeStored else {
            // The server no longer allows storing it: what an earlier response left must not answer later requests.
            if rules.noStore, old != nil || status.forward == .bypass, await responses.remove(old, request.headers) {
                result.earlier = .isRemoved
            }
            return pass(result, part)
        }
        let announced = part?.total ?? head.headers["Content-Length"].flatMap { Int(digits: $0) }
        let isTooLong = announced ?? 0 > cache.configuration.maximumBytes
        guard !isTooLong, policy.isWorthStoring(record, replacing: old?.metadata.http) else { return pass(result, part) }
        result.status.isStored = true
        if old.map({ !record.isSame(as: $0.metadata.http) }) ?? (status.forward == .bypass) {
            result.earlier = .isReplaced(identity: old?.metadata.identity)
        }
        let keeper = ResponseKeeper(
            responses: responses, head: head, record: record, headers: request.headers, freshness: result.freshness,
            expiration: use.expiration, storesEmpty: use.storesEmpty, time: time, formatOf: cache.configuration.formatOf)
        if head.status >= 300 { return await readAhead(result, answer.response.body, keeper) }
        let mayBreak = resumes && announced != nil
        var outlet = BodyIntake.Outlet(
            maximumBytes: cache.configuration.maximumBytes, count: part?.total,
            whole: { [receipt = result.receipt] in if let copy = await keeper.keep(whole: $0) { receipt.note(copy) } },
            misfit: { await responses.dropPart() })
        if mayBreak { outlet.part = { await keeper.keep(part: $0, total: announced) } }
        let body = part.map { ByteStream.joined($0.bytes, answer.response.body) } ?? answer.response.body
        // Equal requests have no use for a body that is not fresh when it has arrived.
        let isOfUse = result.freshness.isFresh(at: answer.responseTime)
        result.body = .stream(BodyIntake(body, to: outlet, place: isOfUse ? place : nil, time: time).stream)
        return result
    }

    private func pass(_ result: CachedResponse, _ part: BrokenTransfer?) -> CachedResponse {
        guard let part, case .stream(let rest) = result.body else { return result }
        var result = result
        result.body = .stream(.joined(part.bytes, rest))
        return result
    }

    /// Reads and stores a short body. A longer or broken one is passed on as far as it was read, and the rest behind it.
    private func readAhead(_ result: CachedResponse, _ body: ByteStream, _ keeper: ResponseKeeper) async -> CachedResponse {
        var result = result
        var bytes: [UInt8] = []
        do throws(ImageError) {
            while bytes.count <= Self.readAhead {
                if try await body.next(into: &bytes, patience: Self.readAhead + 1 - bytes.count) { continue }
                let whole = ByteRope(bytes)
                if let copy = await keeper.keep(whole: whole) { result.receipt.note(copy) }
                result.body = .stream(.joined(whole, nil))
                return result
            }
            result.body = .stream(.joined(ByteRope(bytes, isComplete: false), body))
        } catch {
            result.body = .stream(
                .joined(ByteRope(bytes, isComplete: false), ByteStream { () throws(ImageError) in throw error }))
        }
        result.status.isStored = false
        return result
    }

    // MARK: Parts

    private var resumes: Bool { cache.configuration.resumesTransfers && use.resumes }

    /// The part that an earlier transfer left, if this request may continue it.
    func keptPart() async -> BrokenTransfer? {
        guard let responses, resumes, use.reads, use.writes, facts.original != .unread,
            !facts.demands.contains(.hasOwnConditions)
        else { return nil }
        return await responses.part(request.headers)
    }

    /// Requests the rest. Nil: the server cannot or will not continue, and the part is gone.
    func continued(
        _ part: BrokenTransfer, replacing stored: StoredCopy?, _ place: ForwardLine.Place?
    ) async throws(ImageError) -> CachedResponse? {
        var rest = request
        rest.headers.set("Range", "bytes=\(part.bytes.count)-")
        rest.headers.set("If-Range", part.validator)
        // A range of compressed bytes is not a range of the file.
        rest.headers.set("Accept-Encoding", "identity")
        var answer = try await ask(rest)
        if answer.head.status == 206, let whole = part.whole(continuedBy: answer.head) {
            status.forward = .partial
            status.forwardStatus = 206
            answer.response.head = whole
            return await received(answer, replacing: stored, place, after: part)
        }
        // No condition was sent that a 304 could answer.
        if [206, 304, 416].contains(answer.head.status) {
            await responses?.dropPart()
            return nil
        }
        // The file has changed, and this is the new one (RFC 9110 §13.1.5); or a failure, after which the part may be continued.
        if answer.head.status == 200 { await responses?.dropPart() }
        return await received(answer, replacing: stored, place)
    }
}

extension StoredHTTPResponse {
    /// Whether what was made of the other one is still good: equal strong validators, or a redirect to the same place.
    fileprivate func isSame(as other: StoredHTTPResponse?) -> Bool {
        guard let other else { return false }
        if HTTPCachePolicy.redirectStatuses.contains(status), HTTPCachePolicy.redirectStatuses.contains(other.status) {
            return headers["Location"] == other.headers["Location"]
        }
        return HTTPValidators.strongMatch(headers["ETag"] ?? "W/", other.headers["ETag"] ?? "W/")
    }
}

/// Stores one response when its body is whole, and the beginning of a body that breaks off.
struct ResponseKeeper: Sendable {
    let responses: ResponseStore
    let head: HTTPResponseHead
    let record: StoredHTTPResponse
    /// Of the request.
    let headers: HTTPHeaders
    let freshness: Freshness
    let expiration: CacheExpiration
    let storesEmpty: Bool
    let time: any TimeSource
    let formatOf: (@Sendable (ByteRope) -> ImageFormat?)?

    /// Returns what was stored; nil: there was nothing worth it.
    func keep(whole bytes: ByteRope) async -> StoredCopy? {
        if bytes.isEmpty, head.status < 300, !storesEmpty { return nil }
        let bytes = bytes.compacted()
        var metadata = CacheEntryMetadata(
            format: formatOf?(bytes)?.identifier, storedAt: time.now, freshness: freshness, expiration: expiration, http: record)
        metadata.identity = ResponseIdentity.of(bytes, etag: record.headers["ETag"])
        let key = await responses.keep(CacheEntry(bytes: bytes, metadata: metadata), record, headers)
        await responses.dropPart()
        return StoredCopy(key: key, metadata: metadata)
    }

    func keep(part bytes: ByteRope, total: Int?) async {
        guard let part = BrokenTransfer(bytes: bytes, head: head, total: total, from: StoredPlace(head.url)) else { return }
        await responses.keep(part, headers, sent: headers, expiration: expiration, now: time.now)
    }
}
