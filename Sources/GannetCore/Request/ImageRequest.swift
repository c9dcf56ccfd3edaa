public import FoundationEssentials

/// What the caller wants: a source, options in typed slices, and context.
///
///     let request = ImageRequest("https://example.org/a.jpg", .fit(400, 300), .priority(.high))
public struct ImageRequest: Sendable {
    public var source: ImageSource
    @Boxed public var cache: CacheOptions
    @Boxed public var download: DownloadOptions
    @Boxed public var decode: DecodeOptions
    @Boxed public var transform: TransformOptions
    public var schedule = ScheduleOptions()
    public var context = LoadContext()

    public init(_ source: ImageSource, _ options: RequestOption...) { self.init(source, options: options) }

    public init(_ url: URL, _ options: RequestOption...) {
        self.init(ImageSource(url), options: options)
    }

    public init(source: ImageSource) {
        self.source = source
        _cache = Slices.standard.cache
        _download = Slices.standard.download
        _decode = Slices.standard.decode
        _transform = Slices.standard.transform
    }

    public init(_ source: ImageSource, options: [RequestOption]) {
        self.init(source: source)
        for option in options { option.apply(to: &self) }
    }
}

extension ImageRequest {
    /// The slices of a request that asks for nothing special, shared by all of them until one changes its own.
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
}

extension ImageRequest: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(source: ImageSource(value)) }
}

/// A short word for a common wish. Packages add their own as static members.
public struct RequestOption: Sendable {
    private let change: @Sendable (inout ImageRequest) -> Void

    public init(_ change: @escaping @Sendable (inout ImageRequest) -> Void) { self.change = change }

    public func apply(to request: inout ImageRequest) { change(&request) }

    public static func fit(_ width: Int, _ height: Int) -> RequestOption { .target(.fit(width, height)) }
    public static func fill(_ width: Int, _ height: Int) -> RequestOption { .target(.fill(width, height)) }
    public static func stretch(_ width: Int, _ height: Int) -> RequestOption { .target(.stretch(width, height)) }
    public static func target(_ size: TargetSize) -> RequestOption { RequestOption { $0.decode.target = .size(size) } }
    public static func priority(_ priority: LoadPriority) -> RequestOption { RequestOption { $0.schedule.priority = priority } }
    public static func lookup(_ policy: LookupPolicy) -> RequestOption { RequestOption { $0.cache.lookup = policy } }
    public static func transform(_ transformers: any ImageTransformer...) -> RequestOption {
        RequestOption {
            $0.transform.transformers = transformers
            $0.transform.appended = []
        }
    }
    public static func header(_ name: String, _ value: String) -> RequestOption {
        RequestOption {
            var headers = $0.download.headers ?? HTTPHeaders()
            headers.add(name, value)
            $0.download.headers = headers
        }
    }
    public static var firstFrame: RequestOption { RequestOption { $0.decode.frames = .first } }
    public static var previews: RequestOption { RequestOption { $0.decode.previews = .incremental } }
    public static var waitsForStore: RequestOption { RequestOption { $0.schedule.waitsForStore = true } }
    public static var retryFailed: RequestOption { RequestOption { $0.schedule.retryFailedSources = true } }
}
