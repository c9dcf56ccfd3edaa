/// Brings bytes (or, rarely, a finished picture). Never decodes. The last one registered is asked first.
public protocol ImageLoader: Sendable {
    /// Stable; part of the join key and the storage key when a request names its loader, and what a loader is removed by.
    var identifier: String { get }
    /// Asked often and on any thread: judge by the source alone, without files or network.
    func canLoad(_ source: ImageSource) -> Bool
    /// Answers when the head is known; the body is pulled afterwards. Cancelled with the task.
    func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse
    /// Text that changes when the source does (files: size, time, inode), added to the storage key; nil if there is none. Called
    /// for files and for schemes other than `http`, `https` and `data`, on a thread for files, so it may block: for one `stat`.
    func identity(of source: ImageSource) throws(ImageError) -> String?
    /// The same text if it can be had without waiting for a device, another machine or another process; nil if not. Synchronous
    /// look-ups in memory use it, on the caller's thread. Another text than ``identity(of:)`` gives makes them a miss. Default: nil.
    func identityAtOnce(of source: ImageSource) -> String?
    /// Counts as a download: takes a download slot (providers of the user's take none, as they may ask for other pictures), and its
    /// bytes are worth keeping on disk. True unless it says otherwise.
    var isRemote: Bool { get }
    /// The fields that ``load(_:)`` would send, as far as they are known beforehand: what `Vary` is compared with.
    func requestHeaders(for request: LoadRequest) -> HTTPHeaders
}

extension LoadRequest {
    /// Nothing special is asked for: neither fields nor hooks.
    package var isPlain: Bool { ResolvedRequest.Slices.isStandard(downloadBox) }

    package var modifiesRequests: Bool { download.requestModifier != nil }
    package var modifiesAnswers: Bool { download.responseModifier != nil || download.decryptor != nil }

    /// With options that are boxed already.
    package init(
        source: ImageSource, download: Boxed<ResolvedDownloadOptions>, maximumBytes: Int, priority: LoadPriority,
        context: LoadContext, accept: String?
    ) {
        self.source = source
        downloadBox = download
        self.maximumBytes = maximumBytes
        self.priority = priority
        self.context = context
        self.accept = accept ?? Self.standardAccept
    }

    /// What HTTP servers are told to be welcome where nothing was built from the coders.
    public static let standardAccept = "image/*,*/*;q=0.8"
}

extension ImageLoader {
    public func identity(of source: ImageSource) throws(ImageError) -> String? { nil }
    public func identityAtOnce(of source: ImageSource) -> String? { nil }
    public var isRemote: Bool { true }
    public func requestHeaders(for request: LoadRequest) -> HTTPHeaders { request.download.headers }
}

/// What a loader is asked for.
public struct LoadRequest: Sendable {
    /// One of the request's: its own, the one for low data, or an alternative.
    public var source: ImageSource
    /// Fields, method, login, hooks and deadlines.
    @inlinable public var download: ResolvedDownloadOptions {
        _read { yield downloadBox.wrappedValue }
        set { downloadBox.wrappedValue = newValue }
    }
    @usableFromInline var downloadBox: Boxed<ResolvedDownloadOptions>
    /// What is stored already, for conditional requests.
    @BoxedOptional public var stored: CacheEntryMetadata?
    /// The whole body, decompressed, may be so large; beyond it the loader throws `limitExceeded`.
    public var maximumBytes: Int
    /// As it was when the transfer began; its place in line is not the loader's matter.
    public var priority: LoadPriority
    /// The request's own values.
    public var context: LoadContext
    /// `Accept`, built from the registered coders.
    public var accept: String
    /// The URL that a `Range` of ``download`` is for, if it continues what came from there: no other is asked for a part. Nil: any.
    package var partOf: StoredPlace?
    /// Where ``stored`` came from. Nil: what ``StoredHTTPResponse/url`` says.
    package var storedPlace: StoredPlace?
    /// Where what is sent is written down; nil for methods that change nothing.
    package var journal: LoadJournal?
    /// What it runs in; nil: it holds nobody up.
    package var slot: (any LoadSlot)?

    /// By default nothing is stored, the body may have 64 MiB, and any kind of picture is welcome.
    public init(
        source: ImageSource, download: ResolvedDownloadOptions, stored: CacheEntryMetadata? = nil,
        maximumBytes: Int = DecodeLimits.standard.maximumEncodedBytes, priority: LoadPriority = .normal,
        context: LoadContext = LoadContext(), accept: String = Self.standardAccept
    ) {
        self.source = source
        downloadBox = Boxed(wrappedValue: download)
        self.stored = stored
        self.maximumBytes = maximumBytes
        self.priority = priority
        self.context = context
        self.accept = accept
    }
}

/// What was sent and answered on the way to an answer over HTTP, for those who store it.
package struct LoadTrail: Sendable {
    /// The redirects that were followed, each as it came from its URL.
    package var redirects: [StoredHTTPResponse] = []
    /// Of the request that was answered in the end.
    package var method: String
    /// One of the requests carried a login, whoever put it there.
    package var isAuthorized: Bool

    package init(method: String, isAuthorized: Bool) {
        self.method = method
        self.isAuthorized = isAuthorized
    }
}

/// The head of an answer, and its body still to be pulled.
public struct LoadResponse: Sendable {
    /// What an answer brings.
    public enum Body: Sendable {
        /// Bytes as they come, pulled by the pipeline.
        case stream(ByteStream)
        /// Bytes that are all there, or as good as the loader has them.
        case bytes(ByteRope)
        /// A loader that has pictures and no bytes.
        case image(DecodedImage)
        /// The stored copy is still good (HTTP 304).
        case notModified
    }

    /// One reader's.
    public var body: Body
    /// Told by ``LoadedImage/origin``; what the loader brought, not where it was kept before.
    public var origin: LoadedImage.Origin
    /// Bytes of the body as it will be delivered; nil if unknown.
    public var expectedBytes: Int?
    /// As the source names it; formats are told by content and not by this. Nil if unknown.
    public var mimeType: String?
    /// Default unknown, which is good for ever. For HTTP the pipeline computes its own from ``http``.
    public var freshness: Freshness
    /// Present for HTTP.
    public var http: HTTPResponseHead?
    /// Redirects that were followed to it.
    public var redirects = 0
    /// Nil: one request was sent, as it was asked for.
    @BoxedOptional package var trail: LoadTrail?

    /// A body and where it came from; the rest is unknown unless told.
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
