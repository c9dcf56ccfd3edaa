package import GannetCore
import GannetPlatform

/// One fetch of one source: through the cache, again after failures, and as a last resort what may stand in for them.
///
/// The steps are not inlined, so that a waiting load does not keep the variables of all steps in memory. It is a class for the
/// same reason, although only one task uses it: no step keeps a copy of the request.
package final class FetchJob {
    /// Shared with the routes of the attempts.
    private let requestBox: Boxed<FetchRequest>
    var request: FetchRequest { _read { yield requestBox.wrappedValue } }
    let loader: any ImageLoader
    /// The cache sees each request that the loader sends, and not the loader's own answer.
    private let isRouted: Bool
    let fetcher: ByteFetcher
    private let publish: (@Sendable (FetchProgress) -> Void)?
    /// The request as its loader gets it.
    let plainLoad: LoadRequest
    /// Changes after this moment make what is fetched no statement about the source.
    private let begun: Generations.Moment
    /// Increases when bytes that were published become void.
    var attempt = 1
    /// Bytes of this attempt that were published.
    private var published = 0
    /// When the first attempt began.
    private var firstCall: Duration?
    /// The source was asked in any attempt.
    private var hasAsked = false

    init(
        request: FetchRequest, loader: any ImageLoader, fetcher: ByteFetcher,
        publish: (@Sendable (FetchProgress) -> Void)?
    ) {
        requestBox = Boxed(wrappedValue: request)
        self.loader = loader
        isRouted = loader is any RoutedLoader
        self.fetcher = fetcher
        self.publish = publish
        plainLoad = LoadRequest(
            source: request.source, download: request.downloadBox, maximumBytes: request.limits.maximumEncodedBytes,
            priority: request.priority, context: request.context, accept: request.accept)
        begun = fetcher.generations.now
    }

    var time: any TimeSource { fetcher.time }
    var policy: HTTPCachePolicy { fetcher.policy }
    /// Where responses are stored; nil: nowhere.
    var cache: (any ImageCaching)? { request.cache ?? fetcher.cache }
    private var isGet: Bool { request.download.method == "GET" }

    /// Files, bytes in memory, `data:` URLs: no cache, no slot.
    func local() async throws(ImageError) -> FetchedBytes {
        if request.lookup == .cacheOnly { throw .nothingStored }
        if request.policy?.shouldLoad(request.source) == false { throw .refusedByPolicy }
        let (source, began) = (request.source, time.uptime)
        fetcher.note(request.id, .transferStarted(source.redactedDescription))
        do throws(ImageError) {
            let response = try await loader.load(plainLoad)
            fetcher.note(request.id, .responseReceived(source.redactedDescription, status: nil))
            let result = try await received(response, CacheOutcome(), nil, since: began)
            fetcher.note(request.id, .transferEnded(source.redactedDescription, bytes: result.metrics?.bytes ?? 0))
            return try usable(result)
        } catch {
            fetcher.note(request.id, .transferFailed(source.redactedDescription))
            throw error
        }
    }

    func remote() async throws(ImageError) -> FetchedBytes {
        do throws(ImageError) {
            let fetched = try await transferred()
            // Even if server errors count as answers, they do not replace something better.
            if let head = fetched.head, head.status >= 500, let fallback = await fallback(for: .status(head.status)) {
                noteFailure(.status(of: head, now: time.now))
                return fallback
            }
            let result = try usable(fetched)
            if hasAsked, !result.isStale { fetcher.failedSources.remove(request.source, storedAt: request.storageKey) }
            return result
        } catch {
            // Also if there is a fallback: the next load need not ask a server that wants to be left alone.
            if hasAsked, error.code != .blocked, error.code != .cancelled { noteFailure(error) }
            if let fallback = await fallback(for: LoadFailure(error)) { return fallback }
            throw error
        }
    }

    /// Lists the failure unless an unsafe method changed the source since: the failure then says nothing about its present state.
    private func noteFailure(_ error: ImageError) {
        guard !fetcher.generations.happened(.changed, to: request.storageKey, since: begun) else { return }
        fetcher.failedSources.note(request.source, storedAt: request.storageKey, error)
    }

    /// The stored response in place of a failure, if the rules allow it and its bytes are still there.
    @inline(never) private func fallback(for failure: LoadFailure) async -> FetchedBytes? {
        guard isGet, request.lookup == .automatic, request.readsCache, cache != nil, failure.mayPass else { return nil }
        let route = FetchRoute(requestBox, fetcher, lowestRate: nil, failure: failure)
        guard var result = try? await fetched(over: route, since: time.uptime) else { return nil }
        result.isStale = true
        return result
    }

    // MARK: Attempts

    /// Loads, and again after failures if the retry strategy says so. Does not hold a slot while waiting.
    @inline(never) private func transferred() async throws(ImageError) -> FetchedBytes {
        let began = time.uptime
        firstCall = began
        var tries = 1
        var mayContinue = true
        while true {
            let route = FetchRoute(
                requestBox, fetcher, lowestRate: lowestRate, isRepeated: hasAsked, readsLocally: loader is any LocalLoader)
            do throws(ImageError) {
                var fetched = try await fetched(over: route, since: began)
                hasAsked = hasAsked || route.hasAsked
                fetched.metrics?.attempts = tries
                return fetched
            } catch {
                guard route.hasAsked else { throw error }
                hasAsked = true
                // The response does not continue the stored part, which is gone: the source was not at fault.
                if mayContinue, route.isContinuing, error.code == .protocolViolation {
                    mayContinue = false
                    continue
                }
                tries += 1
                try await wait(before: tries, after: error)
            }
        }
    }

    private var lowestRate: LowestRate? {
        let deadlines = request.download.deadlines ?? (isRouted ? (loader as? HTTPLoader)?.configuration.deadlines : nil)
        return deadlines?.lowestRate
    }

    /// Returns when it is time for another attempt; throws `error` if there is to be none.
    @inline(never) private func wait(before attempt: Int, after error: ImageError) async throws(ImageError) {
        guard error.code != .cancelled, mayRepeat(after: error) else { throw error }
        let strategy = request.download.retry ?? fetcher.retry
        guard let delay = await strategy?.delay(before: attempt, after: error) else {
            // The strategy may have waited, and returned because the load was cancelled.
            try ImageError.checkCancellation(stage: .load)
            throw error
        }
        fetcher.note(request.id, .retrying(attempt: attempt, after: delay))
        if delay > .zero { try await time.sleep(for: delay) }
        try ImageError.checkCancellation(stage: .load)
    }

    /// False if the server may have carried out the request although no answer came, unless the method is idempotent (RFC 9110
    /// §9.2.2).
    private func mayRepeat(after error: ImageError) -> Bool {
        guard error.code == .network || error.code == .timedOut else { return true }
        return HTTPCachePolicy.isIdempotent(request.download.method)
    }

    /// One attempt, read to its end.
    @inline(never) private func fetched(over route: FetchRoute, since began: Duration) async throws(ImageError) -> FetchedBytes {
        defer { route.end() }
        let source = request.source
        var hasEnded = false
        defer { if route.hasAsked, !hasEnded { fetcher.note(request.id, .transferFailed(source.redactedDescription)) } }
        let response: LoadResponse
        let outcome: CacheOutcome
        if isRouted {
            var load = plainLoad
            load.route = route
            do throws(ImageError) { response = try await loader.load(load) } catch {
                await tell(route.outcome)
                throw error
            }
            outcome = route.outcome
        } else {
            let load = try await fetcher.cached(loader).load(plainLoad, route.use(at: request.getKey))
            (response, outcome) = (load.response, CacheOutcome(load))
        }
        if route.hasAsked {
            let status = outcome.status.forwardStatus ?? response.http?.status
            fetcher.note(request.id, .responseReceived(source.redactedDescription, status: status))
        }
        let result: FetchedBytes
        do throws(ImageError) { result = try await received(response, outcome, route, since: began) } catch {
            await tell(outcome)
            throw error
        }
        await tell(outcome)
        hasEnded = true
        if route.hasAsked {
            fetcher.note(request.id, .transferEnded(source.redactedDescription, bytes: result.metrics?.bytes ?? 0))
        }
        return result
    }

    /// Stored bytes gave way to these: images in memory were made of them.
    private func tell(_ outcome: CacheOutcome) async {
        guard let isGone = outcome.replaces else { return }
        await request.owner?.replaced(request.storageKey, isGone: isGone)
    }

    // MARK: Bytes

    @inline(never) private func received(
        _ response: LoadResponse, _ outcome: CacheOutcome, _ route: FetchRoute?, since began: Duration
    ) async throws(ImageError) -> FetchedBytes {
        var metrics = TransferMetrics()
        metrics.firstByte = time.uptime - (firstCall ?? began)
        metrics.redirects = response.redirects
        metrics.nameLookup = .microseconds(response.times.name)
        metrics.connecting = .microseconds(response.times.connect)
        metrics.securing = .microseconds(response.times.tls)
        let stored = outcome.stored
        let content: FetchedBytes.Content
        // Only the rest of a broken transfer continues what was published of it.
        if stored != nil || outcome.status.forward != .partial { beginAgain() }
        if let stored {
            content = .encoded(EncodedImage(bytes: stored))
        } else {
            switch response.body {
            case .image(let image): content = .image(image)
            case .notModified:
                throw ImageError(.protocolViolation, stage: .load, "The source says “not modified”, but nothing is stored.")
            case .bytes(let rope):
                try plainLoad.check(rope.count)
                tell(rope, response.expectedBytes)
                content = .encoded(EncodedImage(bytes: rope))
            case .stream(let stream):
                content = .encoded(EncodedImage(bytes: try await read(stream, response.expectedBytes)))
            }
        }
        var result = FetchedBytes(
            content: content, origin: outcome.origin ?? response.origin, wasRevalidated: outcome.origin == .revalidated,
            isStale: outcome.isStale, needsRevalidation: outcome.needsRevalidation, storageKey: request.storageKey)
        if case .encoded(var image) = content {
            image.bytes.isComplete = true
            if stored == nil { tell(image.bytes, response.expectedBytes) }
            // Known only now, if the bytes were stored meanwhile.
            let copy = outcome.copy
            image.freshness = copy?.metadata.freshness ?? response.freshness
            if stored != nil { image.format = copy?.metadata.format.flatMap { ImageFormat.named($0) } }
            metrics.bytes = image.bytes.count
            result.content = .encoded(image)
            result.metadataBox = BoxedOptional(copy?.metadataBox)
            if let copy { result.storageKey = copy.key }
            result.unused = stored == nil ? route?.unused(image.bytes.count) : route?.unusedOfCache
        } else {
            result.imageFreshness = policy.completed(response.freshness)
        }
        if stored == nil {
            metrics.total = time.uptime - (firstCall ?? began)
            result.head = response.http
            result.metrics = metrics
        }
        return result
    }

    /// The result, if it has bytes where it must have some.
    private func usable(_ fetched: FetchedBytes) throws(ImageError) -> FetchedBytes {
        guard case .encoded(let image) = fetched.content, image.bytes.isEmpty else { return fetched }
        let status = fetched.metadata?.http?.status ?? 0
        let mayBeEmpty =
            switch request.download.method {
            case "GET": status == 304
            case "POST": status == 204
            default: true
            }
        guard mayBeEmpty || request.allowsEmptyBody else {
            throw ImageError(.empty, stage: .load, "The source has no bytes at all.", httpStatus: fetched.head?.status)
        }
        return fetched
    }

    /// Reads into one piece: the disk and the decoder both need that, and would each make a copy.
    @inline(never) private func read(_ stream: ByteStream, _ expected: Int?) async throws(ImageError) -> ByteRope {
        var bytes: [UInt8] = []
        var shown = ByteRope()
        var isTold = false
        let interval = fetcher.slots.minimumProgressInterval
        while true {
            // Without watchers, a wake-up for each piece is a waste; one before the limit is exceeded is not.
            let limit = min(plainLoad.maximumBytes, 1 << 40) - bytes.count + 1
            let patience = isWatched ? 1 : min(limit, Self.longestPatience)
            guard try await stream.next(into: &bytes, patience: patience) else { return ByteRope(bytes) }
            try plainLoad.check(bytes.count)
            if isWatched {
                let isWorthTelling = expected.map { Double(bytes.count - shown.count) >= interval * Double($0) } ?? true
                if !isTold || isWorthTelling {
                    isTold = true
                    shown.appendMerging(Array(bytes[shown.count...]))
                    tell(shown, expected)
                }
            }
            // The announced length may be wrong: above this bound the array grows with the bytes that arrive.
            if let expected, bytes.capacity < min(expected, 8 << 20) { bytes.reserveCapacity(min(expected, 8 << 20)) }
        }
    }

    /// A caller that begins to watch late waits for at most this many bytes.
    private static let longestPatience = 1 << 20

    private var isWatched: Bool { request.follower?.isWatched ?? (publish != nil) }

    private func tell(_ rope: ByteRope, _ expected: Int?) {
        guard isWatched else { return }
        published = rope.count
        let progress = FetchProgress(bytes: rope, expected: expected, attempt: attempt)
        if let follower = request.follower { follower.publish(progress) } else { publish?(progress) }
    }

    private func beginAgain() {
        if published > 0 { attempt += 1 }
        published = 0
    }
}

extension LoadFailure {
    /// Whether anything may stand in for it.
    fileprivate var mayPass: Bool {
        switch self {
        case .unreachable: true
        case .status(let status): Freshness.errorStatuses.contains(status)
        case .final: false
        }
    }
}

extension ImageError {
    /// The error of ``LoadEnd/cacheMiss``.
    package static var nothingStored: ImageError {
        ImageError(.cacheMiss, stage: .cache, "Only the cache was allowed, and it has nothing usable.")
    }

    static var refusedByPolicy: ImageError {
        ImageError(.hookRefused, stage: .load, "The manager's policy does not allow this source to be loaded.")
    }
}
