public import GannetCore
import GannetFetch
import GannetPlatform

// Memory and disk on the caller's thread.

extension ImageManager {
    /// Memory, then disk, on this thread: **blocks** for a file read and a decode. Nil where there are interceptors.
    /// - SDWebImage: queryDiskDataSync
    public func blockingCachedImage(for request: ImageRequest) throws(ImageError) -> LoadedImage? {
        let prepared = try pipeline.blockingPrepare(request)
        guard configuration.interceptors.isEmpty else { return nil }
        if let hit = pipeline.memoryImage(prepared) { return hit }
        return try BlockingLookup(pipeline: pipeline, prepared: prepared).image()
    }
}

/// Carries out the plan as far as the disk goes.
private struct BlockingLookup {
    let pipeline: ImagePipeline
    let prepared: PreparedRequest

    private var request: ResolvedRequest { prepared.request }
    private var tiers: StoredTiers { StoredTiers(pipeline: pipeline, prepared: prepared) }

    func image() throws(ImageError) -> LoadedImage? {
        let (options, tiers) = (request.cache, tiers)
        var facts = LoadFacts(prepared, now: pipeline.configuration.time.now)
        // A serializer is asynchronous, and only it can read what it wrote; originals are as they came.
        if options.serializer == nil, tiers.images != nil { facts.disk = .unread }
        if tiers.readsOriginals, tiers.originals != nil { facts.original = .unread }
        var found: CacheEntry?
        while true {
            switch LoadPlan.next(facts) {
            case .read(.disk):
                found = try tiers.images?.blockingEntry(for: prepared.keys.variant, touch: options.countsUses)
                facts.disk = .nothing
                guard let stored = found?.metadata, !stored.isPartial else { continue }
                let newest = tiers.blockingNewestOriginal(since: stored.storedAt)
                facts.disk = .stored(tiers.facts(of: stored, newest: newest))
            case .read:
                facts.original = .nothing
                guard let cache = tiers.originals,
                    let stored = try cache.blockingStoredEntry(for: prepared.keys.storage, touch: options.countsUses)
                else { continue }
                found = CacheEntry(bytes: stored.bytes, metadata: stored.copy.metadata)
                facts.original = tiers.finding(stored.copy, facts)
            case .discard: facts.disk = .nothing
            case .deliver(.disk, _):
                if let found, let image = try stored(found) { return delivered(image, found.metadata.freshness) }
                facts.disk = .nothing
            case .deliver(.original, revalidating: false):
                return try found.flatMap { entry throws(ImageError) in try made(of: entry) }
            default: return nil
            }
        }
    }

    private func made(of original: CacheEntry) throws(ImageError) -> LoadedImage? {
        guard let freshness = tiers.freshness(of: original.metadata) else { return nil }
        let decoding = pipeline.decoding(request.decode, request.context, of: prepared.origin(original.metadata))
        var image = try decoded(original.bytes, request.decode, decoding)
        if request.transform.changes(image) {
            image = try pipeline.chain(request.transform.transformers, request).apply(to: image)
        }
        return delivered(image, freshness)
    }

    /// Nil: its bytes cannot be decoded any more; the original may still be there.
    private func stored(_ entry: CacheEntry) throws(ImageError) -> DecodedImage? {
        let plain = ImagePipeline.storedOptions(request.decode)
        do throws(ImageError) {
            return try decoded(entry.bytes, plain, pipeline.decoding(plain)).made(of: entry.metadata.original)
        } catch {
            if error.code == .cancelled || error.code == .limitExceeded { throw error }
            pipeline.observer.note(prepared.id, .corruptEntry(prepared.keys.variant, reason: error.message))
            return nil
        }
    }

    /// Without a slot, so what others do is not known to leave processors idle.
    private func decoded(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ decoding: ImageDecoding
    ) throws(ImageError) -> DecodedImage {
        var decoding = decoding
        decoding.environment.threads = 1
        return try decoding.decode(bytes, options: options)
    }

    private func delivered(_ image: DecodedImage, _ freshness: Freshness) -> LoadedImage {
        let cached = CachedImage(image: image, freshness: freshness, expiration: request.cache.memoryExpiration)
        pipeline.keepInMemory(cached, prepared)
        return pipeline.modified(LoadedImage(image: image, origin: .disk, freshness: freshness), prepared)
    }
}
