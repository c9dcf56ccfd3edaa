public import GannetCore

/// A request to a ``ByteFetcher``: bytes, and how the caches are used on the way.
public struct FetchRequest: Sendable {
    /// Where the bytes come from when no cache has them.
    public var source: ImageSource
    /// Method, fields, hooks, alternatives and the other download options.
    public var download: ResolvedDownloadOptions {
        _read { yield downloadBox.wrappedValue }
        set { downloadBox.wrappedValue = newValue }
    }
    private(set) var downloadBox: Boxed<ResolvedDownloadOptions>
    /// Whether stored bytes are used, revalidated, or ignored.
    public var lookup: LookupPolicy
    /// `storage` names the stored response.
    package var keys: RequestKeys {
        _read { yield keysBox.wrappedValue }
        set { keysBox.wrappedValue = newValue }
    }
    private var keysBox: Boxed<RequestKeys>
    /// False: stored bytes are neither used nor revalidated.
    public var readsCache: Bool
    /// False: nothing is stored, and stored entries are not updated.
    public var writesCache: Bool
    /// Nil: the fetcher's cache.
    public var cache: (any ImageCaching)?
    /// When the stored entry expires; `standard` leaves it to the cache.
    public var expiration: CacheExpiration
    /// Requests with a higher priority get a slot of the downloader first.
    public var priority: LoadPriority
    /// Only `maximumEncodedBytes` counts here: more bytes throw `limitExceeded`.
    public var limits: DecodeLimits
    /// Values of your own, passed to the loader.
    public var context: LoadContext
    /// `Accept`; nil leaves it to the loader.
    public var accept: String?
    /// Names the load for observers.
    public var id: LoadID?
    /// Loads the source even if it failed a moment ago. - SDWebImage: retryFailed
    public var retriesFailedSources: Bool
    /// False: an answer without a body throws `empty` if an image is expected: for GET, and for POST unless the status is 204.
    public var allowsEmptyBody: Bool
    /// Those who wait for the bytes. Nil: ``priority`` stays, and the closure is the only listener.
    package var follower: (any FetchFollower)?
    /// Decides before the source is loaded; nil: always allowed.
    package var policy: (any LoadPolicy)?
    /// The owner of images that were made from the stored bytes; nil: there is none.
    package var owner: (any FetchOwner)?
    /// Reading a stored copy counts as its use.
    package var countsUses = true
    /// Sources that are not tried again.
    package var failures: [FailedAttempt] = []
    /// Set if an alternative source is loaded: its own entry.
    var storageOverride: CacheKey?

    /// For programs that fetch bytes without images: the request's download options, under the key that an ``ImageRequest`` for the
    /// same source has.
    public init(_ request: ImageRequest) {
        let resolved = ResolvedRequest(request)
        self.init(resolved, keys: RequestKeys(resolved, nonce: 0))
    }

    /// Everything but the source and its keys has a default: both directions of the cache, normal priority, standard limits.
    package init(
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

    /// Takes keys, slices and limits from a resolved request.
    package init(_ request: ResolvedRequest, keys: RequestKeys, id: LoadID? = nil) {
        self.init(
            source: request.source, downloadBox: request.downloadBox, lookup: request.cache.lookup, keys: keys,
            readsCache: keys.allowsStoring && request.cache.readsOriginal(isStoredResponse: keys.isStoredResponse),
            writesCache: keys.allowsStoring && request.cache.writesOriginal(isStoredResponse: keys.isStoredResponse),
            cache: request.cache.originalStore ?? request.cache.store, expiration: request.cache.diskExpiration,
            priority: request.schedule.priority, limits: request.decode.limits, context: request.context, id: id,
            retriesFailedSources: request.schedule.retryFailedSources)
    }
}

/// Learns that what it made of stored bytes is void.
package protocol FetchOwner: Sendable {
    /// An unsafe method made void what is stored of a source, with whose text keys begin.
    func invalidated(_ sourceText: String) async
    /// The bytes of this storage key were replaced, or are gone.
    func replaced(_ storage: CacheKey, isGone: Bool) async
}

/// A source that could not be used, and why.
package struct FailedAttempt: Sendable {
    package var source: ImageSource
    package var error: ImageError

    package init(source: ImageSource, error: ImageError) {
        self.source = source
        self.error = error
    }
}

/// How far a running transfer is.
public struct FetchProgress: Sendable {
    /// Each snapshot contains the previous one while ``attempt`` stays the same.
    public var bytes: ByteRope
    /// The total number of bytes; nil if the source does not say.
    public var expected: Int?
    /// Begins at 1. Increases when a broken transfer starts again with other bytes; earlier snapshots are then void.
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

/// The result of a ``ByteFetcher``.
public struct FetchedBytes: Sendable {
    /// Bytes, or a decoded image.
    package enum Content: Sendable {
        /// The file as its source has it, after decryption and the removal of content codings.
        case encoded(EncodedImage)
        /// From a loader that delivers images without bytes.
        case image(DecodedImage)
    }

    /// Whole, never a part.
    package var content: Content
    /// Where the bytes came from; `revalidated`: stored bytes that the source confirmed.
    public var origin: LoadedImage.Origin
    /// The metadata that is, or would be, stored with the bytes.
    @inlinable public var metadata: CacheEntryMetadata? {
        get { metadataBox.wrappedValue }
        set { metadataBox.wrappedValue = newValue }
    }
    @usableFromInline var metadataBox: BoxedOptional<CacheEntryMetadata>
    /// The source confirmed the stored copy (HTTP 304): images made from it stay valid.
    public var wasRevalidated: Bool
    /// Older than the source allows without asking: `stale-while-revalidate`, `stale-if-error`, or a lookup policy that allows
    /// it.
    public var isStale: Bool
    /// `stale-while-revalidate`: the caller should fetch once more with `forcesRevalidation`, in the background.
    public var needsRevalidation: Bool
    /// The entry's key; differs from the request's storage key for further variants of one URL (`Vary`).
    public var storageKey: CacheKey
    /// The head as received; nil for results from the cache and for sources without HTTP.
    @inlinable public var head: HTTPResponseHead? {
        get { headBox.wrappedValue }
        set { headBox.wrappedValue = newValue }
    }
    @usableFromInline var headBox = BoxedOptional<HTTPResponseHead>(wrappedValue: nil)
    /// The source that was fetched; differs from the request's if an alternative was used. Images made from it must then not be
    /// stored under the request's keys.
    public var source: ImageSource?
    /// The attempt that brought the bytes, as in ``FetchProgress/attempt``: snapshots of earlier ones are void.
    public var attempt = 1
    /// How the transfer went; nil for results from the cache, even if the source confirmed them.
    @inlinable public var metrics: TransferMetrics? {
        get { metricsBox.wrappedValue }
        set { metricsBox.wrappedValue = newValue }
    }
    @usableFromInline var metricsBox: BoxedOptional<TransferMetrics>
    /// The freshness that the loader of a decoded image reports: no metadata is stored with such images.
    @BoxedOptional package var imageFreshness: Freshness?
    /// The sources that were tried before this one.
    package var failures: [FailedAttempt] = []
    /// Counts the bytes until they are used.
    var unused: UnusedBytes.Part?
    /// The response belongs to a user whom the request's keys do not identify: see ``FetchJob/dependsOnUnkeyedUser(_:)``.
    package var dependsOnUnkeyedUser = false

    /// The caller has the bytes, or needs them no longer: they do not hold up other fetches.
    package func endWaiting() { unused?.end() }

    package init(
        content: Content, origin: LoadedImage.Origin, metadata: CacheEntryMetadata? = nil, wasRevalidated: Bool = false,
        isStale: Bool = false, needsRevalidation: Bool = false, storageKey: CacheKey, metrics: TransferMetrics? = nil
    ) {
        self.content = content
        self.origin = origin
        metadataBox = BoxedOptional(wrappedValue: metadata)
        self.wasRevalidated = wasRevalidated
        self.isStale = isStale
        self.needsRevalidation = needsRevalidation
        self.storageKey = storageKey
        metricsBox = BoxedOptional(wrappedValue: metrics)
    }

    /// Where the bytes are stored, or would be, and what with them; nil: nowhere.
    package var copy: StoredCopy? { metadataBox.box.map { StoredCopy(key: storageKey, metadataBox: $0) } }

    /// The image of a loader that delivers images without bytes; otherwise nil.
    public var image: DecodedImage? { if case .image(let image) = content { image } else { nil } }

    /// The file as its source has it, after decryption and the removal of content codings; nil if there is an ``image``.
    public var encoded: EncodedImage? { if case .encoded(let image) = content { image } else { nil } }
}

/// The cost of one transfer. - SDWebImage: SDWebImageDownloadToken.metrics - Kingfisher: NetworkMetrics
public struct TransferMetrics: Hashable, Sendable {
    /// From the first call to the head of the final answer.
    public var firstByte = Duration.zero
    /// From the first call to the last byte.
    public var total = Duration.zero
    /// Looking up the host's name for the last request of the last attempt. Zero, as the next two, on a kept connection, and if the
    /// transport does not say.
    public var nameLookup = Duration.zero
    /// From there until the connection, or that to the proxy, was there.
    public var connecting = Duration.zero
    /// From there until TLS was ready; zero without TLS.
    public var securing = Duration.zero
    /// Bytes of the body, as delivered (after content decoding).
    public var bytes = 0
    /// Attempts, 1 without retries.
    public var attempts = 1
    /// Redirects that were followed by the last attempt.
    public var redirects = 0

    /// All times zero, one attempt, no redirects.
    public init() {}
}
