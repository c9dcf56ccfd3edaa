#if Server
    import GannetCore
    import GannetFetch
    import GannetImages

    /// A cache of a manager in which what was purged is not found. It stays where it is until it is replaced or evicted.
    struct PurgedCache: ImageCaching, LookupAtOnce {
        let inner: any ImageCaching
        let log: PurgeLog
        /// Other machines store in it: dates are exchanged for numbers.
        let isShared: Bool

        var identifier: String { inner.identifier }
        var scopeKey: ScopeKey { inner.scopeKey }

        private func admitted(_ metadata: CacheEntryMetadata?, _ key: CacheKey) -> CacheEntryMetadata? {
            guard var metadata else { return nil }
            let scopes = PurgeScopes(of: key)
            guard isShared else { return log.isVoid(scopes, metadata.freshness) ? nil : metadata }
            guard let freshness = log.imported(scopes, metadata.freshness) else { return nil }
            metadata.freshness = freshness
            return metadata
        }

        private func admitted(_ entry: CacheEntry?, _ key: CacheKey) -> CacheEntry? {
            guard let entry, let metadata = admitted(entry.metadata, key) else { return nil }
            return CacheEntry(bytes: entry.bytes, metadata: metadata)
        }

        func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
            admitted(try await inner.entry(for: key, touch: touch), key)
        }

        func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
            admitted(try inner.blockingEntry(for: key, touch: touch), key)
        }

        func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
            admitted(try await inner.metadata(for: key), key)
        }

        func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
            admitted(try inner.blockingMetadata(for: key), key)
        }

        /// An entry that is void by now is not stored for others.
        func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
            guard let metadata = exported(entry.metadata, key) else { return }
            try await inner.store(CacheEntry(bytes: entry.bytes, metadata: metadata), for: key)
        }

        func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
            guard let metadata = exported(metadata, key) else { return }
            try await inner.update(metadata, for: key)
        }

        private func exported(_ metadata: CacheEntryMetadata, _ key: CacheKey) -> CacheEntryMetadata? {
            guard isShared else { return metadata }
            guard let freshness = log.exported(PurgeScopes(of: key), metadata.freshness) else { return nil }
            var metadata = metadata
            metadata.freshness = freshness
            return metadata
        }

        func contains(_ key: CacheKey) async -> Bool { (try? await metadata(for: key)) != nil }

        func remove(_ key: CacheKey) async throws(ImageError) { try await inner.remove(key) }
        func removeAll(prefix: String) async throws(ImageError) { try await inner.removeAll(prefix: prefix) }
        func removeAll() async throws(ImageError) { try await inner.removeAll() }
        func mightContain(_ key: CacheKey) -> Bool { inner.mightContain(key) }
        func noteUse(of key: CacheKey) async { await inner.noteUse(of: key) }
        func usage() async throws(ImageError) -> CacheUsage { try await inner.usage() }
        func flush() async throws(ImageError) { try await inner.flush() }
        func removeExpired() async throws(ImageError) { try await inner.removeExpired() }

        func wasStored(_ key: CacheKey, by date: Timestamp) -> Bool {
            (inner as? any LookupAtOnce)?.wasStored(key, by: date) ?? false
        }

        func dateAtOnce(of key: CacheKey) -> Timestamp? { (inner as? any LookupAtOnce)?.dateAtOnce(of: key) }

        func entryAtOnce(for key: CacheKey) -> CacheEntry? {
            admitted((inner as? any LookupAtOnce)?.entryAtOnce(for: key), key)
        }
    }

    /// The same of images in memory.
    struct PurgedMemory: ImageMemoryCaching {
        let inner: any ImageMemoryCaching
        let log: PurgeLog

        func image(for key: CacheKey) -> CachedImage? {
            guard let image = inner.image(for: key), !log.isVoid(PurgeScopes(of: key), image.freshness) else { return nil }
            return image
        }

        func contains(_ key: CacheKey) -> Bool { inner.contains(key) && image(for: key) != nil }

        func store(_ cached: CachedImage, for key: CacheKey) { inner.store(cached, for: key) }
        func remove(_ key: CacheKey) { inner.remove(key) }
        func removeAll(prefix: String) { inner.removeAll(prefix: prefix) }
        func removeAll() { inner.removeAll() }
        var usage: CacheUsage { inner.usage }
        func trim(toFraction fraction: Double) { inner.trim(toFraction: fraction) }
        func removeExpired() { inner.removeExpired() }
    }

    extension PurgeScopes {
        /// The key of everything that is made of a source begins with its text.
        init(of key: CacheKey) { self.init(ofSource: key.sourceText) }
    }
#endif
