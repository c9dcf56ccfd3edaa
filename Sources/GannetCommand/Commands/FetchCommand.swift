#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetFetch
    import GannetPlatform

    struct FetchCommand: AsyncParsableCommand, TakesNames {
        static let configuration = CommandConfiguration(
            commandName: "fetch", abstract: "Loads images through the caches, and writes them where you say.",
            discussion: """
                Without -o or -O it only fills the cache and reports. What -o and -O write is made of the source's own bytes.

                Examples:
                  gannet fetch https://example.org/a.jpg --thumbnail 400x300 -o a.png
                  gannet fetch --list urls.txt -O images --thumbnail 600x
                  gannet fetch --list urls.txt -O images --shard 3/8
                  gannet fetch https://example.org/a.jpg --explain
                """)

        @Argument(
            help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"), completion: .file(),
            transform: NameRun.init)
        var runs: [NameRun] = []

        @Option(
            name: [.short, .customLong("output")],
            help: ArgumentHelp("Writes the one image there; - is standard output.", valueName: "file"), completion: .file())
        var outputPath: String?

        @Option(
            name: [.customShort("O"), .customLong("output-dir")],
            help: ArgumentHelp("Writes every image there, under its own name.", valueName: "dir"), completion: .directory)
        var outputFolder: String?

        @OptionGroup var size: SizeOptions
        @OptionGroup var encoding: EncodeArguments
        @OptionGroup var transforms: TransformArguments
        @OptionGroup var forcing: ForceOptions
        @OptionGroup var listing: ListOptions
        @OptionGroup var folders: FolderOptions
        @OptionGroup var sharding: ShardOption

        @Flag(help: "Says first what the caches hold and why.")
        var explain = false

        @OptionGroup var output: OutputOptions
        @OptionGroup(title: "Loading") var loading: LoadOptions
        @OptionGroup(title: "Servers") var asking: AskingOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions

        private var sources: [String] { runs.names }

        func validate() throws {
            let (sources, list) = (sources, listing.list)
            if sources.isEmpty, list == nil { throw ValidationError("Name at least one source, or a --list.") }
            try SourceArgument.checkStandardInput(sources, list: list)
            if outputPath == "" || outputFolder == "" { throw ValidationError("-o and -O want a path; this one is empty.") }
            if outputPath != nil, outputFolder != nil { throw ValidationError("-o and -O exclude each other.") }
            if outputPath != nil, sources.count != 1 || list != nil || folders.recursive {
                throw ValidationError("-o takes exactly one source; -O DIR takes many.")
            }
            if outputPath != nil, sharding.shard != nil {
                throw ValidationError("--shard divides many sources; write them with -O DIR.")
            }
            if OutputFile.isStandardOutput(outputPath), output.json {
                throw ValidationError("--json and -o - both want standard output.")
            }
            if encoding.format != nil || encoding.quality != nil || encoding.noGainMap, outputPath == nil, outputFolder == nil {
                throw ValidationError("--format, --quality and --no-gain-map are for what is written; say where with -o or -O.")
            }
        }

        func run() async throws {
            let folder = outputFolder.map(WorkingFolder.absolute)
            let all = try SourceArgument.all(
                sources, listing.file, recursive: folders.recursive, except: folder, json: output.json)
            let share = sharding.share(of: all.map(\.text))
            let manager = try Assembly.ready(
                cache, limits, concurrency: loading.concurrency, blindlyTrusted: asking.blindlyTrustedHosts(share))
            let format = encoding.format?.format
            let writer = FetchWriter(
                names: OutputNames(
                    path: outputPath, folder: folder, sources: all, format: format, read: listing.list.map { [$0] } ?? [],
                    isShared: sharding.shard != nil,
                    replacing: forcing.replacing(outputFolder == nil ? .others : .noImage)),
                format: format, quality: encoding.quality, keepsGainMap: !encoding.noGainMap,
                coders: manager.configuration.coders, limits: limits)
            let job = FetchJob(
                manager: manager, loading: loading, asking: asking, target: size.target, limits: limits,
                transformers: transforms.transformers, writer: writer,
                explains: explain)
            let printsToOutput = !OutputFile.isStandardOutput(outputPath)
            var explained: [ImageError] = []
            let batch = Batch(
                sources: share, concurrency: loading.concurrency, output: output, finish: { await Assembly.finish(manager) })
            var tally = await batch.tally { source, progress throws(ImageError) in
                try await job.run(source, progress)
            } succeed: { source, outcome in
                switch outcome {
                case .loaded(let report):
                    if cache.logLevel >= .warning { for note in report.notes { Console.warn("\(source): \(note)") } }
                    if output.json {
                        Console.print(report.json(source: source))
                    } else if printsToOutput {
                        report.lines(source: source).forEach(Console.print)
                    }
                case .explained(let explanation, let error):
                    explained.append(error)
                    if output.json {
                        Console.print(error.json(source: source, adding: [("explain", explanation.json)]))
                    } else if printsToOutput {
                        explanation.lines.forEach(Console.print)
                    }
                    Console.report(error, source: source)
                }
            }
            for error in explained { tally.revoke(1, error) }
            try tally.end()
        }
    }
#endif
