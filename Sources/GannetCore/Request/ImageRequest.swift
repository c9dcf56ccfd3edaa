public import FoundationEssentials

/// What the caller wants: a source, options in typed slices, and context.
///
///     let request = ImageRequest("https://example.org/a.jpg", .fit(400, 300), .priority(.high))
public struct ImageRequest: Sendable {
    public var source: ImageSource
    public var cache = CacheOptions()
    public var download = DownloadOptions()
    public var decode = DecodeOptions()
    public var transform = TransformOptions()
    public var schedule = ScheduleOptions()
    public var context = LoadContext()

    public init(_ source: ImageSource, _ options: RequestOption...) { self.init(source, options: options) }

    public init(_ url: URL, _ options: RequestOption...) {
        self.init(url.isFileURL ? .file(url.path) : .url(url), options: options)
    }

    public init(source: ImageSource) { self.source = source }

    public init(_ source: ImageSource, options: [RequestOption]) {
        self.source = source
        for option in options { option.apply(to: &self) }
    }
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
        RequestOption { $0.transform.transformers = transformers }
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
