import GannetCore
import GannetPlatform
import Synchronization

/// The way of one attempt's requests to the source: through the cache, and in a slot that is taken before the first is sent.
final class FetchRoute: LoadRoute, CacheCaller {
    private struct State {
        var hasAsked = false
        var slot: HeldSlot?
        var unused: UnusedBytes.Part?
        /// The URLs of the hops, as keys have them.
        var hops: [String] = []
        var outcome = CacheOutcome()
        var floor: RateFloor?
        var arrived = 0
    }

    private let requestBox: Boxed<FetchRequest>
    private var request: FetchRequest { _read { yield requestBox.wrappedValue } }
    private let fetcher: ByteFetcher
    private let lowestRate: LowestRate?
    private let failure: LoadFailure?
    /// Local files that are read at the same time have separate slots.
    private let readsLocally: Bool
    /// The source may be listed because it failed in an earlier attempt of this fetch.
    private let isRepeated: Bool
    private let state = Mutex(State())

    /// `failure`: the source was asked, and only what may stand in for the failure is wanted.
    init(
        _ request: Boxed<FetchRequest>, _ fetcher: ByteFetcher, lowestRate: LowestRate?, isRepeated: Bool = false,
        failure: LoadFailure? = nil, readsLocally: Bool = false
    ) {
        requestBox = request
        self.fetcher = fetcher
        self.lowestRate = lowestRate
        self.isRepeated = isRepeated
        self.failure = failure
        self.readsLocally = readsLocally
    }

    /// The source was asked.
    var hasAsked: Bool { state.withLock { $0.hasAsked } }
    /// The cache's answers, hop by hop.
    var outcome: CacheOutcome { state.withLock { $0.outcome } }

    /// The rest of a broken transfer was on its way.
    var isContinuing: Bool { outcome.status.forward == .partial }

    private var priority: LivePriority { request.follower?.priority ?? LivePriority(request.priority) }

    /// Ends the use of the slot.
    func end() {
        guard let slot = state.withLock({ $0.slot.take() }) else { return }
        fetcher.slots.unused.endArriving(in: slot)
        fetcher.slots.giveBack(slot)
    }

    /// Counts the bytes that arrived until they are used. Nil: they took no slot.
    func unused(_ count: Int) -> UnusedBytes.Part? {
        state.withLock { $0.slot }.map { fetcher.slots.unused.begin(count, in: $0) }
    }

    /// The same for the bytes that were read last.
    var unusedOfCache: UnusedBytes.Part? { state.withLock { $0.unused } }

    // MARK: Hops

    func send(_ message: HTTPRequest, over transport: any HTTPTransport) async throws(ImageError) -> HTTPResponse {
        let text = ImageSource.url(message.url).keyText
        let (isFirst, isRepeated) = state.withLock { state in
            defer { state.hops.append(text) }
            return (state.hops.first.map { $0 == text } ?? true, state.hops.contains(text))
        }
        var use = use(at: isFirst ? request.getKey : request.getKey.replacingSource(with: text))
        // A redirect or a challenge led back here, and may have changed the server's answer: cookies, a login.
        if isRepeated { use.reads = false }
        let answer = try await fetcher.http.exchange(message, use, over: transport)
        state.withLock { $0.outcome.add(answer) }
        let body: ByteStream =
            switch answer.body {
            case .stream(let stream): stream
            case .stored(let rope): .joined(rope, nil)
            case .same: .joined(ByteRope(), nil)
            }
        var response = HTTPResponse(head: answer.head, body: body)
        response.times = answer.times
        return response
    }

    /// How the request's loads use the cache.
    func use(at key: CacheKey) -> CacheUse {
        var use = CacheUse()
        use.lookup = request.lookup
        use.key = key
        (use.reads, use.writes, use.countsUses) = (request.readsCache, request.writesCache, request.countsUses)
        use.forcesRevalidation = request.download.forcesRevalidation
        use.store = request.cache
        use.expiration = request.expiration
        use.storesEmpty = request.allowsEmptyBody
        // A hook's output for a part of the bytes is no part of its output for the whole.
        use.resumes = request.download.decryptor == nil && request.download.responseModifier == nil
        use.retriesFailures = request.retriesFailedSources
        use.failure = failure
        use.caller = self
        use.id = request.id
        return use
    }

    // MARK: The cache's caller

    func willAsk() async throws(ImageError) {
        if hasAsked { return }
        if request.policy?.shouldLoad(request.source) == false {
            throw .refusedByPolicy
        }
        if !isRepeated, !request.retriesFailedSources {
            try fetcher.failedSources.check(request.source, storedAt: request.storageKey)
        }
        var slot: HeldSlot?
        // A provider may load other images, as for a collage: it must not hold a slot that they need.
        if case .provider = request.source {
        } else {
            slot =
                readsLocally
                ? try await fetcher.slots.takeForFile(priority: priority)
                : try await fetcher.slots.take(for: request.source, priority: priority)
        }
        state.withLock { [slot] in ($0.hasAsked, $0.slot) = (true, slot) }
        fetcher.note(request.id, .transferStarted(request.source.redactedDescription))
    }

    func metered(_ body: ByteStream) -> ByteStream {
        let now = fetcher.time.uptime
        state.withLock { ($0.floor, $0.arrived) = (RateFloor(lowestRate, at: now), 0) }
        return ByteStream { () async throws(ImageError) in
            guard let chunk = try await body.next() else { return nil }
            try self.arrived(chunk.count)
            return chunk
        } into: { (bytes, patience) async throws(ImageError) in
            let before = bytes.count
            guard try await body.next(into: &bytes, patience: patience) else { return false }
            try self.arrived(bytes.count - before)
            return true
        }
    }

    private func arrived(_ count: Int) throws(ImageError) {
        let now = fetcher.time.uptime
        let (slot, failure) = state.withLock { state -> (HeldSlot?, ImageError?) in
            state.arrived += count
            do throws(ImageError) { try state.floor?.check(state.arrived, at: now) } catch { return (state.slot, error) }
            return (state.slot, nil)
        }
        slot?.progressed(by: count)
        if let failure { throw failure }
        if let slot { try fetcher.slots.unused.arrived(count, in: slot) }
    }

    func read(_ body: () async -> CacheEntry?) async throws(ImageError) -> CacheEntry? {
        try await fetcher.slots.withReadingSlot(priority: priority) { slot async throws(ImageError) in
            let entry = await body()
            if let count = entry?.bytes.count {
                let part = fetcher.slots.unused.begin(count, in: slot)
                // Ended outside of the lock.
                let earlier = state.withLock { state in
                    defer { state.unused = part }
                    return state.unused
                }
                earlier?.end()
            }
            return entry
        }
    }

    func invalidated(_ sourceText: String) async {
        fetcher.failedSources.remove(request.source)
        fetcher.failedSources.remove(sourceText: sourceText)
        await request.owner?.invalidated(sourceText)
    }

    // MARK: The loader's slot

    func putDown<R: Sendable>(during body: () async throws(ImageError) -> R) async throws(ImageError) -> R {
        guard let slot = state.withLock({ $0.slot }) else { return try await body() }
        return try await slot.putDown(during: body)
    }

    func progressed(by count: Int) { state.withLock { $0.slot }?.progressed(by: count) }
}
