import GannetCore
import GannetFetch
import GannetPlatform

// Store: memory at once; the variant's bytes on disk behind the result, waited for only if asked.

extension ImageManager {
    func store(_ picture: CachedImage, _ original: DecodedOriginal, _ prepared: PreparedRequest) {
        let options = prepared.request.cache
        guard prepared.keys.allowsStoring else { return }
        if options.memoryExpiration != .expired { keepInMemory(picture, prepared) }
        if options.summarizes, prepared.keys.variant == prepared.keys.storage { summarizeOriginal(picture, original, prepared) }
        // Untransformed originals are decoded from their stored bytes, never re-encoded. An image that a loader delivered decoded
        // has no such bytes.
        guard options.write.contains(.disk), options.diskExpiration != .expired, prepared.keys.variant != prepared.keys.storage,
            !isOriginal(original, prepared),
            !picture.image.isAnimated || options.serializer != nil, let cache = options.store ?? configuration.diskCache
        else { return }
        let origin = StoreOrigin(original, prepared)
        stores.launch(storeKey(prepared.keys.variant, cache)) { [self] () throws(ImageError) in
            try await self.observer.stage(.store, prepared.id) { () throws(ImageError) in
                try await self.write(picture, origin, prepared, to: cache)
            }
        }
    }

    /// The facts about an original that storing needs. Without its pixels: a slow disk would keep those of many images alive.
    private struct StoreOrigin: Sendable {
        /// The source's bytes, for serializers; nil unless the image is all of them. Otherwise a serializer could read the whole
        /// back in place of a thumbnail.
        let serialized: EncodedImage?
        /// The length of the original's bytes, if they are stored.
        let storedCount: Int?
        @BoxedOptional var stored: CacheEntryMetadata?

        init(_ original: DecodedOriginal, _ prepared: PreparedRequest) {
            let request = prepared.request
            let isAll = request.transform.transformers.isEmpty && request.decode.isOfWhole
            serialized = isAll && request.cache.serializer != nil ? original.encoded : nil
            let isStored = request.cache.writeOriginal.contains(.disk) && original.standIn == nil
            storedCount = isStored ? original.encoded?.bytes.count : nil
            _stored = BoxedOptional(wrappedValue: original.stored?.metadata)
        }
    }

    private func isOriginal(_ original: DecodedOriginal, _ prepared: PreparedRequest) -> Bool {
        prepared.keys.isStoredResponse && prepared.request.cache.serializer == nil
            && prepared.request.cache.writesOriginal(isPicture: true) && (original.encoded != nil || original.origin == .memory)
    }

    /// Stores the finished image in memory, if the request allows it and the entry was not removed meanwhile.
    func keepInMemory(_ picture: CachedImage, _ prepared: PreparedRequest) {
        guard prepared.request.cache.write.contains(.memory), !picture.freshness.forbidsStoring else { return }
        keepInMemory(picture, for: prepared.memoryKey(prepared.keys.variant), since: prepared.begun)
    }

    /// Checks for removals before and after storing: a concurrent removal either finds the entry, or is noticed here.
    func keepInMemory(_ picture: CachedImage, for key: CacheKey, since begun: Generations.Moment) {
        guard let memory = configuration.memoryCache, !generations.happened(.ofMemory, to: key, since: begun) else {
            return
        }
        memory.store(picture, for: key)
        if generations.happened(.ofMemory, to: key, since: begun) { memory.remove(key) }
    }

    /// Removes an image that was just kept if another load stored newer bytes while it was made. That load removed images of the
    /// older bytes before this one was kept.
    func forgetIfReplaced(_ key: CacheKey, madeOf made: CacheEntryMetadata?, _ prepared: PreparedRequest) async {
        guard let made, generations.hasReplaced(since: prepared.begun) else { return }
        let newest = await storedOriginal(of: prepared)
        var facts = facts(of: made, prepared, newest: newest)
        // Missing although it was there: its source no longer allows storing.
        if newest == nil, prepared.request.cache.writesOriginal(isPicture: prepared.keys.isStoredResponse) {
            facts.newest = .gone
        }
        guard facts.isVoid(at: configuration.time.now) else { return }
        configuration.memoryCache?.remove(prepared.memoryKey(key))
    }

    /// Identifies an entry among those of all caches.
    func storeKey(_ key: CacheKey, _ cache: any ImageCaching) -> CacheKey {
        CacheKey(cache.sharingIdentity + RequestKeys.separatorText + key.text)
    }

    func waitForStore(of prepared: PreparedRequest) async {
        let options = prepared.request.cache
        if let cache = options.store ?? configuration.diskCache {
            await stores.wait(for: storeKey(prepared.keys.variant, cache))
        }
        let originals = originalCache(options)
        if options.summarizes, let originals { await stores.wait(for: storeKey(prepared.keys.storage, originals)) }
        // Caches may write later than they are called.
        if options.write.contains(.disk) { await flush(options.store ?? configuration.diskCache) }
        if options.writesOriginal(isPicture: prepared.keys.isStoredResponse) { await flush(originals) }
    }

    /// A failed store does not fail the load. The error is kept for ``waitForStores()``, because a cache throws it only once.
    private func flush(_ cache: (any ImageCaching)?) async {
        do throws(ImageError) { try await cache?.flush() } catch { stores.note(error) }
    }

    private func write(
        _ picture: CachedImage, _ original: StoreOrigin, _ prepared: PreparedRequest, to cache: any ImageCaching
    ) async throws(ImageError) {
        let options = prepared.request.cache
        var bytes: [UInt8]?
        if let serializer = options.serializer {
            bytes = try await serializer.data(for: picture.image, data: original.serialized)
        }
        let encoded: EncodedImage
        if let bytes {
            encoded = EncodedImage(bytes: ByteRope(bytes))
        } else if let whole = original.serialized {
            // The response's own bytes, which are already stored unless the request excludes it.
            if original.storedCount != nil { return }
            encoded = whole
        } else {
            let encoding = ImageEncoding(coders: configuration.coders, pool: configuration.pool)
            let encode = variantOptions(options.encode, picture.image)
            encoded = try await work.encode(picture.image) { () throws(ImageError) in
                try encoding.encode(picture.image, options: encode)
            }
            if options.encode.format == nil, isDearer(encoded.bytes, than: original) { return }
        }
        let metadata = CacheEntryMetadata(
            format: encoded.format?.identifier, storedAt: configuration.time.now, freshness: picture.freshness,
            expiration: options.diskExpiration, summary: options.summarizes ? try await summary(of: picture.image) : nil,
            original: picture.image.original)
        let key = prepared.keys.variant
        let voiding = Generations.Kinds.ofDisk(isOwn: options.store != nil)
        guard !generations.happened(voiding, to: key, since: prepared.begun) else { return }
        try await cache.store(CacheEntry(bytes: encoded.bytes, metadata: metadata), for: key)
        if generations.happened(voiding, to: key, since: prepared.begun) { try await cache.remove(key) }
        try await removeIfOutdated(picture, original, prepared, cache)
    }

    /// Another load may have stored newer bytes while the image was made. Checked after the store: later reads compare the times
    /// of writing.
    private func removeIfOutdated(
        _ picture: CachedImage, _ original: StoreOrigin, _ prepared: PreparedRequest, _ cache: any ImageCaching
    ) async throws(ImageError) {
        guard let made = original.stored else { return }
        let record = CacheEntryMetadata(storedAt: made.storedAt, freshness: picture.freshness)
        let newest = await storedOriginal(of: prepared)
        guard facts(of: record, prepared, newest: newest).isVoid(at: configuration.time.now) else { return }
        configuration.memoryCache?.remove(prepared.memoryKey(prepared.keys.variant))
        try await cache.remove(prepared.keys.variant)
    }

    /// A result that takes more blocks on disk than its stored original is not stored, but made again when needed: otherwise a
    /// few rounded corners would turn a small JPEG into a large PNG.
    private func isDearer(_ bytes: ByteRope, than original: StoreOrigin) -> Bool {
        guard let count = original.storedCount else { return false }
        return bytes.count >> 12 > count >> 12
    }

    /// The format to store in, unless the request names one: PNG for images with alpha or 16 bits, otherwise JPEG of high
    /// quality. Without those coders the image's own format.
    private func variantOptions(_ options: EncodeOptions, _ image: DecodedImage) -> EncodeOptions {
        var options = options
        if options.format == nil {
            // Only requests with `keeps16Bit` get 16 bits.
            let isPlain = image.bitmap.layout.alpha == .opaque && image.bitmap.layout.format != .rgba16
            let format: ImageFormat = isPlain ? .jpeg : .png
            if (try? configuration.coders.encoder(for: format, options: options)) != nil { options.format = format }
        }
        if options.format == .jpeg, options.quality == nil { options.quality = 92 }
        return options
    }

    /// Executes the plan up to the disk, on this thread.
    func blockingDiskImage(_ prepared: PreparedRequest) throws(ImageError) -> LoadedImage? {
        let options = prepared.request.cache
        var facts = LoadFacts(prepared, now: configuration.time.now)
        // A serializer is asynchronous, and only it can read what it wrote. Originals are stored without it.
        if options.serializer == nil, diskTier(prepared) != nil { facts.disk = .unread }
        let readsOriginal = options.readsOriginal(isPicture: prepared.keys.isStoredResponse) && prepared.keys.allowsStoring
        if readsOriginal, originalCache(options) != nil { facts.original = .unread }
        var found: CacheEntry?
        while true {
            switch LoadPlan.next(facts) {
            case .read(.disk):
                found = try diskTier(prepared)?.blockingEntry(for: prepared.keys.variant, touch: options.countsUses)
                facts.disk = .nothing
                guard let stored = found?.metadata, !stored.isPartial else { continue }
                facts.disk = .stored(self.facts(of: stored, prepared, newest: blockingOriginal(prepared, since: stored.storedAt)))
            case .read:
                found = try originalCache(options)?.blockingEntry(for: prepared.keys.storage, touch: options.countsUses)
                facts.original = .nothing
                guard let stored = found?.metadata else { continue }
                facts.original = originalFinding(stored, prepared, facts)
            case .discard: facts.disk = .nothing
            case .deliver(.disk, _):
                if let found, let image = try blockingStored(found, prepared) {
                    return loadedFromDisk(image, found.metadata.freshness, prepared)
                }
                facts.disk = .nothing
            case .deliver(.original, revalidating: false): return try blockingImage(found, prepared)
            default: return nil
            }
        }
    }

    private func blockingImage(_ entry: CacheEntry?, _ prepared: PreparedRequest) throws(ImageError) -> LoadedImage? {
        guard let entry, let freshness = freshness(of: entry.metadata, for: prepared) else { return nil }
        let load = prepared.request.context
        var image = try decoding(prepared.request.decode, load, of: prepared.origin(entry.metadata)).decode(
            entry.bytes, options: prepared.request.decode)
        if changes(image, prepared) {
            image = try chain(prepared.request.transform.transformers, prepared).apply(to: image)
        }
        return loadedFromDisk(image, freshness, prepared)
    }

    /// The metadata of the stored response; nil if it was not stored after `date`, as far as the cache's index knows.
    private func blockingOriginal(_ prepared: PreparedRequest, since date: Timestamp) -> CacheEntryMetadata? {
        guard let cache = originalCache(prepared.request.cache), cache.mightContain(prepared.keys.storage),
            (cache as? any StoreDates)?.wasStored(prepared.keys.storage, by: date) != true
        else { return nil }
        return (try? cache.blockingMetadata(for: prepared.keys.storage)) ?? nil
    }

    /// The metadata of the stored response; nil if it was not stored after `date`, as far as the cache's index knows. An image of
    /// that date is not made of an older response, whatever the metadata says.
    func storedOriginal(of prepared: PreparedRequest, since date: Timestamp) async -> CacheEntryMetadata? {
        let cache = originalCache(prepared.request.cache) as? any StoreDates
        return cache?.wasStored(prepared.keys.storage, by: date) == true ? nil : await storedOriginal(of: prepared)
    }

    func storedOriginal(of prepared: PreparedRequest) async -> CacheEntryMetadata? {
        guard let cache = originalCache(prepared.request.cache), cache.mightContain(prepared.keys.storage) else { return nil }
        return (try? await cache.metadata(for: prepared.keys.storage)) ?? nil
    }

    /// Nil if the stored bytes no longer decode; the original may still be there.
    private func blockingStored(_ entry: CacheEntry, _ prepared: PreparedRequest) throws(ImageError) -> DecodedImage? {
        let plain = Self.storedOptions(prepared.request.decode)
        do throws(ImageError) {
            return try decoding(plain).decode(entry.bytes, options: plain).made(of: entry.metadata.original)
        } catch {
            if error.code == .cancelled || error.code == .limitExceeded { throw error }
            observer.note(prepared.id, .corruptEntry(prepared.keys.variant, reason: error.message))
            return nil
        }
    }

    /// Nil if the stored response is for other request fields than this request's (`Vary`).
    func freshness(of stored: CacheEntryMetadata, for prepared: PreparedRequest) -> Freshness? {
        guard let http = stored.http else { return stored.freshness }
        let vary = HTTPVary(http.headers)
        if vary.isEmpty { return stored.freshness }
        let request = prepared.request
        guard let loader = request.download.loader ?? configuration.loaders.loader(for: request.source) else { return nil }
        let load = loadRequest(prepared)
        guard vary.matches(loader.requestHeaders(for: load), stored: http, key: scopeKey(of: request.cache)) else { return nil }
        var freshness = stored.freshness
        if FetchJob.isOfUnnamedAsker(vary, load, loader) { freshness.forbidsStoring = true }
        return freshness
    }

    /// The request as its loader sees it.
    func loadRequest(_ prepared: PreparedRequest) -> LoadRequest {
        let request = prepared.request
        return LoadRequest(
            source: request.source, download: request.downloadBox, maximumBytes: request.decode.limits.maximumEncodedBytes,
            priority: request.schedule.priority, context: request.context, accept: configuration.coders.acceptHeader)
    }

    private func loadedFromDisk(_ image: DecodedImage, _ freshness: Freshness, _ prepared: PreparedRequest) -> LoadedImage {
        let picture = CachedImage(
            image: image, freshness: freshness, expiration: prepared.request.cache.memoryExpiration)
        keepInMemory(picture, prepared)
        return modified(LoadedImage(image: image, origin: .disk, freshness: picture.freshness), prepared)
    }
}
