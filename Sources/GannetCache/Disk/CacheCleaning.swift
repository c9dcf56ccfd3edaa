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
    /// Compare with `CacheKey.digest`: key texts from earlier runs are not known.
    public var digests: [Digest128]
    /// Bytes of the files.
    public var bytes: Int

    /// A report of a custom cache.
    public init(reason: CleaningReason, digests: [Digest128], bytes: Int) {
        self.reason = reason
        self.digests = digests
        self.bytes = bytes
    }
}
