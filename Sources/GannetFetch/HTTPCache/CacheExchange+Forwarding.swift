import GannetCore
import GannetPlatform

// The server is asked: with validators, for the rest of a part, or plainly.

extension CacheExchange {
    /// The response that a 304 of the server refers to.
    private enum Condition {
        case none
        case stored(StoredHTTPResponse)
        case known(KnownResponse)
    }

    /// The server's answer, or the stored response that it confirms or that replaces its failure.
    func forwarded(_ stored: StoredCopy?, _ place: ForwardLine.Place?) async throws(ImageError) -> CachedResponse {
        do throws(ImageError) {
            if let part = await keptPart(), let whole = try await continued(part, replacing: stored, place) { return whole }
            return try await asked(stored, place)
        } catch {
            if use.caller == nil, let stored, let copy = try await fallback(stored, for: LoadFailure(error)) { return copy }
            throw error
        }
    }

    private func asked(_ stored: StoredCopy?, _ place: ForwardLine.Place?) async throws(ImageError) -> CachedResponse {
        var (message, condition) = (request, Condition.none)
        if let http = stored?.metadata.http {
            // Of another URL, equal validators prove nothing (RFC 9110 §8.8.1).
            if responses?.place(of: http).isOf(request.url) == true, case .ask(validating: true, _) = LoadPlan.next(facts),
                policy.hasValidator(http)
            {
                message.add(policy.conditionalHeaders(for: http))
                condition = .stored(http)
            }
        } else if let known = use.known, !facts.demands.contains(.hasOwnConditions) {
            message.add(HTTPCachePolicy.conditionalHeaders(for: known.freshness))
            condition = .known(known)
        }
        var answer = try await ask(message)
        if answer.head.status == 304 {
            switch condition {
            case .stored(let http):
                if let stored, let confirmed = try await confirmed(stored, http, answer) { return confirmed }
                // It was removed meanwhile, or the 304 is of another one.
                answer = try await ask(request)
            case .known(let known):
                if let same = same(known, answer) { return same }
                answer = try await ask(request)
            case .none:
                if let stored { await renew(stored, by: answer) }
            }
        }
        if use.caller == nil, answer.head.status >= 500, let stored,
            let copy = try await fallback(stored, for: .status(answer.head.status))
        {
            return copy
        }
        return await received(answer, replacing: stored, place)
    }

    // MARK: Not modified

    /// The stored response with the newer fields of the 304. Nil: its bytes were removed, or it is not the one that the 304 is of.
    private func confirmed(
        _ stored: StoredCopy, _ old: StoredHTTPResponse, _ answer: Answer
    ) async throws(ImageError) -> CachedResponse? {
        guard let responses else { return nil }
        let isKnown = isKnown(stored.metadata)
        let entry = isKnown ? nil : try await entry(stored)
        let current = isKnown ? try? await responses.cache.metadata(for: stored.key) : entry?.metadata
        guard let metadata = renewed(current, old, by: answer, responses), let record = metadata.http,
            isKnown ? self.isKnown(metadata) : entry != nil
        else { return nil }
        if use.writes { await responses.rewrite(metadata, record, for: stored.key, request.headers) }
        if isKnown, use.countsUses { await responses.cache.noteUse(of: stored.key) }
        var status = status
        status.forwardStatus = 304
        status.isStored = use.writes && !metadata.freshness.forbidsStoring
        cache.note(use.id, .revalidated(stored.key))
        var response = delivered(StoredCopy(key: stored.key, metadata: metadata), entry?.bytes, status)
        response.times = answer.response.times
        return response
    }

    /// A 304 to the caller's own condition is the caller's answer. It also confirms the stored response if that has the same validator
    /// (RFC 9111 §4.3.4).
    private func renew(_ stored: StoredCopy, by answer: Answer) async {
        guard use.writes, let responses, let old = stored.metadata.http, responses.place(of: old).isOf(request.url),
            HTTPCachePolicy.isNamed(old.headers, by: answer.head.headers),
            let metadata = renewed(try? await responses.cache.metadata(for: stored.key), old, by: answer, responses),
            let record = metadata.http
        else { return }
        await responses.rewrite(metadata, record, for: stored.key, request.headers)
    }

    private func renewed(
        _ current: CacheEntryMetadata?, _ old: StoredHTTPResponse, by answer: Answer, _ responses: ResponseStore
    ) -> CacheEntryMetadata? {
        responses.renewed(
            current, old, by: answer.head, request.headers, requestTime: answer.requestTime, responseTime: answer.responseTime)
    }

    /// The caller's own response is still good, although it is stored here no more. Nil: the 304 is of another one.
    private func same(_ known: KnownResponse, _ answer: Answer) -> CachedResponse? {
        var record = policy.record(
            answer.head, request: request.headers, requestTime: answer.requestTime, responseTime: answer.responseTime)
        record.status = 200
        var old = record
        old.headers = HTTPHeaders(
            [("ETag", known.freshness.etag), ("Last-Modified", known.freshness.lastModified)].compactMap { name, value in
                value.map { (name, $0) }
            })
        guard policy.confirms(answer.head.headers, old) else { return nil }
        // Validators that the 304 does not repeat stay valid.
        for field in old.headers.fields where !record.headers.contains(field.name) { record.headers.add(field.name, field.value) }
        var status = status
        status.forwardStatus = 304
        status.ttl = policy.lifetime(of: record) - policy.age(of: record, now: time.now)
        var freshness = policy.freshness(of: record)
        if freshness.tags.isEmpty { freshness.tags = known.freshness.tags }
        return CachedResponse(
            head: HTTPResponseHead(status: 200, headers: record.headers, url: request.url, version: answer.head.version),
            body: .same, status: status, freshness: freshness, times: answer.response.times,
            copy: wouldBe(record, freshness), receipt: BodyReceipt(known.identity))
    }

    // MARK: Failures

    /// The stored response in place of a failure, if the plan allows it and its bytes are still there.
    func fallback(_ stored: StoredCopy, for failure: LoadFailure) async throws(ImageError) -> CachedResponse? {
        facts.now = time.now
        guard policy.step(after: failure, with: stored.metadata, request: request.headers, facts) == .fallback(.original) else {
            return nil
        }
        var status = status
        if case .status(let code) = failure { status.forwardStatus = code }
        return try await delivered(stored, status)
    }
}

extension HTTPRequest {
    fileprivate mutating func add(_ fields: HTTPHeaders) {
        for field in fields.fields where !headers.contains(field.name) { headers.add(field.name, field.value) }
    }
}
