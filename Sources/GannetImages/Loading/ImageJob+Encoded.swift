import GannetCore
import GannetFetch
import GannetPlatform

// The image as a file: the same plan, the same steps, and an encoder behind the last transformer. A stored file is delivered as it is.
// Pixels are made only where a file is written, and stay out of memory.

extension ImageJob {
    /// `encoder` nil: the options of the request. `held`: what the caller has.
    func encoded(
        by encoder: FileEncoder?, holding held: EncodedImage?, in job: Job<LoadSnapshot>
    ) async throws(ImageError) -> EncodedImage {
        var bytes: FetchedBytes?
        if let (file, isFresh) = try await storedFile(held) {
            if isFresh { return file }
            switch try await answer(about: file.freshness, job) {
            case .confirmed(let confirmed, let keeping): return await renewed(file, confirmed.freshness, keeping)
            case .fallback: return file
            case .bytes(let other): bytes = other
            }
        }
        if encoder == nil { try encoding.check(request.cache.encode) }
        let made = try await made(transformers.count, of: bytes, job)
        let (file, summary) = try await encoded(made, by: encoder)
        facts.answer = .arrived(LoadArrival(made.freshness, made.image, isOfOtherSource: made.otherSource != nil))
        if case .make(let keeping) = LoadPlan.next(facts) { await keep(file, summary, of: made, keeping) }
        return file
    }

    // MARK: The stored file

    /// Carries out the plan to the point where the source is asked. Memory has only pixels. These may come from a stored file, and
    /// would lose something once more. What the caller holds takes their place in the plan, and that of the disk, where it has looked.
    func storedFile(_ held: EncodedImage? = nil) async throws(ImageError) -> (file: EncodedImage, isFresh: Bool)? {
        facts.memory = held.map { .stored(StoredFacts($0.freshness)) } ?? .nothing
        facts.disk = held != nil || tiers.images == nil ? .nothing : .unread
        facts.original = .unread
        var found = held
        while true {
            switch LoadPlan.next(facts) {
            case .read(.disk): found = try await readDisk(whole: true)?.whole.map { file(of: $0) }
            case .discard(.disk):
                await discardEntry()
                found = nil
            case .deliver(let tier, _):
                if tier == .disk { observer.note(prepared.id, .diskHit(prepared.keys.variant)) }
                return found.map { ($0, true) }
            case .fail: throw .nothingStored
            default:
                if found != nil { observer.note(prepared.id, .stale(prepared.keys.variant)) }
                return found.map { ($0, false) }
            }
        }
    }

    private func file(of entry: CacheEntry) -> EncodedImage {
        EncodedImage(
            bytes: entry.bytes, format: request.cache.encode.format ?? configuration.coders.format(of: entry.bytes),
            freshness: entry.metadata.freshness)
    }

    private func renewed(_ file: EncodedImage, _ freshness: Freshness, _ keeping: LoadKeeping) async -> EncodedImage {
        if keeping == .keep { await renewEntry(freshness) } else { await forget() }
        var file = file
        file.freshness = freshness
        return file
    }

    // MARK: A new file

    private var encoding: ImageEncoding { ImageEncoding(coders: configuration.coders, pool: configuration.pool) }

    /// Before all decodes: the image holds its pixels until then.
    private func encoded(
        _ made: MadeImage, by encoder: FileEncoder?
    ) async throws(ImageError) -> (EncodedImage, ImageSummary?) {
        let (image, original, encoding, options) = (made.image, made.encoded?.bytes, encoding, request.cache)
        var (file, summary) = try await observer.stage(.encode, prepared.id) { () throws(ImageError) in
            try await pipeline.work.run(holding: image.bitmap.encodingBytes, priority: .veryHigh) { () throws(ImageError) in
                let file =
                    if let encoder { try encoder.encode(image, original) } else {
                        try encoding.encodeForStoring(image, options: options.encode)
                    }
                return (file, options.summarizes ? try ImageSummary(image.bitmap) : nil)
            }
        }
        file.freshness = made.freshness
        return (file, summary)
    }

    private func keep(_ file: EncodedImage, _ summary: ImageSummary?, of made: MadeImage, _ keeping: LoadKeeping) async {
        switch keeping {
        case .keep: await store(file, summary, of: made)
        case .forget: await forget()
        // An image of another source is kept in memory alone.
        case .keepApart, .drop: break
        }
    }

    /// Waits for the cache, so that equal calls either join this job or find the entry. What fails is kept for the manager's
    /// `waitForStores()`.
    ///
    /// `made` nil: elsewhere.
    func store(_ file: EncodedImage, _ summary: ImageSummary? = nil, of made: MadeImage? = nil) async {
        guard let cache = writableStore, made.map({ isFound(file, of: $0.image) }) ?? true else { return }
        let (store, original) = (ImageStore(pipeline: pipeline, prepared: prepared, made: made), made?.image.original)
        let name = pipeline.storeName(prepared.keys.variant, cache)
        pipeline.stores.launch(name) { () throws(ImageError) in try await store.write(file, summary, of: original, to: cache) }
        await pipeline.stores.wait(for: name)
    }

    /// False: images with the same key would be read from the file of an animation's first frame.
    private func isFound(_ file: EncodedImage, of image: DecodedImage) -> Bool {
        prepared.keys.isStoredApart || !image.isAnimated || ImageEncoding.keepsFrames(file.format, request.cache.encode)
    }
}
