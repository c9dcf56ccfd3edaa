public import GannetCore

/// A key filter that comes with Gannet. Made by the static functions of ``CacheKeyFilter``:
///
///     request.cache.keyFilter = .droppingTracking
///
/// Filters of query parameters leave the rest of the key as it is (``ImageSource/keyText``), in its order; the fragment, which no
/// server sees, is dropped. The URL that is loaded does not change, and running transfers are still shared by the whole URL. Sources
/// that are not URLs, and `data:` URLs, which have no query, keep their key.
/// - SDWebImage: SDWebImageCacheKeyFilter - Kingfisher: ImageResource(downloadURL:cacheKey:)
public struct StandardKeyFilter: CacheKeyFilter {
    private let base: any CacheKeyFilter

    init(_ base: any CacheKeyFilter) { self.base = base }

    public func key(for source: ImageSource) -> String? { base.key(for: source) }
}

extension CacheKeyFilter where Self == StandardKeyFilter {
    /// One key, whatever the source: for images whose URL changes while the image stays the same.
    ///
    /// Two images with one key are one image to the caches. Alternatives of a request keep separate keys. - Kingfisher: `cacheKey`
    /// of a resource
    public static func fixed(_ key: String) -> Self { Self(FixedKeyFilter(key)) }

    /// Drops the whole query.
    public static var droppingQuery: Self { Self(QueryKeyFilter.query) }

    /// Drops parameters that track users: `utm_…`, the click identifiers of advertisers, of mailing and of analytics services.
    public static var droppingTracking: Self { Self(QueryKeyFilter.tracking) }

    /// Drops signatures that change from day to day while the image stays the same: Amazon S3 and CloudFront, Google Cloud Storage,
    /// Azure shared access, Alibaba OSS, Akamai tokens.
    ///
    /// Every user of the cache then sees images that were signed for other users: give requests of different users different
    /// `credentialScope`s.
    public static var droppingSignatures: Self { Self(QueryKeyFilter.signatures) }

    /// Drops the parameters of these names and those that begin with one of the prefixes, without regard to ASCII case; percent
    /// signs are compared as written.
    ///
    /// - Parameter groups: Names that are too common to be dropped alone: they and the mark are dropped where the mark is there.
    public static func dropping(
        _ names: Set<String>, prefixes: [String] = [], groups: [(mark: String, names: Set<String>)] = []
    ) -> Self {
        let groups = groups.map { QueryKeyFilter.Group(mark: $0.mark, names: $0.names) }
        return Self(QueryKeyFilter(dropping: names, prefixes: prefixes, groups: groups))
    }

    /// Keeps only the parameters of these names, without regard to ASCII case.
    public static func keeping(_ names: Set<String>) -> Self { Self(QueryKeyFilter(keeping: names)) }

    /// Filters one after the other; each receives the result of the one before, as long as that is a URL. If one returns nil, the
    /// result is nil.
    public static func sequence(_ filters: [any CacheKeyFilter]) -> Self { Self(CacheKeyFilters(filters)) }
}
