import GannetCore
import GannetFetch
import GannetPlatform

// The image as a file: the same plan, the same steps, and an encoder behind the last transformer. A stored file is delivered as it is.
// Pixels are made only where a file is written, and stay out of memory.

extension ImageJob {
    func encoded(in job: Job<LoadSnapshot>) async throws(ImageError) -> EncodedImage {
        var bytes: FetchedBytes?
        if let (file, isDelivered) = try await storedFile() {
            if isDelivered { return file }
            switch try await answer(about: file.freshness, job) {
            case .confirmed(let confirmed, let keeping): return await renewed(file, confirmed.freshness, keeping)
            case .fallback: return file
            case .bytes(let other): bytes = other
            }
        }
        try encoding.check(request.cache.encode)
        let made = try await made(transformers.count, of: bytes, job)
        let (file, summary) = try await encoded(made)
        facts.answer = .arrived(LoadArrival(made.freshness, made.image, isOfOtherSource: made.otherSource != nil))
        if case .make(let keeping) = LoadPlan.next(facts) { await keep(file, summary, of: made, keeping) }
        return file
    }

    // MARK: The stored file

    /// Carries out the plan to the point where the source is asked. `isDelivered` false: about this file. Memory has only pixels.
    /// These may come from a stored file, and would lose something once more.
    private func storedFile() async throws(ImageError) -> (file: EncodedImage, isDelivered: Bool)? {
        facts.disk = tiers.images == nil ? .nothing : .unread
        facts.original = .unread
        var entry: CacheEntry?
        while true {
            switch LoadPlan.next(facts) {
            case .read(.disk): entry = try await readDisk(whole: true)?.whole
            case .discard(.disk):
                await discardEntry()
                entry = nil
            case .deliver(.disk, _):
                observer.note(prepared.id, .diskHit(prepared.keys.variant))
                return entry.map { (file(of: $0), true) }
            case .fail: throw .nothingStored
            default:
                if entry != nil { observer.note(prepared.id, .stale(prepared.keys.variant)) }
                return entry.map { (file(of: $0), false) }
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
    private func encoded(_ made: MadeImage) async throws(ImageError) -> (EncodedImage, ImageSummary?) {
        let (image, encoding, options) = (made.image, encoding, request.cache)
        var (file, summary) = try await observer.stage(.encode, prepared.id) { () throws(ImageError) in
            try await pipeline.work.run(holding: image.bitmap.encodingBytes, priority: .veryHigh) { () throws(ImageError) in
                let file = try encoding.encodeForStoring(image, options: options.encode)
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
    private func store(_ file: EncodedImage, _ summary: ImageSummary?, of made: MadeImage) async {
        guard let cache = writableStore, isFound(file, of: made.image) else { return }
        let (store, original) = (ImageStore(pipeline: pipeline, prepared: prepared, made: made), made.image.original)
        let name = pipeline.storeName(prepared.keys.variant, cache)
        pipeline.stores.launch(name) { () throws(ImageError) in try await store.write(file, summary, of: original, to: cache) }
        await pipeline.stores.wait(for: name)
    }

    /// False: images with the same key would be read from the file of an animation's first frame.
    private func isFound(_ file: EncodedImage, of image: DecodedImage) -> Bool {
        prepared.keys.isStoredApart || !image.isAnimated || ImageEncoding.keepsFrames(file.format, request.cache.encode)
    }
}
