#if CommandLine
    import ArgumentParser
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetPipeline

    struct PrefetchCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prefetch", abstract: "Fills the cache, behind everything else that loads.",
            discussion: """
                Without --thumbnail it stores what the servers send and decodes nothing. What is fresh in the cache already is skipped.
                """)

        @Argument(help: ArgumentHelp("A URL; with --thumbnail a path too.", valueName: "source"), completion: .file())
        var sources: [String] = []

        @Option(
            help: ArgumentHelp("Sources, one a line; # begins a comment; - is standard input.", valueName: "file"),
            completion: .file())
        var list: String?

        @Option(help: ArgumentHelp("Stores the picture at this size too, in pixels.", valueName: "WxH"))
        var thumbnail: Box?

        @Option(help: "How --thumbnail meets its box. Never enlarges. (default: fit)")
        var mode: ModeArgument?

        @Option(help: ArgumentHelp("Loads at once.", valueName: "n"))
        var concurrency = 3

        @OptionGroup(title: "Servers") var asking: AskingOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if sources.isEmpty, list == nil { throw ValidationError("Name at least one source, or a --list.") }
            if sources.contains("-") {
                throw ValidationError("Standard input has one picture and needs no cache; --list - reads a list.")
            }
            try ModeArgument.check(mode, thumbnail)
            if cache.noCache { throw ValidationError("--no-cache leaves nothing to fill.") }
            guard (1...1000).contains(concurrency) else { throw ValidationError("--concurrency is 1 to 1000.") }
        }

        func run() async throws {
            let all: [String]
            do throws(ImageError) { all = sources + (try list.map(SourceArgument.list) ?? []) } catch {
                if output.json { Console.print(error.json(source: list ?? "-")) }
                Console.report(error, source: list ?? "-")
                throw ExitCode(1)
            }
            let manager = try Assembly.ready(
                cache, concurrency: concurrency, blindlyTrusted: asking.blindlyTrustedHosts(all))
            let prefetcher = ImagePrefetcher(
                manager: manager, concurrency: concurrency, priority: .veryLow, destination: thumbnail == nil ? .disk : .memory)
            let refused = thumbnail == nil ? Set(all.indices.filter { !Self.isStored(all[$0]) }) : []
            var ready: Set<Int> = []
            for index in all.indices where thumbnail != nil {
                if await isReady(request(all[index]), manager) { ready.insert(index) }
            }
            let wanted = all.indices.filter { !refused.contains($0) && !ready.contains($0) }
            let batch = prefetcher.prefetch(wanted.map { request(all[$0]) })
            var bar = ProgressBar(output.progress)
            await Interrupt.cancelling {
                await withTaskCancellationHandler {
                    _ = await batch.wait()
                } onCancel: {
                    batch.cancel()
                }
            } whileRunning: {
                for await progress in batch.updates where bar.isVisible {
                    bar.draw(progress.fraction, "\(progress.finished)/\(progress.total)  \(progress.failed) failed")
                }
            }
            bar.clear()
            var failures = Dictionary(uniqueKeysWithValues: refused.map { ($0, Self.refusal) })
            for (index, error) in batch.failures { failures[wanted[index]] = error }
            var progress = batch.progress
            progress.total += refused.count + ready.count
            progress.skipped += ready.count
            progress.failed += refused.count
            var isStored = true
            do throws(ImageError) { try await manager.waitForStores() } catch {
                // Nobody knows which of them; none can be relied on.
                isStored = false
                if output.json { Console.print(error.json(source: cache.folder.path)) }
                Console.report(error, source: cache.folder.path)
            }
            report(progress, failures, all, isStored: isStored)
            if progress.failed > 0 || !isStored { throw ExitCode(1) }
        }

        /// The thumbnail is in the cache, and fresh.
        private func isReady(_ request: ImageRequest, _ manager: ImageManager) async -> Bool {
            guard let key = try? manager.cacheKey(for: request),
                let stored = try? await manager.configuration.diskCache?.metadata(for: CacheKey(key))
            else { return false }
            return !stored.isPartial && stored.freshness.isFresh(at: manager.configuration.time.now)
        }

        /// What comes from this machine is not copied into the cache.
        private static func isStored(_ source: String) -> Bool {
            guard case .url(let url) = SourceArgument.meaning(source) else { return false }
            return url.scheme?.lowercased() != "data"
        }

        private static var refusal: ImageError {
            ImageError(
                .misuse, stage: .resolve,
                "Files and data: URLs are not copied into the cache; --thumbnail WxH stores a smaller picture of them.")
        }

        private func request(_ source: String) -> ImageRequest {
            var request = ImageRequest(source: SourceArgument.meaning(source))
            if let thumbnail {
                request.decode.target = .size(TargetSize(mode?.mode ?? .fit, width: thumbnail.width, height: thumbnail.height))
            }
            request.decode.limits = limits.decodeLimits
            request.download.deadlines = limits.deadlines
            request.schedule.retryFailedSources = true
            asking.apply(to: &request)
            return request
        }

        private func report(
            _ progress: PrefetchBatch.Progress, _ failures: [Int: ImageError], _ all: [String], isStored: Bool
        ) {
            for (index, error) in failures.sorted(by: { $0.key < $1.key }) {
                if output.json { Console.print(error.json(source: all[index])) }
                Console.report(error, source: all[index])
            }
            if output.json {
                Console.print(
                    .object([
                        ("ok", .bool(progress.failed == 0 && isStored)), ("total", .integer(progress.total)),
                        ("done", .integer(progress.loaded)),
                        ("skipped", .integer(progress.skipped)), ("failed", .integer(progress.failed)),
                    ]))
            } else {
                Console.print("\(progress.loaded) done, \(progress.skipped) skipped, \(progress.failed) failed.")
            }
        }
    }
#endif
