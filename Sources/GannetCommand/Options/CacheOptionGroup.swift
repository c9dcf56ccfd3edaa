#if CommandLine
    import ArgumentParser
    import Glibc

    /// Where the cache is.
    struct CacheFolderOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The cache folder. (default: $XDG_CACHE_HOME/gannet, else ~/.cache/gannet)", valueName: "dir"))
        var cacheDir: String?

        var path: String {
            if let cacheDir { return SourceArgument.absolute(cacheDir) }
            if let base = Self.variable("XDG_CACHE_HOME"), base.hasPrefix("/") { return base + "/gannet" }
            if let home = Self.variable("HOME"), home.hasPrefix("/") { return home + "/.cache/gannet" }
            return "/tmp/gannet-\(getuid())"
        }

        private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    }

    enum LogLevel: String, ExpressibleByArgument, CaseIterable, Comparable {
        case error, warning, info, debug

        static func < (left: LogLevel, right: LogLevel) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    /// The cache of commands that load.
    struct CacheUseOptions: ParsableArguments {
        @OptionGroup var folder: CacheFolderOptions

        @Flag(help: "Neither reads nor writes the disk cache.")
        var noCache = false

        @Option(help: "What is told on standard error beside failures.")
        var logLevel = LogLevel.warning
    }
#endif
