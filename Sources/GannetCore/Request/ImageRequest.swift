/// The caller's request: a source, options in typed slices, and context.
///
///     let request = ImageRequest("https://example.org/a.jpg", .fit(400, 300), .priority(.high))
public struct ImageRequest: Sendable {
    /// The first source to load; the alternatives are in ``download``.
    public var source: ImageSource
    /// Which caches are read and filled. Nothing is set by default.
    @inlinable public var cache: CacheOptions {
        _read { yield cacheBox.wrappedValue }
        set { cacheBox.wrappedValue = newValue }
    }
    @usableFromInline var cacheBox: Boxed<CacheOptions>
    /// How bytes are fetched. Nothing is set by default.
    @inlinable public var download: DownloadOptions {
        _read { yield downloadBox.wrappedValue }
        set { downloadBox.wrappedValue = newValue }
    }
    @usableFromInline var downloadBox: Boxed<DownloadOptions>
    /// How pixels are decoded. Nothing is set by default.
    @inlinable public var decode: DecodeOptions {
        _read { yield decodeBox.wrappedValue }
        set { decodeBox.wrappedValue = newValue }
    }
    @usableFromInline var decodeBox: Boxed<DecodeOptions>
    /// How the decoded image is changed. Nothing is set by default.
    @inlinable public var transform: TransformOptions {
        _read { yield transformBox.wrappedValue }
        set { transformBox.wrappedValue = newValue }
    }
    @usableFromInline var transformBox: Boxed<TransformOptions>
    /// When the work is done. Nothing is set by default.
    public var schedule = ScheduleOptions()
    /// Typed values for hooks, loaders, coders and transformers; they override those of the manager's defaults.
    public var context = LoadContext()

    /// Applies the options in order; if two set the same field, the later one counts.
    @inlinable public init(_ source: some ImageSourceConvertible, _ options: RequestOption...) {
        self.init(source, options: options)
    }

    /// Everything is left to the manager's defaults. Allocates nothing.
    public init(source: ImageSource) {
        self.source = source
        cacheBox = Slices.standard.cache
        downloadBox = Slices.standard.download
        decodeBox = Slices.standard.decode
        transformBox = Slices.standard.transform
    }

    /// A request with options from an array, applied in order.
    @inlinable public init(_ source: some ImageSourceConvertible, options: [RequestOption]) {
        self.init(source: source.imageSource)
        for option in options { option.apply(to: &self) }
    }

    /// A copy with these options applied in order.
    ///
    ///     let avatar = request.with(.fill(96, 96), .transform(.circle()))
    public func with(_ options: RequestOption...) -> ImageRequest { with(options) }

    package func with(_ options: [RequestOption]) -> ImageRequest {
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
    var hasStandardCache: Bool { cacheBox.isSame(as: Slices.standard.cache) }
    var hasStandardDownload: Bool { downloadBox.isSame(as: Slices.standard.download) }
    var hasStandardDecode: Bool { decodeBox.isSame(as: Slices.standard.decode) }
    var hasStandardTransform: Bool { transformBox.isSame(as: Slices.standard.transform) }
    /// Nothing but the source, and when it is loaded.
    package var isPlain: Bool { isOnlyDecoded && hasStandardDecode }
    /// Nothing but the source, when it is loaded, and how it is decoded.
    var isOnlyDecoded: Bool { hasStandardCache && hasStandardDownload && hasStandardTransform && context.isEmpty }
}

extension ImageRequest: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(source: ImageSource(value)) }
}
