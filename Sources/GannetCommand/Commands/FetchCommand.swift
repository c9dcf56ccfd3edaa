#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetFetch
    import GannetPlatform

    struct FetchCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fetch", abstract: "Loads images through the caches, and writes them where you say.",
            discussion: """
                Without -o or -O it only fills the cache and reports.

                Examples:
                  gannet fetch https://example.org/a.jpg --thumbnail 400x300 -o a.png
                  gannet fetch --list urls.txt -O images --thumbnail 600x
                  gannet fetch --list urls.txt -O images --shard 3/8
                  gannet fetch https://example.org/a.jpg --explain
                """)

        @Argument(help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"), completion: .file())
        var sources: [String] = []

        @Option(help: ArgumentHelp("More sources, one a line; - is standard input.", valueName: "file"), completion: .file())
        var list: String?

        @OptionGroup var sharding: ShardOption

        @Option(
            name: [.short, .customLong("output")],
            help: ArgumentHelp("Writes the one image there; - is standard output.", valueName: "file"), completion: .file())
        var outputPath: String?

        @Option(
            name: [.customShort("O"), .customLong("output-dir")],
            help: ArgumentHelp("Writes every image there, named like its source.", valueName: "dir"), completion: .directory)
        var outputFolder: String?

        @Option(help: FormatArgument.help, completion: FormatArgument.completions, transform: FormatArgument.init(parsing:))
        var format: FormatArgument?

        @Option(
            help: ArgumentHelp("0 to 100, for formats that lose something.", valueName: "n"), transform: NumberArgument.quality)
        var quality: Int?

        @OptionGroup var transforms: TransformArguments

        @Flag(help: "Says first what the caches hold and why.")
        var explain = false

        @OptionGroup(title: "Loading") var loading: LoadOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if sources.isEmpty, list == nil { throw ValidationError("Name at least one source, or a --list.") }
            try SourceArgument.checkStandardInput(sources, list: list)
            if outputPath == "" || outputFolder == "" { throw ValidationError("-o and -O want a path; this one is empty.") }
            if outputPath != nil, outputFolder != nil { throw ValidationError("-o and -O exclude each other.") }
            if outputPath != nil, sources.count != 1 || list != nil {
                throw ValidationError("-o takes exactly one source; -O DIR takes many.")
            }
            if outputPath != nil, sharding.shard != nil {
                throw ValidationError("--shard divides many sources; write them with -O DIR.")
            }
            if OutputFile.isStandardOutput(outputPath), output.json {
                throw ValidationError("--json and -o - both want standard output.")
            }
            if format != nil || quality != nil, outputPath == nil, outputFolder == nil {
                throw ValidationError("--format and --quality are for what is written; say where with -o or -O.")
            }
        }

        func run() async throws {
            let all = try SourceArgument.all(sources, list: list, output: output)
            let share = sharding.share(of: all)
            let manager = try Assembly.ready(
                cache, limits, concurrency: loading.concurrency, blindlyTrusted: loading.asking.blindlyTrustedHosts(share))
            let writer = FetchWriter(
                names: OutputNames(
                    path: outputPath, folder: outputFolder.map(WorkingFolder.absolute), sources: all, format: format?.format,
                    read: list.map { [$0] } ?? [], isShared: sharding.shard != nil),
                format: format?.format, quality: quality, coders: manager.configuration.coders, limits: limits)
            let job = FetchJob(
                manager: manager, loading: loading, limits: limits, transformers: transforms.transformers, writer: writer,
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
                    if cache.logLevel >= .warning, let note = report.frameNote { Console.warn("\(source): \(note)") }
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
