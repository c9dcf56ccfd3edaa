#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetFetch
    import GannetImages

    /// One job of `gannet work`: what `gannet convert` would be told about one image.
    struct WorkJob: Sendable {
        var source: String
        /// Nil: the image is loaded, and nothing is written.
        var output: String?
        private var allowsPartial: Bool
        private var region: PixelRect?
        private var target: TargetSize?
        private var usesLinearLight: Bool
        private var dynamicRange: DynamicRange
        private var toneMapping: ToneMapping
        private var transformers: [any ImageTransformer]
        private var options: EncodeOptions
        private var keepsMetadata: Bool
        private var page: Int?

        /// Throws `misuse` for what `gannet convert` would refuse.
        init(_ fields: WorkFields) throws(ImageError) {
            try fields.check()
            guard let source = try fields.string("source"), !source.isEmpty else {
                throw WorkFields.wrong("A job needs a source: a path or an address.")
            }
            guard !["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(source) else {
                throw WorkFields.wrong("Standard input carries the jobs; name a path or an address as the source.")
            }
            let output = try fields.string("output")
            if output == "" { throw WorkFields.wrong("output wants a path; this one is empty.") }
            if OutputFile.isStandardOutput(output) {
                throw WorkFields.wrong("Standard output carries the answers; name a path as the output.")
            }
            let format = try fields.option("format", FormatArgument.init(parsing:))?.format
            let quality = try fields.option("quality", NumberArgument.quality)
            let largest = try fields.option("max-file-size", ByteCountArgument.init(parsing:))?.bytes
            region = try fields.option("region", RegionArgument.init(parsing:))?.part
            let thumbnail = try fields.option("thumbnail", ThumbnailSize.init(parsing:))
            let mode = try fields.option("mode") { text in
                guard let mode = ModeArgument(rawValue: text) else { throw ValidationError("it is fit, fill or stretch.") }
                return mode
            }
            if mode != nil, thumbnail == nil { throw WorkFields.wrong("mode says how thumbnail meets its box; name one.") }
            if let largest, largest < 1 { throw WorkFields.wrong("max-file-size must be 1 or more.") }
            usesLinearLight = try fields.flag("linear-light")
            var transformers: [any ImageTransformer] = []
            for text in try fields.strings("transform") {
                transformers.append(try WorkFields.parsed("transform", text) { try TransformArgument($0).transformer })
            }
            page = try fields.option("page", NumberArgument.whole)
            if let page, page < 0 { throw WorkFields.wrong("Pages are counted from 0.") }
            keepsMetadata = try fields.flag("keep-metadata")
            allowsPartial = try fields.flag("allow-partial")
            let (dropsGainMap, keepsLight) = (try fields.flag("no-gain-map"), try fields.flag("hdr"))
            if output == nil, format != nil || quality != nil || largest != nil || keepsMetadata || dropsGainMap || keepsLight {
                throw WorkFields.wrong(
                    "format, quality, max-file-size, keep-metadata, no-gain-map and hdr are for what is written; name the output."
                )
            }
            var wanted = format
            if let output, format == nil {
                wanted = try WorkFields.parsed("output", output, FormatArgument.of(path:))
                guard wanted != nil else {
                    throw WorkFields.wrong(
                        "\(output) does not end in the extension of an image format; name one with format: \(FormatArgument.list)."
                    )
                }
            }
            if keepsMetadata, let wanted {
                _ = try WorkFields.parsed("keep-metadata", "true") { _ in try ConvertCommand.checkMetadata(in: wanted) }
            }
            let curve = try fields.option("tone-mapping") { text in
                guard let choice = ToneMappingChoice(rawValue: text) else {
                    throw ValidationError("it is \(ToneMappingChoice.allCases.map(\.rawValue).joined(separator: " or ")).")
                }
                return choice.curve
            }
            if keepsLight, curve != nil {
                throw WorkFields.wrong("hdr keeps all light, so that tone-mapping has none to map; leave one of them out.")
            }
            if keepsLight { _ = try WorkFields.parsed("hdr", "true") { _ in try ConvertCommand.checkLight(in: wanted) } }
            toneMapping = curve ?? .bt2390
            dynamicRange = keepsLight ? .high : .standard
            self.source = source
            self.output = output
            self.transformers = transformers
            target = thumbnail?.target(mode)
            options = EncodeOptions(
                format: wanted, quality: quality, maximumFileSize: largest, keepsGainMap: !dropsGainMap)
        }

        /// The same job for the code of `gannet convert`.
        func converting(_ worker: Worker) -> ConvertJob {
            ConvertJob(
                manager: worker.manager, asking: worker.asking, limits: worker.limits, allowsPartial: allowsPartial,
                region: region, target: target, usesLinearLight: usesLinearLight, dynamicRange: dynamicRange,
                toneMapping: toneMapping,
                transformers: transformers, options: options,
                names: OutputNames(
                    path: output, folder: nil, sources: [SourceItem(text: source)], makesFolder: true,
                    replacing: worker.replacing), skipsExisting: worker.skipsExisting,
                keepsMetadata: keepsMetadata, page: page)
        }
    }
#endif
