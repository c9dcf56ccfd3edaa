public import GannetCore

/// The parts a manager is made of. Every part can be replaced; nothing is looked up globally.
public struct ManagerConfiguration: Sendable {
    /// Nil: no memory cache.
    public var memoryCache: (any ImageMemoryCaching)?
    /// Nil: nothing is kept on disk.
    public var diskCache: (any ImageCaching)?
    /// Another cache for originals only; nil: ``diskCache``.
    public var originalCache: (any ImageCaching)?
    public var loaders: LoadersManager
    public var coders: CodersManager
    /// Slots of the HTTP loader, so that its configuration bounds the transfers; nil: own ones, 6 at a time.
    public var slots: DownloadSlots?
    /// The rules of HTTP caching; a private cache by default.
    public var httpPolicy = HTTPCachePolicy()
    /// Sources that are not asked again for a while; nil: an own list with its defaults, which asks ``policy``.
    public var failedSources: FailedSources?
    /// Asked after a failed transfer unless the request has its own; nil: no second attempt.
    public var retry: (any RetryStrategy)?
    public var colorManager: (any ColorManager)?
    /// Under each request; its source is not used.
    public var defaults = ImageRequest(source: .file(""))
    public var optionsProcessor: (any OptionsProcessor)?
    /// First is outermost.
    public var interceptors: [any LoadInterceptor] = []
    public var observers: [any LoadObserver] = []
    public var policy: (any LoadPolicy)?
    /// Decodes and transforms at once; default: one for each processor.
    public var concurrentDecodes = BlockingExecutor.processorCount
    /// Bytes of pixels that all decodes of this manager may hold at once; default 1 GiB. One picture alone is bounded by its limits.
    public var decodeBudget = 1 << 30
    public var pool = PixelPool.shared
    public var executor = BlockingExecutor.decoding
    public var fileExecutor = BlockingExecutor.files
    public var time: any TimeSource = SystemTimeSource()

    public init(
        memoryCache: (any ImageMemoryCaching)?, diskCache: (any ImageCaching)?, loaders: LoadersManager, coders: CodersManager,
        colorManager: (any ColorManager)? = nil
    ) {
        self.memoryCache = memoryCache
        self.diskCache = diskCache
        self.loaders = loaders
        self.coders = coders
        self.colorManager = colorManager
    }
}
