public import FoundationEssentials

/// The caller's request: a source, options in typed slices, and context.
///
///     let request = ImageRequest("https://example.org/a.jpg", .fit(400, 300), .priority(.high))
public struct ImageRequest: Sendable {
    /// The first source to load; the alternatives are in ``download``.
    public var source: ImageSource
    /// Which caches are read and filled. Nothing is set by default.
    @Boxed public var cache: CacheOptions
    /// How bytes are fetched. Nothing is set by default.
    @Boxed public var download: DownloadOptions
    /// How pixels are decoded. Nothing is set by default.
    @Boxed public var decode: DecodeOptions
    /// How the decoded image is changed. Nothing is set by default.
    @Boxed public var transform: TransformOptions
    /// When the work is done. Nothing is set by default.
    public var schedule = ScheduleOptions()
    /// Typed values for hooks, loaders, coders and transformers; they override those of the manager's defaults.
    public var context = LoadContext()

    /// Applies the options in order; if two set the same field, the later one counts.
    public init(_ source: ImageSource, _ options: RequestOption...) { self.init(source, options: options) }

    /// A `file:` URL of this machine becomes its path.
    public init(_ url: URL, _ options: RequestOption...) {
        self.init(ImageSource(url), options: options)
    }

    /// A URL or a path that is a text, as ``ImageSource/init(_:)-(String)`` reads it.
    @_disfavoredOverload
    public init(_ text: String, _ options: RequestOption...) {
        self.init(ImageSource(text), options: options)
    }

    /// Everything is left to the manager's defaults. Allocates nothing.
    public init(source: ImageSource) {
        self.source = source
        _cache = Slices.standard.cache
        _download = Slices.standard.download
        _decode = Slices.standard.decode
        _transform = Slices.standard.transform
    }

    /// For options that were put together elsewhere; applied in order.
    public init(_ source: ImageSource, options: [RequestOption]) {
        self.init(source: source)
        for option in options { option.apply(to: &self) }
    }
}

extension ImageRequest {
    /// The slices of requests without options, shared by all of them until one changes its own.
    struct Slices: Sendable {
        static let standard = Slices()

        let cache = Boxed(wrappedValue: CacheOptions())
        let download = Boxed(wrappedValue: DownloadOptions())
        let decode = Boxed(wrappedValue: DecodeOptions())
        let transform = Boxed(wrappedValue: TransformOptions())
    }

    /// Which slices are the standard ones.
    var hasStandardCache: Bool { _cache.isSame(as: Slices.standard.cache) }
    var hasStandardDownload: Bool { _download.isSame(as: Slices.standard.download) }
    var hasStandardDecode: Bool { _decode.isSame(as: Slices.standard.decode) }
    var hasStandardTransform: Bool { _transform.isSame(as: Slices.standard.transform) }
    /// Nothing but the source, and when it is loaded.
    package var isPlain: Bool {
        hasStandardCache && hasStandardDownload && hasStandardDecode && hasStandardTransform && context.isEmpty
    }
}

extension ImageRequest: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(source: ImageSource(value)) }
}

/// A short name for a common option. Packages add their own as static members.
public struct RequestOption: Sendable {
    private let change: @Sendable (inout ImageRequest) -> Void

    /// Any change of a request; applied in the option's position among the others.
    public init(_ change: @escaping @Sendable (inout ImageRequest) -> Void) { self.change = change }

    /// Carries out the change at once.
    public func apply(to request: inout ImageRequest) { change(&request) }

    /// Pixels; see ``TargetSize/Mode/fit``.
    public static func fit(_ width: Int, _ height: Int) -> RequestOption { .target(.fit(width, height)) }
    /// Pixels; see ``TargetSize/Mode/fill``.
    public static func fill(_ width: Int, _ height: Int) -> RequestOption { .target(.fill(width, height)) }
    /// Pixels; see ``TargetSize/Mode/stretch``.
    public static func stretch(_ width: Int, _ height: Int) -> RequestOption { .target(.stretch(width, height)) }
    /// The size to decode at. - SDWebImage: imageThumbnailPixelSize
    public static func target(_ size: TargetSize) -> RequestOption { RequestOption { $0.decode.target = .size(size) } }
    /// Place in line; default normal. - SDWebImage: lowPriority, highPriority
    public static func priority(_ priority: LoadPriority) -> RequestOption { RequestOption { $0.schedule.priority = priority } }
    /// How what is stored is used; default ``LookupPolicy/automatic``.
    public static func lookup(_ policy: LookupPolicy) -> RequestOption { RequestOption { $0.cache.lookup = policy } }
    /// In order, in place of all transformers; none switches the manager's off.
    public static func transform(_ transformers: any ImageTransformer...) -> RequestOption {
        RequestOption {
            $0.transform.transformers = transformers
            $0.transform.appended = []
        }
    }
    /// Adds a field to those of this request; the manager's own of the same name then stay away.
    public static func header(_ name: String, _ value: String) -> RequestOption {
        RequestOption {
            var headers = $0.download.headers ?? HTTPHeaders()
            headers.add(name, value)
            $0.download.headers = headers
        }
    }
    /// A still image of frame 0. - SDWebImage: decodeFirstFrameOnly
    public static var firstFrame: RequestOption { RequestOption { $0.decode.frames = .first } }
    /// Previews while bytes arrive, five a second at most. - SDWebImage: progressiveLoad
    public static var previews: RequestOption { RequestOption { $0.decode.previews = .incremental } }
    /// The result comes after it is stored. - SDWebImage: waitStoreCache
    public static var waitsForStore: RequestOption { RequestOption { $0.schedule.waitsForStore = true } }
    /// Tries a source that failed before. - SDWebImage: retryFailed
    public static var retryFailed: RequestOption { RequestOption { $0.schedule.retryFailedSources = true } }
}
