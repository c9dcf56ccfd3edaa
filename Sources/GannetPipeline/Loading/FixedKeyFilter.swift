public import GannetCore

/// One key, whatever the source: for pictures whose address changes while they stay what they are.
///
///     request.cache.keyFilter = .fixed("avatar of user 42")
///
/// Two pictures under one key are one picture to the caches. Alternatives of a request keep keys of their own. - Kingfisher: `cacheKey` of a resource
public struct FixedKeyFilter: CacheKeyFilter, Hashable {
    /// What the caches know the picture by.
    public var key: String

    /// The key may be any text that names the picture.
    public init(_ key: String) { self.key = key }

    public func key(for source: ImageSource) -> String? { key }
}

extension CacheKeyFilter where Self == FixedKeyFilter {
    /// See ``FixedKeyFilter``.
    public static func fixed(_ key: String) -> FixedKeyFilter { FixedKeyFilter(key) }
}
