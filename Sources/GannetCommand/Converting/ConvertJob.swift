#if CommandLine
    import Gannet
    import GannetCache
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSupport
    import Glibc

    /// Loads one image, changes it and writes it. Only bytes from servers are cached.
    struct ConvertJob: Sendable {
        /// Formats that can store more than 8 bits for each channel, and do so if the image has them.
        private static let deepFormats: [ImageFormat?] = [.png, .tiff, .pnm, .jxl, .avif, .heic]

        enum Outcome: Sendable {
            case written(ConvertReport)
            /// The file at this path was there.
            case skipped(String)
        }

        var manager: ImageManager
        var asking: AskingOptions
        var limits: LimitOptions
        var allowsPartial: Bool
        /// Of the upright source; the target is then the size of this part.
        var region: PixelRect?
        var target: TargetSize?
        var usesLinearLight = false
        var dynamicRange = DynamicRange.standard
        var toneMapping = ToneMapping.bt2390
        var transformers: [any ImageTransformer]
        /// Without a format: each image keeps its own.
        var options: EncodeOptions
        var names: OutputNames
        var skipsExisting: Bool
        var keepsMetadata: Bool
        /// The page or frame to write, from 0; nil: all frames, or the first page.
        var page: Int?

        func run(_ source: String) async throws(ImageError) -> Outcome {
            if let path = names.plannedPath(for: source, format: options.format) {
                if skipsExisting, Self.isThere(path) { return .skipped(path) }
                // Before anything is loaded.
                try names.check(path, of: source)
            }
            let clock = ContinuousClock()
            let start = clock.now
            let request = try await request(for: source)
            let loaded = try await manager.image(for: request)
            let metadata = keepsMetadata ? try await metadata(of: loaded, request) : nil
            let encoded = try await encode(loaded, metadata)
            let job = self
            let outcome = try await BlockingExecutor.files.run { () throws(ImageError) in
                try job.write(encoded, loaded, source: source)
            }
            guard case .written(var report) = outcome else { return outcome }
            report.milliseconds = Readable.milliseconds(clock.now - start)
            return .written(report)
        }

        /// Loads the image as ``run(_:)`` does, and writes nothing.
        func load(_ source: String) async throws(ImageError) -> LoadedImage {
            try await manager.image(for: try await request(for: source))
        }

        private func request(for source: String) async throws(ImageError) -> ImageRequest {
            let limits = limits
            var request = try await BlockingExecutor.files.run { () throws(ImageError) in
                ImageRequest(source: try SourceArgument.source(source, maximumBytes: limits.maxBytes))
            }
            request.cache.usesOriginalsOnly()
            request.cache.write = .none
            request.cache.writeOriginal = .disk
            request.decode.limits = limits.decodeLimits
            request.decode.allowsPartial = allowsPartial
            request.download.deadlines = limits.deadlines
            asking.apply(to: &request)
            request.decode.region = region
            if let target { request.decode.target = .size(target) }
            request.decode.usesLinearLight = usesLinearLight
            request.decode.dynamicRange = dynamicRange
            request.decode.toneMapping = toneMapping
            if let page { request.decode.frames = .index(page) }
            request.transform.transformers = transformers
            request.transform.appliesTo = [.animated, .vector]
            // Premultiplying loses the colours of nearly transparent pixels, but scaling and drawing need premultiplied pixels.
            if target == nil, transformers.isEmpty {
                request.decode.alpha = .straight
                request.decode.keeps16Bit = options.format.map { Self.deepFormats.contains($0) } ?? true
            }
            return request
        }

        private struct Encoded: Sendable {
            var image: EncodedImage
            /// A limit on the file size makes images smaller, and not every format stores more than one frame.
            var header: ImageHeader?
        }

        /// In the line of decodes, before those that wait: the loaded image holds its pixels until then.
        private func encode(_ loaded: LoadedImage, _ metadata: EmbeddedMetadata?) async throws(ImageError) -> Encoded {
            let (coders, options, limits) = (manager.configuration.coders, options, limits)
            return try await manager.pixelWork(holding: loaded.bitmap.encodingBytes, priority: .veryHigh) {
                () throws(ImageError) in
                let image = try SourceMetadata.encode(loaded.image, with: metadata, coders: coders, options: options)
                return Encoded(image: image, header: WrittenImage.header(of: image.bytes, limits))
            }
        }

        /// Blocking.
        private func write(_ encoded: Encoded, _ loaded: LoadedImage, source: String) throws(ImageError) -> Outcome {
            let (bytes, header) = (encoded.image.bytes, encoded.header)
            let path = try names.path(for: source, format: encoded.image.format)
            if skipsExisting, Self.isThere(path) { return .skipped(path) }
            try names.write(bytes.chunks, to: path, of: source)
            return .written(
                ConvertReport(
                    format: encoded.image.format, size: header?.size ?? loaded.size,
                    frames: header?.frameCount ?? loaded.image.frameCount, framesBefore: loaded.image.frameCount,
                    pages: loaded.image.metadata.pageCount, page: page,
                    bytes: bytes.count, isPartial: loaded.image.metadata.isPartial,
                    lightLoss: lightLoss(loaded.image, encoded.image),
                    credentialBytes: loaded.image.metadata.credentialBytes, output: path))
        }

        private func lightLoss(_ image: DecodedImage, _ written: EncodedImage) -> String? {
            guard dynamicRange.isHigh else {
                return WrittenImage.gainMapLoss(of: image, written.bytes, written.format, options)
            }
            if image.bitmap.dynamicRange.isHigh { return nil }
            return transformers.isEmpty
                ? "it has no light brighter than white, so that --hdr changes nothing"
                : "light brighter than white was left out, if it had any, because a transform works with 8 bits"
        }

        /// Transformed images come without the bytes that they were decoded from.
        private func metadata(
            of loaded: LoadedImage, _ request: ImageRequest
        ) async throws(ImageError) -> EmbeddedMetadata? {
            var encoded = loaded.encoded
            if encoded == nil, case .encoded(let fetched) = try await manager.fetchBytes(for: request).content {
                encoded = fetched
            }
            guard let bytes = encoded?.bytes else { return nil }
            let (limits, configuration) = (limits.headerLimits, manager.configuration)
            return try await manager.pixelWork(holding: 0, priority: .veryHigh) { () throws(ImageError) in
                try SourceMetadata.read(
                    from: bytes, coders: configuration.coders, places: configuration.places, limits: limits)
            }
        }

        private static func isThere(_ path: String) -> Bool { WorkingFolder.absolute(path).withPath { access($0, F_OK) } == 0 }
    }
#endif
