package import GannetCore

/// Why an entry left a disk cache.
package enum CleaningReason: String, Hashable, Sendable, CaseIterable {
    /// The caller removed it.
    case removed
    /// The limit of bytes or entries was reached.
    case limit
    /// Older than the cache's maximum age, or past its own expiration.
    case expired
    /// Its file was damaged.
    case damaged
    /// Too large to be stored.
    case tooLarge
}

/// Entries that a disk cache removed, and the reason. - Kingfisher: KingfisherDidCleanDiskCache
package struct CacheCleaning: Hashable, Sendable {
    /// Why the entries were removed; each reason has a separate report.
    package var reason: CleaningReason
    /// The digests of the keys: texts of keys from earlier runs are not known.
    package var digests: [Digest128]
    /// Bytes of the files.
    package var bytes: Int

    package init(reason: CleaningReason, digests: [Digest128], bytes: Int) {
        self.reason = reason
        self.digests = digests
        self.bytes = bytes
    }

    /// The number of entries that were removed.
    package var count: Int { digests.count }

    /// Whether the entry of `key` was removed.
    package func contains(_ key: CacheKey) -> Bool { digests.contains(key.digest) }
}
