/// Loads bytes (or, rarely, a decoded image). Never decodes. The last one registered is tried first.
public protocol ImageLoader: Sendable {
    /// Stable; part of the join key and the storage key when a request names its loader, and used to remove a loader.
    var identifier: String { get }
    /// Called often and on any thread: decide by the source alone, without files or network.
    func canLoad(_ source: ImageSource) -> Bool
    /// Returns when the head is known; the body is pulled afterwards. Cancelled with the task.
    func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse
    /// Text that changes when the source does (files: size, time, inode), added to the storage key; nil if there is none. Called
    /// for files and for schemes other than `http`, `https` and `data`, on a thread for files, so it may block: for one `stat`.
    func identity(of source: ImageSource) throws(ImageError) -> String?
    /// The same text if it can be had without waiting for a device, another machine or another process; nil if not. Synchronous
    /// look-ups in memory use it, on the caller's thread. Another text than ``identity(of:)`` gives makes them a miss. Default: nil.
    func identityAtOnce(of source: ImageSource) -> String?
    /// Counts as a download: takes a download slot (providers of the user's take none, as they may ask for other images), and its
    /// bytes are worth keeping on disk. True unless it says otherwise.
    var isRemote: Bool { get }
    /// The fields that ``load(_:)`` would send, as far as known beforehand, for comparison with `Vary`.
    func requestHeaders(for request: LoadRequest) -> HTTPHeaders
}

extension LoadRequest {
    /// Whether the request sets neither fields nor hooks.
    package var isPlain: Bool { ResolvedRequest.Slices.isStandard(downloadBox) }

    package var modifiesRequests: Bool { download.requestModifier != nil }

    /// For options that are already boxed.
    package init(
        source: ImageSource, download: Boxed<ResolvedDownloadOptions>, maximumBytes: Int, priority: LoadPriority,
        context: LoadContext, accept: String?
    ) {
        self.source = source
        downloadBox = download
        storedBox = BoxedOptional(wrappedValue: nil)
        self.maximumBytes = maximumBytes
        self.priority = priority
        self.context = context
        self.accept = accept ?? Self.standardAccept
    }

    /// The `Accept` header when none was built from the coders.
    public static let standardAccept = "image/*,*/*;q=0.8"
}

extension ImageLoader {
    public func identity(of source: ImageSource) throws(ImageError) -> String? { nil }
    public func identityAtOnce(of source: ImageSource) -> String? { nil }
    public var isRemote: Bool { true }
    public func requestHeaders(for request: LoadRequest) -> HTTPHeaders { request.download.headers }
}

/// A request to a loader.
public struct LoadRequest: Sendable {
    /// One of the request's sources: its own, the one for low data, or an alternative.
    public var source: ImageSource
    /// Fields, method, login, hooks and deadlines.
    @inlinable public var download: ResolvedDownloadOptions {
        _read { yield downloadBox.wrappedValue }
        set { downloadBox.wrappedValue = newValue }
    }
    @usableFromInline var downloadBox: Boxed<ResolvedDownloadOptions>
    /// Metadata of the stored entry, for conditional requests.
    @inlinable public var stored: CacheEntryMetadata? {
        get { storedBox.wrappedValue }
        set { storedBox.wrappedValue = newValue }
    }
    @usableFromInline var storedBox: BoxedOptional<CacheEntryMetadata>
    /// Limit of the decompressed body; beyond it the loader throws `limitExceeded`.
    public var maximumBytes: Int
    /// The priority when the transfer began; the loader does not schedule.
    public var priority: LoadPriority
    /// The request's custom values.
    public var context: LoadContext
    /// `Accept`, built from the registered coders.
    public var accept: String
    /// Where the requests of this load go through; nil: they go to their servers alone.
    package var route: (any LoadRoute)?

    /// By default nothing is stored, the limit is 64 MiB, and any image type is accepted.
    public init(
        source: ImageSource, download: ResolvedDownloadOptions, stored: CacheEntryMetadata? = nil,
        maximumBytes: Int = DecodeLimits.standard.maximumEncodedBytes, priority: LoadPriority = .normal,
        context: LoadContext = LoadContext(), accept: String = Self.standardAccept
    ) {
        self.source = source
        downloadBox = Boxed(wrappedValue: download)
        storedBox = BoxedOptional(wrappedValue: stored)
        self.maximumBytes = maximumBytes
        self.priority = priority
        self.context = context
        self.accept = accept
    }
}

/// The head of a response, and its body still to be pulled.
public struct LoadResponse: Sendable {
    /// The body of a response.
    public enum Body: Sendable {
        /// Bytes that arrive over time, pulled by the pipeline.
        case stream(ByteStream)
        /// All bytes, or as many as the loader has.
        case bytes(ByteRope)
        /// An image from a loader without bytes.
        case image(DecodedImage)
        /// The stored copy is still good (HTTP 304).
        case notModified
    }

    /// The body, for one reader.
    public var body: Body
    /// Reported by ``LoadedImage/origin``; the source, not a cache on the way.
    public var origin: LoadedImage.Origin
    /// Bytes of the body as delivered; nil if unknown.
    public var expectedBytes: Int?
    /// The media type that the source states; formats are recognised by content instead. Nil if unknown.
    public var mimeType: String?
    /// Default: unknown, which does not expire. For HTTP the pipeline computes it from ``http``.
    public var freshness: Freshness
    /// Present for HTTP.
    public var http: HTTPResponseHead?
    /// Number of redirects that were followed.
    public var redirects = 0
    /// Times of the last request's connection.
    package var times = ConnectionTimes()

    /// A body and its origin; the rest is unknown by default.
    public init(
        body: Body, origin: LoadedImage.Origin, expectedBytes: Int? = nil, mimeType: String? = nil,
        freshness: Freshness = .unknown, http: HTTPResponseHead? = nil
    ) {
        self.body = body
        self.origin = origin
        self.expectedBytes = expectedBytes
        self.mimeType = mimeType
        self.freshness = freshness
        self.http = http
    }
}
