#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetCache
    import GannetPlatform

    /// Where the cache is.
    struct CacheFolderOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp("The cache folder. (default: $XDG_CACHE_HOME/gannet, else ~/.cache/gannet)", valueName: "dir"),
            completion: .directory)
        var cacheDir: String?

        func validate() throws {
            if cacheDir == "" { throw ValidationError("--cache-dir wants a path; this one is empty.") }
        }

        var path: String {
            cacheDir.map(WorkingFolder.absolute) ?? DiskCacheConfiguration.defaultDirectory(application: "gannet")
        }
    }

    enum LogLevel: String, ExpressibleByArgument, CaseIterable, Comparable {
        case error, warning, info, debug

        static func < (left: LogLevel, right: LogLevel) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// Accepted by every command, so that scripts can always pass it; without effect if nothing is loaded.
    struct UnusedLogLevel: ParsableArguments {
        @Option var logLevel = LogLevel.warning
    }

    /// The same for commands that use no cache, or only a private one.
    struct UnusedCacheOptions: ParsableArguments {
        @OptionGroup var folder: CacheFolderOptions
        @Flag var noCache = false
        @OptionGroup var log: UnusedLogLevel
    }

    /// Options of all commands that load: the cache, and how to reach servers.
    struct CacheUseOptions: ParsableArguments {
        @OptionGroup var folder: CacheFolderOptions

        @Flag(help: "Neither reads nor writes the disk cache.")
        var noCache = false

        @Option(help: "What is told on standard error beside failures.")
        var logLevel = LogLevel.warning

        #if HTTP
            @OptionGroup(title: "Network") var network: NetworkOptions
        #endif
    }
#endif
