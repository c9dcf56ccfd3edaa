public import GannetCore

/// One key, whatever the source: for images whose URL changes while the image stays the same.
///
///     request.cache.keyFilter = .fixed("avatar of user 42")
///
/// Two images with one key are one image to the caches. Alternatives of a request keep separate keys. - Kingfisher: `cacheKey` of
/// a resource
public struct FixedKeyFilter: CacheKeyFilter, Hashable {
    /// The text that identifies the image in the caches.
    public var key: String

    /// The key may be any text that names the image.
    public init(_ key: String) { self.key = key }

    public func key(for source: ImageSource) -> String? { key }
}

extension CacheKeyFilter where Self == FixedKeyFilter {
    /// See ``FixedKeyFilter``.
    public static func fixed(_ key: String) -> FixedKeyFilter { FixedKeyFilter(key) }
}
