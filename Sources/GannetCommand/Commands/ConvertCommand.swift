#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetImages
    import GannetPlatform

    struct ConvertCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert", abstract: "Writes an image in another format, size or quality.",
            discussion: "The format is that of OUT's extension, or --format. Animations stay animated where both formats can.")

        @Argument(help: ArgumentHelp("A URL, a path, or - for standard input.", valueName: "in"), completion: .file())
        var input: String

        @Argument(
            help: ArgumentHelp("A path, or - for standard output (then --format is needed).", valueName: "out"),
            completion: .file())
        var outputPath: String

        @Option(help: ArgumentHelp("Format to write: jpeg, png, webp and others.", valueName: "format"))
        var format: FormatArgument?

        @Option(help: ArgumentHelp("0 to 100, for formats that lose something.", valueName: "n"))
        var quality: Int?

        @Option(
            help: ArgumentHelp(
                "Quality is lowered, then the picture made smaller, until the file is no larger: 100KB, 2MB.", valueName: "bytes")
        )
        var maxFileSize: ByteCountArgument?

        @Option(help: ArgumentHelp("Decoded small, in pixels.", valueName: "WxH"))
        var thumbnail: Box?

        @Option(help: "How --thumbnail meets its box. Never enlarges. (default: fit)")
        var mode: ModeArgument?

        @OptionGroup var partial: PartialOptions
        @OptionGroup var transforms: TransformArguments
        @OptionGroup(title: "Servers") var asking: AskingOptions
        @OptionGroup(title: "Cache") var cache: CacheUseOptions
        @OptionGroup(title: "Limits") var limits: LimitOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            try ModeArgument.check(mode, thumbnail)
            if let quality, !(0...100).contains(quality) { throw ValidationError("--quality is 0 to 100.") }
            if OutputFile.isStandardOutput(outputPath), output.json {
                throw ValidationError("--json and the output - both want standard output.")
            }
            guard wantedFormat != nil else {
                throw ValidationError(
                    "\(outputPath) does not end in the extension of an image format; name one with --format.")
            }
            if let maxFileSize, maxFileSize.bytes < 1 { throw ValidationError("--max-file-size must be 1 or more.") }
        }

        private var wantedFormat: ImageFormat? {
            format?.format ?? OutputNames.split(outputPath).extension.flatMap { ImageFormat.named($0) }
        }

        func run() async throws {
            let options = EncodeOptions(format: wantedFormat, quality: quality, maximumFileSize: maxFileSize?.bytes)
            let manager = try Assembly.ready(cache, limits, blindlyTrusted: asking.blindlyTrustedHosts([input]))
            let job = ConvertJob(
                manager: manager, asking: asking, limits: limits, allowsPartial: partial.allowPartial,
                target: thumbnail.map { TargetSize(mode?.mode ?? .fit, width: $0.width, height: $0.height) },
                transformers: transforms.transformers, options: options, output: outputPath)
            let batch = Batch(sources: [input], concurrency: 1, output: output, finish: { await Assembly.finish(manager) })
            try await batch.run { source, _ throws(ImageError) in
                try await job.run(source)
            } succeed: { source, report in
                guard !OutputFile.isStandardOutput(outputPath) else { return }
                if output.json { Console.print(report.json(source: source)) } else { Console.print(report.line(source: source)) }
            }
        }
    }

    /// Loads one image, changes it and writes it. Only bytes from servers are cached.
    private struct ConvertJob: Sendable {
        /// Formats that can store more than 8 bits for each channel, and do so if the image has them.
        private static let deepFormats: [ImageFormat?] = [.png, .tiff, .pnm, .jxl, .avif, .heic]

        var manager: ImageManager
        var asking: AskingOptions
        var limits: LimitOptions
        var allowsPartial: Bool
        var target: TargetSize?
        var transformers: [any ImageTransformer]
        var options: EncodeOptions
        var output: String

        func run(_ source: String) async throws(ImageError) -> ConvertReport {
            let clock = ContinuousClock()
            let start = clock.now
            let (limits, target, options, output) = (limits, target, options, output)
            var request = try await BlockingExecutor.files.run { () throws(ImageError) in
                ImageRequest(source: try SourceArgument.source(source, maximumBytes: limits.maxBytes))
            }
            request.cache.write = .none
            request.cache.writeOriginal = .disk
            request.decode.limits = limits.decodeLimits
            request.decode.allowsPartial = allowsPartial
            request.download.deadlines = limits.deadlines
            asking.apply(to: &request)
            if let target { request.decode.target = .size(target) }
            request.transform.transformers = transformers
            request.transform.appliesTo = [.animated, .vector]
            // Premultiplying loses the colours of nearly transparent pixels, but scaling and drawing need premultiplied pixels.
            if target == nil, transformers.isEmpty {
                request.decode.alpha = .straight
                request.decode.keeps16Bit = Self.deepFormats.contains(options.format)
            }
            let loaded = try await manager.image(for: request)
            let coders = manager.configuration.coders
            var report = try await BlockingExecutor.decoding.run { () throws(ImageError) -> ConvertReport in
                let encoded = try ImageEncoding(coders: coders).encode(loaded.image, options: options)
                try OutputFile.write(encoded.bytes.chunks, to: output)
                // A limit on the file size makes images smaller, and not every format stores more than one frame.
                let header = Self.header(of: encoded.bytes, limits)
                return ConvertReport(
                    format: encoded.format?.identifier, size: header?.size ?? loaded.size,
                    frames: header?.frameCount ?? loaded.image.frameCount, bytes: encoded.bytes.count,
                    isPartial: loaded.image.metadata.isPartial, output: output)
            }
            report.milliseconds = Readable.milliseconds(clock.now - start)
            return report
        }

        /// Nil for formats that this build writes but does not read.
        private static func header(of bytes: ByteRope, _ limits: LimitOptions) -> ImageHeader? {
            var options = DecodeOptions()
            options.limits = limits.headerLimits
            options.limits?.maximumEncodedBytes = .max
            options.color = .raw
            let resolved = ResolvedDecodeOptions(options)
            do throws(ImageError) {
                return try Assembly.decoding(limits: resolved.limits).header(of: bytes, options: resolved)
            } catch { return nil }
        }
    }

    private struct ConvertReport: Sendable {
        var format: String?
        var size: PixelSize
        var frames: Int
        var bytes: Int
        /// The file ends early or is damaged.
        var isPartial: Bool
        var milliseconds = 0.0
        var output: String

        func json(source: String) -> JSON {
            var fields: [(String, JSON)] = [
                ("source", .string(source)), ("ok", .bool(true)), ("format", .optional(format)), ("width", .integer(size.width)),
                ("height", .integer(size.height)), ("frames", .integer(frames)), ("bytes", .integer(bytes)),
                ("milliseconds", .number(milliseconds)), ("output", .string(output)),
            ]
            if isPartial { fields.append(("partial", .bool(true))) }
            return .object(fields)
        }

        func line(source: String) -> String {
            let what =
                "\(format ?? "picture") \(size.width)×\(size.height)\(frames > 1 ? ", \(frames) frames" : "")\(isPartial ? PartialOptions.remark : "")"
            return
                "\(Console.clean(source)) → \(Console.clean(output)): \(what), \(Readable.bytes(bytes)) in \(milliseconds.fixed(1)) ms"
        }
    }
#endif
