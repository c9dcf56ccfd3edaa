#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCache
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSupport
    import Synchronization

    /// Builds the command's parts: the standard ones of this build, configured by the options.
    enum Assembly {
        static var coders: CodersManager { CodersManager(BuiltInCoders.all) }

        static func decoding(limits: DecodeLimits, _ places: DecodePlaces = DecodePlaces()) -> ImageDecoding {
            var decoding = ImageDecoding.builtIn(limits: limits)
            decoding.environment.places = places
            return decoding
        }

        static func manager(
            _ options: StandardOptions, policy: HTTPCachePolicy = HTTPCachePolicy(), largestImage: Int = 0,
            places: DecodePlaces = DecodePlaces(), originalsBehindDisk shared: (any ImageCaching)? = nil,
            covering: (inout ManagerConfiguration) -> Void = { _ in }
        ) throws(ImageError) -> ImageManager {
            var options = options
            options.downloader.headers.set("User-Agent", "gannet/\(GannetCommand.version)")
            var configuration = try ManagerConfiguration.standard(options)
            configuration.httpPolicy = policy
            configuration.places = places
            if let shared {
                configuration.originalCache =
                    configuration.diskCache.map { CachesManager([shared, $0], store: .serial) } ?? CachesManager([shared])
            }
            covering(&configuration)
            // The decoder may need as much again besides the image.
            let (needed, isTooMuch) = largestImage.multipliedReportingOverflow(by: 2)
            configuration.decodeBudget = max(configuration.decodeBudget, isTooMuch ? .max : needed)
            return ImageManager(configuration: configuration)
        }

        /// A manager over the cache folder in the options.
        static func manager(
            cache: CacheUseOptions, limits: LimitOptions, memory: MemoryCacheLimits = .standard, concurrency: Int = 6,
            perOrigin: Int? = nil, blindlyTrusted: Set<String> = [], policy: HTTPCachePolicy = HTTPCachePolicy(),
            originalsBehindDisk: (any ImageCaching)? = nil, covering: (inout ManagerConfiguration) -> Void = { _ in },
            _ change: (inout StandardOptions) -> Void = { _ in }
        ) throws(ImageError) -> ImageManager {
            var options = StandardOptions()
            options.memoryLimits = memory
            options.cacheDirectory = cache.noCache ? nil : cache.folder.path
            options.downloader.maximumConcurrentDownloads = concurrency
            options.downloader.maximumPerOrigin = perOrigin
            options.downloader.hostsTrustedBlindly = blindlyTrusted
            options.observers = [EventPrinter(level: cache.logLevel)]
            #if HTTP
                options.proxies = cache.network.proxies
            #endif
            change(&options)
            return try manager(
                options, policy: policy, largestImage: limits.largestImage, places: try limits.places(),
                originalsBehindDisk: originalsBehindDisk, covering: covering)
        }

        /// Images of a list are used once, but a source that is repeated soon should still be there.
        private static let listMemory = MemoryCacheLimits(bytes: 8 << 20)

        /// The same for commands that process a list: a failure prints a line on standard error and ends with exit code 1.
        static func ready(
            _ cache: CacheUseOptions, _ limits: LimitOptions, concurrency: Int = 6, blindlyTrusted: Set<String> = []
        ) throws -> ImageManager {
            do throws(ImageError) {
                return try manager(
                    cache: cache, limits: limits, memory: listMemory, concurrency: concurrency, blindlyTrusted: blindlyTrusted)
            } catch {
                Console.report(error, source: cache.folder.path)
                throw ExitCode(1)
            }
        }

        /// Waits until everything that was loaded, or is being revalidated in the background, is in the cache. Failures of the
        /// cache were logged when they happened.
        static func finish(_ manager: ImageManager) async {
            await manager.waitForTransfers()
            try? await manager.waitForStores()
        }
    }

    /// Creates a manager when the first source needs one: threads and sockets cost time that local files need not wait for.
    final class SharedManager: Sendable {
        private let made = Mutex<ImageManager?>(nil)
        private let blindlyTrusted: Set<String>

        init(blindlyTrusted: Set<String>) { self.blindlyTrusted = blindlyTrusted }

        func get(_ cache: CacheUseOptions, _ limits: LimitOptions) throws(ImageError) -> ImageManager {
            try made.withLock { made throws(ImageError) in
                if let made { return made }
                let new = try Assembly.manager(cache: cache, limits: limits, blindlyTrusted: blindlyTrusted)
                made = new
                return new
            }
        }

        func finish() async {
            if let manager = made.withLock({ $0 }) { await Assembly.finish(manager) }
        }
    }
#endif
