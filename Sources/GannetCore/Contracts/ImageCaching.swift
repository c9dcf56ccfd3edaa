/// A cache of bytes, and the contract of custom caches (a database, an object store): bytes in, bytes out. A cache never
/// decodes.
///
/// Five requirements are enough: ``identifier``, ``entry(for:touch:)``, ``store(_:for:)``, ``remove(_:)`` and ``removeAll()``. The
/// others have defaults that are right for every cache, and dearer than a cache's own. A cache that wraps another one passes all of
/// them on.
public protocol ImageCaching: Sendable {
    /// Distinguishes caches, and identifies one for removal; stable, for example its storage path.
    var identifier: String { get }
    /// Seals credentials in the keys of entries. A cache that outlives the process keeps its key, so that a later process finds
    /// the entries of the same user. Default: ``ScopeKey/process``. May block for one small read, the first time.
    var scopeKey: ScopeKey { get }
    /// Reads bytes and metadata; nil is a miss. A damaged entry is removed, reported to the observer, and is a miss. `touch`
    /// counts as a use.
    func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry?
    /// The same on the caller's thread, for views that read the disk at once. Default: a miss.
    func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry?
    /// Reads the metadata without counting as a use; nil is a miss. Default: reads the whole entry.
    func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata?
    /// The same on the caller's thread. Default: reads the whole entry.
    func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata?
    /// Stores or replaces an entry. Returns when later reads find it (it may not be on disk yet).
    func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError)
    /// Replaces the metadata of the same bytes (after a 304). Does nothing without an entry. Default: reads the entry and stores
    /// it again.
    func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError)
    /// Removes an entry; a missing one is no error.
    func remove(_ key: CacheKey) async throws(ImageError)
    /// Removes every key that begins with the text, for an invalidated source. May be O(n). Default: removes everything.
    func removeAll(prefix: String) async throws(ImageError)
    /// Removes everything, including other users' entries.
    func removeAll() async throws(ImageError)
    /// Not a use. False also if the cache cannot be read. Default: looks for the metadata.
    func contains(_ key: CacheKey) async -> Bool
    /// False if the cache knows without I/O that there is no such entry, except one stored by another process a moment ago. For
    /// optional work that may miss an entry. Does not wait. Default: true.
    func mightContain(_ key: CacheKey) -> Bool
    /// Counts as a use of the entry, as a read does. Default: reads it.
    func noteUse(of key: CacheKey) async
    /// The number of entries and their bytes. Default: zero, for caches that do not count.
    func usage() async throws(ImageError) -> CacheUsage
    /// Returns when everything stored so far is on the medium. Default: at once, for caches whose ``store(_:for:)`` waits for that.
    func flush() async throws(ImageError)
    /// Removes expired entries, which are misses already. May be O(n). Default: does nothing.
    func removeExpired() async throws(ImageError)
}

extension ImageCaching {
    public var scopeKey: ScopeKey { .process }

    public func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? { nil }

    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        try await entry(for: key, touch: false)?.metadata
    }

    public func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        guard var entry = try await entry(for: key, touch: false) else { return }
        entry.metadata = metadata
        try await store(entry, for: key)
    }

    public func removeAll(prefix: String) async throws(ImageError) { try await removeAll() }

    public func contains(_ key: CacheKey) async -> Bool { (try? await metadata(for: key)) != nil }

    public func usage() async throws(ImageError) -> CacheUsage { CacheUsage(count: 0, bytes: 0) }

    public func flush() async throws(ImageError) {}

    public func removeExpired() async throws(ImageError) {}

    public func mightContain(_ key: CacheKey) -> Bool { true }

    public func noteUse(of key: CacheKey) async { _ = try? await entry(for: key, touch: true) }

    public func blockingMetadata(for key: CacheKey) throws(ImageError) -> CacheEntryMetadata? {
        try blockingEntry(for: key, touch: false)?.metadata
    }
}

/// The size of a cache's contents.
public struct CacheUsage: Hashable, Sendable {
    /// Entries.
    public var count: Int
    /// Bytes as the cache counts them: on disk including metadata, in memory decoded.
    public var bytes: Int

    /// Both numbers are taken unchanged.
    public init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }
}

/// The value that a cache stores for one key.
public struct CacheEntry: Sendable {
    /// The received or encoded bytes; incomplete if ``CacheEntryMetadata/isPartial`` is set.
    public var bytes: ByteRope
    /// Stored and found together with the bytes.
    public var metadata: CacheEntryMetadata

    /// Copies nothing.
    public init(bytes: ByteRope, metadata: CacheEntryMetadata) {
        self.bytes = bytes
        self.metadata = metadata
    }
}

/// Metadata stored next to the bytes.
///
/// It has more than the properties that are public: what HTTP needs for revalidation. A custom cache keeps all of it by storing
/// the entry as `encoded(for:writtenAt:)` returns it.
public struct CacheEntryMetadata: Hashable, Sendable {
    /// Recognised from the bytes.
    public var format: String?
    /// When the bytes were stored, by the calendar.
    public var storedAt: Timestamp
    /// When the entry was last read with `touch`; decides which entries are least recently used.
    public var lastUsed: Timestamp
    /// How long the source allows use without revalidation; nil: no HTTP source.
    public var freshness: Freshness
    /// When the entry expires, whatever its source says.
    public var expiration: CacheExpiration
    /// The stored response for the HTTP rules; nil for other sources.
    package var http: StoredHTTPResponse?
    /// The bytes are incomplete: only for resuming, never served as complete.
    public var isPartial: Bool
    /// The user's data, at most 64 KiB. - SDWebImage: extended data
    public var extended: [UInt8]
    /// A summary to show before decoding; nil unless the request had ``RequestOption/summarized``.
    public var summary: ImageSummary?
    /// For a stored result: its original image, whose size is not in the result's bytes.
    package var original: OriginalImage?
    /// The identity of the stored bytes; a result has that of the bytes it was made of. Nil: unknown, and equal to none.
    package var identity: Digest128?

    /// Only `storedAt` is required; `lastUsed` nil means the same moment.
    public init(
        format: String? = nil, storedAt: Timestamp, lastUsed: Timestamp? = nil, freshness: Freshness = .unknown,
        expiration: CacheExpiration = .standard, isPartial: Bool = false, extended: [UInt8] = [], summary: ImageSummary? = nil
    ) {
        self.init(
            format: format, storedAt: storedAt, lastUsed: lastUsed, freshness: freshness, expiration: expiration, http: nil,
            isPartial: isPartial, extended: extended, summary: summary)
    }

    @_disfavoredOverload
    package init(
        format: String? = nil, storedAt: Timestamp, lastUsed: Timestamp? = nil, freshness: Freshness = .unknown,
        expiration: CacheExpiration = .standard, http: StoredHTTPResponse? = nil, isPartial: Bool = false, extended: [UInt8] = [],
        summary: ImageSummary? = nil, original: OriginalImage? = nil
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

/// The fields of a stored response that RFC 9111 needs.
package struct StoredHTTPResponse: Hashable, Sendable {
    /// Status of the final response, after redirects.
    package var status: Int
    /// The response's fields in order, without those that must not be stored (RFC 9111 §3.1).
    package var headers: HTTPHeaders
    /// The request's fields named by `Vary`, as sent.
    package var varying: HTTPHeaders
    /// When the request was sent (RFC 9111 §4.2.3, `request_time`).
    package var requestTime: Timestamp
    /// When the head of the response arrived (RFC 9111 §4.2.3, `response_time`).
    package var responseTime: Timestamp
    /// URL of the response after redirects; written as ``ImageSource/keyText``.
    package var url: String

    /// No defaults: a response needs all of them to be judged.
    package init(
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

/// A cache of decoded images: synchronous, never suspends.
public protocol ImageMemoryCaching: Sendable {
    /// Counts as a use. Nil is a miss; an expired image is a miss.
    func image(for key: CacheKey) -> CachedImage?
    /// Stores or replaces an image. May evict older images; an image too large for the cache may not be kept.
    func store(_ cached: CachedImage, for key: CacheKey)
    /// Removes an image; a missing one is no error.
    func remove(_ key: CacheKey)
    /// Removes every key that begins with the text. May be O(n).
    func removeAll(prefix: String)
    /// Removes everything; images on screen stay alive in their views.
    func removeAll()
    /// Not a use: the order of eviction does not change.
    func contains(_ key: CacheKey) -> Bool
    /// Images that count against the limit, and their bytes (``DecodedImage/byteCount``).
    var usage: CacheUsage { get }
    /// Keeps the most recently used images up to this fraction (0 … 1) of the limit.
    func trim(toFraction fraction: Double)
    /// Removes expired images, which are misses already. May be O(n). Default: does nothing.
    func removeExpired()
}

extension ImageMemoryCaching {
    public func removeExpired() {}
}

/// An image in memory with the facts about its source.
public struct CachedImage: Sendable {
    /// Decoded and transformed, ready to show.
    public var image: DecodedImage
    /// Default: unknown, which does not expire.
    @inlinable public var freshness: Freshness {
        _read { yield freshnessBox.wrappedValue }
        set { freshnessBox.wrappedValue = newValue }
    }
    @usableFromInline package var freshnessBox: Boxed<Freshness>
    /// When the image expires from memory; default: the cache's own rule.
    public var expiration: CacheExpiration
    /// The user's data, carried along; empty by default.
    public var extended: [UInt8]

    /// By default only the pixels are known.
    public init(
        image: DecodedImage, freshness: Freshness = .unknown, expiration: CacheExpiration = .standard, extended: [UInt8] = []
    ) {
        self.image = image
        freshnessBox = Boxed(wrappedValue: freshness)
        self.expiration = expiration
        self.extended = extended
    }
}

extension LoadedImage {
    /// A memory hit.
    package init(_ cached: CachedImage) { self.init(inMemory: cached.image, freshness: cached.freshnessBox) }
}
