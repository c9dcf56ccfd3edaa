/// How a request uses stored entries.
public enum LookupPolicy: String, Hashable, Sendable, CaseIterable {
    /// Fresh entries are used, stale ones are revalidated once, and a 304 keeps all variants. The default.
    case automatic
    /// Stored entries are used until they expire by age, whatever HTTP says. SDWebImage's behaviour.
    case cacheFirst
    /// Delivers the stored image first, then revalidates it, even if only the original is stored. - SDWebImage: refreshCached
    case revalidate
    /// Never loads from the source; a miss is the error `cacheMiss`. - SDWebImage: fromCacheOnly
    case cacheOnly
    /// Never reads the caches. - SDWebImage: fromLoaderOnly
    case loaderOnly
}

/// Memory, disk, both or none.
///
///     request.cache.write = .none        // not stored
///     request.cache.read = .inherited    // as the manager's defaults have it
public struct CacheTier: OptionSet, Hashable, Sendable {
    /// One bit for each tier.
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Decoded images in the process.
    public static let memory = CacheTier(rawValue: 1)
    /// Encoded bytes in files, or in another ``ImageCaching`` that takes their place.
    public static let disk = CacheTier(rawValue: 2)
    /// Memory and disk.
    public static let all: CacheTier = [.memory, .disk]
    /// Nothing is read or stored.
    public static let none: CacheTier = []
    /// In ``CacheOptions``: the choice of the manager's defaults, then the built-in one.
    public static let inherited = CacheTier(rawValue: 4)

    /// Nil: inherited.
    var chosen: CacheTier? { self == .inherited ? nil : self }
}

extension CacheTier: CustomStringConvertible {
    /// `memory`, `disk`, `all`, `none` or `inherited`.
    public var description: String {
        if self == .inherited { return "inherited" }
        return switch (contains(.memory), contains(.disk)) {
        case (true, true): "all"
        case (true, false): "memory"
        case (false, true): "disk"
        case (false, false): "none"
        }
    }
}

/// When an entry expires.
public enum CacheExpiration: Hashable, Sendable {
    /// The cache's own rule.
    case standard
    /// Never expires by age; it can still be evicted to make room.
    case never
    /// Counts from the moment of storing, or from the last use if uses extend the time.
    case after(Duration)
    /// A moment of the calendar; a past one is the same as ``expired``.
    case at(Timestamp)
    /// At once: the entry is not stored.
    case expired

    /// ``after(_:)`` this many seconds; ``never`` for more than thirty thousand years. - Kingfisher: StorageExpiration.seconds
    public static func seconds(_ seconds: Double) -> CacheExpiration {
        seconds < 1e12 ? .after(.seconds(max(seconds, 0))) : .never
    }
    /// ``after(_:)`` this many times 24 hours. - Kingfisher: StorageExpiration.days
    public static func days(_ days: Int) -> CacheExpiration { .seconds(Double(days) * 86_400) }
}

/// How a use extends an entry's time.
public enum AccessExtension: Hashable, Sendable {
    /// Reads change nothing: ``CacheExpiration/after(_:)`` counts from storing.
    case none
    /// Restarts the entry's own time (default).
    case cacheTime
    /// Replaces the entry's own time: after a read the entry lives this long from its last use.
    case after(Duration)
}
