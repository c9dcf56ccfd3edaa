// Chainable words for a request, each a copy with one thing changed (KF-02):
//
//     ImageRequest("https://example.org/a.jpg").fit(400, 300).priority(.high).transformed(by: .circle())

extension ImageRequest {
    private func with(_ change: (inout ImageRequest) -> Void) -> ImageRequest {
        var copy = self
        change(&copy)
        return copy
    }

    /// Fits the image into a box of pixels and keeps proportions.
    public func fit(_ width: Int, _ height: Int) -> ImageRequest { with { $0.decode.target = .size(.fit(width, height)) } }
    /// Fills a box of pixels and crops the rest.
    public func fill(_ width: Int, _ height: Int) -> ImageRequest { with { $0.decode.target = .size(.fill(width, height)) } }
    /// Stretches the image to exactly this box, without keeping proportions.
    public func stretch(_ width: Int, _ height: Int) -> ImageRequest {
        with { $0.decode.target = .size(.stretch(width, height)) }
    }
    /// Pixels for each point of the layout. - Kingfisher: scaleFactor
    public func scale(_ scale: Double) -> ImageRequest { with { $0.decode.scale = scale } }
    /// Large images decoded smaller. - SDWebImage: scaleDownLargeImages
    public func scaledDown(toBytes bytes: Int) -> ImageRequest { with { $0.decode.scaleDownToBytes = bytes } }
    /// A still image of frame 0. - Kingfisher: onlyLoadFirstFrame
    public func firstFrameOnly() -> ImageRequest { with { $0.decode.frames = .first } }
    /// - Kingfisher: preloadAllAnimationData
    public func preloadingAllFrames() -> ImageRequest { with { $0.decode.frames = .preloaded } }
    /// Previews while bytes arrive; animations play as far as they came. - Kingfisher: progressiveJPEG
    public func previews(_ policy: PreviewPolicy = .incremental) -> ImageRequest { with { $0.decode.previews = policy } }
    /// Place in line; default normal. - SDWebImage: lowPriority, highPriority
    public func priority(_ priority: LoadPriority) -> ImageRequest { with { $0.schedule.priority = priority } }
    /// How what is stored is used; default ``LookupPolicy/automatic``.
    public func lookup(_ policy: LookupPolicy) -> ImageRequest { with { $0.cache.lookup = policy } }
    /// - Kingfisher: forceRefresh
    public func forceRefresh() -> ImageRequest { lookup(.loaderOnly) }
    /// - Kingfisher: onlyFromCache
    public func onlyFromCache() -> ImageRequest { lookup(.cacheOnly) }
    /// Writes nothing of it to disk. - Kingfisher: cacheMemoryOnly
    public func memoryOnly() -> ImageRequest {
        with {
            $0.cache.write = .memory
            $0.cache.writeOriginal = .none
        }
    }
    /// - Kingfisher: waitForCache
    public func waitingForStore() -> ImageRequest { with { $0.schedule.waitsForStore = true } }
    /// Tries a source that failed before. - SDWebImage: retryFailed
    public func retryingFailed() -> ImageRequest { with { $0.schedule.retryFailedSources = true } }
    /// Tried in turn when the source fails. - Kingfisher: alternativeSources
    public func alternatives(_ sources: [ImageSource]) -> ImageRequest { with { $0.download.alternatives = sources } }
    /// When and how often a failed transfer is tried again, in place of the manager's. - Kingfisher: retryStrategy
    public func retry(_ strategy: any RetryStrategy) -> ImageRequest { with { $0.download.retry = strategy } }
    /// Adds a field to those of this request; the manager's fields of the same name are then not sent.
    public func header(_ name: String, _ value: String) -> ImageRequest {
        with {
            var headers = $0.download.headers ?? HTTPHeaders()
            headers.add(name, value)
            $0.download.headers = headers
        }
    }
    /// Replaces the downloader's credential and one in the URL. Images are kept apart from those of other users.
    public func credential(_ credential: Credential) -> ImageRequest { with { $0.download.credential = credential } }
    /// Changes the request before it is sent, in place of the manager's. - Kingfisher: requestModifier
    public func requestModifier(_ modifier: any RequestModifier) -> ImageRequest {
        with { $0.download.requestModifier = modifier }
    }
    /// Replaces all transformers; an empty list disables the manager's.
    public func transformed(by transformers: any ImageTransformer...) -> ImageRequest {
        with {
            $0.transform.transformers = transformers
            $0.transform.appended = []
        }
    }
    /// Applied after the existing ones, the manager's included. - Kingfisher: appendProcessor
    public func appendingTransformer(_ transformer: any ImageTransformer) -> ImageRequest {
        with { $0.transform.appended.append(transformer) }
    }
    /// Applied after all caches; its result is never stored. - Kingfisher: imageModifier
    public func modifier(_ modifier: any ImageModifier) -> ImageRequest { with { $0.transform.modifier = modifier } }
    /// Chooses the text that identifies the source in the caches, in place of the manager's filter. - SDWebImage: cacheKeyFilter
    public func keyFilter(_ filter: any CacheKeyFilter) -> ImageRequest { with { $0.cache.keyFilter = filter } }
    /// The bytes for the disk, and back, in place of the manager's. - Kingfisher: cacheSerializer
    public func serializer(_ serializer: any CacheSerializer) -> ImageRequest { with { $0.cache.serializer = serializer } }
    /// Stores entries with a summary, which `ImageManager.summary(for:)` returns.
    public func summarized(_ summarizes: Bool = true) -> ImageRequest { with { $0.cache.summarizes = summarizes } }
    /// When the entries end. - Kingfisher: memoryCacheExpiration, diskCacheExpiration
    public func expiration(memory: CacheExpiration? = nil, disk: CacheExpiration? = nil) -> ImageRequest {
        with {
            if let memory { $0.cache.memoryExpiration = memory }
            if let disk { $0.cache.diskExpiration = disk }
        }
    }
    /// A typed value that travels with the load.
    public func context<Key: ContextKey>(_ key: Key.Type, _ value: Key.Value) -> ImageRequest { with { $0.context[key] = value } }
}
