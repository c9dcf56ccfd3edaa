#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetPlatform

    struct DecodeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decode", abstract: "Decodes a file to RGBA, eight bits a channel, and prints SHA-256 and means of it.",
            discussion: """
                Without --raw as shown on screen: sRGB, turned upright. With --raw the stored numbers: no colour management, no \
                orientation, 16-bit samples cut to their high byte. Alpha is straight; where it is 0, so are red, green and blue.

                Examples:
                  gannet decode photo.jpg
                  gannet decode moving.gif --frame 3 --json
                  gannet decode map.png --region 20000,9000,512,512 -o tile.rgba
                """)

        @Argument(help: ArgumentHelp("A path, or - for standard input.", valueName: "file"), completion: .file())
        var file: String

        @Option(
            help: ArgumentHelp(
                "This frame, counted from 0. Hash and means are of it; with --json the hash of one after the first is called sha256, beside its number, frame.",
                valueName: "n"), transform: NumberArgument.whole)
        var frame: Int?

        @Flag(help: "Every frame, on the full canvas.")
        var allFrames = false

        @Flag(help: "The stored numbers: no colour management, no orientation.")
        var raw = false

        @Option(
            name: [.short, .customLong("output")],
            help: ArgumentHelp("Writes the pixels there; - is standard output.", valueName: "out.rgba"), completion: .file())
        var outputPath: String?

        @OptionGroup var part: RegionOption
        @OptionGroup var output: OutputOptions
        @OptionGroup var partial: PartialOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions
        @OptionGroup(visibility: .hidden) var unused: UnusedCacheOptions

        func validate() throws {
            if outputPath == "" { throw ValidationError("-o wants a path; this one is empty.") }
            if frame != nil, allFrames { throw ValidationError("--frame and --all-frames exclude each other.") }
            if let frame, frame < 0 { throw ValidationError("--frame counts from 0.") }
            if OutputFile.isStandardOutput(outputPath), output.json {
                throw ValidationError("--json and -o - both want standard output.")
            }
        }

        func run() async throws {
            var options = DecodeOptions()
            options.limits = limits.decodeLimits
            options.allowsPartial = partial.allowPartial
            options.region = part.region?.part
            options.alpha = .straight
            options.frames = allFrames ? .all : .index(frame ?? 0)
            if raw {
                options.color = .raw
                options.appliesOrientation = false
            }
            let job = PixelJob(options: ResolvedDecodeOptions(options), allFrames: allFrames)
            let (limits, outputPath, frame) = (limits, outputPath, frame)
            let names = OutputNames(path: outputPath, folder: nil, sources: [SourceItem(text: file)], replacing: .others)
            try await Batch(sources: [file], concurrency: 1, output: output).run { source, _ throws(ImageError) in
                try await BlockingExecutor.decoding.run { () throws(ImageError) -> DecodedPixels in
                    if let outputPath { try names.check(outputPath, of: source) }
                    let bytes = try LocalFile.read(source, maximumBytes: limits.maxBytes)
                    var job = job
                    job.places = try limits.places(for: source == "-" ? nil : .file(WorkingFolder.absolute(source)))
                    guard let outputPath else { return try job.run(bytes) }
                    return try OutputFile.write(to: outputPath) { put throws(ImageError) in try job.run(bytes, keep: put) }
                }
            } succeed: { source, pixels in
                guard !OutputFile.isStandardOutput(outputPath) else { return }
                if output.json {
                    Console.print(pixels.json(source: source, frame: frame))
                } else {
                    pixels.lines(frame: frame).forEach(Console.print)
                }
            }
        }
    }
#endif
