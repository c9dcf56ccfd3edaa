#if CommandLine
    import ArgumentParser
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetImages
    import GannetPlatform
    import GannetSupport

    struct PrefetchCommand: AsyncParsableCommand, TakesNames {
        static let configuration = CommandConfiguration(
            commandName: "prefetch", abstract: "Fills the cache, behind everything else that loads.",
            discussion: """
                Without --thumbnail it stores what the servers send and decodes nothing; with it the smaller image too. What is fresh in the cache already is skipped.

                Examples:
                  gannet prefetch --list urls.txt
                  gannet prefetch --list urls.txt --thumbnail 400x300 --concurrency 12
                  gannet prefetch --list urls.txt --shard 1/4
                """)

        @Argument(
            help: ArgumentHelp("A URL; with --thumbnail a path too.", valueName: "source"), completion: .file(),
            transform: NameRun.init)
        var runs: [NameRun] = []

        @OptionGroup var listing: ListOptions

        @OptionGroup var size: SizeOptions

        @Option(help: ArgumentHelp("Loads at once. (default: 3)", valueName: "n"), transform: NumberArgument.whole)
        var concurrency = 3

        @OptionGroup var sharding: ShardOption
        @OptionGroup var output: OutputOptions
        @OptionGroup(title: "Servers") var asking: AskingOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions

        func validate() throws {
            let (sources, list) = (runs.names, listing.list)
            if sources.isEmpty, list == nil { throw ValidationError("Name at least one source, or a --list.") }
            if sources.contains("-") {
                throw ValidationError("Standard input has one image and needs no cache; --list - reads a list.")
            }
            if cache.noCache { throw ValidationError("--no-cache leaves nothing to fill.") }
            guard (1...1000).contains(concurrency) else { throw ValidationError("--concurrency is 1 to 1000.") }
        }

        func run() async throws {
            let all = try SourceArgument.all(runs.names, listing.file, json: output.json)
            let share = sharding.share(of: all.map(\.text))
            let manager = try Assembly.ready(
                cache, limits, concurrency: concurrency, blindlyTrusted: asking.blindlyTrustedHosts(share))
            let job = PrefetchJob(
                manager: manager,
                prefetcher: ImagePrefetcher(
                    manager: manager, concurrency: concurrency, priority: .veryLow,
                    destination: size.target == nil ? .disk : .memory),
                target: size.target, limits: limits, asking: asking)
            var (loaded, skipped): ([String], Int) = ([], 0)
            var tally = await Batch(sources: share, concurrency: concurrency, output: output).tally {
                source, _ throws(ImageError) in
                try await job.run(source)
            } succeed: { source, isNew in
                if isNew { loaded.append(source) } else { skipped += 1 }
            }
            var isStored = true
            do throws(ImageError) { try await manager.waitForStores() } catch {
                isStored = false
                var lost = 0
                for source in loaded where await !job.isKept(source) { lost += 1 }
                tally.revoke(lost, error)
                let what = lost == 0 ? "" : "\(Readable.count(lost)) image\(lost == 1 ? "" : "s") could not be stored: "
                let folder = cache.folder.path
                let message = what + error.advice(on: folder)
                if output.json { Console.print(ImageError(error.code, stage: error.stage, message).json(source: folder)) }
                Console.report(error.code, message, source: folder)
            }
            tally.printSummary(skipped: skipped, isStored: isStored, json: output.json)
            try tally.end()
            if !isStored { throw ExitCode(1) }
        }
    }

    /// Loads one source into the cache.
    private struct PrefetchJob: Sendable {
        var manager: ImageManager
        var prefetcher: ImagePrefetcher
        /// Nil: only bytes from servers are stored.
        var target: TargetSize?
        var limits: LimitOptions
        var asking: AskingOptions

        /// False if the source is cached already.
        func run(_ source: String) async throws(ImageError) -> Bool {
            guard target != nil || Self.isOnServer(source) else {
                throw ImageError(
                    .misuse, stage: .resolve,
                    "Files and data: URLs are not copied into the cache; --thumbnail SIZE stores a smaller image of them.")
            }
            let request = request(source)
            if target != nil, await isReady(request) { return false }
            return try await prefetch(request, prefetcher)
        }

        private func prefetch(_ request: ImageRequest, _ prefetcher: ImagePrefetcher) async throws(ImageError) -> Bool {
            let batch = prefetcher.prefetch([request])
            await withTaskCancellationHandler {
                _ = await batch.wait()
            } onCancel: {
                batch.cancel()
            }
            if let error = batch.failures[0] { throw error }
            // In a cancelled task the wait may end before the batch.
            guard batch.isFinished else { throw .cancelled() }
            return batch.progress.skipped == 0
        }

        /// The thumbnail is in the cache, and fresh.
        private func isReady(_ request: ImageRequest) async -> Bool {
            guard let stored = await stored(request) else { return false }
            return !stored.isPartial && stored.freshness.isFresh(at: manager.configuration.time.now)
        }

        private func stored(_ request: ImageRequest) async -> CacheEntryMetadata? {
            guard let key = try? manager.cacheKey(for: request) else { return nil }
            return (try? await manager.configuration.diskCache?.metadata(for: CacheKey(key))) ?? nil
        }

        /// Whether a loaded source is in the cache: the bytes from its server, else its thumbnail.
        func isKept(_ source: String) async -> Bool {
            var request = request(source)
            guard Self.isOnServer(source) else { return await stored(request) != nil }
            request.cache.lookup = .cacheOnly
            let prefetcher = ImagePrefetcher(manager: manager, concurrency: 1, destination: .disk)
            do throws(ImageError) { return try await !prefetch(request, prefetcher) } catch { return false }
        }

        /// Files and `data:` URLs are not copied into the cache.
        private static func isOnServer(_ source: String) -> Bool {
            guard case .url(let url) = SourceArgument.meaning(source) else { return false }
            return url.scheme?.lowercased() != "data"
        }

        private func request(_ source: String) -> ImageRequest {
            var request = ImageRequest(source: SourceArgument.meaning(source))
            if let target { request.decode.target = .size(target) }
            request.decode.limits = limits.decodeLimits
            request.download.deadlines = limits.deadlines
            request.schedule.retryFailedSources = true
            asking.apply(to: &request)
            return request
        }
    }
#endif
