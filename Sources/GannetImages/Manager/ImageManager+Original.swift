public import GannetCore
public import GannetFetch
import GannetPlatform
import Synchronization

// The job behind one decoded original: bytes, then pixels. Sizes of one source share the transfer, not the decode.

extension ImageManager {
    func makeOriginal(
        _ prepared: PreparedRequest, _ keys: JobKeys, _ prefetched: FetchedBytes?, _ job: Job<LoadSnapshot>
    ) async throws(ImageError) -> DecodedOriginal {
        let clock = configuration.time
        if prepared.request.cache.readOriginal.contains(.memory), prepared.keys.allowsStoring,
            let picture = relative(at: prepared.memoryKey(prepared.keys.decode), prepared)
        {
            return DecodedOriginal(image: picture.image, origin: .memory, freshness: picture.freshness)
        }
        if prefetched == nil, let picture = try await derived(prepared, job.priority) {
            return DecodedOriginal(image: picture.image, origin: .memory, freshness: picture.freshness)
        }

        let start = clock.uptime
        var previews = 0
        let fetched: FetchedBytes
        if let prefetched {
            fetched = prefetched
        } else {
            fetched = try await fetchWithPreviews(prepared, keys.transfer, job, previews: &previews)
        }
        return try await original(of: fetched, since: start, prepared, keys.transfer, job, previews)
    }

    /// Decodes the bytes; if they are no image, fetches and decodes those of the request's next source.
    private func original(
        of first: FetchedBytes, since begun: Duration, _ prepared: PreparedRequest, _ key: CacheKey,
        _ job: Job<LoadSnapshot>, _ shown: Int
    ) async throws(ImageError) -> DecodedOriginal {
        var (fetched, start, previews) = (first, begun, shown)
        while true {
            do throws(ImageError) {
                return try await original(of: fetched, loadTime: configuration.time.uptime - start, prepared, job.priority)
            } catch {
                let download = prepared.request.download
                // In data-saving mode the stored bytes of the source itself were tried first; `lowDataSource` is next.
                let hasNext =
                    !download.alternatives.isEmpty
                    || fetcher.savesData && download.lowDataSource != nil && !fetched.isStandIn(for: prepared.request)
                guard error.isOfBytes, download.method == "GET", hasNext, !fetched.answersFields else { throw error }
                let source = fetched.source ?? prepared.request.source
                start = configuration.time.uptime
                fetched = try await fetchWithPreviews(
                    prepared, key, job, after: fetched.failures + [FailedAttempt(source: source, error: error)],
                    previews: &previews)
            }
        }
    }

    private func original(
        of fetched: FetchedBytes, loadTime: Duration, _ prepared: PreparedRequest, _ priority: LivePriority
    ) async throws(ImageError) -> DecodedOriginal {
        let clock = configuration.time
        let freshness = fetched.freshness
        let standIn = fetched.isStandIn(for: prepared.request) ? fetched.source : nil

        switch fetched.content {
        case .image(let image):
            return DecodedOriginal(
                image: image, origin: fetched.origin, freshness: freshness, standIn: standIn, loadTime: loadTime)
        case .encoded(let encoded):
            let decodeStart = clock.uptime
            let image = try await decodeOrForget(encoded.bytes, fetched, prepared, priority)
            var facts = LoadFacts(prepared, now: clock.now)
            facts.answer = .arrived(LoadArrival(freshness, image, isOfOtherSource: standIn != nil))
            if prepared.request.cache.writeOriginal.contains(.memory), prepared.keys.allowsStoring,
                LoadPlan.next(facts) == .make(.keep)
            {
                let picture = CachedImage(
                    image: image, freshness: freshness, expiration: prepared.request.cache.memoryExpiration)
                keepInMemory(picture, for: prepared.memoryKey(prepared.keys.decode), since: prepared.begun)
                await forgetIfReplaced(prepared.keys.decode, madeOf: fetched.metadata, prepared)
                noteSize(of: image, at: prepared.keys.decode, prepared)
            }
            return DecodedOriginal(
                image: image, encoded: fetched.encoded(as: image), origin: fetched.origin, freshness: freshness,
                stored: fetched.metadata.map { StoredCopy(key: fetched.storageKey, metadata: $0) }, standIn: standIn,
                loadTime: loadTime, decodeTime: clock.uptime - decodeStart)
        }
    }

    /// Bytes that turn out to be no image are removed from the cache, under the source and the `Vary` variant that they came
    /// from.
    private func decodeOrForget(
        _ bytes: ByteRope, _ fetched: FetchedBytes, _ prepared: PreparedRequest, _ priority: LivePriority
    ) async throws(ImageError) -> DecodedImage {
        // Released before another source of the request is fetched.
        defer { fetched.endWaiting() }
        do throws(ImageError) {
            return try await decode(
                bytes, prepared.request.decode, priority, prepared, prepared.request.context,
                of: fetched.isOfUnnamedAsker ? nil : prepared.origin(of: fetched.source, fetched.metadata))
        } catch {
            if error.isDataFault, prepared.request.download.method == "GET", !fetched.answersFields,
                mayBlame(bytes, fetched, prepared)
            {
                try? await originalCache(prepared.request.cache)?.remove(fetched.storageKey)
                let source = fetched.source ?? prepared.request.source
                // Other coders may read bytes that the request's own coder cannot.
                if case .url = source, prepared.request.decode.coder == nil {
                    let own = prepared.keys.storage
                    let isOther = fetched.isStandIn(for: prepared.request)
                    let key = isOther ? own.replacingSource(with: source.keyText) : own
                    fetcher.failedSources.note(source, storedAt: key, error)
                }
            }
            throw error
        }
    }

    /// False if the source has changed since these bytes, or if the request's own coder cannot read an image that other coders
    /// can.
    private func mayBlame(_ bytes: ByteRope, _ fetched: FetchedBytes, _ prepared: PreparedRequest) -> Bool {
        if generations.happened(.changed, to: fetched.storageKey, since: prepared.begun) { return false }
        return prepared.request.decode.coder == nil || configuration.coders.format(of: bytes) == nil
    }

    /// The bytes for a job, transferred in the job's own task unless another job transfers them already.
    func fetch(
        _ prepared: PreparedRequest, _ key: CacheKey, for job: Job<LoadSnapshot>, after failures: [FailedAttempt] = []
    ) async throws(ImageError) -> FetchedBytes {
        try await fetch(prepared, key, job.priority, after: failures) { key, work throws(ImageError) in
            try await transfers.step(key, of: job, onProgress: { job.publish(Self.snapshot(of: $0)) }, work: work)
        }
    }

    /// One running transfer per join key, whatever is made of its bytes. `join` waits for the transfer with that key.
    private func fetch(
        _ prepared: PreparedRequest, _ ownKey: CacheKey, _ priority: LivePriority, after failures: [FailedAttempt] = [],
        _ join: (CacheKey, @escaping JobTable<FetchProgress, FetchedBytes>.Work) async throws(ImageError)
            -> (value: FetchedBytes, wasJoined: Bool)
    ) async throws(ImageError) -> FetchedBytes {
        var request = fetchRequest(prepared, priority)
        request.failures = failures
        let asked = request
        var key = ownKey
        for failure in failures { key = CacheKey(key.text + RequestKeys.separatorText + "after=" + failure.source.keyText) }
        let (fetched, wasJoined) = try await observer.stage(.load, prepared.id) { () throws(ImageError) in
            try await join(key) { [self] job throws(ImageError) in
                var request = asked
                request.follower = job
                request.whenInvalidated = { await self.forget($0, prepared) }
                request.whenReplaced = { await self.forgetMade(of: $0, isGone: $1, prepared) }
                return try await fetcher.fetchWaiting(request)
            }
        }
        if wasJoined { observer.note(prepared.id, .joined(key)) }
        if fetched.needsRevalidation { revalidateBehind(prepared, request) }
        return fetched
    }

    /// Removes everything made of a source that has changed; the fetcher has already removed its bytes. New requests do not join
    /// a load that may have the old bytes.
    private func forget(_ sourceText: String, _ prepared: PreparedRequest) async {
        let isOfSource = { (key: CacheKey) in
            key.text.split(separator: RequestKeys.separatorCharacter).contains { $0 == sourceText }
        }
        transfers.retire(where: isOfSource)
        originals.retire(where: isOfSource)
        variants.retire(where: isOfSource)
        configuration.memoryCache?.remove(CacheKey(sourceText))
        configuration.memoryCache?.removeAll(prefix: sourceText + RequestKeys.separatorText)
        let options = prepared.request.cache
        for cache in [configuration.diskCache, configuration.originalCache, options.store, options.originalStore] {
            try? await cache?.removeAll(of: sourceText)
        }
    }

    /// Removes images from memory that were made of other bytes than those stored now. Images on disk are compared when they are
    /// read; they are removed here only if the stored bytes to compare them with are gone.
    private func forgetMade(of storage: CacheKey, isGone: Bool, _ prepared: PreparedRequest) async {
        // After newer bytes are stored, and before images of the older ones are removed from memory.
        generations.note(.replaced)
        configuration.memoryCache?.remove(storage)
        configuration.memoryCache?.removeAll(prefix: storage.text + RequestKeys.separatorText)
        guard isGone, let cache = prepared.request.cache.store ?? configuration.diskCache else { return }
        for part in RequestKeys.madeOfStored { try? await cache.removeAll(prefix: storage.text + part) }
    }

    /// `stale-while-revalidate` (RFC 5861 §3): the stale image is delivered, the next request finds the new one.
    private func revalidateBehind(_ prepared: PreparedRequest, _ request: FetchRequest) {
        var request = request
        request.asksForWhole()
        request.priority = .low
        let key = CacheKey("revalidate\u{1}" + prepared.keys.join.text)
        request.whenReplaced = { await self.forgetMade(of: $0, isGone: $1, prepared) }
        let forced = request
        transfers.launch(key, priority: .low) { [fetcher] job throws(ImageError) in
            var forced = forced
            forced.follower = job
            return try await fetcher.fetch(forced)
        }
    }

    func fetchRequest(_ prepared: PreparedRequest, _ priority: LivePriority) -> FetchRequest {
        var request = FetchRequest(prepared.request, keys: prepared.keys, id: prepared.id)
        request.accept = configuration.coders.acceptHeader
        request.priority = priority.current
        request.policy = configuration.policy
        request.countsUses = prepared.request.cache.countsUses
        if prepared.request.cache.lookup == .revalidate { request.download.forcesRevalidation = true }
        return request
    }

    private func fetchWithPreviews(
        _ prepared: PreparedRequest, _ key: CacheKey, _ job: Job<LoadSnapshot>, after failures: [FailedAttempt] = [],
        previews: inout Int
    ) async throws(ImageError) -> FetchedBytes {
        let policy = prepared.request.decode.previews
        guard policy.isEnabled else {
            return try await fetch(prepared, key, for: job, after: failures)
        }
        let decoding = decoding(prepared.request.decode, prepared.request.context)
        // Animations are not transformed before all their frames have arrived: previews show the first frame.
        let transform = prepared.request.transform
        let playsClips = !policy.transforms || transform.transformers.isEmpty || !transform.appliesTo.contains(.animated)
        func newSession() -> PreviewSession {
            PreviewSession(decoding: decoding, options: prepared.request.decode, playsClips: playsClips)
        }
        var session = newSession()
        var attempt = 1
        let clock = configuration.time
        var newest = LoadSnapshot()
        newest.previewNumber = previews
        defer { previews = newest.previewNumber }
        var next = clock.uptime
        // The transfer runs in a separate task: bytes continue to arrive while previews are decoded.
        func preview(_ progress: FetchProgress) async {
            newest.progress = LoadProgress(progress)
            if progress.attempt != attempt {
                // The transfer restarted with other bytes: previews so far are void, also for waiters that join later.
                attempt = progress.attempt
                session = newSession()
                newest.preview = nil
            }
            if clock.uptime >= next, !progress.bytes.isComplete {
                if let preview = await self.preview(session, progress.bytes, prepared, policy) {
                    newest.preview = preview
                    newest.previewNumber += 1
                }
                next = clock.uptime + policy.minimumInterval
            }
            job.publish(newest)
        }
        return try await fetch(prepared, key, job.priority, after: failures) { key, work throws(ImageError) in
            try await transfers.join(key, priority: job.priority, onProgress: preview, work: work)
        }
    }

    /// A preview that fails is skipped; the final decode reports the error. A transformed preview is also skipped while all slots
    /// are taken: the last bytes may arrive meanwhile, and must not wait for a preview.
    private func preview(
        _ session: PreviewSession, _ bytes: ByteRope, _ prepared: PreparedRequest, _ policy: PreviewPolicy
    ) async -> DecodedImage? {
        let executor = work.executor
        guard policy.transforms, !prepared.request.transform.transformers.isEmpty else {
            return (try? await executor.run { session.preview(from: bytes) }) ?? nil
        }
        let preview = try? await work.gate.withSlotAtOnce { () throws(ImageError) -> DecodedImage? in
            guard let image = try await executor.run({ session.preview(from: bytes) }) else { return nil }
            guard changes(image, prepared) else { return image }
            return try await observer.stage(.transform, prepared.id) { () throws(ImageError) in
                try await applyNow(prepared.request.transform.transformers, to: image, prepared)
            }
        }
        return preview ?? nil
    }
}

extension ImageManager {
    /// The bytes of a source with the cache rules of HTTP; nothing is decoded. Joins a running transfer.
    public func fetchBytes(for request: ImageRequest) async throws(ImageError) -> FetchedBytes {
        let prepared = await prepare(try begin(request))
        return try await fetchBytes(prepared, priority: LivePriority(prepared.request.schedule.priority))
    }

    func fetchBytes(_ prepared: PreparedRequest, priority: LivePriority) async throws(ImageError) -> FetchedBytes {
        let fetched = try await fetch(prepared, prepared.keys.join, priority) { key, work throws(ImageError) in
            try await transfers.join(key, priority: priority, isWanted: { isWanted(prepared) }, work: work)
        }
        fetched.endWaiting()
        return fetched
    }

    /// Whether ``fetchBytes(for:)`` would find the bytes in the cache. Does not read them.
    func hasStoredBytes(_ prepared: PreparedRequest, priority: LivePriority) async -> Bool {
        await fetcher.isStored(fetchRequest(prepared, priority))
    }
}

extension ImageError {
    /// True if the bytes are at fault, not their transfer.
    fileprivate var isDataFault: Bool { [.corrupt, .truncated, .notAnImage, .empty, .decoderCrashed].contains(code) }

    /// True if these bytes cannot be decoded here; another source may have a known format, or a smaller image.
    fileprivate var isOfBytes: Bool { isDataFault || code == .unsupported || code == .limitExceeded }
}

extension FetchedBytes {
    /// The source's freshness as far as it is known; unknown for sources without HTTP.
    var freshness: Freshness {
        var known = metadata?.freshness ?? encoded?.freshness ?? imageFreshness ?? .unknown
        if isOfUnnamedAsker { known.forbidsStoring = true }
        return known
    }

    /// Whether the response only answers the request's own range or condition, and so says nothing of the image.
    var answersFields: Bool { [206, 304].contains(metadata?.http?.status) }

    /// The bytes came from one of the request's other sources; URLs that differ in their fragments are one.
    func isStandIn(for request: ResolvedRequest) -> Bool {
        source.map { $0 != request.source && $0.keyText != request.source.keyText } ?? false
    }
}
