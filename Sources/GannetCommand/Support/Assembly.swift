#if CommandLine
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetPipeline

    /// What the command is made of: the coders and loaders of this build.
    enum Assembly {
        static func decoding(limits: DecodeLimits) -> ImageDecoding {
            ImageDecoding(
                coders: CodersManager(BuiltInCoders.all),
                environment: DecodeEnvironment(
                    limits: limits, colorManager: BuiltInCoders.colorManager, threads: BlockingExecutor.processorCount))
        }

        /// A manager over the cache folder that the options name.
        static func manager(
            cache: CacheUseOptions, concurrency: Int, blindlyTrusted: Set<String>
        ) throws(ImageError) -> ImageManager {
            let observers: [any LoadObserver] = [LogObserver(level: cache.logLevel)]
            var configuration = ManagerConfiguration(
                memoryCache: MemoryCache(), diskCache: nil,
                loaders: try loaders(concurrency: concurrency, blindlyTrusted: blindlyTrusted, observers: observers),
                coders: CodersManager(BuiltInCoders.all), colorManager: BuiltInCoders.colorManager)
            configuration.observers = observers
            return ImageManager(configuration: configuration)
        }

        static func loaders(
            concurrency: Int, blindlyTrusted: Set<String>, observers: [any LoadObserver]
        ) throws(ImageError) -> LoadersManager {
            let loaders = LoadersManager()
            #if HTTP
                var download = DownloaderConfiguration()
                download.maximumConcurrentDownloads = concurrency
                download.hostsTrustedBlindly = blindlyTrusted
                download.headers.set("User-Agent", "gannet/\(GannetCommand.version)")
                loaders.add(HTTPLoader(transport: try AsyncHTTPTransport(), configuration: download, observers: observers))
            #endif
            return loaders
        }
    }
#endif
