import GannetCore
import GannetFetch
import GannetPlatform

// Bytes, then the decoded original. Sizes of one source share the transfer, not the decode.

extension ImageJob {
    private var transfer: ImageTransfer { ImageTransfer(pipeline: pipeline, prepared: prepared) }

    /// The bytes, transferred in this job's own task unless another job transfers them already.
    func fetched(
        _ job: Job<LoadSnapshot>, after failures: [FailedAttempt] = []
    ) async throws(ImageError) -> FetchedBytes {
        try await transfer.fetched(keys.transfer, job.priority, after: failures) { key, work throws(ImageError) in
            try await pipeline.transfers.step(key, of: job, onProgress: { job.publish(LoadSnapshot($0)) }, work: work)
        }
    }

    /// The original: made of a larger size in memory, or of the bytes. Where those are no image, of the request's next source.
    func decoded(_ bytes: FetchedBytes?, _ job: Job<LoadSnapshot>) async throws(ImageError) -> MadeImage {
        let sizes = SizeFamily(pipeline: pipeline, prepared: prepared)
        if bytes == nil, let larger = sizes.larger() { return MadeImage(try await sizes.reduced(larger, job.priority)) }
        let clock = configuration.time
        var start = clock.uptime
        var previews = 0
        var failures: [FailedAttempt] = []
        var present = bytes
        while true {
            let fetched: FetchedBytes
            if let present {
                fetched = present
            } else {
                fetched = try await fetchedWithPreviews(job, after: failures, &previews)
            }
            do throws(ImageError) { return try await original(of: fetched, loadTime: clock.uptime - start, job.priority) } catch {
                guard error.isOfBytes, request.download.method == "GET", hasNextSource(after: fetched), !fetched.answersFields
                else { throw error }
                start = clock.uptime
                failures = fetched.failures + [FailedAttempt(source: fetched.source ?? request.source, error: error)]
                present = nil
            }
        }
    }

    private func hasNextSource(after fetched: FetchedBytes) -> Bool {
        let download = request.download
        if !download.alternatives.isEmpty { return true }
        // While data is to be saved, what is stored of the source itself came before the one for that.
        return pipeline.fetcher.savesData && download.lowDataSource != nil && !fetched.isFromOtherSource(than: request)
    }

    private func original(
        of fetched: FetchedBytes, loadTime: Duration, _ priority: LivePriority
    ) async throws(ImageError) -> MadeImage {
        var made: MadeImage
        switch fetched.content {
        case .image(let image):
            made = MadeImage(try await sized(image, priority), origin: fetched.origin, freshness: fetched.freshness)
        case .encoded(let encoded):
            let start = configuration.time.uptime
            made = MadeImage(
                try await decodedOrForgotten(encoded.bytes, fetched, priority), origin: fetched.origin,
                freshness: fetched.freshness)
            made.timings.decode = configuration.time.uptime - start
            made.encoded = fetched.encoded(as: made.image)
            made.stored = fetched.copy
        }
        made.timings.load = loadTime
        if fetched.isFromOtherSource(than: request) { made.otherSource = fetched.source }
        if made.encoded != nil { await keepOriginal(made) }
        return made
    }

    /// Bytes that turn out to be no image must not be served from the cache again: those of the source, and of the variant by
    /// `Vary`, that they are of.
    private func decodedOrForgotten(
        _ bytes: ByteRope, _ fetched: FetchedBytes, _ priority: LivePriority
    ) async throws(ImageError) -> DecodedImage {
        // Before another source of the request is fetched.
        defer { fetched.endWaiting() }
        do throws(ImageError) {
            // Workers of the sandbox serve one origin each; no other image asks for it.
            let hasOrigin = configuration.places.sandbox != nil && !fetched.dependsOnUnkeyedUser
            let origin = hasOrigin ? prepared.origin(of: fetched.source, fetched.metadata) : nil
            return try await decoded(bytes, request.decode, priority, request.context, of: origin)
        } catch {
            if error.isDataFault, request.download.method == "GET", !fetched.answersFields, mayBlame(bytes, fetched) {
                try? await tiers.originals?.remove(fetched.storageKey)
                let source = fetched.source ?? request.source
                // Other coders may read bytes that the request's own coder cannot.
                if case .url = source, request.decode.coder == nil {
                    let own = prepared.keys.storage
                    let key = fetched.isFromOtherSource(than: request) ? own.replacingSource(with: source.keyText) : own
                    pipeline.fetcher.failedSources.note(source, storedAt: key, error)
                }
            }
            throw error
        }
    }

    /// False: the bytes are what the source was before it was changed, or the request's own coder cannot read what is an image to
    /// others.
    private func mayBlame(_ bytes: ByteRope, _ fetched: FetchedBytes) -> Bool {
        if pipeline.generations.happened(.changed, to: fetched.storageKey, since: prepared.begun) { return false }
        return request.decode.coder == nil || configuration.coders.format(of: bytes) == nil
    }

    // MARK: Previews

    /// `count`: previews that were published, of sources before this one, too.
    private func fetchedWithPreviews(
        _ job: Job<LoadSnapshot>, after failures: [FailedAttempt], _ count: inout Int
    ) async throws(ImageError) -> FetchedBytes {
        guard request.decode.previews.isEnabled else { return try await fetched(job, after: failures) }
        let previews = JobPreviews(self, job, count)
        defer { count = previews.count }
        // The transfer runs in a separate task: bytes continue to arrive while previews are decoded.
        let fetched = try await transfer.fetched(keys.transfer, job.priority, after: failures) { key, work throws(ImageError) in
            try await pipeline.transfers.join(
                key, priority: job.priority, onProgress: { await previews.arrived($0) }, work: work)
        }
        if case .encoded(let encoded) = fetched.content { await previews.arrivedWhole(encoded.bytes) }
        return fetched
    }
}

extension LoadSnapshot {
    init(_ progress: FetchProgress) {
        self.init()
        self.progress = LoadProgress(progress)
    }
}

extension ImageError {
    /// It is the bytes that are wrong, not the way to them.
    fileprivate var isDataFault: Bool { [.corrupt, .truncated, .notAnImage, .empty, .decoderCrashed].contains(code) }

    /// Nothing can be made of these bytes here; another source may have a format that is known, or a smaller image.
    fileprivate var isOfBytes: Bool { isDataFault || code == .unsupported || code == .limitExceeded }
}
