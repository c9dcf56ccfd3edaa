import GannetCore
import GannetPlatform

/// One request on its way through the cache, read from top to bottom: look up, wait for an equal request, ask, compare, store.
///
/// A class so that no waiting step keeps a copy of the request; one task uses it.
final class CacheExchange {
    let request: HTTPRequest
    let use: CacheUse
    let cache: HTTPCache
    private let transport: any HTTPTransport
    /// Nil: there is no store.
    var responses: ResponseStore?
    /// The facts of this request; the plan decides by them, as for images.
    var facts: LoadFacts
    /// Why the server is asked, and whether an equal request was waited for.
    var status = CacheStatus(forward: .bypass)
    /// When the first request was sent: later ones share its time.
    private var firstSent: Duration?
    let key: CacheKey

    init(_ request: HTTPRequest, _ use: CacheUse, _ cache: HTTPCache, _ transport: any HTTPTransport) {
        self.transport = transport
        self.request = request
        self.use = use
        self.cache = cache
        let key = use.key ?? CacheKey(ImageSource.url(request.url).keyText)
        self.key = key
        responses = (use.store ?? cache.store).map { store in
            ResponseStore(
                cache: store, policy: cache.configuration.policy, key: key, generations: cache.generations,
                isOwn: use.store != nil, begun: cache.generations.now
            ) { [cache, id = use.id] in cache.note(id, .cacheDegraded($0)) }
        }
        facts = LoadFacts(lookup: use.lookup, demands: LoadDemands(of: request.headers), now: cache.time.now)
        if use.forcesRevalidation { facts.demands.insert(.forcesRevalidation) }
        if HTTPCachePolicy.hasOwnConditions(request.headers) { facts.demands.insert(.hasOwnConditions) }
    }

    var policy: HTTPCachePolicy { cache.configuration.policy }
    var time: any TimeSource { cache.time }

    func answer() async throws(ImageError) -> CachedResponse {
        guard request.method == "GET" else { return try await answerOtherMethod() }
        var found = await lookUp()
        if let found, let hit = try await hit(found) { return hit }
        if let failure = use.failure {
            if let found, let copy = try await fallback(found, for: failure) { return copy }
            throw .nothingStored
        }
        guard case .ask = LoadPlan.next(facts) else { throw .nothingStored }
        var place: ForwardLine.Place?
        if mayWait {
            let question = ForwardLine.Question(key: key, headers: request.headers, store: use.store?.sharingIdentity)
            place = try await cache.line.enter(question, patience: request.deadlines.idle, time: time)
            if place == nil {
                let reason = status.forward
                status.isCollapsed = true
                found = await lookUp()
                if let found, let answer = try await hit(found, reason) { return answer }
                guard case .ask = LoadPlan.next(facts) else { throw .nothingStored }
            }
        }
        return try await forwarded(found, place)
    }

    /// Only where what an equal request stores may be the answer.
    private var mayWait: Bool {
        use.caller == nil && responses != nil && use.reads && use.writes && facts.deliversStored
            && !facts.demands.contains(.hasOwnConditions)
            && !CacheDirectives(request.headers).noStore
    }

    // MARK: Looking up

    /// The stored response for the request's fields, as far as this request reads any. Sets the facts, and why the server is asked.
    ///
    /// A failure that is no longer fresh counts as not stored: requests that ignore freshness would never get past it.
    private func lookUp() async -> StoredCopy? {
        facts.original = use.reads && responses != nil ? .unread : .nothing
        guard let responses, LoadPlan.next(facts) == .read(.original) else { return nil }
        let finding = await responses.find(request.headers)
        facts.now = time.now
        facts.original = .nothing
        guard let copy = finding.copy else {
            if use.failure == nil { cache.note(use.id, .diskMiss(key)) }
            if case .otherVariants = finding { status.forward = .varyMiss } else { status.forward = .uriMiss }
            return nil
        }
        let isFresh = copy.metadata.freshness.isFresh(at: facts.now)
        status.forward = isFresh ? .request : .stale
        if !isFresh || use.retriesFailures, let status = copy.metadata.http?.status, status >= 400 { return nil }
        facts.original = .stored(policy.facts(of: copy.metadata, request: request.headers, facts))
        return copy
    }

    /// The stored response, if the plan delivers it and it is still there.
    private func hit(
        _ copy: StoredCopy, _ forward: CacheStatus.Forward? = nil
    ) async throws(ImageError) -> CachedResponse? {
        guard case .deliver(_, let revalidating) = LoadPlan.next(facts) else {
            if use.lookup == .automatic, use.failure == nil { cache.note(use.id, .stale(copy.key)) }
            return nil
        }
        var status = status
        status.forward = forward
        guard var answer = try await delivered(copy, status) else {
            facts.original = .nothing
            return nil
        }
        if use.caller != nil {
            answer.needsRevalidation = revalidating
        } else if revalidating, use.writes {
            cache.revalidate(request, use, copy.key, over: transport)
        }
        return answer
    }

    /// The entry that would be stored with a response of the server.
    func wouldBe(_ record: StoredHTTPResponse, _ freshness: Freshness) -> StoredCopy {
        StoredCopy(
            key: key,
            metadata: CacheEntryMetadata(
                storedAt: time.now, freshness: freshness, expiration: use.expiration, http: record))
    }

    // MARK: Sending

    /// Whether any request reached the transport.
    var wasSent: Bool { firstSent != nil }

    /// A response of the server, and the times that its age is counted from.
    struct Answer {
        var response: HTTPResponse
        var requestTime: Timestamp
        var responseTime: Timestamp

        var head: HTTPResponseHead { response.head }
    }

    /// Sends a request. All requests of one exchange share its deadline.
    func ask(_ message: HTTPRequest) async throws(ImageError) -> Answer {
        if firstSent == nil { try await use.caller?.willAsk() }
        let requestTime = time.now
        var message = message
        if let firstSent {
            message = try message.inTime(since: firstSent, time, "The server's earlier answers were of no use, and took")
        } else {
            firstSent = time.uptime
        }
        var response = try await transport.send(message)
        // This field is our own: a server's field of this name is ignored.
        response.head.headers.remove(HTTPCachePolicy.redirectField)
        if let caller = use.caller { response.body = caller.metered(response.body) }
        return Answer(response: response, requestTime: requestTime, responseTime: time.now)
    }
}
