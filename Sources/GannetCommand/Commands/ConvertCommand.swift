#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetPlatform

    struct ConvertCommand: AsyncParsableCommand, TakesNames {
        static let configuration = CommandConfiguration(
            commandName: "convert", abstract: "Writes images in another format, size or quality.",
            usage: """
                gannet convert [<options>] <in> <out>
                gannet convert [<options>] <in> ... -O <dir>
                gannet convert [<options>] --list <file> -O <dir>
                """,
            discussion: """
                The format is that of OUT's extension, or --format. With -O every image is written to the folder, under its own name \
                and with the extension of its new format; without --format it keeps its format. Animations stay animated where both \
                formats can. Images that are there already are replaced with --force only; those that an earlier run made of \
                the same source are always.

                The pixels are written upright and in sRGB, and need no colour profile. EXIF (with the place) and XMP are left out \
                unless --keep-metadata says otherwise. JPEG and AVIF keep the gain map of their source unless --no-gain-map says \
                otherwise, or a transform changes more than size, place and sharpness.

                Examples:
                  gannet convert in.png out.webp --quality 80
                  gannet convert photo.jpg small.jpg --thumbnail 1600 --keep-metadata
                  gannet convert *.jpg -O web --format webp --thumbnail 1200x --skip-existing
                  gannet convert photo.jpg photo.avif --hdr
                  gannet convert scan.tif second.png --page 1
                  gannet convert in.gif out.png --transform resize:200x200 --transform gray
                  gannet convert photos -O web --recursive --format webp
                  gannet convert --list photos.txt -O web --format webp --shard 3/8
                  curl -s https://example.org/a.png | gannet convert - - --format jpeg > a.jpg
                """)

        @Argument(
            help: ArgumentHelp(
                "What is read (a URL, a path, or - for standard input), then the path to write, or - for standard output (then --format is needed). With -O all are read.",
                valueName: "path"), completion: .file(), transform: NameRun.init)
        var runs: [NameRun] = []

        @Option(
            name: [.customShort("O"), .customLong("output-dir")],
            help: ArgumentHelp("Writes every image there, under its own name.", valueName: "dir"), completion: .directory)
        var outputFolder: String?

        @OptionGroup var size: SizeOptions
        @OptionGroup var part: RegionOption
        @Flag(help: "--thumbnail averages light instead of stored numbers: finer bright detail, for more processor time.")
        var linearLight = false
        @Flag(
            help:
                "Light brighter than white stays: that of PQ and HLG, and of gain maps. Written as PQ into \(ConvertCommand.formatsWithHDR)."
        )
        var hdr = false
        @Option(
            help: ArgumentHelp(
                "How light brighter than white becomes standard range: bt2390 (the default) keeps what is darker as bright as it is, bt2446a shrinks all of it.",
                valueName: "curve"))
        var toneMapping: ToneMappingChoice?

        @OptionGroup var encoding: EncodeArguments

        @Option(
            help: ArgumentHelp(
                "Quality is lowered, then the image made smaller, until the file is no larger: 100KB, 2MB.", valueName: "bytes"),
            transform: ByteCountArgument.init(parsing:))
        var maxFileSize: ByteCountArgument?

        @Option(
            help: ArgumentHelp(
                "A field of libwebp's WebPConfig, by its name there: method=6, near_lossless=60. May be given several times.",
                valueName: "field=number"), transform: WebPFieldArgument.init(parsing:))
        var webp: [WebPFieldArgument] = []

        @Flag(help: "Writes the EXIF and XMP of the source too: into \(ConvertCommand.formatsWithMetadata).")
        var keepMetadata = false

        @Option(
            help: ArgumentHelp(
                "Writes this page of documents, or this frame of animations, counted from 0. (default: the first page, all frames)",
                valueName: "n"), transform: NumberArgument.whole)
        var page: Int?

        @OptionGroup var transforms: TransformArguments
        @OptionGroup var forcing: ForceOptions

        @Flag(
            help:
                "Leaves files alone that are there already, and counts them. Those that were made of another source do not count."
        )
        var skipExisting = false

        @OptionGroup var folders: FolderOptions
        @OptionGroup var listing: ListOptions
        @OptionGroup var sharding: ShardOption

        @Option(
            help: ArgumentHelp("Images at once, with -O. (default: the number of processors)", valueName: "n"),
            transform: NumberArgument.whole)
        var concurrency: Int?

        @OptionGroup var partial: PartialOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup(title: "Servers") var asking: AskingOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions

        private static let formatsWithHDR = ImageFormat.highRange.map(\.identifier).joined(separator: ", ")
        private static let formatsWithMetadata = EmbeddedMetadata.writtenFormats.map(\.identifier).joined(separator: ", ")

        private var paths: [String] { runs.names }
        private var inputs: [String] { outputFolder == nil ? Array(paths.prefix(1)) : paths }
        /// Nil with `-O`.
        private var outputPath: String? { outputFolder == nil ? paths.last : nil }

        func validate() throws {
            let (paths, list) = (paths, listing.list)
            if outputFolder == "" { throw ValidationError("-O wants a path; this one is empty.") }
            if outputFolder == nil, list != nil || sharding.shard != nil || folders.recursive {
                throw ValidationError("--list, --shard and --recursive are for many images: name a folder for them with -O DIR.")
            }
            if paths.isEmpty, list == nil { throw ValidationError("Name at least one image, or a --list.") }
            guard outputFolder != nil || paths.count == 2 else {
                throw ValidationError(
                    "Name one image and the path to write it to, or any number of images and a folder with -O DIR.")
            }
            try SourceArgument.checkStandardInput(inputs, list: list)
            if skipExisting, forcing.force { throw ValidationError("--skip-existing and --force exclude each other.") }
            if OutputFile.isStandardOutput(outputPath), output.json {
                throw ValidationError("--json and the output - both want standard output.")
            }
            let wanted = try wantedFormat()
            if let outputPath, wanted == nil {
                if ImageFolder.folder(outputPath) != nil {
                    throw ValidationError("\(outputPath) is a folder. Write into it with -O \(outputPath).")
                }
                throw ValidationError(
                    "\(outputPath) does not end in the extension of an image format; name one with --format: \(FormatArgument.list)."
                )
            }
            if keepMetadata, let wanted { try Self.checkMetadata(in: wanted) }
            if hdr { try Self.checkLight(in: wanted) }
            if hdr, toneMapping != nil {
                throw ValidationError("--hdr keeps all light, so that --tone-mapping has none to map; leave one of them out.")
            }
            if !webp.isEmpty, let wanted, wanted != .webp {
                throw ValidationError("--webp is for WebP, and \(wanted) is to be written.")
            }
            try WebPFieldArgument.check(webp)
            if let maxFileSize, maxFileSize.bytes < 1 { throw ValidationError("--max-file-size must be 1 or more.") }
            if let page, page < 0 { throw ValidationError("Pages are counted from 0.") }
            if let concurrency, !(1...1000).contains(concurrency) { throw ValidationError("--concurrency is 1 to 1000.") }
        }

        /// Throws if the format cannot store metadata.
        static func checkMetadata(in format: ImageFormat) throws {
            guard EmbeddedMetadata.writtenFormats.contains(format) else {
                throw ValidationError(
                    "--keep-metadata writes EXIF and XMP into \(formatsWithMetadata), and not into \(format).")
            }
        }

        /// Throws if the format cannot store light brighter than white. Nil: that of the source.
        static func checkLight(in format: ImageFormat?) throws {
            guard let format, ImageFormat.highRange.contains(format) else {
                throw ValidationError("--hdr writes \(formatsWithHDR); name one of them with --format.")
            }
        }

        /// Nil: each image keeps its format.
        private func wantedFormat() throws -> ImageFormat? {
            if let format = encoding.format { return format.format }
            return try outputPath.flatMap { try FormatArgument.of(path: $0) }
        }

        func run() async throws {
            let wanted = try wantedFormat()
            let folder = outputFolder.map(WorkingFolder.absolute)
            let all = try SourceArgument.all(
                inputs, listing.file, recursive: folders.recursive, except: folder, json: output.json)
            let share = sharding.share(of: all.map(\.text))
            let width = outputFolder == nil ? 1 : concurrency ?? BlockingExecutor.processorCount
            let manager = try Assembly.ready(
                cache, limits, concurrency: width, blindlyTrusted: asking.blindlyTrustedHosts(share))
            let job = ConvertJob(
                manager: manager, asking: asking, limits: limits, allowsPartial: partial.allowPartial,
                region: part.region?.part, target: size.target, usesLinearLight: linearLight,
                dynamicRange: hdr ? .high : .standard, toneMapping: toneMapping?.curve ?? .bt2390,
                transformers: transforms.transformers,
                options: EncodeOptions(
                    format: wanted, quality: encoding.quality, maximumFileSize: maxFileSize?.bytes,
                    keepsGainMap: !encoding.noGainMap, webP: WebPFieldArgument.options(webp)),
                names: OutputNames(
                    path: outputPath, folder: folder, sources: all, format: wanted, read: listing.list.map { [$0] } ?? [],
                    isShared: sharding.shard != nil, replacing: forcing.replacing(.noImage)),
                skipsExisting: skipExisting, keepsMetadata: keepMetadata, page: page)
            let batch = Batch(
                sources: share, concurrency: width, output: output, finish: { await Assembly.finish(manager) })
            let (isSilent, notes) = (OutputFile.isStandardOutput(outputPath), cache.logLevel >= .warning)
            var skipped = 0
            let tally = await batch.tally { source, _ throws(ImageError) in
                try await job.run(source)
            } succeed: { source, outcome in
                switch outcome {
                case .skipped(let path):
                    skipped += 1
                    if output.json { Console.print(ConvertReport.skipped(source: source, path)) }
                case .written(let report):
                    if notes { for note in report.notes { Console.warn("\(source): \(note)") } }
                    if output.json {
                        Console.print(report.json(source: source))
                    } else if !isSilent {
                        Console.print(report.line(source: source))
                    }
                }
            }
            if outputFolder != nil || skipped > 0 { tally.printSummary(skipped: skipped, json: output.json) }
            try tally.end()
        }
    }
#endif
