#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetPipeline

    struct CacheCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cache", abstract: "Looks into the disk cache, checks it, and clears it up.",
            subcommands: [
                CachePathCommand.self, CacheListCommand.self, CacheInfoCommand.self, CacheVerifyCommand.self,
                CacheTrimCommand.self, CacheClearCommand.self,
            ])
    }

    /// What every cache command needs.
    struct CacheLookOptions: ParsableArguments {
        @OptionGroup var folder: CacheFolderOptions

        @Flag(help: "One JSON object a line on standard output, and nothing else there.")
        var json = false

        /// Only looking must not throw anything away: no limit, no age.
        var cache: DiskCache {
            DiskCache(DiskCacheConfiguration(directory: folder.path, byteLimit: .max, maximumAge: nil))
        }
    }

    struct CachePathCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "path", abstract: "Prints the cache folder, or the file of a key.")

        @Argument(help: "A key; most often a URL.")
        var key: String?

        @OptionGroup var options: CacheLookOptions

        func run() {
            let path = key.map { options.cache.path(for: CacheKey($0)) } ?? options.folder.path
            if options.json { Console.print(.object([("path", .string(path))])) } else { Console.print(path) }
        }
    }

    struct CacheListCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the entries, the most recently used first.")

        @OptionGroup var options: CacheLookOptions

        func run() async throws {
            let now = SystemTimeSource().now
            let items = try await options.cache.items()
            if options.json {
                for item in items { Console.print(item.json(now: now)) }
                return
            }
            var table = Table("BYTES", "FORMAT", "STORED", "USED", "FRESH", "KEY")
            for item in items {
                table.add(
                    Readable.bytes(item.payloadBytes), item.metadata.format ?? "–",
                    Readable.age(now - item.metadata.storedAt) + " ago", Readable.age(now - item.metadata.lastUsed) + " ago",
                    item.freshness(now), Console.clean(item.key.text))
            }
            table.lines.forEach(Console.print)
            Console.print("\(items.count) entries, \(Readable.bytes(items.reduce(0) { $0 + $1.fileBytes }))")
        }
    }

    struct CacheInfoCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "info", abstract: "Says everything about one entry, or about all whose key begins with KEY.")

        @Argument(help: "A key; most often a URL.")
        var key: String

        @OptionGroup var options: CacheLookOptions

        func run() async throws {
            let now = SystemTimeSource().now
            let cache = options.cache
            let found = try await cache.items().filter { $0.key.text == key || $0.key.text.hasPrefix(key + "\u{1}") }
            guard !found.isEmpty else {
                Console.report(ImageError(.cacheMiss, "No entry of \(options.folder.path) has this key."), source: key)
                throw ExitCode(1)
            }
            for item in found {
                if options.json {
                    Console.print(item.json(now: now))
                    continue
                }
                Console.print(Console.clean(item.key.text))
                for (name, value) in item.facts(now: now) { Console.print("  \(name): \(Console.clean(value))") }
                Console.print("  file: \(cache.path(for: item.key))")
            }
        }
    }

    struct CacheVerifyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Reads every byte of the cache and removes what is damaged.")

        @OptionGroup var options: CacheLookOptions

        func run() async throws {
            let report = try await options.cache.verify()
            if options.json {
                Console.print(
                    .object([
                        ("intact", .integer(report.intact)), ("bytes", .integer(report.bytes)),
                        ("removed", .integer(report.removed)),
                    ]))
            } else {
                Console.print(
                    "\(report.intact) entries intact (\(Readable.bytes(report.bytes))), \(report.removed) damaged and removed.")
            }
        }
    }

    struct CacheTrimCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trim", abstract: "Removes entries: those that have ended, old ones, or the least recently used.")

        @Option(help: ArgumentHelp("Removes what was not used for so long: 90s, 30m, 12h, 7d.", valueName: "duration"))
        var olderThan: String?

        @Option(help: ArgumentHelp("Removes the least recently used until so many bytes are left.", valueName: "bytes"))
        var toSize: Int?

        @OptionGroup var options: CacheLookOptions

        func validate() throws {
            if let olderThan, CacheDuration.parse(olderThan) == nil {
                throw ValidationError("--older-than wants a number and a unit: 90s, 30m, 12h, 7d.")
            }
            if let toSize, toSize < 0 { throw ValidationError("--to-size must be 0 or more.") }
        }

        func run() async throws {
            let cache = DiskCache(DiskCacheConfiguration(directory: options.folder.path, byteLimit: .max))
            let before = try await cache.usage()
            if let duration = olderThan.flatMap({ CacheDuration.parse($0) }) { try await cache.removeAll(unusedFor: duration) }
            if let toSize { try await cache.trim(toBytes: toSize) }
            try await cache.removeExpired()
            CacheDuration.report(before, try await cache.usage(), json: options.json)
        }
    }

    struct CacheClearCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "clear", abstract: "Removes every entry.")

        @OptionGroup var options: CacheLookOptions

        func run() async throws {
            let cache = options.cache
            let before = try await cache.usage()
            try await cache.removeAll()
            CacheDuration.report(before, try await cache.usage(), json: options.json)
        }
    }

    enum CacheDuration {
        /// A whole number and s, m, h or d; a number alone means seconds.
        static func parse(_ text: String) -> Duration? {
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard let count = Int64(digits), count <= 1_000_000_000 else { return nil }
            switch text.dropFirst(digits.count) {
            case "", "s": return .seconds(count)
            case "m", "min": return .seconds(count * 60)
            case "h": return .seconds(count * 3600)
            case "d": return .seconds(count * 86_400)
            default: return nil
            }
        }

        static func report(_ before: CacheUsage, _ after: CacheUsage, json: Bool) {
            if json {
                Console.print(
                    .object([
                        ("removed", .integer(before.count - after.count)), ("removedBytes", .integer(before.bytes - after.bytes)),
                        ("count", .integer(after.count)), ("bytes", .integer(after.bytes)),
                    ]))
            } else {
                Console.print(
                    "\(before.count - after.count) entries removed (\(Readable.bytes(before.bytes - after.bytes))); "
                        + "\(after.count) left (\(Readable.bytes(after.bytes))).")
            }
        }
    }
#endif
