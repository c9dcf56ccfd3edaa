/// The bytes tier of a cache, and the contract of foreign caches (a database, an object store): bytes in, bytes out.
/// A cache never decodes.
public protocol ImageCaching: Sendable {
    /// Tells caches apart where there are several, and finds one that is to be removed; stable, such as the place it stores in.
    var identifier: String { get }
    /// Seals credentials in the keys of what is stored here. A cache that outlives the process keeps its key, so that a later process finds
    /// entries of the same asker. Default: ``ScopeKey/process``. May block for one small read, the first time.
    var scopeKey: ScopeKey { get }
    /// Bytes and metadata; nil is a miss. A damaged entry is removed, reported to the observer and is a miss.
    /// `touch` counts as a use.
    func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry?
    /// The same on the caller's thread.
    func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry?
    /// What is stored beside the bytes, without counting as a use; nil is a miss.
    func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata?
    /// The same on the caller's thread. Default: reads the whole entry.
    func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata?
    /// Replaces what is there. Returns when the entry is found by later reads (it may not be on disk yet).
    func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError)
    /// New metadata for the same bytes (after a 304). Does nothing if there is no entry.
    func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError)
    /// Removing what is not there is no error.
    func remove(_ key: CacheKey) async throws(ImageError)
    /// Every key that begins with the text; what an invalidated source leaves. May be O(n).
    func removeAll(prefix: String) async throws(ImageError)
    /// Everything, other users' entries included.
    func removeAll() async throws(ImageError)
    /// Not a use. False also where the cache cannot be read.
    func contains(_ key: CacheKey) async -> Bool
    /// False where the cache knows without looking that nobody stored the entry, unless another process did a moment ago: for what is
    /// a gain where it is there, and no loss where it is overlooked. Does not wait. Default: true.
    func mightContain(_ key: CacheKey) -> Bool
    /// Counts as a use of the entry, if there is one, as reading it does. Default: reads it.
    func noteUse(of key: CacheKey) async
    /// Entries and their bytes.
    func usage() async throws(ImageError) -> CacheUsage
    /// Returns when everything stored so far is on the medium.
    func flush() async throws(ImageError)
    /// Removes what has ended by itself; whoever reads it meets a miss already. May be O(n). Default: does nothing.
    func removeExpired() async throws(ImageError)
}

extension ImageCaching {
    public var scopeKey: ScopeKey { .process }

    public func removeExpired() async throws(ImageError) {}

    public func mightContain(_ key: CacheKey) -> Bool { true }

    public func noteUse(of key: CacheKey) async { _ = try? await entry(for: key, touch: true) }

    public func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
        try blockingEntry(for: key, touch: false)?.metadata
    }
}

/// How full a cache is.
public struct CacheUsage: Hashable, Sendable {
    /// Entries.
    public var count: Int
    /// As the cache counts them: on disk with what is stored beside the bytes, in memory decoded.
    public var bytes: Int

    /// Both numbers are taken as they are.
    public init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }
}

/// What a cache stores for one key.
public struct CacheEntry: Sendable {
    /// As they came or were encoded. Where ``CacheEntryMetadata/isPartial`` is set they end early.
    public var bytes: ByteRope
    /// Stored and found together with the bytes.
    public var metadata: CacheEntryMetadata

    /// Nothing is copied.
    public init(bytes: ByteRope, metadata: CacheEntryMetadata) {
        self.bytes = bytes
        self.metadata = metadata
    }
}

/// What is stored beside the bytes.
public struct CacheEntryMetadata: Hashable, Sendable {
    /// Sniffed from the bytes.
    public var format: String?
    /// When the bytes were stored, by the calendar.
    public var storedAt: Timestamp
    /// When the entry was last read with `touch`; what the least recently used are found by.
    public var lastUsed: Timestamp
    /// Until when the source says it may be used unasked; nil: no HTTP source.
    public var freshness: Freshness
    /// When the entry ends by itself, whatever its source says.
    public var expiration: CacheExpiration
    /// The stored response, for the HTTP rules; nil for everything else.
    public var http: StoredHTTPResponse?
    /// The bytes end early: only for resuming, never served as a whole.
    public var isPartial: Bool
    /// The user's own, at most 64 KiB. - SDWebImage: extended data
    public var extended: [UInt8]
    /// What can be shown before the bytes are decoded; nil unless the request asked for it.
    public var summary: PictureSummary?
    /// Of a stored result: what it was made of. Its own bytes do not tell how large that was.
    public var original: OriginalPicture?

    /// Only the moment of storing has to be given; `lastUsed` nil means the same moment.
    public init(
        format: String? = nil, storedAt: Timestamp, lastUsed: Timestamp? = nil, freshness: Freshness = .unknown,
        expiration: CacheExpiration = .standard, http: StoredHTTPResponse? = nil, isPartial: Bool = false, extended: [UInt8] = [],
        summary: PictureSummary? = nil, original: OriginalPicture? = nil
    ) {
        self.format = format
        self.storedAt = storedAt
        self.lastUsed = lastUsed ?? storedAt
        self.freshness = freshness
        self.expiration = expiration
        self.http = http
        self.isPartial = isPartial
        self.extended = extended
        self.summary = summary
        self.original = original
    }
}

/// What RFC 9111 needs to know of a stored response.
public struct StoredHTTPResponse: Hashable, Sendable {
    /// Of the final answer, after redirects.
    public var status: Int
    /// The answer's, in their order, without those that must not be stored (RFC 9111 §3.1).
    public var headers: HTTPHeaders
    /// The request's fields that `Vary` names, as they were sent.
    public var varying: HTTPHeaders
    /// When the request was sent (RFC 9111 §4.2.3, `request_time`).
    public var requestTime: Timestamp
    /// When the head of the answer had come (RFC 9111 §4.2.3, `response_time`).
    public var responseTime: Timestamp
    /// Where the answer came from, after redirects; written as ``ImageSource/keyText``.
    public var url: String

    /// Nothing has a default: a response without one of them cannot be judged.
    public init(
        status: Int, headers: HTTPHeaders, varying: HTTPHeaders, requestTime: Timestamp, responseTime: Timestamp, url: String
    ) {
        self.status = status
        self.headers = headers
        self.varying = varying
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.url = url
    }
}

/// The pictures tier: synchronous, never suspends.
public protocol ImageMemoryCaching: Sendable {
    /// Counts as a use. Nil is a miss; a picture whose own time has ended is one.
    func picture(for key: CacheKey) -> CachedPicture?
    /// Replaces what is there. Older pictures may go for it, and a picture that is too large for the cache may not be held.
    func store(_ picture: CachedPicture, for key: CacheKey)
    /// Removing what is not there is no error.
    func remove(_ key: CacheKey)
    /// Every key that begins with the text. May be O(n).
    func removeAll(prefix: String)
    /// Everything; pictures on screen live on with those who show them.
    func removeAll()
    /// Not a use: the order in which pictures go does not change.
    func contains(_ key: CacheKey) -> Bool
    /// Pictures that count against the limit, and their bytes (``DecodedImage/byteCount``).
    var usage: CacheUsage { get }
    /// Keeps the most recently used pictures up to this fraction (0 … 1) of the limit.
    func trim(toFraction fraction: Double)
    /// Removes what has ended by itself; whoever looks for it meets a miss already. May be O(n). Default: does nothing.
    func removeExpired()
}

extension ImageMemoryCaching {
    public func removeExpired() {}
}

/// A picture in memory with what is known of its source.
public struct CachedPicture: Sendable {
    /// Decoded and transformed, ready to be shown.
    public var image: DecodedImage
    /// Default: unknown, which is good for ever.
    @Boxed public var freshness: Freshness
    /// When the picture leaves memory by itself; default the cache's own rule.
    public var expiration: CacheExpiration
    /// The user's own, carried along; empty by default.
    public var extended: [UInt8]

    /// A picture of which nothing but its pixels is known, unless told.
    public init(
        image: DecodedImage, freshness: Freshness = .unknown, expiration: CacheExpiration = .standard, extended: [UInt8] = []
    ) {
        self.image = image
        self.freshness = freshness
        self.expiration = expiration
        self.extended = extended
    }
}
