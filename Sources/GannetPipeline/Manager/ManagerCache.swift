public import GannetCore

/// A manager's caches used alone, by key: pictures in memory, their bytes on disk. Decodes and encodes through the manager.
///
/// A key is the text of a source (a URL, however it is written, or what a key filter makes of it); thumbnails and transformed pictures
/// have longer keys, which ``ImageManager/cacheKey(for:)`` tells.
public struct ManagerCache: Sendable {
    let manager: ImageManager

    /// Longer keys are as they were told.
    private static func name(_ key: String) -> CacheKey {
        CacheKey(key.contains(RequestKeys.separatorCharacter) ? key : HTTPAddress.normalized(key))
    }

    private var memory: (any ImageMemoryCaching)? { manager.configuration.memoryCache }
    private var disk: (any ImageCaching)? { manager.configuration.diskCache }
    private var originals: (any ImageCaching)? { manager.configuration.originalCache }

    /// Stores a picture. Without `data` it is encoded for the disk. Returns when later reads find it. - SDWebImage: store(_:imageData:forKey:toDisk:)
    public func store(
        _ image: DecodedImage, data: [UInt8]? = nil, for key: String, tier: CacheTier = .all,
        expiration: CacheExpiration = .standard, extended: [UInt8] = [], encode: EncodeOptions = EncodeOptions()
    ) async throws(ImageError) {
        let cacheKey = Self.name(key)
        if tier.contains(.memory) {
            memory?.store(CachedPicture(image: image, expiration: expiration, extended: extended), for: cacheKey)
        }
        guard tier.contains(.disk), disk != nil else { return }
        let bytes: ByteRope
        if let data {
            bytes = ByteRope(data)
        } else {
            let encoding = ImageEncoding(coders: manager.configuration.coders, pool: manager.configuration.pool)
            bytes = try await manager.configuration.executor.run { () throws(ImageError) in
                try encoding.encode(image, options: encode).bytes
            }
        }
        try await storeData(bytes, for: key, expiration: expiration, extended: extended, original: image.original)
    }

    /// Bytes as they are. `extended`: data of your own that stands beside them, at most 64 KiB.
    public func storeData(
        _ bytes: ByteRope, for key: String, expiration: CacheExpiration = .standard, extended: [UInt8] = []
    ) async throws(ImageError) {
        try await storeData(bytes, for: key, expiration: expiration, extended: extended, original: nil)
    }

    private func storeData(
        _ bytes: ByteRope, for key: String, expiration: CacheExpiration, extended: [UInt8], original: OriginalPicture?
    ) async throws(ImageError) {
        let metadata = CacheEntryMetadata(
            format: manager.configuration.coders.format(of: bytes)?.identifier, storedAt: manager.configuration.time.now,
            expiration: expiration, extended: extended, original: original)
        try await disk?.store(CacheEntry(bytes: bytes, metadata: metadata), for: Self.name(key))
    }

    /// Nil is a miss. A disk hit is put into memory, unless `options` ask for something else than the picture as it is: a
    /// thumbnail must not stand under the key of the whole. For such options memory answers only where its picture is what was
    /// asked for. - SDWebImage: queryImage(forKey:)
    public func image(
        for key: String, tier: CacheTier = .all, options: DecodeOptions = DecodeOptions()
    ) async throws(ImageError) -> LoadedImage? {
        let cacheKey = Self.name(key)
        let begun = manager.fetcher.removals.now
        let resolved = ResolvedDecodeOptions(options)
        let isWhole = resolved.keyText.isEmpty
        if tier.contains(.memory), let picture = memory?.picture(for: cacheKey) {
            if let image = isWhole ? picture.image : Self.answer(picture.image, options) {
                return LoadedImage(image: image, origin: .memory, freshness: picture.freshness)
            }
        }
        guard tier.contains(.disk), let entry = try await disk?.entry(for: cacheKey, touch: true), !entry.metadata.isPartial
        else {
            return nil
        }
        let image = try await decoded(entry, of: cacheKey, resolved)
        if tier.contains(.memory), isWhole {
            let picture = CachedPicture(
                image: image, freshness: entry.metadata.freshness, expiration: entry.metadata.expiration,
                extended: entry.metadata.extended)
            manager.keepInMemory(picture, for: cacheKey, since: begun)
        }
        return LoadedImage(
            image: image, origin: .disk, encoded: EncodedImage(bytes: entry.bytes, format: image.metadata.format),
            freshness: entry.metadata.freshness)
    }

    private func decoded(
        _ entry: CacheEntry, of key: CacheKey, _ options: ResolvedDecodeOptions
    ) async throws(ImageError) -> DecodedImage {
        let image: DecodedImage
        // Originals are as they came.
        if options.keyText.isEmpty, RequestKeys.madeOfStored.contains(where: { key.text.contains($0) }),
            let serializer = manager.configuration.defaults.cache.serializer,
            let read = try await manager.read(entry.bytes.contiguous(), with: serializer)
        {
            image = read
        } else {
            image = try await manager.decodeInTurn(entry.bytes, options, LivePriority(.normal), LoadContext())
        }
        return entry.metadata.original.map { image.made(of: $0) } ?? image
    }

    /// What a whole picture in memory says to a wish for its first frame, or for an animation; nil: it must be decoded.
    private static func answer(_ image: DecodedImage, _ options: DecodeOptions) -> DecodedImage? {
        var rest = options
        (rest.frames, rest.requireAnimated) = (nil, nil)
        guard ResolvedDecodeOptions(rest).keyText.isEmpty, options.frames == nil || options.frames == .first,
            options.requireAnimated != true || image.isAnimated
        else { return nil }
        return options.frames == .first ? .still(image.bitmap, image.metadata) : image
    }

    /// The data of your own beside the stored bytes; nil if nothing is stored. - SDWebImage: extendedData(forKey:)
    public func extendedData(for key: String) async throws(ImageError) -> [UInt8]? {
        try await disk?.metadata(for: Self.name(key))?.extended
    }

    /// Replaces it; does nothing if nothing is stored. - SDWebImage: setExtendedData(_:forKey:)
    public func setExtendedData(_ extended: [UInt8], for key: String) async throws(ImageError) {
        let cacheKey = Self.name(key)
        guard var metadata = try await disk?.metadata(for: cacheKey) else { return }
        metadata.extended = extended
        try await disk?.update(metadata, for: cacheKey)
    }

    /// Synchronous; memory only. - SDWebImage: imageFromMemoryCache(forKey:)
    public func memoryImage(for key: String) -> DecodedImage? { memory?.picture(for: Self.name(key))?.image }

    /// The stored bytes. - SDWebImage: diskImageData(forKey:)
    public func data(for key: String) async throws(ImageError) -> ByteRope? {
        try await disk?.entry(for: Self.name(key), touch: true)?.bytes
    }

    /// The fastest tier that has it; nil if none. - SDWebImage: containsImage(forKey:)
    public func tier(of key: String) async -> CacheTier? {
        let cacheKey = Self.name(key)
        if memory?.contains(cacheKey) == true { return .memory }
        if await disk?.contains(cacheKey) == true { return .disk }
        return nil
    }

    /// Also from the cache of originals. Removing what is not there is no error. Loads that have begun do not bring it back.
    /// - SDWebImage: removeImage(forKey:)
    public func remove(_ key: String, tier: CacheTier = .all) async throws(ImageError) {
        let cacheKey = Self.name(key)
        let removal = manager.fetcher.removals.begin(.key(cacheKey, tier))
        defer { manager.fetcher.removals.end(removal) }
        if tier.contains(.memory) { memory?.remove(cacheKey) }
        if tier.contains(.disk) {
            var failure: ImageError?
            for cache in [disk, originals] {
                guard let cache else { continue }
                do throws(ImageError) {
                    try await cache.remove(cacheKey)
                    // Of a source that answers differently to different requests there are several.
                    for part in RequestKeys.variantsOfStored { try await cache.removeAll(prefix: key + part) }
                } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
    }

    /// Everything, also the originals. Loads that have begun bring nothing of it back. - SDWebImage: clear(with:)
    public func removeAll(tier: CacheTier = .all) async throws(ImageError) {
        let removal = manager.fetcher.removals.begin(.everything(tier))
        defer { manager.fetcher.removals.end(removal) }
        if tier.contains(.memory) { memory?.removeAll() }
        if tier.contains(.disk) {
            try await disk?.removeAll()
            try await originals?.removeAll()
        }
    }

    /// Entries and bytes of the tiers together, pixels in memory and files on disk. A cache for originals alone (`originalCache`)
    /// is not counted. - SDWebImage: calculateSize(completionBlock:) - Kingfisher: calculateDiskStorageSize(completion:)
    public func usage(of tier: CacheTier) async throws(ImageError) -> CacheUsage {
        var sum = CacheUsage(count: 0, bytes: 0)
        if tier.contains(.memory), let usage = memory?.usage {
            sum.count += usage.count
            sum.bytes += usage.bytes
        }
        if tier.contains(.disk), let usage = try await disk?.usage() {
            sum.count += usage.count
            sum.bytes += usage.bytes
        }
        return sum
    }
}

extension ImageManager {
    /// The caches used alone.
    public var cache: ManagerCache { ManagerCache(manager: self) }

    /// The key under which a request's picture is stored.
    public func cacheKey(for request: ImageRequest) throws(ImageError) -> String { try prepare(request).keys.variant.text }
}
