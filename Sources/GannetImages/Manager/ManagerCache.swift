public import GannetCore
import GannetFetch
import GannetPlatform

/// A manager's caches used alone: images in memory, their bytes on disk. Decodes and encodes through the manager.
///
/// ``remove(_:tier:)`` takes a source, every other call a key. A key is one of these:
/// - the text of a source (``ImageSource/keyText``): a URL in any spelling, what a key filter makes of it, or `file://` and a
///   whole path;
/// - a name of your own. A URL with a fragment (`…/a.jpg#round`) is one, because keys of sources have no fragment;
/// - the longer key of a thumbnail or a transformed image, see ``ImageManager/cacheKey(for:)``.
public struct ManagerCache: Sendable {
    let manager: ImageManager

    /// The keys that `key` may stand for: as given, as a key filter may write it, and with its URL normalized. Mostly the two are
    /// equal. Longer keys are used as given.
    private static func names(_ key: String) -> [CacheKey] {
        let given = CacheKey(key)
        if key.contains(RequestKeys.separatorCharacter) { return [given] }
        let end = key.utf8.firstIndex(of: UInt8(ascii: "#")) ?? key.endIndex
        let normal = CacheKey(HTTPAddress.normalized(String(key[..<end])) + key[end...])
        return normal == given ? [given] : [given, normal]
    }

    /// The key under which the image is stored, or would be.
    private func place(of key: String) async -> CacheKey {
        let names = Self.names(key)
        if names.count > 1, await holds(names[0]) { return names[0] }
        return names[names.count - 1]
    }

    private func holds(_ name: CacheKey) async -> Bool {
        if memory?.contains(name) == true { return true }
        for cache in stored where await cache.contains(name) { return true }
        return false
    }

    /// The bytes of a key, which may be those to which its source redirects.
    private func entry(of name: CacheKey, in cache: any ImageCaching) async throws(ImageError) -> CacheEntry? {
        guard let copy = try await cache.storedResponse(for: name),
            var entry = try await cache.entry(for: copy.key, touch: true)
        else { return nil }
        entry.metadata.freshness = copy.metadata.freshness
        return entry
    }

    /// The answer of the first cache on disk that has the key.
    private func first<Found>(
        _ key: String, _ look: (any ImageCaching, CacheKey) async throws(ImageError) -> Found?
    ) async throws(ImageError) -> Found? {
        for name in Self.names(key) {
            for cache in stored { if let found = try await look(cache, name) { return found } }
        }
        return nil
    }

    private var memory: (any ImageMemoryCaching)? { manager.configuration.memoryCache }
    private var disk: (any ImageCaching)? { manager.configuration.diskCache }
    /// The disk caches: of images, and of originals if that is another.
    private var stored: [any ImageCaching] {
        guard let disk, let originals = manager.configuration.originalCache else {
            return [disk, manager.configuration.originalCache].compactMap { $0 }
        }
        return disk.sharingIdentity == originals.sharingIdentity ? [disk] : [disk, originals]
    }

    /// Stores an image. Without `data` it is encoded for the disk. Returns when later reads find it.
    /// - SDWebImage: store(_:imageData:forKey:toDisk:)
    public func store(
        _ image: DecodedImage, data: ByteRope? = nil, forKey key: String, tier: CacheTier = .all,
        expiration: CacheExpiration = .standard, extended: [UInt8] = [], encode: EncodeOptions = EncodeOptions()
    ) async throws(ImageError) {
        let place = await place(of: key)
        if tier.contains(.memory) {
            memory?.store(CachedImage(image: image, expiration: expiration, extended: extended), for: place)
        }
        guard tier.contains(.disk), disk != nil else { return }
        let bytes: ByteRope
        if let data {
            bytes = data
        } else {
            let encoding = ImageEncoding(coders: manager.configuration.coders, pool: manager.configuration.pool)
            bytes = try await manager.configuration.executor.run { () throws(ImageError) in
                try encoding.encode(image, options: encode).bytes
            }
        }
        try await storeData(bytes, for: place, expiration: expiration, extended: extended, original: image.original)
    }

    /// Stores bytes unchanged. `extended`: data of your own beside them, at most 64 KiB.
    public func storeData(
        _ bytes: ByteRope, forKey key: String, expiration: CacheExpiration = .standard, extended: [UInt8] = []
    ) async throws(ImageError) {
        try await storeData(bytes, for: place(of: key), expiration: expiration, extended: extended, original: nil)
    }

    private func storeData(
        _ bytes: ByteRope, for place: CacheKey, expiration: CacheExpiration, extended: [UInt8], original: OriginalImage?
    ) async throws(ImageError) {
        let metadata = CacheEntryMetadata(
            format: manager.configuration.coders.format(of: bytes)?.identifier, storedAt: manager.configuration.time.now,
            expiration: expiration, extended: extended, original: original)
        try await disk?.store(CacheEntry(bytes: bytes, metadata: metadata), for: place)
    }

    /// The image under a key; nil is a miss. A disk hit is stored in memory unless `options` change the image: a thumbnail must
    /// not replace the whole image under its key. With such options memory hits only if its image satisfies them.
    /// - SDWebImage: queryImage(forKey:)
    public func image(
        forKey key: String, tier: CacheTier = .all, options: DecodeOptions = DecodeOptions()
    ) async throws(ImageError) -> LoadedImage? {
        let begun = manager.generations.now
        let resolved = ResolvedDecodeOptions(options)
        let isWhole = resolved.keyText.isEmpty
        if tier.contains(.memory), let cached = imageInMemory(for: key) {
            if let image = isWhole ? cached.image : Self.answer(cached.image, options) {
                return LoadedImage(image: image, origin: .memory, freshness: cached.freshness)
            }
        }
        guard tier.contains(.disk) else { return nil }
        let found = try await first(key) { cache, name throws(ImageError) -> (entry: CacheEntry, name: CacheKey)? in
            guard let entry = try await entry(of: name, in: cache), !entry.metadata.isPartial else { return nil }
            return (entry, name)
        }
        guard let (entry, name) = found else { return nil }
        let image = try await decoded(entry, of: name, resolved)
        if tier.contains(.memory), isWhole {
            let cached = CachedImage(
                image: image, freshness: entry.metadata.freshness, expiration: entry.metadata.expiration,
                extended: entry.metadata.extended)
            manager.pipeline.keepInMemory(cached, for: name, since: begun)
        }
        return LoadedImage(
            image: image, origin: .disk, encoded: EncodedImage(bytes: entry.bytes, format: image.metadata.format),
            freshness: entry.metadata.freshness)
    }

    private func decoded(
        _ entry: CacheEntry, of key: CacheKey, _ options: ResolvedDecodeOptions
    ) async throws(ImageError) -> DecodedImage {
        let image: DecodedImage
        // Originals are stored as they arrived, without the serializer.
        if options.keyText.isEmpty, RequestKeys.madeOfStored.contains(where: { key.text.contains($0) }),
            let serializer = manager.pipeline.defaults.options.cache.serializer,
            let read = try await serializer.read(entry.bytes.contiguous())
        {
            image = read
        } else {
            image = try await manager.pipeline.decodeInTurn(entry.bytes, options, LivePriority(.normal), LoadContext())
        }
        return entry.metadata.original.map { image.made(of: $0) } ?? image
    }

    /// The image for options that only choose the first frame or require an animation; nil: the stored bytes must be decoded.
    private static func answer(_ image: DecodedImage, _ options: DecodeOptions) -> DecodedImage? {
        var rest = options
        (rest.frames, rest.requireAnimated) = (nil, nil)
        guard ResolvedDecodeOptions(rest).keyText.isEmpty, options.frames == nil || options.frames == .first,
            options.requireAnimated != true || image.isAnimated
        else { return nil }
        return options.frames == .first ? .still(image.bitmap, image.metadata) : image
    }

    /// The data of your own beside the stored bytes; nil if nothing is stored. - SDWebImage: extendedData(forKey:)
    public func extendedData(forKey key: String) async throws(ImageError) -> [UInt8]? {
        try await first(key) { cache, name throws(ImageError) in try await cache.metadata(for: name)?.extended }
    }

    /// Replaces that data; does nothing if nothing is stored. - SDWebImage: setExtendedData(_:forKey:)
    public func setExtendedData(_ extended: [UInt8], forKey key: String) async throws(ImageError) {
        _ = try await first(key) { cache, name throws(ImageError) -> Bool? in
            guard var metadata = try await cache.metadata(for: name) else { return nil }
            metadata.extended = extended
            try await cache.update(metadata, for: name)
            return true
        }
    }

    /// The image in memory; synchronous. - SDWebImage: imageFromMemoryCache(forKey:)
    public func memoryImage(forKey key: String) -> DecodedImage? { imageInMemory(for: key)?.image }

    private func imageInMemory(for key: String) -> CachedImage? {
        guard let memory else { return nil }
        for name in Self.names(key) { if let cached = memory.image(for: name) { return cached } }
        return nil
    }

    /// The stored bytes. - SDWebImage: diskImageData(forKey:)
    public func data(forKey key: String) async throws(ImageError) -> ByteRope? {
        try await first(key) { cache, name throws(ImageError) in try await entry(of: name, in: cache)?.bytes }
    }

    /// The fastest tier that has the key: ``CacheTier/memory`` or ``CacheTier/disk``; `none`: neither has it.
    /// - SDWebImage: containsImage(forKey:) - Kingfisher: imageCachedType(forKey:)
    public func tier(ofKey key: String) async -> CacheTier {
        let names = Self.names(key)
        if let memory, names.contains(where: { memory.contains($0) }) { return .memory }
        for name in names { for cache in stored where await cache.contains(name) { return .disk } }
        return .none
    }

    /// Removes the entry of a key, also from the cache of originals. The key of a source removes everything made of it, in every
    /// size and for every credential; the longer key of a thumbnail or a transformed image removes that one. A key without an
    /// entry is no error: a URL that may have a fragment is removed as a source, by ``remove(_:tier:)``. Running loads do not
    /// restore it. - SDWebImage: removeImage(forKey:)
    public func remove(forKey key: String, tier: CacheTier = .all) async throws(ImageError) {
        var failure: ImageError?
        for name in Self.names(key) {
            do throws(ImageError) { try await remove(name, tier) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func remove(_ name: CacheKey, _ tier: CacheTier) async throws(ImageError) {
        let removal = manager.generations.begin(.init(removedFrom: tier), of: .keys([name]))
        defer { manager.generations.end(removal) }
        let isMade = RequestKeys.madeOfStored.contains { name.text.contains($0) }
        if tier.contains(.memory) {
            memory?.remove(name)
            memory?.removeAll(prefix: name.text + (isMade ? RequestKeys.ownCachePart : RequestKeys.separatorText))
        }
        guard tier.contains(.disk) else { return }
        var failure: ImageError?
        for cache in stored {
            do throws(ImageError) {
                if isMade {
                    try await cache.remove(name)
                } else {
                    // Before the redirects to them are gone.
                    let bytes = try? await cache.storedResponse(for: name)?.key
                    try await cache.removeAll(of: name.text)
                    if let bytes, bytes != name { try await cache.remove(bytes) }
                }
            } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Removes everything, also the originals. Running loads restore nothing of it. - SDWebImage: clear(with:)
    public func removeAll(tier: CacheTier = .all) async throws(ImageError) {
        let removal = manager.generations.begin(.init(removedFrom: tier), of: .everything)
        defer { manager.generations.end(removal) }
        if tier.contains(.memory) { memory?.removeAll() }
        if tier.contains(.disk) {
            var failure: ImageError?
            for cache in stored {
                do throws(ImageError) { try await cache.removeAll() } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
    }

    /// Removes entries from the tiers that have expired by their own time or by age. Look-ups already skip them, and both caches
    /// remove them automatically from time to time. - SDWebImage: deleteOldFiles(completionBlock:) - Kingfisher:
    /// cleanExpiredCache(completion:)
    public func removeExpired(tier: CacheTier = .all) async throws(ImageError) {
        if tier.contains(.memory) { memory?.removeExpired() }
        guard tier.contains(.disk) else { return }
        var failure: ImageError?
        for cache in stored {
            do throws(ImageError) { try await cache.removeExpired() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Entries and bytes of the tiers together, pixels in memory and files on disk. A cache for originals alone (`originalCache`)
    /// is counted too. - SDWebImage: calculateSize(completionBlock:) - Kingfisher: calculateDiskStorageSize(completion:)
    public func usage(of tier: CacheTier) async throws(ImageError) -> CacheUsage {
        var sum = CacheUsage(count: 0, bytes: 0)
        if tier.contains(.memory), let usage = memory?.usage {
            sum.count += usage.count
            sum.bytes += usage.bytes
        }
        for cache in stored where tier.contains(.disk) {
            let usage = try await cache.usage()
            sum.count += usage.count
            sum.bytes += usage.bytes
        }
        return sum
    }
}

extension ImageManager {
    /// The caches used alone.
    public var cache: ManagerCache { ManagerCache(manager: self) }

    /// The key under which a request's image is stored. **Blocks** for a file, whose state is part of its key.
    public func cacheKey(for request: ImageRequest) throws(ImageError) -> String {
        try pipeline.blockingPrepare(request).keys.variant.text
    }
}
