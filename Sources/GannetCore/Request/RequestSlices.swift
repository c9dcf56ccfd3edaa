// The typed slices of a request. A field that is nil or `.inherited` takes its value from the manager's defaults, then from the
// built-in values (see ResolvedRequest, where every field has a value). No optional field has a type with a value `none`:
// Swift reads `.none` as nil there.

/// Which caches are read and written, and how stale images are treated.
public struct CacheOptions: Sendable {
    /// - SDWebImage: refreshCached, fromCacheOnly, fromLoaderOnly
    public var lookup: LookupPolicy?
    /// Tiers that are read for the final image. Built-in: both. - SDWebImage: queryCacheType
    public var read = CacheTier.inherited
    /// Tiers the final image is stored in. Built-in: both. - SDWebImage: storeCacheType
    public var write = CacheTier.inherited
    /// Tiers that are read for the untouched original. Built-in: disk; if the image is its original, the disk part of ``read``.
    /// - SDWebImage: originalQueryCacheType
    public var readOriginal = CacheTier.inherited
    /// Tiers the untouched original is stored in. Built-in: disk; if the image is its original, the disk part of ``write``.
    /// - SDWebImage: originalStoreCacheType
    public var writeOriginal = CacheTier.inherited
    /// Another cache for this request. Images of this cache, of the manager's and of other such caches are kept apart in memory.
    /// Two caches that are values, not objects, count as the same if they have the same `identifier`. - SDWebImage: imageCache
    public var store: (any ImageCaching)?
    /// Another cache for originals only. - SDWebImage: originalImageCache
    public var originalStore: (any ImageCaching)?
    /// - SDWebImage: cacheKeyFilter
    public var keyFilter: (any CacheKeyFilter)?
    /// Writes and reads what is stored of the finished image, transformed or not. Nil: the coders. - SDWebImage: cacheSerializer
    public var serializer: (any CacheSerializer)?
    /// Stored entries carry a ``ImageSummary`` (a ThumbHash and the dominant colour); costs 0.5 ms per image. Default false.
    public var summarizes: Bool?
    /// How images are encoded for the disk. - SDWebImage: imageEncodeOptions
    public var encode: EncodeOptions?
    /// When the memory entry ends. - Kingfisher: memoryCacheExpiration
    public var memoryExpiration: CacheExpiration?
    /// When the disk entry ends. - Kingfisher: diskCacheExpiration
    public var diskExpiration: CacheExpiration?
    /// Whether what this request reads on disk counts as a use of the entry. Built-in: true. The caches decide how much longer a used entry
    /// lives: `accessExtension` of `DiskCacheConfiguration` and of `MemoryCache`. - Kingfisher: …AccessExtendingExpiration
    public var countsUses: Bool?
    /// Whether a larger size of the same image in memory may be made smaller instead of loading and decoding again; default
    /// true. The pixels may then differ by a step or two from those of a decode. - Coil: Precision
    public var sharesSizes: Bool?

    /// Everything inherits.
    public init() {}
}

/// How bytes are fetched. All of it is part of the join key.
public struct DownloadOptions: Sendable {
    /// - SDWebImage: imageLoader
    public var loader: (any ImageLoader)?
    /// Sent in addition to the downloader's fields, and replaces those of the same name. A request's fields replace those of the
    /// manager's defaults in the same way.
    public var headers: HTTPHeaders?
    /// Nil inherits; built-in GET. PUT, DELETE and POST remove the entries that they make invalid from the caches.
    public var method: String?
    /// Cookies are kept and sent; off by default. - SDWebImage: handleCookies
    public var cookies: Bool?
    /// Names the user: transfers are shared only within one scope, and stored entries belong to it.
    public var credentialScope: String?
    /// Nil inherits; the downloader's own comes last. Part of the keys as a digest.
    public var credential: Credential?
    /// - SDWebImage: downloadRequestModifier
    package var requestModifier: (any RequestModifier)?
    /// - SDWebImage: downloadResponseModifier
    package var responseModifier: (any ResponseModifier)?
    /// - SDWebImage: downloadDecryptor
    package var decryptor: (any DataDecryptor)?
    /// - Kingfisher: redirectHandler
    package var redirectHandler: (any RedirectHandler)?
    /// - Kingfisher: retryStrategy
    public var retry: (any RetryStrategy)?
    /// Tried in order when the source fails. An alternative of another origin is not sent the source's ``credential``, nor the
    /// fields that are dropped when a redirect leads elsewhere. - Kingfisher: alternativeSources
    public var alternatives: [ImageSource]?
    /// Used instead of the source in data-saving mode, unless the source itself is stored and may be used without revalidation.
    /// Follows the rules of ``alternatives``. - Kingfisher: lowDataSource
    public var lowDataSource: ImageSource?
    /// Nil inherits; the downloader's own come last.
    public var deadlines: LoadDeadlines?

    /// Everything inherits.
    public init() {}
}

/// A name and a password, or a token.
public enum Credential: Hashable, Sendable {
    /// Sent with the first request already; a server that requires digest authentication instead gets that.
    case basic(user: String, password: String)
    /// The password itself is never sent, only the response to a challenge (RFC 7616: SHA-256 or MD5, `qop=auth`).
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

    /// The texts that ``ScopeKey`` seals.
    package var secrets: [String] {
        switch self {
        case .basic(let user, let password): ["basic", user, password]
        case .digest(let user, let password): ["digest", user, password]
        case .bearer(let token): ["bearer", token]
        }
    }
}

/// How pixels are decoded. All of it is part of the decode key.
public struct DecodeOptions: Sendable {
    /// A part of the image, in pixels of the upright original, cut to the image; ``target`` is then the size of the part. JPEG, PNG and TIFF
    /// files are decoded there alone. Nil inherits; built-in: all of the image.
    public var region: PixelRect?
    /// Nil inherits; `.original` decodes at full size. - SDWebImage: imageThumbnailPixelSize, imagePreserveAspectRatio
    public var target: DecodeTarget?
    /// Pixels per point; by default the scale in the source's name (`bird@2x.png`), else 1. - SDWebImage: imageScaleFactor
    public var scale: Double?
    /// - SDWebImage: decodeFirstFrameOnly, preloadAllFrames
    public var frames: FrameSelection?
    /// Fails with `unsupported` if the image is not animated. - SDWebImage: matchAnimatedImageClass
    public var requireAnimated: Bool?
    /// Whether colours are converted to sRGB by the embedded profile; otherwise the numbers are those that are stored. Default true.
    public var convertsColors: Bool? {
        get { color.map { $0 == .sRGB } }
        set { color = newValue.map { $0 ? .sRGB : .raw } }
    }
    package var color: ColorConversion?
    /// Orientation applied (default) or only reported.
    public var appliesOrientation: Bool?
    /// 16-bit pixels kept (as `rgba16`) or cut to 8 bits (default).
    public var keeps16Bit: Bool?
    /// Whether light brighter than white stays so; default ``DynamicRange/standard``: it is mapped to white. `.high` keeps PQ and HLG, and
    /// applies the gain map of a JPEG; the pixels are then PQ with 16 bits, and previews are in standard range. Files in standard range
    /// stay as they are, and all without ``convertsColors``. - SDWebImage: SDImageCoderDecodeToHDR
    public var dynamicRange: DynamicRange?
    /// How light brighter than white is mapped to standard range; default ``ToneMapping/bt2390``. - libplacebo, mpv: tone-mapping
    public var toneMapping: ToneMapping?
    /// Whether a reduction averages light instead of stored numbers, so that fine bright detail keeps its brightness; default false. The
    /// image is then decoded with at least three times the sides that are wanted. 8-bit images only.
    public var usesLinearLight: Bool?
    /// Alpha of the result, default premultiplied.
    public var alpha: AlphaMode?
    /// Images larger than this many bytes are decoded smaller. For an animation each frame counts separately, because only a few
    /// are held; if all frames are preloaded, their sum counts. - SDWebImage: scaleDownLargeImages, imageScaleDownLimitBytes
    public var scaleDownToBytes: Int?
    /// The format of bytes without a signature. - SDWebImage: imageTypeIdentifierHint
    public var formatHint: ImageFormat?
    /// This coder, whatever the bytes look like. - SDWebImage: imageCoder
    public var coder: (any ImageCoder)?
    /// Previews while bytes arrive; off by default. - SDWebImage: progressiveLoad
    public var previews: PreviewPolicy?
    /// Whether the small copy of the image that cameras and phones put into files (JPEG, HEIC, AVIF, raw) is shown; by default as a preview.
    public var usesEmbeddedThumbnail: EmbeddedThumbnailUse?
    /// Nil inherits; built-in ``DecodeLimits/standard``.
    public var limits: DecodeLimits?
    /// Accepts bytes that end early and marks the image partial; off by default.
    public var allowsPartial: Bool?
    /// In which process the image is decoded; the manager's choice by default.
    public var isolation: DecodeIsolation?

    /// Everything inherits.
    public init() {}
}

/// At which size images are decoded.
public enum DecodeTarget: Hashable, Sendable {
    /// As many pixels as the file has.
    case original
    /// Scaled while decoding where the format can, afterwards where it cannot.
    case size(TargetSize)
}

/// The use of the small copy of an image inside of its file. A copy of another shape than the image, as with black bars, is never
/// shown.
public enum EmbeddedThumbnailUse: String, Hashable, Sendable {
    /// It is not looked at.
    case never
    /// The first preview, where previews are wanted: as soon as it has arrived, and before the image is decoded.
    case asPreview
    /// Besides, the result itself where it has at least the wanted size: much faster, and possibly not what later changes of the image
    /// made of it, because not every program renews it.
    case ifLargeEnough
}

/// Which frames of an animation, or which page of a file, are decoded.
public enum FrameSelection: Hashable, Sendable {
    /// An animation whose frames are decoded when they are shown (default).
    case all
    /// All frames decoded at once.
    case preloaded
    /// A still image of frame 0.
    case first
    /// A still image of this frame.
    case index(Int)
}

/// How colours that are not sRGB are converted.
package enum ColorConversion: String, Hashable, Sendable {
    /// Converts to sRGB by the embedded profile.
    case sRGB
    /// Keeps the stored numbers.
    case raw
}

/// How often previews are made while bytes arrive.
public struct PreviewPolicy: Hashable, Sendable {
    /// False: no previews, whatever the other fields say.
    public var isEnabled: Bool
    /// At least this long between two previews, default 200 ms.
    public var minimumInterval: Duration
    /// Applies the transformers to previews too. Animations with transformers stay at one frame until all bytes have arrived.
    public var transforms: Bool

    /// Enabled previews are transformed like the result by default.
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

/// How the decoded image is changed.
public struct TransformOptions: Sendable {
    /// Applied in order; `[]` disables the manager's. - SDWebImage: imageTransformer
    public var transformers: [any ImageTransformer]?
    /// Applied after ``transformers``, or after the manager's if those are nil.
    public var appended: [any ImageTransformer] = []
    /// Whether animated and vector images are transformed too. - SDWebImage: transformAnimatedImage, transformVectorImage
    public var appliesTo: TransformScope?
    /// Applied after all caches; its result is never stored. - Kingfisher: imageModifier
    package var modifier: (any ImageModifier)?

    /// Everything inherits, and nothing is appended.
    public init() {}

    /// True if one of the transformers needs the whole image. The transformers of the manager's defaults do not count.
    package var needsWholeImage: Bool { ((transformers ?? []) + appended).contains(where: \.needsWholeImage) }
}

/// Kinds of images that are transformed only if they are named here. Still raster images are always transformed.
public struct TransformScope: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Animations, each frame separately.
    public static let animated = TransformScope(rawValue: 1)
    /// Vectors, as drawn.
    public static let vector = TransformScope(rawValue: 2)
}

/// When the work is done.
public struct ScheduleOptions: Hashable, Sendable {
    /// - SDWebImage: lowPriority, highPriority
    public var priority: LoadPriority?
    /// Tries sources that failed before. - SDWebImage: retryFailed
    public var retryFailedSources: Bool?
    /// The result comes after it is stored. - SDWebImage: waitStoreCache
    public var waitsForStore: Bool?

    /// Everything inherits.
    public init() {}
}
