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
    /// When the bytes so far are stored next; nil: the transfer cannot be continued.
    var keepsNext: Duration?
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
        guard let stored = await lookUp(headers) else { return nil }
        facts.now = time.now
        facts.original = .stored(policy.facts(of: stored.metadata, request: headers, facts))
        return stored
    }

    package func addDemands(of headers: HTTPHeaders) {
        facts.demands.formUnion(LoadDemands(of: headers))
        if request.download.forcesRevalidation { facts.demands.insert(.forcesRevalidation) }
        let own = request.download.headers
        if !own.isEmpty, FetchRequest.ownConditions.contains(where: { own.contains($0) }) {
            facts.demands.insert(.hasOwnConditions)
        }
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
        guard case .ask = LoadPlan.next(facts) else { throw Self.miss }
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

    package static var miss: ImageError {
        ImageError(.cacheMiss, stage: .cache, "Only the cache was allowed, and it has nothing usable.")
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
        guard request.writesCache, let old = stored.metadata.http, policy.confirms(head.headers, old),
            place(of: old).isOf(head.url)
        else { return }
        let name = head.headers.contains("ETag") ? "ETag" : "Last-Modified"
        guard let validator = head.headers[name], let own = old.headers[name],
            name == "ETag" || own == validator && !old.headers.contains("ETag")
        else { return }
        var record = policy.updated(
            old, by: head.headers, requestTime: transfer.requestTime, responseTime: transfer.responseTime)
        record.varying = HTTPVary(record.headers).selecting(headers, key: scopeKey)
        // The entry may have been replaced, or updated, while the source was asked.
        guard var metadata = try? await cache?.metadata(for: stored.key), let now = metadata.http?.headers,
            Self.validatorsOfBytes(now) == Self.validatorsOfBytes(old.headers)
        else { return }
        metadata.http = record
        metadata.freshness = policy.freshness(of: record)
        await rewrite(metadata, record, for: stored.key, headers)
    }

    /// Asks the source with the validators of the stored copy, and again without them if the copy was removed in the meantime.
    @inline(never) private func ask(_ headers: HTTPHeaders, about stored: StoredCopy) async throws(ImageError) -> FetchedBytes {
        var load = plainLoad
        load.stored = stored.metadata
        load.storedPlace = stored.metadata.http.map { place(of: $0) }
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
        guard let old = stored.metadata.http, let head = transfer.head, policy.confirms(head.headers, old) else { return nil }
        // The entry may have been used, or updated, while the source was asked.
        guard var fetched = try await read(stored, isStale: false, needsRevalidation: false), var metadata = fetched.metadata,
            let now = metadata.http?.headers, Self.validatorsOfBytes(now) == Self.validatorsOfBytes(old.headers)
        else { return nil }
        var record = policy.updated(
            old, by: head.headers, requestTime: transfer.requestTime, responseTime: transfer.responseTime)
        record.varying = HTTPVary(record.headers).selecting(headers, key: scopeKey)
        metadata.http = record
        metadata.freshness = policy.freshness(of: record)
        if request.writesCache { await rewrite(metadata, record, for: stored.key, headers) }
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
        var freshness = freshness
        // A loader that names no time is asked again when the old time is over.
        freshness.freshUntil = freshness.freshUntil ?? metadata.freshness.freshUntil
        freshness.unreachableUntil = freshness.unreachableUntil ?? metadata.freshness.unreachableUntil
        freshness.staleIfErrorUntil = freshness.staleIfErrorUntil ?? metadata.freshness.staleIfErrorUntil
        freshness = withStandIn(freshness)
        freshness.etag = freshness.etag ?? metadata.freshness.etag
        freshness.lastModified = freshness.lastModified ?? metadata.freshness.lastModified
        metadata.freshness = freshness
        if request.writesCache, !wasRemoved(stored.key) {
            await write { [metadata] cache throws(ImageError) in
                if freshness.forbidsStoring {
                    try await cache.remove(stored.key)
                } else {
                    try await cache.update(sealed(metadata), for: stored.key)
                }
            }
        }
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

    /// Validators that distinguish the stored bytes from others: the tag, or without one the modification time and the length.
    private static func validatorsOfBytes(_ headers: HTTPHeaders) -> [String?] {
        if let tag = headers["ETag"] { return [tag] }
        return [nil, headers["Last-Modified"], headers["Content-Length"]]
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
        var found = policy.facts(of: stored.metadata, request: headers, facts)
        found.mayFallBack = mayFallBack(stored, headers, for: failure)
        facts.original = .stored(found)
        facts.answer = .failed(failure)
        return LoadPlan.next(facts)
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

    /// Stores the entry unless its key was removed since this fetch began. Checks before and after: either this check finds a
    /// concurrent removal, or the removal finds the entry.
    func store(_ entry: CacheEntry, for key: CacheKey) async {
        guard !wasRemoved(key) else { return }
        let entry = CacheEntry(bytes: entry.bytes, metadata: sealed(entry.metadata))
        await write { cache throws(ImageError) in
            try await cache.store(entry, for: key)
            if wasRemoved(key) { try await cache.remove(key) }
        }
    }

    func wasRemoved(_ key: CacheKey) -> Bool {
        fetcher.generations.happened(.ofDisk(isOwn: request.cache != nil), to: key, since: begun)
    }

    /// Writes to the cache; a failure to write never fails a load.
    func write(_ body: (any ImageCaching) async throws(ImageError) -> Void) async {
        guard let cache else { return }
        do throws(ImageError) { try await body(cache) } catch {
            if error.code != .cancelled { fetcher.note(request.id, .cacheDegraded(error.description)) }
        }
    }
}
