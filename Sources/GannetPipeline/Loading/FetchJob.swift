import GannetCore

/// One fetch of one source, read from top to bottom: look up, decide, load, check, store.
///
/// Its steps are not inlined: what one needs to remember is then not kept for all of them while a load waits. For the same reason
/// it is a class, although only one task has it: no step keeps a copy of the request.
final class FetchJob {
    let request: FetchRequest
    let loader: any ImageLoader
    let fetcher: ByteFetcher
    let publish: (@Sendable (FetchProgress) -> Void)?
    /// What the loader is asked for, without anything stored.
    let plainLoad: LoadRequest
    /// Nil: nothing is looked up, and nothing stored.
    let cache: (any ImageCaching)?
    /// Changes after this moment make void what is fetched.
    var begun: Generations.Moment
    /// Counts up when bytes that were published are void.
    var attempt = 1
    /// Bytes of this attempt were published.
    var hasPublished = false
    /// How long the calls of this attempt took that brought nothing to keep: those after them have the rest of its time.
    var spent = Duration.zero
    /// When the first call began.
    var firstCall: Duration?
    /// How the last answer was come by.
    var trail: LoadTrail?
    /// What the last broken transfer left, if it can be continued.
    var broken: BrokenTransfer?
    /// When what has come of this transfer is kept next; nil: it cannot be continued.
    var keepsNext: Duration?
    /// A part of this transfer stands in the cache.
    var hasKept = false
    /// The facts of this fetch; see ``LoadPlan``.
    var facts: LoadFacts

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

    /// Reads the original: what is stored for these fields.
    @inline(never) func storedCopy(_ headers: HTTPHeaders) async -> StoredCopy? {
        facts.original = .nothing
        guard let stored = await lookUp(headers) else { return nil }
        facts.now = time.now
        facts.original = .stored(policy.facts(of: stored.metadata, request: headers, facts))
        return stored
    }

    func addDemands(of headers: HTTPHeaders) {
        facts.demands.formUnion(LoadDemands(of: headers))
        if request.download.forcesRevalidation { facts.demands.insert(.forcesRevalidation) }
        let own = request.download.headers
        if !own.isEmpty, FetchRequest.ownConditions.contains(where: { own.contains($0) }) {
            facts.demands.insert(.hasOwnConditions)
        }
    }

    /// With a stored copy, which is delivered, revalidated, or a fallback.
    @inline(never) private func remote(_ headers: HTTPHeaders, _ stored: StoredCopy) async throws(ImageError) -> FetchedBytes {
        if case .deliver(_, let revalidating) = LoadPlan.next(facts) {
            let isStale = !stored.metadata.freshness.isFresh(at: facts.now)
            if let served = try await read(stored, isStale: isStale, needsRevalidation: revalidating) {
                return answeringOwnFields(served)
            }
            // Its bytes have gone since it was looked up.
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
            // Also where there is a fallback: the next load need not ask a server that wants to be left alone.
            if error.code != .blocked { noteFailure(error) }
            if let fallback = try await fallback(stored, headers, for: LoadFailure(error)) { return fallback }
            throw error
        }
    }

    /// Throws if only what is stored was wanted, or the policy says no.
    private func checkMayAsk() throws(ImageError) {
        guard case .ask = LoadPlan.next(facts) else { throw Self.miss }
        try checkPolicy()
    }

    /// What a source was like before an unsafe method changed it says nothing of it now.
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

    /// The failure for which the source is not asked now; nil: it may be asked.
    var listedFailure: LoadFailure? {
        do throws(ImageError) { try checkFailures() } catch { return LoadFailure(error) }
        return nil
    }

    private func checkPolicy() throws(ImageError) {
        if request.policy?.shouldLoad(request.source) != false { return }
        throw ImageError(.hookRefused, stage: .load, "The manager's policy does not allow this source to be loaded.")
    }

    static var miss: ImageError {
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

    /// A 304 to the caller's own condition speaks of what is stored, too, where it has the same validator (RFC 9111 §4.3.4).
    private func renew(_ stored: StoredCopy, _ headers: HTTPHeaders, _ head: HTTPResponseHead, _ transfer: Transfer) async {
        // What was stored may be of another address, to which the source led then.
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
        // What was looked up before the question may have been replaced, or given other data, in the meantime.
        guard var metadata = try? await cache?.metadata(for: stored.key), let now = metadata.http?.headers,
            Self.validatorsOfBytes(now) == Self.validatorsOfBytes(old.headers)
        else { return }
        metadata.http = record
        metadata.freshness = policy.freshness(of: record)
        await rewrite(metadata, record, for: stored.key, headers)
    }

    /// Asks the source with the validators of the stored copy, and again without if that has gone in the meantime.
    @inline(never) private func ask(_ headers: HTTPHeaders, about stored: StoredCopy) async throws(ImageError) -> FetchedBytes {
        var load = plainLoad
        load.stored = stored.metadata
        load.storedPlace = stored.metadata.http.map { place(of: $0) }
        let transfer = try await transfer(load)
        guard case .notModified = transfer.content else {
            // Where server errors are answers like others, they do not take the place of what is better.
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

    /// What a 304 leaves: the stored bytes with newer fields. Nil if they are no longer there.
    @inline(never) private func confirm(
        _ stored: StoredCopy, _ headers: HTTPHeaders, _ transfer: Transfer
    ) async throws(ImageError) -> FetchedBytes? {
        if stored.metadata.http == nil, transfer.head == nil { return try await confirmWithoutHTTP(stored, transfer.freshness) }
        guard let old = stored.metadata.http, let head = transfer.head, policy.confirms(head.headers, old) else { return nil }
        // What was looked up before the question may have been used, or given other data, in the meantime.
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

    /// A loader's own word that its source is what it was. Validators that it does not name anew are still right.
    @inline(never) private func confirmWithoutHTTP(
        _ stored: StoredCopy, _ freshness: Freshness
    ) async throws(ImageError) -> FetchedBytes? {
        guard var fetched = try await read(stored, isStale: false, needsRevalidation: false), var metadata = fetched.metadata,
            metadata.http == nil, metadata.storedAt == stored.metadata.storedAt
        else { return nil }
        var freshness = freshness
        // Who says nothing of time is asked again.
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

    /// What tells stored bytes from others: without a tag, the time at which they were changed and how many they are.
    private static func validatorsOfBytes(_ headers: HTTPHeaders) -> [String?] {
        if let tag = headers["ETag"] { return [tag] }
        return [nil, headers["Last-Modified"], headers["Content-Length"]]
    }

    /// The stored copy in place of a failure, where the plan allows it and its bytes are still there.
    @inline(never) private func fallback(
        _ stored: StoredCopy, _ headers: HTTPHeaders, for failure: LoadFailure
    ) async throws(ImageError) -> FetchedBytes? {
        guard step(after: failure, stored, headers) == .fallback(.original),
            let fetched = try await read(stored, isStale: true, needsRevalidation: false)
        else { return nil }
        beginAgain()
        return fetched
    }

    func mayFallBack(_ stored: StoredCopy, _ headers: HTTPHeaders, for failure: LoadFailure) -> Bool? {
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

    /// The bytes of a stored copy; nil if they have gone.
    private func read(
        _ stored: StoredCopy, isStale: Bool, needsRevalidation: Bool
    ) async throws(ImageError) -> FetchedBytes? {
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

    /// Stores the entry unless its key was removed since this began. Looks before and after: a removal at the same time finds it, or
    /// is found.
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

    /// Carries out a write; a cache that cannot be written never fails a load.
    func write(_ body: (any ImageCaching) async throws(ImageError) -> Void) async {
        guard let cache else { return }
        do throws(ImageError) { try await body(cache) } catch {
            if error.code != .cancelled { fetcher.note(request.id, .cacheDegraded(error.description)) }
        }
    }
}
