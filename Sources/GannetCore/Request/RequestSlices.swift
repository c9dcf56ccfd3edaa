// The typed slices of a request. A field that is nil or `.inherited` takes its value from the manager's defaults, then from the
// built-in values (see ResolvedRequest, where every field has a value). No optional field has a type with a value `none`:
// Swift reads `.none` as nil there.

/// Which caches are asked and filled, and how stale pictures are treated.
public struct CacheOptions: Sendable {
    /// - SDWebImage: refreshCached, fromCacheOnly, fromLoaderOnly
    public var lookup: LookupPolicy?
    /// Tiers that are read for the final picture. Built-in: both. - SDWebImage: queryCacheType
    public var read = TierChoice.inherited
    /// Tiers the final picture is stored in. Built-in: both. - SDWebImage: storeCacheType
    public var write = TierChoice.inherited
    /// Tiers that are read for the untouched original. Built-in: disk; where the picture is its original, what ``read`` says of the disk. - SDWebImage: originalQueryCacheType
    public var readOriginal = TierChoice.inherited
    /// Tiers the untouched original is stored in. Built-in: disk; where the picture is its original, what ``write`` says of the disk. - SDWebImage: originalStoreCacheType
    public var writeOriginal = TierChoice.inherited
    /// Another cache for this request. In memory its pictures stand apart from those of the manager's and of other such caches; two
    /// that are values, not objects, are one if they have the same `identifier`. - SDWebImage: imageCache
    public var store: (any ImageCaching)?
    /// Another cache for originals only. - SDWebImage: originalImageCache
    public var originalStore: (any ImageCaching)?
    /// - SDWebImage: cacheKeyFilter
    public var keyFilter: (any CacheKeyFilter)?
    /// Writes and reads what is stored of the finished image, transformed or not. Nil: the coders. - SDWebImage: cacheSerializer
    public var serializer: (any CacheSerializer)?
    /// Stored entries carry a ``PictureSummary`` (a ThumbHash and the dominant colour), half a millisecond a picture. Default false.
    public var summarizes: Bool?
    /// How pictures are encoded for the disk. - SDWebImage: imageEncodeOptions
    public var encode: EncodeOptions?
    /// When the memory entry ends. - Kingfisher: memoryCacheExpiration
    public var memoryExpiration: CacheExpiration?
    /// When the disk entry ends. - Kingfisher: diskCacheExpiration
    public var diskExpiration: CacheExpiration?
    /// Whether what this request reads on disk counts as a use of the entry. Built-in: true. The caches decide how much longer a used entry
    /// lives: `accessExtension` of `DiskCacheConfiguration` and of `MemoryCache`. - Kingfisher: …AccessExtendingExpiration
    public var countsUses: Bool?
    /// Whether a larger size of the same picture in memory may be made smaller instead of loading and decoding again; default
    /// true. The pixels may then differ by a step or two from those of a decode. - Coil: Precision
    public var sharesSizes: Bool?

    /// Everything inherits.
    public init() {}
}

/// How bytes are fetched. All of it is part of the join key.
public struct DownloadOptions: Sendable {
    /// - SDWebImage: imageLoader
    public var loader: (any ImageLoader)?
    /// Sent beside the downloader's own, and in place of those of the same name; the same holds for a request's fields and those of
    /// the manager's defaults.
    public var headers: HTTPHeaders?
    /// Nil inherits; built-in GET. What PUT, DELETE and POST change on the server is dropped from the caches.
    public var method: String?
    /// Cookies are kept and sent; off by default. - SDWebImage: handleCookies
    public var cookies: Bool?
    /// Who asks: transfers are shared only inside one scope, and stored entries belong to it.
    public var credentialScope: String?
    /// Nil inherits; the downloader's own comes last. Part of the keys as a digest.
    public var credential: Credential?
    /// - SDWebImage: downloadRequestModifier
    public var requestModifier: (any RequestModifier)?
    /// - SDWebImage: downloadResponseModifier
    public var responseModifier: (any ResponseModifier)?
    /// - SDWebImage: downloadDecryptor
    public var decryptor: (any DataDecryptor)?
    /// - Kingfisher: redirectHandler
    public var redirectHandler: (any RedirectHandler)?
    /// - Kingfisher: retryStrategy
    public var retry: (any RetryStrategy)?
    /// Tried in turn when the source fails. Of another origin than the source, they are not sent its ``credential``, nor the fields
    /// that redirects elsewhere are not sent. - Kingfisher: alternativeSources
    public var alternatives: [ImageSource]?
    /// Used instead of the source while data is to be saved, unless that is stored and may be used without asking; of ``alternatives``' rules. - Kingfisher: lowDataSource
    public var lowDataSource: ImageSource?
    /// Nil inherits; the downloader's own come last.
    public var deadlines: LoadDeadlines?

    /// Everything inherits.
    public init() {}
}

/// A name and a password, or a token.
public enum Credential: Hashable, Sendable {
    /// Sent with the first request already; a server that asks for digest authentication instead gets that.
    case basic(user: String, password: String)
    /// The password itself is never sent, only the answer to a challenge (RFC 7616: SHA-256 or MD5, `qop=auth`).
    case digest(user: String, password: String)
    /// A token (RFC 6750), sent with the first request already.
    case bearer(String)
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind alone.
    public var description: String {
        switch self {
        case .basic: "basic(…)"
        case .digest: "digest(…)"
        case .bearer: "bearer(…)"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Redaction.mirror(of: self) }

    /// What ``ScopeKey`` seals.
    package var secrets: [String] {
        switch self {
        case .basic(let user, let password): ["basic", user, password]
        case .digest(let user, let password): ["digest", user, password]
        case .bearer(let token): ["bearer", token]
        }
    }
}

/// How long a transfer may take. Each covers the body too. Another attempt of a ``RetryStrategy`` begins anew.
public struct LoadDeadlines: Hashable, Sendable {
    /// Default 10 s.
    public var connect: Duration
    /// Without a single byte, default 15 s.
    public var idle: Duration
    /// From the first call to the last byte, redirects and authentication included, default 60 s. Waiting for a slot and asking a
    /// person for a password do not count.
    public var total: Duration

    /// Any of them may be changed by itself.
    public init(connect: Duration = .seconds(10), idle: Duration = .seconds(15), total: Duration = .seconds(60)) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

/// What is wanted of the pixels. All of it is part of the decode key.
public struct DecodeOptions: Sendable {
    /// Nil inherits; `.original` decodes at full size. - SDWebImage: imageThumbnailPixelSize, imagePreserveAspectRatio
    public var target: DecodeTarget?
    /// Pixels for each point; default what the source's name says (`bird@2x.png`), else 1. - SDWebImage: imageScaleFactor
    public var scale: Double?
    /// - SDWebImage: decodeFirstFrameOnly, preloadAllFrames
    public var frames: FrameSelection?
    /// Fails with `unsupported` if the picture does not move. - SDWebImage: matchAnimatedImageClass
    public var requireAnimated: Bool?
    /// sRGB by default, or the numbers as stored.
    public var color: ColorConversion?
    /// Orientation applied (default) or only reported.
    public var appliesOrientation: Bool?
    /// 16-bit pixels kept (as `rgba16`) or cut to 8 bits (default).
    public var keeps16Bit: Bool?
    /// Alpha of the result, default premultiplied.
    public var alpha: AlphaMode?
    /// Pictures larger than this many bytes are decoded smaller. Of an animation this counts each frame by itself, because only a few
    /// are held; with frames that are all preloaded it counts them together. - SDWebImage: scaleDownLargeImages,
    /// imageScaleDownLimitBytes
    public var scaleDownToBytes: Int?
    /// The format the bytes are in, for those without a signature. - SDWebImage: imageTypeIdentifierHint
    public var formatHint: ImageFormat?
    /// This coder, whatever the bytes look like. - SDWebImage: imageCoder
    public var coder: (any ImageCoder)?
    /// Previews while bytes arrive; off by default. - SDWebImage: progressiveLoad
    public var previews: PreviewPolicy?
    /// Nil inherits; built-in ``DecodeLimits/standard``.
    public var limits: DecodeLimits?
    /// Accepts bytes that end early and marks the picture partial; off by default.
    public var allowsPartial: Bool?

    /// Everything inherits.
    public init() {}
}

/// At which size pictures are decoded.
public enum DecodeTarget: Hashable, Sendable {
    /// As many pixels as the file has.
    case original
    /// Scaled while decoding where the format can, afterwards where it cannot.
    case size(TargetSize)
}

/// Which frames of an animation, or which page of a file, are decoded.
public enum FrameSelection: Hashable, Sendable {
    /// An animation whose frames are decoded when they are shown (default).
    case all
    /// All frames decoded at once.
    case preloaded
    /// A still picture of frame 0.
    case first
    /// A still picture of this frame.
    case index(Int)
}

/// What is done to colours that are not sRGB.
public enum ColorConversion: String, Hashable, Sendable {
    /// To sRGB by the embedded profile.
    case sRGB
    /// The stored numbers.
    case raw
}

/// How often previews are made while bytes arrive.
public struct PreviewPolicy: Hashable, Sendable {
    /// False: no previews, whatever the other fields say.
    public var isEnabled: Bool
    /// At least this long between two previews, default 200 ms.
    public var minimumInterval: Duration
    /// Previews run through the transformers too. An animation that is to be transformed stands still until all of it is there.
    public var transforms: Bool

    /// Previews that are on are transformed as the result is, unless told.
    public init(isEnabled: Bool, minimumInterval: Duration = .milliseconds(200), transforms: Bool = true) {
        self.isEnabled = isEnabled
        self.minimumInterval = minimumInterval
        self.transforms = transforms
    }

    /// The default of requests.
    public static let off = PreviewPolicy(isEnabled: false)
    /// At most five a second, transformed as the result is.
    public static let incremental = PreviewPolicy(isEnabled: true)
}

/// What is done to the decoded picture.
public struct TransformOptions: Sendable {
    /// In order; `[]` switches the manager's off. - SDWebImage: imageTransformer
    public var transformers: [any ImageTransformer]?
    /// After ``transformers``, or after the manager's where those are nil.
    public var appended: [any ImageTransformer] = []
    /// Whether animated and vector pictures are transformed too. - SDWebImage: transformAnimatedImage, transformVectorImage
    public var appliesTo: TransformScope?
    /// After every cache, never stored. - Kingfisher: imageModifier
    public var modifier: (any ImageModifier)?

    /// Everything inherits, and nothing is appended.
    public init() {}

    /// One of the transformers does. Those of the manager's defaults have no say.
    package var needsWholePicture: Bool { ((transformers ?? []) + appended).contains(where: \.needsWholePicture) }
}

/// Kinds of pictures that are left as they are unless they are named here. Still pictures of pixels are always transformed.
public struct TransformScope: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Animations, every frame by itself.
    public static let animated = TransformScope(rawValue: 1)
    /// Vectors, as drawn.
    public static let vector = TransformScope(rawValue: 2)
}

/// When the work is done.
public struct ScheduleOptions: Sendable {
    /// - SDWebImage: lowPriority, highPriority
    public var priority: LoadPriority?
    /// Tries sources that failed before. - SDWebImage: retryFailed
    public var retryFailedSources: Bool?
    /// The result comes after it is stored. - SDWebImage: waitStoreCache
    public var waitsForStore: Bool?

    /// Everything inherits.
    public init() {}
}

/// Five steps; a job has the highest of its waiters.
public enum LoadPriority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// In rising order.
    case veryLow, low, normal, high, veryHigh

    public static func < (left: LoadPriority, right: LoadPriority) -> Bool { left.rawValue < right.rawValue }

    /// Of the Swift task that does the work.
    public var taskPriority: TaskPriority {
        switch self {
        case .veryLow: .background
        case .low: .utility
        case .normal: .medium
        case .high: .high
        case .veryHigh: .userInitiated
        }
    }
}
