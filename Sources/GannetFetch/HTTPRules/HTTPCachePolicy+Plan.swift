package import GannetCore

// Facts for the plan, which the rules of HTTP decide.

extension HTTPCachePolicy {
    /// The facts of a stored response for a request that is sent with these fields.
    package func facts(of stored: CacheEntryMetadata, request: HTTPHeaders, _ load: LoadFacts) -> StoredFacts {
        var facts = StoredFacts(stored.freshness)
        facts.storedAt = stored.storedAt
        guard load.obeysHTTP, let http = stored.http else { return facts }
        facts.verdict =
            switch decide(now: load.now, request: request, stored: http, isForced: load.isForced) {
            case .use, .useStale: .use
            case .useStaleAndRevalidate: .useAndRevalidate
            case .revalidate, .fetch, .fail: .ask
            }
        return facts
    }

    /// Whether a stored response may be a fallback for this failure; nil where the rules of HTTP do not speak of it.
    func mayFallBack(
        on stored: CacheEntryMetadata, request: HTTPHeaders, for failure: LoadFailure, at now: Timestamp
    ) -> Bool? {
        guard let http = stored.http else { return nil }
        return switch failure {
        case .unreachable: mayUseOnError(now: now, request: request, stored: http, status: nil)
        case .status(let status): mayUseOnError(now: now, request: request, stored: http, status: status)
        case .final: false
        }
    }

    /// The step after a failure, where the stored response may be the fallback. `load`: the other facts, at the moment of the failure.
    func step(
        after failure: LoadFailure, with stored: CacheEntryMetadata, request: HTTPHeaders, _ load: LoadFacts
    ) -> LoadStep {
        var load = load
        var found = facts(of: stored, request: request, load)
        found.mayFallBack = mayFallBack(on: stored, request: request, for: failure, at: load.now)
        load.original = .stored(found)
        load.answer = .failed(failure)
        return LoadPlan.next(load)
    }

    /// The freshness of a source without HTTP that says only until when it is fresh: it is a fallback while the source is unreachable,
    /// as with HTTP.
    func completed(_ freshness: Freshness) -> Freshness {
        guard freshness.freshUntil != nil, freshness.unreachableUntil == nil, freshness.staleIfErrorUntil == nil,
            servesStaleWhenUnreachable
        else { return freshness }
        var freshness = freshness
        freshness.unreachableUntil = .distantFuture
        return freshness
    }

    /// The same for what a loader without HTTP was asked for at this moment.
    func completed(_ freshness: Freshness, askedAt moment: Timestamp) -> Freshness {
        var freshness = completed(freshness)
        if keepsTags { freshness.requestedAt = moment }
        return freshness
    }
}

extension Freshness {
    /// The freshness that a source states when it confirms the stored bytes. Values that it does not repeat stay valid.
    func renewing(_ old: Freshness) -> Freshness {
        var new = self
        // A source that names no time is asked again when the old time is over.
        new.freshUntil = freshUntil ?? old.freshUntil
        new.unreachableUntil = unreachableUntil ?? old.unreachableUntil
        new.staleIfErrorUntil = staleIfErrorUntil ?? old.staleIfErrorUntil
        new.etag = etag ?? old.etag
        new.lastModified = lastModified ?? old.lastModified
        if tags.isEmpty { new.tags = old.tags }
        return new
    }

    /// Whether both speak of one representation (RFC 9110 §8.8). `isSentAgain`: the source knew the validator and sent the bytes
    /// all the same, so that only a strong tag proves it.
    package func matches(_ current: Freshness, isSentAgain: Bool) -> Bool {
        if let etag, let other = current.etag { return isSentAgain ? HTTPValidators.strongMatch(etag, other) : etag == other }
        if isSentAgain || etag != nil || current.etag != nil { return false }
        return lastModified != nil && lastModified == current.lastModified
    }

    /// How the response of an image compares with the newest one of its source.
    package func resemblance(to newest: Freshness) -> Resemblance {
        var result: Resemblance = []
        if let etag, let other = newest.etag, HTTPValidators.strongMatch(etag, other) { result.insert(.sameBytes) }
        if etag == newest.etag, lastModified == newest.lastModified, freshUntil == newest.freshUntil { result.insert(.identical) }
        return result
    }
}

extension LoadDemands {
    /// Conditions on stored responses that a request's fields set (RFC 9111 §5.2.1, RFC 5861 §4).
    package init(of fields: HTTPHeaders) {
        self = []
        let own = CacheDirectives(fields)
        if own.all.isEmpty {
            if CacheDirectives(fields, field: "Pragma").noCache { insert(.limitsAge) }
            return
        }
        if ["no-cache", "max-age", "min-fresh"].contains(where: { own.contains($0) }) { insert(.limitsAge) }
        if own.contains("stale-if-error") { insert(.limitsFallbacks) }
        if own.contains("only-if-cached") { insert(.onlyIfCached) }
    }
}

extension LoadFailure {
    package init(_ error: ImageError) {
        switch error.code {
        case .network, .hostNotFound, .connectionFailed, .timedOut: self = .unreachable
        case .httpStatus: self = error.httpStatus.map { .status($0) } ?? .final
        // The source failed a moment ago, and is not asked again yet.
        case .blocked: self = (error.underlying as? ImageError).map { LoadFailure($0) } ?? .final
        default: self = .final
        }
    }
}
