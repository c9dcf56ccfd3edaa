package import GannetCore
import GannetPlatform

/// One fetch of one source, read from top to bottom: look up, decide, load, check, store.
///
/// The steps are not inlined, so that a waiting load does not keep the variables of all steps in memory. It is a class for the
/// same reason, although only one task uses it: no step keeps a copy of the request.
package final class FetchJob {
    let request: FetchRequest
    package let loader: any ImageLoader
    let fetcher: ByteFetcher
    let publish: (@Sendable (FetchProgress) -> Void)?
    /// The request to the loader, without a stored copy.
    package let plainLoad: LoadRequest
    /// Nil: nothing is read or stored.
    let cache: (any ImageCaching)?
    /// Changes after this moment invalidate what is fetched.
    var begun: Generations.Moment
    /// Increases when bytes that were published become void.
    var attempt = 1
    /// Bytes of this attempt were published.
    var hasPublished = false
    /// The time of those calls of this attempt that brought nothing to keep: it is subtracted from the deadline of the next ones.
    var spent = Duration.zero
    /// When the first call began.
    var firstCall: Duration?
    /// The requests that led to the last answer.
    var trail: LoadTrail?
    /// The part that the last broken transfer left, if it can be continued.
    var broken: BrokenTransfer?
    /// When the bytes so far are stored; nil: the transfer cannot be continued.
    var keeping: PartTimes?
    /// A part of this transfer is in the cache.
    var hasKept = false
    /// The facts of this fetch; see ``LoadPlan``.
    package var facts: LoadFacts

    init(
        request: FetchRequest, loader: any ImageLoader, fetcher: ByteFetcher,
        publish: (@Sendable (FetchProgress) -> Void)?
    ) {
        self.request = request
        self.loader = loader
        self.fetcher = fetcher
        self.publish = publish
        var load = LoadRequest(
            source: request.source, download: request.downloadBox, maximumBytes: request.limits.maximumEncodedBytes,
            priority: request.priority, context: request.context, accept: request.accept)
        let method = request.download.method
        if method != "GET", !HTTPCachePolicy.isSafe(method) { load.journal = LoadJournal() }
        plainLoad = load
        cache = request.cache ?? fetcher.cache
        begun = fetcher.generations.now
        facts = LoadFacts(lookup: request.lookup, now: fetcher.time.now)
        if cache != nil, request.readsCache, method == "GET", loader.isRemote { facts.original = .unread }
    }

    /// Where this job finds and keeps responses; nil: nothing is read or stored.
    var responses: ResponseStore? { responses(at: request.storageKey) }

    func responses(at key: CacheKey) -> ResponseStore? {
        cache.map { cache in
            ResponseStore(
                cache: cache, policy: policy, key: key, getKey: request.getKey, generations: fetcher.generations,
                isOwn: request.cache != nil, begun: begun
            ) { [fetcher, id = request.id] in fetcher.note(id, .cacheDegraded($0)) }
        }
    }

    var time: any TimeSource { fetcher.time }
    var policy: HTTPCachePolicy { fetcher.policy }
    var isGet: Bool { request.download.method == "GET" }

    /// Files, bytes in memory, `data:` URLs: no cache, no slot.
    func local() async throws(ImageError) -> FetchedBytes {
        try checkMayAsk()
        let transfer = try await drained(plainLoad, resuming: nil)
        return try finished(transfer, transfer.freshness)
    }

    func remote() async throws(ImageError) -> FetchedBytes {
        let headers = loader.requestHeaders(for: plainLoad)
        addDemands(of: headers)
        if LoadPlan.next(facts) == .read(.original) {
            if let stored = await storedCopy(headers) { return try await remote(headers, stored) }
            fetcher.note(request.id, .diskMiss(request.storageKey))
        }
        try checkMayAsk()
        try checkFailures()
        do throws(ImageError) {
            let fetched = try await ask(headers)
            fetcher.failedSources.remove(request.source, storedAt: request.storageKey)
            return fetched
        } catch {
            if !isGet { await followMethod(after: error) }
            noteFailure(error)
            throw error
        }
    }

    /// Reads the stored original for these header fields.
    @inline(never) package func storedCopy(_ headers: HTTPHeaders) async -> StoredCopy? {
        facts.original = .nothing
        guard let stored = await responses?.find(headers).copy else { return nil }
        facts.now = time.now
        facts.original = .stored(policy.facts(of: stored.metadata, request: headers, facts))
        return stored
    }

    package func addDemands(of headers: HTTPHeaders) {
        facts.demands.formUnion(LoadDemands(of: headers))
        if request.download.forcesRevalidation { facts.demands.insert(.forcesRevalidation) }
        if HTTPCachePolicy.hasOwnConditions(request.download.headers) { facts.demands.insert(.hasOwnConditions) }
    }

    /// Continues with a stored copy, which is delivered, revalidated, or the fallback.
    @inline(never) private func remote(_ headers: HTTPHeaders, _ stored: StoredCopy) async throws(ImageError) -> FetchedBytes {
        if case .deliver(_, let revalidating) = LoadPlan.next(facts) {
            let isStale = !stored.metadata.freshness.isFresh(at: facts.now)
            if let served = try await read(stored, isStale: isStale, needsRevalidation: revalidating) {
                return answeringOwnFields(served)
            }
            // The bytes were removed since the lookup.
            facts.original = .nothing
        } else if request.lookup == .automatic {
            fetcher.note(request.id, .stale(stored.key))
        }
        try checkMayAsk()
        do throws(ImageError) {
            try checkFailures()
            let fetched =
                if case .ask(validating: true, _) = LoadPlan.next(facts) {
                    try await ask(headers, about: stored)
                } else {
                    try await ask(headers, replacing: stored)
                }
            if !fetched.isStale { fetcher.failedSources.remove(request.source, storedAt: request.storageKey) }
            return fetched
        } catch {
            // Also if there is a fallback: the next load need not ask a server that wants to be left alone.
            if error.code != .blocked { noteFailure(error) }
            if let fallback = try await fallback(stored, headers, for: LoadFailure(error)) { return fallback }
            throw error
        }
    }

    /// Throws if only stored bytes were allowed, or if the load policy refuses.
    private func checkMayAsk() throws(ImageError) {
        guard case .ask = LoadPlan.next(facts) else { throw .nothingStored }
        try checkPolicy()
    }

    /// Lists the failure unless an unsafe method changed the source since: the failure then says nothing about its present state.
    private func noteFailure(_ error: ImageError) {
        guard !fetcher.generations.happened(.changed, to: request.storageKey, since: begun) else { return }
        fetcher.failedSources.note(request.source, storedAt: request.storageKey, error)
    }

    /// Throws if the source failed a moment ago.
    private func checkFailures() throws(ImageError) {
        if !request.retriesFailedSources {
            try fetcher.failedSources.check(request.source, storedAt: request.storageKey)
        }
    }

    /// The failure that blocks the source now; nil: it may be loaded.
    package var listedFailure: LoadFailure? {
        do throws(ImageError) { try checkFailures() } catch { return LoadFailure(error) }
        return nil
    }

    private func checkPolicy() throws(ImageError) {
        if request.policy?.shouldLoad(request.source) != false { return }
        throw ImageError(.hookRefused, stage: .load, "The manager's policy does not allow this source to be loaded.")
    }

    /// See ``ByteFetcher/isStored(_:)``.
    func isStored() async -> Bool {
        guard let cache, let stored = await usableCopy() else { return false }
        fetcher.note(request.id, .diskHit(stored.key))
        if request.countsUses { await cache.noteUse(of: stored.key) }
        return true
    }

    /// The stored response, where it may be used without asking the source, now or in the background.
    func usableCopy() async -> StoredCopy? {
        let headers = loader.requestHeaders(for: plainLoad)
        addDemands(of: headers)
        // The fetch that follows reports a miss.
        guard let cache, LoadPlan.next(facts) == .read(.original), cache.mightContain(request.storageKey),
            await cache.contains(request.storageKey), let stored = await storedCopy(headers)
        else { return nil }
        return LoadPlan.next(facts) == .deliver(.original, revalidating: false) ? stored : nil
    }

    /// Asks the source without validators.
    @inline(never) private func ask(
        _ headers: HTTPHeaders, replacing stored: StoredCopy? = nil
    ) async throws(ImageError) -> FetchedBytes {
        let transfer = try await transfer(plainLoad)
        if let stored, let head = transfer.head, head.status == 304 { await renew(stored, headers, head, transfer) }
        return try await keepWhole(transfer, headers: headers, replacing: stored)
    }

    /// A 304 to the caller's own condition also confirms the stored entry if that has the same validator (RFC 9111 §4.3.4).
    private func renew(_ stored: StoredCopy, _ headers: HTTPHeaders, _ head: HTTPResponseHead, _ transfer: Transfer) async {
        // The stored response may be from another URL, to which the source redirected then.
        guard request.writesCache, let responses, let old = stored.metadata.http, responses.place(of: old).isOf(head.url),
            HTTPCachePolicy.isNamed(old.headers, by: head.headers),
            let metadata = renewed(try? await responses.cache.metadata(for: stored.key), old, headers, head, transfer, responses),
            let record = metadata.http
        else { return }
        await responses.rewrite(metadata, record, for: stored.key, sent(headers))
    }

    private func renewed(
        _ current: CacheEntryMetadata?, _ old: StoredHTTPResponse, _ headers: HTTPHeaders, _ head: HTTPResponseHead,
        _ transfer: Transfer, _ responses: ResponseStore
    ) -> CacheEntryMetadata? {
        responses.renewed(
            current, old, by: head, headers, requestTime: transfer.requestTime, responseTime: transfer.responseTime)
    }

    /// Asks the source with the validators of the stored copy, and again without them if the copy was removed in the meantime.
    @inline(never) private func ask(_ headers: HTTPHeaders, about stored: StoredCopy) async throws(ImageError) -> FetchedBytes {
        var load = plainLoad
        load.stored = stored.metadata
        load.storedPlace = stored.metadata.http.flatMap { responses?.place(of: $0) }
        let transfer = try await transfer(load)
        guard case .notModified = transfer.content else {
            // Even if server errors count as answers, they do not replace something better.
            if let head = transfer.head, head.status >= 500,
                let fallback = try await fallback(stored, headers, for: .status(head.status))
            {
                noteFailure(.status(of: head, now: transfer.responseTime))
                return fallback
            }
            return try await keepWhole(transfer, headers: headers, replacing: stored)
        }
        if let confirmed = try await confirm(stored, headers, transfer) { return confirmed }
        return try await ask(headers, replacing: stored)
    }

    /// The stored bytes with the newer fields of a 304. Nil if the bytes were removed.
    @inline(never) private func confirm(
        _ stored: StoredCopy, _ headers: HTTPHeaders, _ transfer: Transfer
    ) async throws(ImageError) -> FetchedBytes? {
        if stored.metadata.http == nil, transfer.head == nil { return try await confirmWithoutHTTP(stored, transfer.freshness) }
        guard let responses, let old = stored.metadata.http, let head = transfer.head, policy.confirms(head.headers, old),
            var fetched = try await read(stored, isStale: false, needsRevalidation: false),
            let metadata = renewed(fetched.metadata, old, headers, head, transfer, responses), let record = metadata.http
        else { return nil }
        if request.writesCache { await responses.rewrite(metadata, record, for: stored.key, sent(headers)) }
        fetcher.note(request.id, .revalidated(stored.key))
        fetched.metadata = metadata
        if case .encoded(var image) = fetched.content {
            image.freshness = metadata.freshness
            fetched.content = .encoded(image)
        }
        fetched.origin = .revalidated
        fetched.wasRevalidated = true
        return fetched
    }

    /// Accepts a loader's statement that its source has not changed. Validators that it does not repeat stay valid.
    @inline(never) private func confirmWithoutHTTP(
        _ stored: StoredCopy, _ freshness: Freshness
    ) async throws(ImageError) -> FetchedBytes? {
        guard var fetched = try await read(stored, isStale: false, needsRevalidation: false), var metadata = fetched.metadata,
            metadata.http == nil, metadata.storedAt == stored.metadata.storedAt
        else { return nil }
        let freshness = policy.completed(freshness.renewing(metadata.freshness))
        metadata.freshness = freshness
        if request.writesCache, let responses { await responses.rewrite(withoutHTTP: metadata, for: stored.key) }
        fetcher.note(request.id, .revalidated(stored.key))
        fetched.metadata = metadata
        if case .encoded(var image) = fetched.content {
            image.freshness = freshness
            fetched.content = .encoded(image)
        }
        fetched.origin = .revalidated
        fetched.wasRevalidated = true
        return fetched
    }

    /// The stored copy as the fallback for a failure, if the plan allows it and its bytes still exist.
    @inline(never) private func fallback(
        _ stored: StoredCopy, _ headers: HTTPHeaders, for failure: LoadFailure
    ) async throws(ImageError) -> FetchedBytes? {
        guard step(after: failure, stored, headers) == .fallback(.original),
            let fetched = try await read(stored, isStale: true, needsRevalidation: false)
        else { return nil }
        beginAgain()
        return fetched
    }

    package func mayFallBack(_ stored: StoredCopy, _ headers: HTTPHeaders, for failure: LoadFailure) -> Bool? {
        policy.mayFallBack(on: stored.metadata, request: headers, for: failure, at: time.now)
    }

    private func step(after failure: LoadFailure, _ stored: StoredCopy, _ headers: HTTPHeaders) -> LoadStep {
        var facts = facts
        facts.now = time.now
        return policy.step(after: failure, with: stored.metadata, request: headers, facts)
    }

    /// The bytes of a stored copy; nil if they were removed.
    private func read(
        _ stored: StoredCopy, isStale: Bool, needsRevalidation: Bool
    ) async throws(ImageError) -> FetchedBytes? {
        let priority = request.follower?.priority ?? LivePriority(request.priority)
        return try await fetcher.slots.withReadingSlot(priority: priority) { slot async throws(ImageError) in
            var fetched = await readNow(stored, isStale: isStale, needsRevalidation: needsRevalidation)
            if let bytes = fetched?.encoded?.bytes { fetched?.unused = fetcher.slots.unused.begin(bytes.count, in: slot) }
            return fetched
        }
    }

    private func readNow(_ stored: StoredCopy, isStale: Bool, needsRevalidation: Bool) async -> FetchedBytes? {
        guard let entry = try? await cache?.entry(for: stored.key, touch: request.countsUses), !entry.metadata.isPartial else {
            fetcher.note(request.id, .diskMiss(stored.key))
            return nil
        }
        fetcher.note(request.id, .diskHit(stored.key))
        var rope = entry.bytes
        rope.isComplete = true
        let image = EncodedImage(
            bytes: rope, format: entry.metadata.format.flatMap { ImageFormat.named($0) }, freshness: entry.metadata.freshness)
        return FetchedBytes(
            content: .encoded(image), origin: .disk, metadata: entry.metadata, isStale: isStale,
            needsRevalidation: needsRevalidation, storageKey: stored.key)
    }

}
