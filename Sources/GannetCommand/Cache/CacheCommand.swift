#if CommandLine
    import ArgumentParser
    import GannetCache
    import GannetCore
    import GannetPlatform
    import GannetSupport

    struct CacheCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cache", abstract: "Looks into the cache folder, checks it, makes it smaller.",
            subcommands: [Path.self, List.self, Info.self, Verify.self, Trim.self, Clear.self] + purging)

        /// Only a build with the service has it.
        private static var purging: [any ParsableCommand.Type] {
            #if Server
                [Purge.self]
            #else
                []
            #endif
        }

        /// Options that all cache subcommands share.
        struct Options: ParsableArguments {
            @OptionGroup var folder: CacheFolderOptions

            @OptionGroup var output: OutputOptions
            @OptionGroup(visibility: .hidden) var unused: UnusedLogLevel

            var json: Bool { output.json }

            /// False if the folder does not exist. Throws `io` if the path is a file: commands that load continue without a
            /// cache, but these commands must report that there is none.
            private func hasFolder() throws(ImageError) -> Bool {
                let kind: FileStatus.Kind
                do throws(ImageError) { kind = try POSIXFileSystem().status(folder.path).kind } catch {
                    if error.code == .notFound { return false }
                    throw error
                }
                guard kind == .directory || kind == .link else {
                    throw ImageError(
                        .io, stage: .cache, "\(folder.path) is a file and no folder; name another with --cache-dir.")
                }
                return true
            }

            /// Runs `body` on the folder's cache. The cache evicts nothing unless `age` is given. A failure is printed as one
            /// line and ends the command with exit code 1. A missing folder is not created: `body` gets an empty temporary one
            /// instead.
            func withCache(
                age: Duration? = nil, about source: String? = nil, _ body: (DiskCache) async throws(ImageError) -> Void
            ) async throws {
                do throws(ImageError) {
                    let temporary = try hasFolder() ? nil : try TemporaryFolder()
                    defer { temporary?.remove() }
                    let directory = temporary?.path ?? folder.path
                    try await body(DiskCache(DiskCacheConfiguration(directory: directory, byteLimit: .max, maximumAge: age)))
                } catch {
                    // For a missing entry the line names the key, for all other failures the folder.
                    let source = error.code == .cacheMiss ? source ?? folder.path : folder.path
                    if json { Console.print(error.json(source: source)) }
                    Console.report(error, source: source)
                    throw ExitCode(1)
                }
            }
        }

        struct Path: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Prints where the cache is.")
            @Argument(help: ArgumentHelp("Prints the file of this source or key instead.", valueName: "key")) var key: String?
            @OptionGroup var options: Options

            func run() async throws {
                // The cache itself is only needed to look up a key.
                guard let key else { return show(options.folder.path) }
                try await options.withCache(about: key) { cache throws(ImageError) in
                    let items = try await CacheCommand.items(key, in: cache)
                    let item = items.first { $0.key.text == key } ?? items[0]
                    show(cache.path(for: item.key))
                }
            }

            private func show(_ path: String) {
                Console.print(options.json ? JSON.object([("path", .string(path))]).text : path)
            }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Lists the entries, the most recently used first.")
            @OptionGroup var options: Options

            func run() async throws {
                try await options.withCache { cache throws(ImageError) in
                    let now = SystemTimeSource().now
                    let items = try await cache.items()
                    if options.json {
                        for item in items { Console.print(item.json(now: now)) }
                        return
                    }
                    var table = Table("BYTES", "FORMAT", "STORED", "USED", "FRESH", "KEY")
                    for item in items {
                        table.add(
                            Readable.bytes(item.payloadBytes), item.metadata.format ?? "–",
                            Readable.age(now - item.metadata.storedAt) + " ago",
                            Readable.age(now - item.metadata.lastUsed) + " ago", item.freshness(now), item.shownKey)
                    }
                    if !items.isEmpty { table.lines.forEach(Console.print) }
                    let bytes = items.reduce(0) { $0 + $1.fileBytes }
                    Console.print("\(items.count) entries, \(Readable.bytes(bytes))")
                }
            }
        }

        struct Info: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Tells all about the entries of one source.",
                discussion: "KEY is a source as it was fetched, or a key as `gannet cache list` prints it.")
            @Argument(help: ArgumentHelp("A source or a key.", valueName: "key")) var key: String
            @OptionGroup var options: Options

            func run() async throws {
                try await options.withCache(about: key) { cache throws(ImageError) in
                    let items = try await CacheCommand.items(key, in: cache)
                    let now = SystemTimeSource().now
                    for item in items {
                        if options.json {
                            Console.print(item.json(now: now))
                            continue
                        }
                        Console.print(item.shownKey)
                        for (name, value) in item.facts(now: now) { Console.print("  \(name): \(Console.clean(value))") }
                        Console.print("  file: \(cache.path(for: item.key))")
                    }
                }
            }
        }

        /// Returns at least one item; throws `cacheMiss` if there is none.
        private static func items(_ key: String, in cache: DiskCache) async throws(ImageError) -> [DiskCacheItem] {
            let items = try await cache.items().filter { $0.matches(key) { cache.scopeKey } }
            guard !items.isEmpty else {
                throw ImageError(
                    .cacheMiss, stage: .cache, "There is no entry for \(key); `gannet cache list` shows what there is.")
            }
            return items
        }

        struct Verify: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Reads every byte and removes what is damaged.")
            @OptionGroup var options: Options

            func run() async throws {
                try await options.withCache { cache throws(ImageError) in
                    let report = try await cache.checkAll()
                    if options.json {
                        return Console.print(
                            JSON.object([
                                ("ok", .bool(true)), ("intact", .integer(report.intact)), ("bytes", .integer(report.bytes)),
                                ("removed", .integer(report.removed)),
                            ]))
                    }
                    Console.print(
                        "\(report.intact) entries are intact (\(Readable.bytes(report.bytes))), \(report.removed) were damaged and are removed."
                    )
                }
            }
        }

        /// Options of `trim` and `clear` that select the entries to remove.
        struct Bounds: ParsableArguments {
            @Option(
                help: ArgumentHelp("Removes what was last used longer ago: 90s, 15m, 12h, 7d.", valueName: "duration"),
                transform: DurationArgument.init(parsing:))
            var olderThan: DurationArgument?

            @Option(
                help: ArgumentHelp(
                    "Removes the least recently used until this much is left: 500KB, 20MB, 1GiB.", valueName: "bytes"),
                transform: ByteCountArgument.init(parsing:))
            var toSize: ByteCountArgument?

            var isEmpty: Bool { olderThan == nil && toSize == nil }

            func apply(to cache: DiskCache) async throws(ImageError) {
                if let olderThan { try await cache.removeAll(unusedFor: olderThan.duration) }
                if let toSize { try await cache.trim(toBytes: toSize.bytes) }
            }
        }

        struct Trim: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Removes what has ended and what is over the limits.",
                discussion: "Without options: expired entries, and what is over the cache's own limit.")
            @OptionGroup var bounds: Bounds
            @OptionGroup var options: Options

            func run() async throws {
                let standard = DiskCacheConfiguration()
                try await shrink(options, age: standard.maximumAge) { cache throws(ImageError) in
                    try await cache.removeExpired()
                    if bounds.isEmpty { try await cache.trim(toBytes: standard.byteLimit) }
                    try await bounds.apply(to: cache)
                }
            }
        }

        struct Clear: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Removes everything, or what the options say.")
            @OptionGroup var bounds: Bounds
            @OptionGroup var options: Options

            func run() async throws {
                try await shrink(options) { cache throws(ImageError) in
                    if bounds.isEmpty { try await cache.removeAll() } else { try await bounds.apply(to: cache) }
                }
            }
        }

        /// Prints how much `body` removed.
        private static func shrink(
            _ options: Options, age: Duration? = nil, _ body: (DiskCache) async throws(ImageError) -> Void
        ) async throws {
            try await options.withCache(age: age) { cache throws(ImageError) in
                let before = try await cache.usage()
                try await body(cache)
                let after = try await cache.usage()
                let (count, bytes) = (before.count - after.count, before.bytes - after.bytes)
                if options.json {
                    return Console.print(
                        JSON.object([
                            ("ok", .bool(true)), ("removed", .integer(count)), ("removedBytes", .integer(bytes)),
                            ("entries", .integer(after.count)), ("bytes", .integer(after.bytes)),
                        ]))
                }
                Console.print(
                    "Removed \(count) entries (\(Readable.bytes(bytes))); \(after.count) are left (\(Readable.bytes(after.bytes)))."
                )
            }
        }
    }
#endif
