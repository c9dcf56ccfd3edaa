public import GannetCore

/// Stands in front of another cache and lets no picture through to it that says where or with what it was taken. // S3-22
///
///     configuration.diskCache = MetadataFreeCache(try DiskCache(…))
///
/// What ``MetadataStripper`` knows is stored without metadata; formats it does not know, and downloads that broke off, are not stored
/// at all. The picture that is loaded now still has its bytes as they came. Pictures that Gannet encodes itself carry no metadata in
/// any format; let ``EncodeOptions/format`` name one of the known ones for them.
public struct MetadataFreeCache: ImageCaching {
    private let inner: any ImageCaching

    /// What `inner` holds already stays as it is; everything but storing is handed on to it.
    public init(_ inner: any ImageCaching) { self.inner = inner }

    public var identifier: String { inner.identifier }
    public var scopeKey: ScopeKey { inner.scopeKey }

    /// Returns without storing where metadata could remain; what stood under the key is then removed, because it is older.
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
