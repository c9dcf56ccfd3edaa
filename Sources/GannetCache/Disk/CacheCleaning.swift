public import GannetCore

/// Why an entry left a disk cache.
public enum CleaningReason: String, Hashable, Sendable, CaseIterable {
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
public struct CacheCleaning: Hashable, Sendable {
    /// Why the entries were removed; each reason has a separate report.
    public var reason: CleaningReason
    /// Of the keys: their texts are not known if they are from earlier runs.
    package var digests: [Digest128]
    /// Bytes of the files.
    public var bytes: Int

    package init(reason: CleaningReason, digests: [Digest128], bytes: Int) {
        self.reason = reason
        self.digests = digests
        self.bytes = bytes
    }

    /// The number of entries that were removed.
    public var count: Int { digests.count }

    /// Whether the entry of `key` was removed.
    public func contains(_ key: CacheKey) -> Bool { digests.contains(key.digest) }
}
