public import GannetCore

/// What a ``ByteFetcher`` is asked for: bytes, and how the caches are used on the way.
public struct FetchRequest: Sendable {
    /// Where the bytes come from when no cache has them.
    public var source: ImageSource
    /// Method, fields, hooks, alternatives and the rest of how it is downloaded.
    public var download: ResolvedDownloadOptions {
        _read { yield downloadBox.wrappedValue }
        set { downloadBox.wrappedValue = newValue }
    }
    private(set) var downloadBox: Boxed<ResolvedDownloadOptions>
    /// Whether what is stored is used, asked about, or left aside.
    public var lookup: LookupPolicy
    /// `storage` names the stored response.
    public var keys: RequestKeys {
        _read { yield keysBox.wrappedValue }
        set { keysBox.wrappedValue = newValue }
    }
    private var keysBox: Boxed<RequestKeys>
    /// False: stored bytes are neither used nor compared with the source's.
    public var readsCache: Bool
    /// False: nothing is stored, and nothing that is stored is brought up to date.
    public var writesCache: Bool
    /// Nil: the fetcher's.
    public var cache: (any ImageCaching)?
    /// When what this fetch stores ends by itself; `standard` leaves it to the cache.
    public var expiration: CacheExpiration
    /// Who waits for a slot of the downloader with a higher one goes first.
    public var priority: LoadPriority
    /// Of these only `maximumEncodedBytes` counts here: more bytes are `limitExceeded`.
    public var limits: DecodeLimits
    /// Values of your own, handed to the loader.
    public var context: LoadContext
    /// `Accept`; nil leaves it to the loader.
    public var accept: String?
    /// Names the load for observers.
    public var id: LoadID?
    /// Asks the source even for pictures that failed a moment ago. - SDWebImage: retryFailed
    public var retriesFailedSources: Bool
    /// False: an answer without a body is the error `empty` where a picture is asked for: to GET, and to POST unless it is a 204.
    public var allowsEmptyBody: Bool
    /// The job that this fetch is the work of. Its priority moves a waiting download up or down, and it is told of progress while
    /// somebody listens; nil: ``priority`` for good, and whoever gave a closure listens.
    package var job: Job<FetchProgress>?
    /// Asked before the source is; nil: it may be.
    var policy: (any LoadPolicy)?
    /// Told each source, as its keys begin, of which an unsafe method made everything void that is stored.
    var whenInvalidated: (@Sendable (String) async -> Void)?
    /// Told the storage key of which other bytes than before stand in the cache now, or none any more (true).
    var whenReplaced: (@Sendable (CacheKey, Bool) async -> Void)?
    /// Reading a stored copy counts as its use.
    var countsUses = true
    /// Sources that are not tried again.
    var failures: [FailedAttempt] = []
    /// Set when an alternative source stands in: its own entry.
    var storageOverride: CacheKey?

    /// Everything but the source and its keys has a default: both directions of the cache, normal priority, standard limits.
    public init(
        source: ImageSource, download: ResolvedDownloadOptions = ResolvedDownloadOptions(), lookup: LookupPolicy = .automatic,
        keys: RequestKeys, readsCache: Bool = true, writesCache: Bool = true, cache: (any ImageCaching)? = nil,
        expiration: CacheExpiration = .standard, priority: LoadPriority = .normal, limits: DecodeLimits = .standard,
        context: LoadContext = LoadContext(), accept: String? = nil, id: LoadID? = nil, retriesFailedSources: Bool = false,
        allowsEmptyBody: Bool = false
    ) {
        self.init(
            source: source, downloadBox: Boxed(wrappedValue: download), lookup: lookup, keys: keys, readsCache: readsCache,
            writesCache: writesCache, cache: cache, expiration: expiration, priority: priority, limits: limits, context: context,
            accept: accept, id: id, retriesFailedSources: retriesFailedSources, allowsEmptyBody: allowsEmptyBody)
    }

    private init(
        source: ImageSource, downloadBox: Boxed<ResolvedDownloadOptions>, lookup: LookupPolicy, keys: RequestKeys,
        readsCache: Bool, writesCache: Bool, cache: (any ImageCaching)?, expiration: CacheExpiration, priority: LoadPriority,
        limits: DecodeLimits, context: LoadContext, accept: String? = nil, id: LoadID?, retriesFailedSources: Bool,
        allowsEmptyBody: Bool = false
    ) {
        self.source = source
        self.downloadBox = downloadBox
        self.lookup = lookup
        keysBox = Boxed(wrappedValue: keys)
        self.readsCache = readsCache
        self.writesCache = writesCache
        self.cache = cache
        self.expiration = expiration
        self.priority = priority
        self.limits = limits
        self.context = context
        self.accept = accept
        self.id = id
        self.retriesFailedSources = retriesFailedSources
        self.allowsEmptyBody = allowsEmptyBody
    }

    /// From a resolved request: keys, slices and limits as it has them.
    public init(_ request: ResolvedRequest, keys: RequestKeys, id: LoadID? = nil) {
        self.init(
            source: request.source, downloadBox: request.downloadBox, lookup: request.cache.lookup, keys: keys,
            readsCache: keys.allowsStoring && request.cache.readsOriginal(isPicture: keys.isStoredResponse),
            writesCache: keys.allowsStoring && request.cache.writesOriginal(isPicture: keys.isStoredResponse),
            cache: request.cache.originalStore ?? request.cache.store, expiration: request.cache.diskExpiration,
            priority: request.schedule.priority, limits: request.decode.limits, context: request.context, id: id,
            retriesFailedSources: request.schedule.retryFailedSources)
    }
}

/// A source that was of no use, and why.
struct FailedAttempt: Sendable {
    var source: ImageSource
    var error: ImageError
}

/// How far a running transfer is.
public struct FetchProgress: Sendable {
    /// Each snapshot contains the one before, as long as ``attempt`` stays the same.
    public var bytes: ByteRope
    /// Bytes of the whole; nil if the source does not say.
    public var expected: Int?
    /// Begins at 1; a transfer that broke and was begun again with other bytes counts up, and earlier snapshots are void.
    public var attempt: Int

    /// `expected` nil: the source does not say how many there will be.
    public init(bytes: ByteRope, expected: Int? = nil, attempt: Int = 1) {
        self.bytes = bytes
        self.expected = expected
        self.attempt = attempt
    }

    /// 0 … 1; nil if the whole is not known.
    public var fraction: Double? {
        guard let expected, expected > 0 else { return nil }
        return min(1, Double(bytes.count) / Double(expected))
    }
}

/// What a ``ByteFetcher`` brought.
public struct FetchedBytes: Sendable {
    /// Bytes, or a finished picture.
    public enum Content: Sendable {
        /// The file as its source has it, after decryption and the removal of content codings.
        case encoded(EncodedImage)
        /// From a loader that has pictures and no bytes.
        case image(DecodedImage)
    }

    /// Whole, never a part.
    public var content: Content
    /// Where the bytes came from in the end; `revalidated`: stored ones that the source has confirmed.
    public var origin: LoadedImage.Origin
    /// What is stored beside the bytes, or would be.
    @BoxedOptional public var metadata: CacheEntryMetadata?
    /// The source confirmed that the stored copy is still good (HTTP 304): pictures made of it stay valid.
    public var wasRevalidated: Bool
    /// Older than its source allows without asking: `stale-while-revalidate`, `stale-if-error`, or a lookup that wants it so.
    public var isStale: Bool
    /// `stale-while-revalidate`: whoever asked should fetch once more with `forcesRevalidation`, in the background.
    public var needsRevalidation: Bool
    /// The entry's key; differs from the request's storage key for further variants of one URL (`Vary`).
    public var storageKey: CacheKey
    /// The head as it was received; nil for what came from the cache and for sources without HTTP.
    @BoxedOptional public var head: HTTPResponseHead?
    /// The source that was fetched: another than the request's if an alternative had to stand in. Pictures made of it must
    /// not be stored under the request's keys then.
    public var source: ImageSource?
    /// The attempt that brought the bytes, as in ``FetchProgress/attempt``: snapshots of earlier ones are void.
    public var attempt = 1
    /// How the transfer went; nil for what came from the cache, also where the source has confirmed it.
    @BoxedOptional public var metrics: TransferMetrics?
    /// What the loader of a finished picture says of it: nothing is stored beside that.
    @BoxedOptional var pictureFreshness: Freshness?
    /// The sources before this one.
    var failures: [FailedAttempt] = []
    /// The response belongs to somebody whom the request's keys do not name: see ``FetchJob/isOfUnnamedAsker(_:)``.
    var isOfUnnamedAsker = false

    /// Neither the bytes nor what is made of them may be kept.
    mutating func forbidStoring() {
        metadata?.freshness.forbidsStoring = true
        if case .encoded(var image) = content {
            image.freshness.forbidsStoring = true
            content = .encoded(image)
        }
    }

    /// By default an answer that needs nothing more: neither stale nor revalidated, without metadata.
    public init(
        content: Content, origin: LoadedImage.Origin, metadata: CacheEntryMetadata? = nil, wasRevalidated: Bool = false,
        isStale: Bool = false, needsRevalidation: Bool = false, storageKey: CacheKey, metrics: TransferMetrics? = nil
    ) {
        self.content = content
        self.origin = origin
        self.metadata = metadata
        self.wasRevalidated = wasRevalidated
        self.isStale = isStale
        self.needsRevalidation = needsRevalidation
        self.storageKey = storageKey
        self.metrics = metrics
    }

    /// The bytes; nil for finished pictures.
    public var encoded: EncodedImage? { if case .encoded(let image) = content { image } else { nil } }
}

/// What one transfer cost. - SDWebImage: SDWebImageDownloadToken.metrics - Kingfisher: NetworkMetrics
public struct TransferMetrics: Hashable, Sendable {
    /// From the first call to the head of the final answer.
    public var firstByte = Duration.zero
    /// From the first call to the last byte.
    public var total = Duration.zero
    /// Of the body, as delivered (after content decoding).
    public var bytes = 0
    /// Attempts, 1 without retries.
    public var attempts = 1
    /// Redirects that were followed by the last attempt.
    public var redirects = 0

    /// All times zero, one attempt, no redirects.
    public init() {}
}
