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

    /// A copy with these options applied in order.
    ///
    ///     let avatar = request.with(.fill(96, 96), .transform(.circle()))
    public func with(_ options: RequestOption...) -> ImageRequest {
        var copy = self
        for option in options { option.apply(to: &copy) }
        return copy
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
