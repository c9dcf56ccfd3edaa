/// The bytes tier of a cache, and the contract of foreign caches (a database, an object store): bytes in, bytes out.
/// A cache never decodes.
public protocol ImageCaching: Sendable {
    var identifier: String { get }
    /// Bytes and metadata; nil is a miss. A damaged entry is removed, reported to the observer and is a miss.
    /// `touch` counts as a use.
    func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry?
    /// The same on the caller's thread.
    func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry?
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
    func removeAll() async throws(ImageError)
    func contains(_ key: CacheKey) async -> Bool
    /// False where the cache knows without looking that nobody stored the entry, unless another process did a moment ago: for what is
    /// a gain where it is there, and no loss where it is overlooked. Does not wait. Default: true.
    func mightContain(_ key: CacheKey) -> Bool
    /// Entries and their bytes.
    func usage() async throws(ImageError) -> CacheUsage
    /// Returns when everything stored so far is on the medium.
    func flush() async throws(ImageError)
}

extension ImageCaching {
    public func mightContain(_ key: CacheKey) -> Bool { true }

    public func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
        try blockingEntry(for: key, touch: false)?.metadata
    }
}

public struct CacheUsage: Hashable, Sendable {
    public var count: Int
    public var bytes: Int

    public init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }
}

public struct CacheEntry: Sendable {
    public var bytes: ByteRope
    public var metadata: CacheEntryMetadata

    public init(bytes: ByteRope, metadata: CacheEntryMetadata) {
        self.bytes = bytes
        self.metadata = metadata
    }
}

/// What is stored beside the bytes.
public struct CacheEntryMetadata: Hashable, Sendable {
    /// Sniffed from the bytes.
    public var format: String?
    public var storedAt: Timestamp
    public var lastUsed: Timestamp
    /// Until when the source says it may be used unasked; nil: no HTTP source.
    public var freshness: Freshness
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

/// The picture that a stored thumbnail or a stored transformed picture was made of.
public struct OriginalPicture: Hashable, Sendable {
    /// Pixels on screen of the whole.
    public var size: PixelSize
    /// It has no pixels of its own.
    public var isVector: Bool
    /// Of its bytes, where that is known: a stored result stands in another one, maybe.
    public var format: ImageFormat?

    public init(size: PixelSize, isVector: Bool = false, format: ImageFormat? = nil) {
        self.size = size
        self.isVector = isVector
        self.format = format
    }
}

/// What RFC 9111 needs to know of a stored response.
public struct StoredHTTPResponse: Hashable, Sendable {
    public var status: Int
    public var headers: HTTPHeaders
    /// The request's fields that `Vary` names, as they were sent.
    public var varying: HTTPHeaders
    public var requestTime: Timestamp
    public var responseTime: Timestamp
    public var url: String

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
    func picture(for key: CacheKey) -> CachedPicture?
    func store(_ picture: CachedPicture, for key: CacheKey)
    func remove(_ key: CacheKey)
    func removeAll(prefix: String)
    func removeAll()
    func contains(_ key: CacheKey) -> Bool
    var usage: CacheUsage { get }
    /// Keeps the most recently used pictures up to this fraction (0 … 1) of the limit.
    func trim(toFraction fraction: Double)
}

/// A picture in memory with what is known of its source.
public struct CachedPicture: Sendable {
    public var image: DecodedImage
    @Boxed public var freshness: Freshness
    public var expiration: CacheExpiration
    public var extended: [UInt8]

    public init(
        image: DecodedImage, freshness: Freshness = .unknown, expiration: CacheExpiration = .standard, extended: [UInt8] = []
    ) {
        self.image = image
        self.freshness = freshness
        self.expiration = expiration
        self.extended = extended
    }
}
