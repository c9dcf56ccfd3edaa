/// How a request uses what is stored.
public enum LookupPolicy: String, Hashable, Sendable, CaseIterable {
    /// Fresh: used. Stale: the source is asked once, and a 304 keeps all variants. The default.
    case automatic
    /// Stored is good until it expires by age, whatever HTTP says. What SDWebImage does.
    case cacheFirst
    /// The stored picture first, then the source is asked, also when only the original is stored. - SDWebImage: refreshCached
    case revalidate
    /// Never asks the source; a miss is the error `cacheMiss`. - SDWebImage: fromCacheOnly
    case cacheOnly
    /// Never asks the caches. - SDWebImage: fromLoaderOnly
    case loaderOnly
}

/// Memory, disk, both or none.
public struct CacheTier: OptionSet, Hashable, Sendable {
    /// One bit for each tier.
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Decoded pictures in the process.
    public static let memory = CacheTier(rawValue: 1)
    /// Encoded bytes in files, or whatever ``ImageCaching`` stands there.
    public static let disk = CacheTier(rawValue: 2)
    /// Memory and disk.
    public static let all: CacheTier = [.memory, .disk]
    /// Nothing is asked, or stored.
    public static let none: CacheTier = []
}

extension CacheTier: CustomStringConvertible {
    /// `memory`, `disk`, `all` or `none`.
    public var description: String {
        switch (contains(.memory), contains(.disk)) {
        case (true, true): "all"
        case (true, false): "memory"
        case (false, true): "disk"
        case (false, false): "none"
        }
    }
}

/// Which tiers a request reads or writes.
///
///     request.cache.write = .none        // not stored
///     request.cache.read = .inherited    // as the manager's defaults have it
public enum TierChoice: Hashable, Sendable {
    /// The choice of the manager's defaults, then the built-in one.
    case inherited
    /// Neither tier.
    case none
    /// Decoded pictures in the process.
    case memory
    /// Encoded bytes in files, or in another ``ImageCaching``.
    case disk
    /// Memory and disk.
    case all

    /// The choice of exactly these tiers.
    public init(_ tiers: CacheTier) {
        self =
            switch (tiers.contains(.memory), tiers.contains(.disk)) {
            case (true, true): .all
            case (true, false): .memory
            case (false, true): .disk
            case (false, false): .none
            }
    }

    /// The chosen tiers; nil: inherited.
    package var tiers: CacheTier? {
        switch self {
        case .inherited: nil
        case .none: CacheTier.none
        case .memory: .memory
        case .disk: .disk
        case .all: .all
        }
    }
}

/// When an entry ends by itself.
public enum CacheExpiration: Hashable, Sendable {
    /// The cache's own rule.
    case standard
    /// By age, that is; it still goes when room is needed.
    case never
    /// From the moment of storing, or of the last use where uses extend it.
    case after(Duration)
    /// A moment of the calendar; in the past it is the same as ``expired``.
    case at(Timestamp)
    /// At once: the entry is not stored.
    case expired
}

/// What a use does to an entry's expiration.
public enum AccessExtension: Hashable, Sendable {
    /// ``CacheExpiration/after(_:)`` counts from storing, whatever is read.
    case none
    /// Starts the entry's own time again (default).
    case cacheTime
    /// Once read, the entry lives so long from its last use on, in place of its own time.
    case after(Duration)
}
