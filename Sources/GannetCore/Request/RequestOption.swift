/// A short name for a common option of a request. Packages add their own as static members.
///
///     let request = ImageRequest("https://example.org/a.jpg", .fit(400, 300), .transform(.circle()), .waitingForStore)
///     let urgent = request.with(.priority(.high))
public struct RequestOption: Sendable {
    private let change: @Sendable (inout ImageRequest) -> Void

    /// Any change of a request; applied in the option's position among the others.
    public init(_ change: @escaping @Sendable (inout ImageRequest) -> Void) { self.change = change }

    /// Carries out the change at once.
    public func apply(to request: inout ImageRequest) { change(&request) }
}

/// How pixels are decoded.
extension RequestOption {
    /// Pixels; see ``TargetSize/Mode/fit``.
    public static func fit(_ width: Int, _ height: Int) -> RequestOption { .target(.fit(width, height)) }
    /// Pixels; see ``TargetSize/Mode/fill``.
    public static func fill(_ width: Int, _ height: Int) -> RequestOption { .target(.fill(width, height)) }
    /// Pixels; see ``TargetSize/Mode/stretch``.
    public static func stretch(_ width: Int, _ height: Int) -> RequestOption { .target(.stretch(width, height)) }
    /// A part of the upright original, in its pixels; a target is then the size of the part.
    public static func region(_ part: PixelRect) -> RequestOption { RequestOption { $0.decode.region = part } }
    /// The size to decode at. - SDWebImage: imageThumbnailPixelSize
    public static func target(_ size: TargetSize) -> RequestOption { RequestOption { $0.decode.target = .size(size) } }
    /// Pixels for each point of the layout. - Kingfisher: scaleFactor
    public static func scale(_ scale: Double) -> RequestOption { RequestOption { $0.decode.scale = scale } }
    /// Whether light brighter than white stays so. - SDWebImage: SDImageCoderDecodeToHDR
    public static func dynamicRange(_ range: DynamicRange) -> RequestOption { RequestOption { $0.decode.dynamicRange = range } }
    /// How light brighter than white is mapped to standard range. - libplacebo, mpv: tone-mapping
    public static func toneMapping(_ curve: ToneMapping) -> RequestOption { RequestOption { $0.decode.toneMapping = curve } }
    /// Reduced by averaging light instead of stored numbers: finer, and slower. - imgproxy: IMGPROXY_USE_LINEAR_COLORSPACE
    public static var linearLight: RequestOption { RequestOption { $0.decode.usesLinearLight = true } }
    /// Large images decoded smaller. - SDWebImage: scaleDownLargeImages
    public static func scaledDown(toBytes bytes: Int) -> RequestOption { RequestOption { $0.decode.scaleDownToBytes = bytes } }
    /// A still image of frame 0. - SDWebImage: decodeFirstFrameOnly; Kingfisher: onlyLoadFirstFrame
    public static var firstFrameOnly: RequestOption { RequestOption { $0.decode.frames = .first } }
    /// In which process the image is decoded.
    public static func isolation(_ isolation: DecodeIsolation) -> RequestOption {
        RequestOption { $0.decode.isolation = isolation }
    }
    /// All frames of an animation decoded at once. - Kingfisher: preloadAllAnimationData
    public static var preloadingAllFrames: RequestOption { RequestOption { $0.decode.frames = .preloaded } }
    /// Previews while bytes arrive, five a second at most; animations play as far as they came. - SDWebImage: progressiveLoad;
    /// Kingfisher: progressiveJPEG
    public static var previews: RequestOption { .previews(.incremental) }
    /// Previews as this policy says, or none: ``PreviewPolicy/off``.
    public static func previews(_ policy: PreviewPolicy) -> RequestOption { RequestOption { $0.decode.previews = policy } }
}

/// How the decoded image is changed.
extension RequestOption {
    /// Transformers in order, in place of all that were set before; without arguments the manager's are switched off.
    public static func transform(_ transformers: any ImageTransformer...) -> RequestOption {
        RequestOption {
            $0.transform.transformers = transformers
            $0.transform.appended = []
        }
    }
    /// Applied after the existing ones, the manager's included. - Kingfisher: appendProcessor
    public static func appendingTransform(_ transformer: any ImageTransformer) -> RequestOption {
        RequestOption { $0.transform.appended.append(transformer) }
    }
    /// Changes the image after all caches; the result is never stored. `body` is called for every result, including memory hits and
    /// previews, and must be fast. - Kingfisher: imageModifier
    public static func modifier(_ body: @escaping @Sendable (DecodedImage) -> DecodedImage) -> RequestOption {
        .modifier(ClosureImageModifier(body: body))
    }
    package static func modifier(_ modifier: any ImageModifier) -> RequestOption {
        RequestOption { $0.transform.modifier = modifier }
    }
}

/// Which caches are read and written.
extension RequestOption {
    /// How stored entries are used; default ``LookupPolicy/automatic``.
    public static func lookup(_ policy: LookupPolicy) -> RequestOption { RequestOption { $0.cache.lookup = policy } }
    /// Never reads the caches. - SDWebImage: fromLoaderOnly; Kingfisher: forceRefresh
    public static var forceRefresh: RequestOption { .lookup(.loaderOnly) }
    /// Never loads from the source; a miss is the error `cacheMiss`. - SDWebImage: fromCacheOnly; Kingfisher: onlyFromCache
    public static var onlyFromCache: RequestOption { .lookup(.cacheOnly) }
    /// Writes neither the image nor its original to disk. - Kingfisher: cacheMemoryOnly
    public static var memoryOnly: RequestOption {
        RequestOption {
            $0.cache.write = .memory
            $0.cache.writeOriginal = .none
        }
    }
    /// Chooses the text that identifies the source in the caches, in place of the manager's filter. - SDWebImage: cacheKeyFilter
    public static func keyFilter(_ filter: any CacheKeyFilter) -> RequestOption { RequestOption { $0.cache.keyFilter = filter } }
    /// The bytes for the disk, and back, in place of the manager's. - Kingfisher: cacheSerializer
    public static func serializer(_ serializer: any CacheSerializer) -> RequestOption {
        RequestOption { $0.cache.serializer = serializer }
    }
    /// Stores entries with a summary, which `ImageManager.summary(for:)` returns.
    public static var summarized: RequestOption { RequestOption { $0.cache.summarizes = true } }
    /// When the entries end. - Kingfisher: memoryCacheExpiration, diskCacheExpiration
    public static func expiration(memory: CacheExpiration? = nil, disk: CacheExpiration? = nil) -> RequestOption {
        RequestOption {
            if let memory { $0.cache.memoryExpiration = memory }
            if let disk { $0.cache.diskExpiration = disk }
        }
    }
}

/// How bytes are fetched.
extension RequestOption {
    /// Tried in turn when the source fails. - Kingfisher: alternativeSources
    public static func alternatives(_ sources: [ImageSource]) -> RequestOption {
        RequestOption { $0.download.alternatives = sources }
    }
    /// When and how often a failed transfer is tried again, in place of the manager's. - Kingfisher: retryStrategy
    public static func retry(_ strategy: any RetryStrategy) -> RequestOption { RequestOption { $0.download.retry = strategy } }
    /// The request's own fields, in place of those that it had: `.headers(["X-Album": "birds"])`. The downloader's and the
    /// manager's fields of other names are sent too.
    public static func headers(_ headers: HTTPHeaders) -> RequestOption { RequestOption { $0.download.headers = headers } }
    /// Adds a field to those of this request; the manager's own of the same name then stay away.
    public static func header(_ name: String, _ value: String) -> RequestOption {
        RequestOption {
            var headers = $0.download.headers ?? HTTPHeaders()
            headers.add(name, value)
            $0.download.headers = headers
        }
    }
    /// How long the transfer may take, in place of the downloader's deadlines. - Kingfisher: downloadTimeout
    public static func deadlines(_ deadlines: LoadDeadlines) -> RequestOption {
        RequestOption { $0.download.deadlines = deadlines }
    }
    /// Replaces the downloader's credential and one in the URL. Images are kept apart from those of other users.
    public static func credential(_ credential: Credential) -> RequestOption {
        RequestOption { $0.download.credential = credential }
    }
    package static func requestModifier(_ modifier: any RequestModifier) -> RequestOption {
        RequestOption { $0.download.requestModifier = modifier }
    }
}

/// When the work is done, and what travels with it.
extension RequestOption {
    /// Place in line; default normal. - SDWebImage: lowPriority, highPriority
    public static func priority(_ priority: LoadPriority) -> RequestOption { RequestOption { $0.schedule.priority = priority } }
    /// The result comes after it is stored. - SDWebImage: waitStoreCache; Kingfisher: waitForCache
    public static var waitingForStore: RequestOption { RequestOption { $0.schedule.waitsForStore = true } }
    /// Tries a source that failed before. - SDWebImage: retryFailed
    public static var retryingFailed: RequestOption { RequestOption { $0.schedule.retryFailedSources = true } }
    /// A typed value that travels with the load.
    public static func context<Key: ContextKey>(_ key: Key.Type, _ value: Key.Value) -> RequestOption {
        var own = LoadContext()
        own[key] = value
        return RequestOption { [own] in $0.context = $0.context.merging(own) }
    }
}

private struct ClosureImageModifier: ImageModifier {
    let body: @Sendable (DecodedImage) -> DecodedImage

    func modify(_ image: DecodedImage) -> DecodedImage { body(image) }
}
