public import GannetCore
public import GannetFetch
public import GannetPlatform

/// The parts a manager is made of. Every part can be replaced; nothing is looked up globally.
public struct ManagerConfiguration: Sendable {
    /// Nil: no memory cache.
    public var memoryCache: (any ImageMemoryCaching)?
    /// Nil: nothing is kept on disk.
    public var diskCache: (any ImageCaching)?
    /// Another cache for originals only; nil: ``diskCache``.
    public var originalCache: (any ImageCaching)?
    /// The loaders: the last one added that can load a source loads it.
    public var loaders: LoadersManager
    /// The coders that decode and encode: chosen by content; the last one added is tried first.
    public var coders: CodersManager
    /// Nil: those of the HTTP loader among ``loaders``, so that its configuration bounds the transfers; else own ones, 6 at a
    /// time.
    package var slots: DownloadSlots?
    /// The rules of HTTP caching; a private cache by default.
    public var httpPolicy = HTTPCachePolicy()
    /// Sources that are not loaded again for a while; nil: a list with default limits, which follows ``policy``.
    public var failedSources: FailedSources?
    /// Decides about another attempt after a failed transfer, unless the request has its own strategy; nil: no second attempt.
    public var retry: (any RetryStrategy)?
    /// Nil: colour profiles are not applied, and pixels are shown as they are stored.
    public var colorManager: (any ColorManager)?
    /// The process in which images are decoded, unless a request names another. Built-in: this one.
    public var isolation: DecodeIsolation {
        get { places.isolation }
        set { places.isolation = newValue }
    }
    /// Overrides ``isolation`` for single formats, by ``ImageFormat/identifier``.
    public var isolationByFormat: [String: DecodeIsolation] {
        get { places.byFormat }
        set { places.byFormat = newValue }
    }
    package var places = DecodePlaces()
    /// Applied in order to every request, below its own options: `[.expiration(disk: .days(7)), .priority(.low)]`.
    /// - Kingfisher: defaultOptions
    public var defaults: [RequestOption] = []
    /// Has the last word on every request, after ``defaults``; nil: none. Called on the caller's thread for each load and each
    /// memory look-up: must be fast. Its result decides the keys. - SDWebImage: optionsProcessor
    public var optionsProcessor: (@Sendable (ResolvedRequest) -> ResolvedRequest)?
    /// First is outermost.
    public var interceptors: [any LoadInterceptor] = []
    /// Notified of every load and stage, in this order, on the thread where it happens. Without observers no event is even made.
    public var observers: [any LoadObserver] = []
    /// Decides whether a source is loaded, and whether a failed one is blocked; nil: everything may be loaded.
    /// - SDWebImage: delegate
    public var policy: (any LoadPolicy)?
    /// Decodes and transforms at once; default: one for each processor.
    public var concurrentDecodes = BlockingExecutor.processorCount
    /// Bytes of pixels that all decodes of this manager may hold at once; default 1 GiB, or half of the memory that the machine
    /// or the control group allows if that is less. A single image is bounded by its limits.
    public var decodeBudget = Self.standardDecodeBudget
    /// Provides the memory of pixels, and takes it back for reuse; shared by default.
    public var pool = PixelPool.shared
    /// Threads that decode, transform and encode, so that no caller and no task of the program blocks. With the standard one,
    /// images that are known to be small are decoded on Swift's own threads; with another, all of them there.
    public var executor = BlockingExecutor.decoding
    /// Threads on which loaders look up the present state of files (``ImageLoader/identity(of:)``), so that no caller waits for a
    /// file system.
    /// Caches and loaders read and write on their own executors.
    package var fileExecutor = BlockingExecutor.files
    /// The clock for freshness, time limits and the events of observers; tests set their own.
    public var time: any TimeSource = SystemTimeSource()

    /// Takes the parts without a default. `ManagerConfiguration.standard(_:)` puts together the package's own parts.
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

    private static let standardDecodeBudget = decodeBudget(ofMemory: SystemMemory().availableBytes)

    package static func decodeBudget(ofMemory bytes: Int?) -> Int { bytes.map { min($0 / 2, 1 << 30) } ?? 1 << 30 }
}
