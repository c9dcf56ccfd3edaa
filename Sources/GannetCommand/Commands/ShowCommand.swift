#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetPlatform
    import GannetSupport

    struct ShowCommand: AsyncParsableCommand, TakesNames {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Draws images in the terminal.",
            discussion: """
                With kitty or sixel graphics where the terminal has them, else with coloured half blocks. Animations play until a key \
                is pressed. With --json nothing is drawn, and each line says what would be.

                Examples:
                  gannet show photo.jpg https://example.org/moving.gif
                  gannet show *.png --graphics blocks
                """)

        @Argument(
            help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "source"), completion: .file(),
            transform: NameRun.init)
        var runs: [NameRun]

        @Option(help: "How images are drawn: auto asks the terminal.")
        var graphics = GraphicsChoice.auto

        @Option(
            help: ArgumentHelp("Characters an image may be wide. (default: the terminal's)", valueName: "n"),
            transform: NumberArgument.whole)
        var columns: Int?

        @Option(
            help: ArgumentHelp("Lines an image may be high. (default: the terminal's)", valueName: "n"),
            transform: NumberArgument.whole)
        var rows: Int?

        @Flag(help: "Shows only the first frame of animations.")
        var still = false

        @OptionGroup var partial: PartialOptions
        @OptionGroup var transforms: TransformArguments
        @OptionGroup var output: OutputOptions
        @OptionGroup(title: "Servers") var asking: AskingOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions

        private var sources: [String] { runs.names }

        func validate() throws {
            try SourceArgument.checkStandardInput(sources)
            for (name, value) in [("--columns", columns), ("--rows", rows)] {
                if let value, !(1...10_000).contains(value) { throw ValidationError("\(name) is 1 to 10000.") }
            }
        }

        func run() async throws {
            let sources = sources
            let manager = try Assembly.ready(cache, limits, blindlyTrusted: asking.blindlyTrustedHosts(sources))
            let (choice, json) = (graphics, output.json)
            let terminal = try await BlockingExecutor.files.run { () throws(ImageError) in Terminal.find(choice) }
            let screen = Screen(terminal: terminal, coders: manager.configuration.coders)
            let box = Screen.box(of: terminal, columns: columns, rows: rows)
            let (asking, limits, transformers, still) = (asking, limits, transforms.transformers, still)
            let allowsPartial = partial.allowPartial
            // Images that were loaded, but not shown.
            var lost: [ImageError] = []
            let batch = Batch(
                sources: sources, concurrency: 4, output: output, keepsOrder: true, finish: { await Assembly.finish(manager) })
            var tally = await batch.tally { source, _ throws(ImageError) in
                var request = try await BlockingExecutor.files.run { () throws(ImageError) in
                    ImageRequest(source: try SourceArgument.source(source, maximumBytes: limits.maxBytes))
                }
                request.decode.target = .size(box)
                request.decode.limits = limits.decodeLimits
                request.decode.allowsPartial = allowsPartial
                request.download.deadlines = limits.deadlines
                request.schedule.retryFailedSources = true
                asking.apply(to: &request)
                // No other program can use thumbnails in a terminal's size: only the original is cached.
                request.cache.write = .none
                request.cache.writeOriginal = .disk
                request.transform.transformers = transformers
                request.transform.appliesTo = [.animated, .vector]
                return try await manager.image(for: request)
            } succeed: { source, loaded in
                if json { return Console.print(Self.json(source, loaded, screen)) }
                guard !Interrupt.wasRequested else { return lost.append(.cancelled()) }
                guard lost.isEmpty else { return }
                if loaded.image.metadata.isPartial { Console.warn("\(source): shown\(PartialOptions.remark)") }
                do throws(ImageError) {
                    try await BlockingExecutor.files.run { () throws(ImageError) in
                        guard case .animated(let animation) = loaded.image, !still else { return try screen.show(loaded.image) }
                        try screen.play(animation) { Interrupt.wasRequested }
                    }
                } catch {
                    Console.report(error, source: source)
                    lost.append(error)
                }
            }
            for error in lost { tally.revoke(1, error) }
            try tally.end()
        }

        private static func json(_ source: String, _ loaded: LoadedImage, _ screen: Screen) -> JSON {
            var fields: [(String, JSON)] = [
                ("source", .string(source)), ("ok", .bool(true)), ("format", .optional(loaded.image.metadata.format?.identifier)),
                ("width", .integer(loaded.size.width)), ("height", .integer(loaded.size.height)),
                ("frames", .integer(loaded.image.frameCount)), ("graphics", .string(screen.terminal.graphics.rawValue)),
                ("lines", .integer(screen.lines(loaded.size))),
            ]
            if loaded.image.metadata.isPartial { fields.append(("partial", .bool(true))) }
            return .object(fields)
        }
    }
#endif
