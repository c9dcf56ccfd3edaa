import GannetCore

// Store: memory at once; the variant's bytes on disk behind the result, waited for only if asked.

extension ImageManager {
    func store(_ picture: CachedPicture, _ original: DecodedOriginal, _ prepared: PreparedRequest) {
        let options = prepared.request.cache
        guard prepared.keys.allowsStoring, !picture.freshness.forbidsStoring, !picture.image.metadata.isPartial else { return }
        if options.write.contains(.memory), options.memoryExpiration != .expired {
            configuration.memoryCache?.store(picture, for: prepared.keys.variant)
        }
        if options.summarizes, prepared.keys.variant == prepared.keys.storage { summarizeOriginal(picture, prepared) }
        guard options.write.contains(.disk), options.diskExpiration != .expired, prepared.keys.variant != prepared.keys.storage,
            !picture.image.isAnimated || options.serializer != nil, let cache = options.store ?? configuration.diskCache
        else { return }
        stores.launch(prepared.keys.variant, priority: .low) { [self] _ throws(ImageError) in
            try await self.observer.stage(.store, prepared.id) { () throws(ImageError) in
                try await self.write(picture, original, prepared, to: cache)
            }
        }
    }

    func waitForStore(of key: CacheKey) async throws(ImageError) {
        await stores.wait(for: key)
    }

    private func write(
        _ picture: CachedPicture, _ original: DecodedOriginal, _ prepared: PreparedRequest, to cache: any ImageCaching
    ) async throws(ImageError) {
        let options = prepared.request.cache
        var bytes: [UInt8]?
        if let serializer = options.serializer {
            let data = prepared.request.transform.transformers.isEmpty ? original.encoded : nil
            bytes = try await serializer.data(for: picture.image, data: data)
        }
        let encoded: EncodedImage
        if let bytes {
            encoded = EncodedImage(bytes: ByteRope(bytes))
        } else {
            let encoding = ImageEncoding(coders: configuration.coders, pool: configuration.pool)
            let encode = variantOptions(options.encode, picture.image)
            encoded = try await configuration.executor.run { () throws(ImageError) in
                try encoding.encode(picture.image, options: encode)
            }
            if options.encode.format == nil, isDearer(encoded.bytes, than: original, prepared) { return }
        }
        let metadata = CacheEntryMetadata(
            format: encoded.format?.identifier, storedAt: configuration.time.now, freshness: picture.freshness,
            expiration: options.diskExpiration, summary: options.summarizes ? try await summary(of: picture.image) : nil,
            original: picture.image.original)
        try await cache.store(CacheEntry(bytes: encoded.bytes, metadata: metadata), for: prepared.keys.variant)
    }

    /// A result that takes more blocks of the disk than what it was made of, which is stored too, is made again from that when it is
    /// needed: a few rounded corners would else turn a small JPEG into a large PNG. // U-20
    private func isDearer(_ bytes: ByteRope, than original: DecodedOriginal, _ prepared: PreparedRequest) -> Bool {
        guard prepared.request.cache.writeOriginal.contains(.disk), !original.isStandIn, let source = original.encoded else {
            return false
        }
        return bytes.count >> 12 > source.bytes.count >> 12
    }

    /// Pictures with alpha as PNG, others as JPEG of high quality, unless the request says otherwise (DC-20). Without those coders the
    /// picture's own format.
    private func variantOptions(_ options: EncodeOptions, _ image: DecodedImage) -> EncodeOptions {
        var options = options
        if options.format == nil {
            let format: ImageFormat = image.bitmap.layout.alpha == .opaque ? .jpeg : .png
            if (try? configuration.coders.encoder(for: format, options: options)) != nil { options.format = format }
        }
        if options.format == .jpeg, options.quality == nil { options.quality = 92 }
        return options
    }

    /// The disk on this thread.
    func blockingDiskImage(_ prepared: PreparedRequest) throws(ImageError) -> LoadedImage? {
        let options = prepared.request.cache
        guard options.lookup != .loaderOnly, prepared.keys.allowsStoring else { return nil }
        let now = configuration.time.now
        func usable(_ entry: CacheEntry) -> Bool {
            !entry.metadata.isPartial && (options.lookup != .automatic || entry.metadata.freshness.isFresh(at: now))
        }
        let load = prepared.request.context
        if options.read.contains(.disk), prepared.keys.variant != prepared.keys.storage,
            let cache = options.store ?? configuration.diskCache,
            let entry = try cache.blockingEntry(for: prepared.keys.variant, touch: true), usable(entry)
        {
            let plain = Self.storedOptions(prepared.request.decode)
            let image = try decoding(plain).decode(entry.bytes, options: plain).made(of: entry.metadata.original)
            return loadedFromDisk(image, entry, prepared)
        }
        guard options.readOriginal.contains(.disk),
            let cache = options.originalStore ?? configuration.originalCache ?? options.store ?? configuration.diskCache,
            let entry = try cache.blockingEntry(for: prepared.keys.storage, touch: true), usable(entry)
        else { return nil }
        var image = try decoding(prepared.request.decode, load).decode(entry.bytes, options: prepared.request.decode)
        if changes(image, prepared) {
            image = try Transforming(
                transformers: prepared.request.transform.transformers, pool: configuration.pool,
                limits: prepared.request.decode.limits, load: load
            ).apply(to: image)
        }
        return loadedFromDisk(image, entry, prepared)
    }

    private func loadedFromDisk(_ image: DecodedImage, _ entry: CacheEntry, _ prepared: PreparedRequest) -> LoadedImage {
        let picture = CachedPicture(
            image: image, freshness: entry.metadata.freshness, expiration: prepared.request.cache.memoryExpiration)
        if prepared.request.cache.write.contains(.memory) {
            configuration.memoryCache?.store(picture, for: prepared.keys.variant)
        }
        return modified(LoadedImage(image: image, origin: .disk, freshness: picture.freshness), prepared)
    }
}
