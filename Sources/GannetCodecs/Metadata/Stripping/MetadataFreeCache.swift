public import GannetCore

/// A cache in front of another one that keeps images with metadata (place, camera) out of it. // S3-22
///
///     configuration.diskCache = MetadataFreeCache(try DiskCache(…))
///
/// Formats that ``MetadataStripper`` knows are stored without metadata; unknown formats and incomplete downloads are not
/// stored. The image of the current load keeps its original bytes. Images that Gannet encodes carry no metadata in any format;
/// set ``EncodeOptions/format`` to a known one for them.
public struct MetadataFreeCache: ImageCaching {
    private let inner: any ImageCaching

    /// Existing entries of `inner` stay unchanged; all calls except stores pass through.
    public init(_ inner: any ImageCaching) { self.inner = inner }

    public var identifier: String { inner.identifier }
    public var scopeKey: ScopeKey { inner.scopeKey }

    /// Does not store if metadata could remain; removes the older entry of the key instead.
    public func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        guard !entry.metadata.isPartial else { return try await inner.remove(key) }
        switch MetadataStripper.strip(entry.bytes.contiguous()) {
        case .clean: try await inner.store(entry, for: key)
        case .stripped(let bytes):
            try await inner.store(CacheEntry(bytes: ByteRope(bytes), metadata: entry.metadata), for: key)
        case .unknown: try await inner.remove(key)
        }
    }

    public func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        try await inner.entry(for: key, touch: touch)
    }

    public func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        try inner.blockingEntry(for: key, touch: touch)
    }

    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        try await inner.metadata(for: key)
    }

    public func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
        try inner.blockingMetadata(for: key)
    }

    public func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        try await inner.update(metadata, for: key)
    }

    public func remove(_ key: CacheKey) async throws(ImageError) { try await inner.remove(key) }
    public func removeAll(prefix: String) async throws(ImageError) { try await inner.removeAll(prefix: prefix) }
    public func removeAll() async throws(ImageError) { try await inner.removeAll() }
    public func contains(_ key: CacheKey) async -> Bool { await inner.contains(key) }
    public func mightContain(_ key: CacheKey) -> Bool { inner.mightContain(key) }
    public func noteUse(of key: CacheKey) async { await inner.noteUse(of: key) }
    public func usage() async throws(ImageError) -> CacheUsage { try await inner.usage() }
    public func removeExpired() async throws(ImageError) { try await inner.removeExpired() }
    public func flush() async throws(ImageError) { try await inner.flush() }
}
