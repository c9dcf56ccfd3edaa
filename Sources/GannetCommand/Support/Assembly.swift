#if CommandLine
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetPipeline

    /// What the command is made of: the standard parts of this build, as the options want them.
    enum Assembly {
        static var coders: CodersManager { CodersManager(BuiltInCoders.all) }

        static func decoding(limits: DecodeLimits) -> ImageDecoding {
            ImageDecoding(
                coders: coders,
                environment: DecodeEnvironment(
                    limits: limits, colorManager: BuiltInCoders.colorManager, threads: BlockingExecutor.processorCount))
        }

        static func manager(_ options: StandardOptions) throws(ImageError) -> ImageManager {
            var options = options
            options.downloader.headers.set("User-Agent", "gannet/\(GannetCommand.version)")
            return ImageManager(configuration: try .standard(options))
        }

        /// A manager over the cache folder that the options name.
        static func manager(
            cache: CacheUseOptions, concurrency: Int, blindlyTrusted: Set<String>
        ) throws(ImageError) -> ImageManager {
            var options = StandardOptions()
            options.cacheDirectory = cache.noCache ? nil : cache.folder.path
            options.downloader.maximumConcurrentDownloads = concurrency
            options.downloader.hostsTrustedBlindly = blindlyTrusted
            options.observers = [LogObserver(level: cache.logLevel)]
            return try manager(options)
        }
    }
#endif
