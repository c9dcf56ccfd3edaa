public import GannetCore

/// Why an entry left a disk cache.
public enum CleaningReason: String, Hashable, Sendable, CaseIterable {
    /// The caller removed it.
    case removed
    /// The limit of bytes or entries.
    case limit
    /// Older than the cache keeps, or than its own expiration allows.
    case expired
    /// Its file was damaged.
    case damaged
    /// Too large to be stored at all.
    case tooLarge
}

/// What a disk cache threw away on its own, and why. - Kingfisher: KingfisherDidCleanDiskCache
public struct CacheCleaning: Hashable, Sendable {
    /// Why the entries of this report went; different reasons come in reports of their own.
    public var reason: CleaningReason
    /// Compare with `CacheKey.digest`: the texts of keys from earlier runs are not known.
    public var digests: [Digest128]
    /// Bytes of the files.
    public var bytes: Int

    /// For caches of your own that report in the same way.
    public init(reason: CleaningReason, digests: [Digest128], bytes: Int) {
        self.reason = reason
        self.digests = digests
        self.bytes = bytes
    }
}
