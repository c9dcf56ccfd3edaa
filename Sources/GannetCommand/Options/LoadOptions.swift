#if CommandLine
    import ArgumentParser
    import GannetCore

    enum CacheChoice: String, ExpressibleByArgument, CaseIterable { case any, cache, loader }

    enum ModeArgument: String, ExpressibleByArgument, CaseIterable {
        case fit, fill, stretch

        var mode: TargetSize.Mode {
            switch self {
            case .fit: .fit
            case .fill: .fill
            case .stretch: .stretch
            }
        }
    }

    /// `very-low` … `very-high`.
    struct PriorityArgument: ExpressibleByArgument {
        var priority: LoadPriority

        private static let names: [(String, LoadPriority)] = [
            ("very-low", .veryLow), ("low", .low), ("normal", .normal), ("high", .high), ("very-high", .veryHigh),
        ]

        init?(argument: String) {
            guard let found = Self.names.first(where: { $0.0 == argument }) else { return nil }
            priority = found.1
        }

        init(_ priority: LoadPriority) { self.priority = priority }

        static var allValueStrings: [String] { names.map(\.0) }
        static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
        var defaultValueDescription: String { Self.names.first { $0.1 == priority }?.0 ?? "normal" }
    }

    /// For files that are only intact up to some point.
    struct PartialOptions: ParsableArguments {
        @Flag(help: "Shows as much as there is of a file that ends early or is damaged, instead of failing.")
        var allowPartial = false

        /// Appended to the line about an incomplete image.
        static let remark = ", as far as the file goes"
    }

    /// Where images may come from, and when.
    struct LoadOptions: ParsableArguments {
        @Option(help: "Where images may come from.")
        var from = CacheChoice.any

        @Flag(help: "Asks the source even if the cache is fresh.")
        var refresh = false

        @Flag(help: "Stores nothing on disk.")
        var noStore = false

        @Option(help: ArgumentHelp("Loads at once. (default: 6)", valueName: "n"), transform: NumberArgument.whole)
        var concurrency = 6

        @Option(help: "Which of the waiting loads goes first.")
        var priority = PriorityArgument(.normal)

        @OptionGroup var partial: PartialOptions

        func validate() throws {
            guard (1...1000).contains(concurrency) else { throw ValidationError("--concurrency is 1 to 1000.") }
            if refresh, from != .any { throw ValidationError("--refresh and --from \(from.rawValue) exclude each other.") }
        }

        /// `text` as in the command line or a list. Blocks for `-`.
        func request(
            for text: String, target: TargetSize?, asking: AskingOptions, limits: LimitOptions
        ) throws(ImageError) -> ImageRequest {
            var request = ImageRequest(source: try SourceArgument.source(text, maximumBytes: limits.maxBytes))
            if let target { request.decode.target = .size(target) }
            request.decode.limits = limits.decodeLimits
            request.decode.allowsPartial = partial.allowPartial
            request.download.deadlines = limits.deadlines
            request.schedule.priority = priority.priority
            request.schedule.retryFailedSources = true
            switch from {
            case .any: if refresh { request.cache.lookup = .revalidate }
            case .cache: request.cache.lookup = .cacheOnly
            case .loader: request.cache.lookup = .loaderOnly
            }
            if noStore {
                request.cache.write = .memory
                request.cache.writeOriginal = .none
            }
            asking.apply(to: &request)
            return request
        }
    }
#endif
