import GannetCore
import GannetFetch
import GannetPlatform

/// Stores one image on disk, behind its result.
///
/// Has the facts of the original that storing needs, without its pixels: a slow disk would hold those of many images at once.
struct ImageStore: Sendable {
    private let pipeline: ImagePipeline
    private let prepared: PreparedRequest
    /// For serializers. The source's bytes are those of all its pixels: of anything less they would be read back as that.
    private let serialized: EncodedImage?
    /// Of the bytes that are stored as they came.
    private let storedCount: Int?
    @BoxedOptional private var stored: CacheEntryMetadata?

    /// `made` nil: a file that was not made here, of which nothing else is known.
    init(pipeline: ImagePipeline, prepared: PreparedRequest, made: MadeImage?) {
        (self.pipeline, self.prepared) = (pipeline, prepared)
        let request = prepared.request
        let isAll = request.transform.transformers.isEmpty && request.decode.isOfWhole
        serialized = isAll && request.cache.serializer != nil ? made?.encoded : nil
        let isStored = request.cache.writeOriginal.contains(.disk) && made?.otherSource == nil
        storedCount = isStored ? made?.encoded?.bytes.count : nil
        _stored = BoxedOptional(wrappedValue: made?.stored?.metadata)
    }

    private var configuration: ManagerConfiguration { _read { yield pipeline.configuration } }

    func write(_ cached: CachedImage, to cache: any ImageCaching) async throws(ImageError) {
        try await pipeline.observer.stage(.store, prepared.id) { () throws(ImageError) in
            guard var encoded = try await encoded(cached.image) else { return }
            encoded.freshness = cached.freshness
            let summary = prepared.request.cache.summarizes ? try await pipeline.summary(of: cached.image) : nil
            try await put(encoded, summary, of: cached.image.original, cache)
        }
    }

    /// The same for an image that is encoded already.
    func write(
        _ encoded: EncodedImage, _ summary: ImageSummary?, of original: OriginalImage?, to cache: any ImageCaching
    ) async throws(ImageError) {
        try await pipeline.observer.stage(.store, prepared.id) { () throws(ImageError) in
            try await put(encoded, summary, of: original, cache)
        }
    }

    private func put(
        _ encoded: EncodedImage, _ summary: ImageSummary?, of original: OriginalImage?, _ cache: any ImageCaching
    ) async throws(ImageError) {
        let options = prepared.request.cache
        let metadata = CacheEntryMetadata(
            format: encoded.format?.identifier, storedAt: configuration.time.now, freshness: encoded.freshness,
            expiration: options.diskExpiration, summary: summary, original: original)
        let key = prepared.keys.variant
        let voiding = Generations.Kinds.ofDisk(isOwn: options.store != nil)
        guard !pipeline.generations.happened(voiding, to: key, since: prepared.begun) else { return }
        try await cache.store(CacheEntry(bytes: encoded.bytes, metadata: metadata), for: key)
        if pipeline.generations.happened(voiding, to: key, since: prepared.begun) { try await cache.remove(key) }
        try await removeIfOutdated(encoded.freshness, cache)
    }

    /// Nil: it is not worth storing, or is stored already.
    private func encoded(_ image: DecodedImage) async throws(ImageError) -> EncodedImage? {
        let options = prepared.request.cache
        if let bytes = try await options.serializer?.data(for: image, data: serialized) {
            return EncodedImage(bytes: ByteRope(bytes))
        }
        // The response itself is stored already unless the request leaves that out.
        if let serialized { return storedCount == nil ? serialized : nil }
        let encoding = ImageEncoding(coders: configuration.coders, pool: configuration.pool)
        let encoded = try await pipeline.work.encode(image) { () throws(ImageError) in
            try encoding.encodeForStoring(image, options: options.encode)
        }
        return options.encode.format == nil && isDearer(encoded.bytes) ? nil : encoded
    }

    /// While it was made, another load may have stored newer bytes. Looks after the store: what is read later is compared by when it
    /// was written.
    private func removeIfOutdated(_ freshness: Freshness, _ cache: any ImageCaching) async throws(ImageError) {
        guard let made = stored else { return }
        let record = CacheEntryMetadata(storedAt: made.storedAt, freshness: freshness)
        let tiers = StoredTiers(pipeline: pipeline, prepared: prepared)
        let newest = await tiers.newestOriginal()
        guard tiers.facts(of: record, newest: newest).isVoid(at: configuration.time.now) else { return }
        configuration.memoryCache?.remove(prepared.memoryKey(prepared.keys.variant))
        try await cache.remove(prepared.keys.variant)
    }

    /// A result that takes more blocks of the disk than what it was made of, which is stored too, is made again from that when it is
    /// needed: a few rounded corners would else turn a small JPEG into a large PNG.
    private func isDearer(_ bytes: ByteRope) -> Bool {
        guard let storedCount else { return false }
        return bytes.count >> 12 > storedCount >> 12
    }
}

extension ImagePipeline {
    /// Names an entry among those of all caches.
    func storeName(_ key: CacheKey, _ cache: any ImageCaching) -> CacheKey {
        CacheKey(cache.sharingIdentity + RequestKeys.separatorText + key.text)
    }

    func waitForStore(of prepared: PreparedRequest) async {
        let (options, tiers) = (prepared.request.cache, StoredTiers(pipeline: self, prepared: prepared))
        if let cache = options.store ?? configuration.diskCache {
            await stores.wait(for: storeName(prepared.keys.variant, cache))
        }
        let originals = tiers.originals
        if options.summarizes, let originals { await stores.wait(for: storeName(prepared.keys.storage, originals)) }
        // Caches may hold back what they were given.
        if options.write.contains(.disk) { await flush(options.store ?? configuration.diskCache) }
        if options.writesOriginal(isStoredResponse: prepared.keys.isStoredResponse) { await flush(originals) }
    }

    /// The image is there, whatever becomes of storing it; what fails is kept for ``waitForStores()``, as a cache tells it only once.
    private func flush(_ cache: (any ImageCaching)?) async {
        do throws(ImageError) { try await cache?.flush() } catch { stores.note(error) }
    }
}
