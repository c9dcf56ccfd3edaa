public import GannetCore

extension ImageCaching {
    /// A cache in front of this one that keeps metadata (place, camera) out of it: `DiskCache().withoutMetadata()`.
    ///
    /// JPEG, PNG, WebP and GIF are stored without metadata, BMP and QOI unchanged because they have none; other formats and
    /// incomplete downloads are not stored. Entries that are there already stay. The image of the current load keeps its original
    /// bytes. Images that Gannet encodes carry no metadata in any format; set ``EncodeOptions/format`` to a known one for them.
    public func withoutMetadata() -> any ImageCaching { MetadataFreeCache(self) }
}

/// A cache in front of another one that keeps images with metadata out of it.
package struct MetadataFreeCache: ImageCaching {
    private let inner: any ImageCaching

    /// Existing entries of `inner` stay unchanged; all calls except stores pass through.
    package init(_ inner: any ImageCaching) { self.inner = inner }

    package var identifier: String { inner.identifier }
    package var scopeKey: ScopeKey { inner.scopeKey }

    /// Does not store if metadata could remain; removes the older entry of the key instead.
    package func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        guard !entry.metadata.isPartial else { return try await inner.remove(key) }
        switch MetadataStripper.strip(entry.bytes.contiguous()) {
        case .clean: try await inner.store(entry, for: key)
        case .stripped(let bytes):
            try await inner.store(CacheEntry(bytes: ByteRope(bytes), metadata: entry.metadata), for: key)
        case .unknown: try await inner.remove(key)
        }
    }

    package func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        try await inner.entry(for: key, touch: touch)
    }

    package func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        try inner.blockingEntry(for: key, touch: touch)
    }

    package func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        try await inner.metadata(for: key)
    }

    package func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
        try inner.blockingMetadata(for: key)
    }

    package func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        try await inner.update(metadata, for: key)
    }

    package func remove(_ key: CacheKey) async throws(ImageError) { try await inner.remove(key) }
    package func removeAll(prefix: String) async throws(ImageError) { try await inner.removeAll(prefix: prefix) }
    package func removeAll() async throws(ImageError) { try await inner.removeAll() }
    package func contains(_ key: CacheKey) async -> Bool { await inner.contains(key) }
    package func mightContain(_ key: CacheKey) -> Bool { inner.mightContain(key) }
    package func noteUse(of key: CacheKey) async { await inner.noteUse(of: key) }
    package func usage() async throws(ImageError) -> CacheUsage { try await inner.usage() }
    package func removeExpired() async throws(ImageError) { try await inner.removeExpired() }
    package func flush() async throws(ImageError) { try await inner.flush() }
}
