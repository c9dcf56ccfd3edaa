public import GannetCache
import GannetCodecs
public import GannetCore
public import GannetFetch
public import GannetImages
import GannetPlatform
import GannetSandbox
import GannetViews
import Synchronization

#if HTTP
    public import GannetHTTP
#endif

/// The options that differ most often between programs; all others are set on ``ManagerConfiguration``.
public struct StandardOptions: Sendable {
    /// Nil: nothing is kept on disk. Default: `$XDG_CACHE_HOME/‹program›/gannet`, else `~/.cache/‹program›/gannet`.
    public var cacheDirectory: String? = DiskCacheConfiguration.defaultDirectory()
    /// Bytes on disk, default 512 MiB.
    public var diskLimit = 512 << 20
    /// False: images are written to disk without EXIF, places (GPS), XMP, IPTC and comments; see ``ImageCaching/withoutMetadata()``.
    public var storesMetadata = true
    /// Default: the smaller of 15 % of the memory this process may use and 512 MiB.
    public var memoryLimits = MemoryCacheLimits.standard
    /// False: images are not kept in memory.
    public var keepsInMemory = true
    /// The options of downloads, by default with a cookie jar in memory for requests that enable cookies (`download.cookies`).
    public var downloader = Self.standardDownloader
    /// Files with certificates (PEM) that are trusted in addition to the system's.
    public var additionalTrustRoots: [String] = []
    #if HTTP
        /// Proxies between this machine and servers. Default: none; `.fromEnvironment` follows `https_proxy` and related
        /// variables like curl.
        public var proxies = CURLTransport.Proxies.none
        /// Where connections may go. Default: nil, anywhere. For programs that load URLs of strangers from inside a network.
        public var addressPolicy: AddressPolicy?
    #endif
    /// In which process images are decoded; in this one by default. `.automatic` is for programs that show images of strangers: it keeps
    /// libraries in C away from the program's memory, files and network.
    public var isolation = DecodeIsolation.inProcess
    /// Put around the transport of the downloader.
    package var transport: @Sendable (any HTTPTransport) -> any HTTPTransport = { $0 }
    /// Notified of every load and of events in the disk cache; none by default.
    public var observers: [any LoadObserver] = []

    /// The defaults that most programs need: both caches, all coders and loaders of this build, no proxy.
    public init() {}

    private static var standardDownloader: DownloaderConfiguration {
        var downloader = DownloaderConfiguration()
        downloader.cookies = MemoryCookieJar()
        return downloader
    }
}

extension ManagerConfiguration {
    /// Every coder and loader of this build, a memory cache that follows the kernel's memory pressure, and a disk cache.
    ///
    /// Throws `io` or `tlsFailed` if an additional trust root cannot be read, and `unsupported` for a credential that the proxy's
    /// protocol cannot send. A cache folder that cannot be used is no error: loads continue without it, and observers are
    /// notified once.
    public static func standard(_ options: StandardOptions = StandardOptions()) throws(ImageError) -> ManagerConfiguration {
        let observer: (any LoadObserver)? = options.observers.isEmpty ? nil : CombinedObserver(options.observers)
        let disk = options.cacheDirectory.map { directory -> any ImageCaching in
            let disk = DiskCache(DiskCacheConfiguration(directory: directory, byteLimit: options.diskLimit), observer: observer)
            return options.storesMetadata ? disk : disk.withoutMetadata()
        }
        let memory = options.keepsInMemory ? MemoryCache(limits: options.memoryLimits) : nil
        memory?.followPressure()
        FrameBudget.shared.followPressure()
        let loaders = LoadersManager()
        var configuration = ManagerConfiguration(
            memoryCache: memory, diskCache: disk,
            loaders: loaders,
            coders: CodersManager(BuiltInCoders.all), colorManager: BuiltInCoders.colorManager)
        #if HTTP
            var transport = CURLTransport.Options()
            transport.additionalTrustRoots = options.additionalTrustRoots
            transport.proxies = options.proxies
            transport.addressPolicy = options.addressPolicy
            loaders.add(
                HTTPLoader(
                    transport: options.transport(try CURLTransport(options: transport)), configuration: options.downloader,
                    observers: options.observers))
        #endif
        configuration.observers = options.observers
        configuration.useSandbox(options.isolation)
        return configuration
    }
}

/// Several observers as one.
private struct CombinedObserver: LoadObserver {
    private let list: [any LoadObserver]

    init(_ list: [any LoadObserver]) { self.list = list }

    func note(_ id: LoadID?, _ event: LoadEvent) { for observer in list { observer.note(id, event) } }
}

extension ImageManager {
    private static let sharedPlace = Mutex<ImageManager?>(nil)

    /// The manager for the whole program, made on first use with the standard configuration unless the program has set another.
    /// It has no privileges over other managers. In the library only the widgets of GannetGTK use it, unless the program names
    /// another loader.
    ///
    ///     ImageManager.shared = ImageManager(configuration: try .standard(options))
    ///
    /// Set it where the program begins: code that has already read the previous one keeps that. - SDWebImage: defaultImageCache,
    /// defaultImageLoader
    public static var shared: ImageManager {
        get {
            sharedPlace.withLock { place in
                if let manager = place { return manager }
                do throws(ImageError) {
                    let manager = ImageManager(configuration: try .standard())
                    place = manager
                    return manager
                } catch {
                    // Only additional trust roots can fail, and there are none.
                    preconditionFailure("\(error)")
                }
            }
        }
        set {
            // The previous manager is released outside of the lock.
            _ = sharedPlace.withLock { place in
                defer { place = newValue }
                return place
            }
        }
    }
}
