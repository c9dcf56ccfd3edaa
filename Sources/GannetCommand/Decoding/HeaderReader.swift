#if CommandLine
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetPlatform
    import GannetSupport

    /// Reads only as much of a file as its header needs; sources without a path are loaded completely, through the cache.
    struct HeaderReader: Sendable {
        var asking: AskingOptions
        var limits: LimitOptions
        var cache: CacheUseOptions
        var manager: SharedManager

        private static let headBytes = 128 << 10

        func read(_ source: String) async throws(ImageError) -> FileHeader {
            let limits = limits
            if source != "-", case .url = SourceArgument.meaning(source) { return try await load(source) }
            return try await BlockingExecutor.files.run { () throws(ImageError) -> FileHeader in
                let places = try limits.places(for: source == "-" ? nil : .file(WorkingFolder.absolute(source)))
                var head = try LocalFile.head(source, count: Self.headBytes, maximumBytes: limits.maxBytes)
                if !head.bytes.isComplete {
                    if let file = Self.partial(head.bytes, fileBytes: head.fileBytes, limits, places) { return file }
                    head.bytes = ByteRope(try LocalFile.read(source, maximumBytes: limits.maxBytes))
                }
                return try Self.file(head.bytes, fileBytes: head.bytes.count, limits, places)
            }
        }

        private func load(_ source: String) async throws(ImageError) -> FileHeader {
            var request = ImageRequest(source: try SourceArgument.source(source, maximumBytes: limits.maxBytes))
            request.decode.limits = limits.decodeLimits
            request.download.deadlines = limits.deadlines
            request.schedule.retryFailedSources = true
            asking.apply(to: &request)
            guard case .encoded(let encoded) = try await manager.get(cache, limits).fetchBytes(for: request).content else {
                throw ImageError(.unsupported, stage: .load, "This source has an image, but no file whose header could be read.")
            }
            let (limits, asked) = (limits, request.source)
            return try await BlockingExecutor.decoding.run { () throws(ImageError) -> FileHeader in
                try Self.file(encoded.bytes, fileBytes: encoded.bytes.count, limits, try limits.places(for: asked))
            }
        }

        /// Formats whose EXIF, if they have any, stands before the pixels.
        private static let beginWithAll: [ImageFormat] = [.jpeg, .gif, .bmp, .ico, .qoi, .pnm, .radiance, .pfm, .svg]

        /// Nil: more bytes are needed, or these are damaged, which the whole file will show.
        private static func partial(
            _ bytes: ByteRope, fileBytes: Int, _ limits: LimitOptions, _ places: DecodePlaces
        ) -> FileHeader? {
            guard let file = try? file(bytes, fileBytes: fileBytes, limits, places), file.header.isWhole else { return nil }
            if fileBytes > limits.maxBytes { return file }
            // The roles of the other images are written in those images, behind the first.
            if file.header.format == .jpeg, UltraHDR.namesOtherImages(bytes) { return nil }
            // Boxes may stand behind the image.
            if [.jxl, .heic, .avif].contains(file.header.format) { return nil }
            return file.photo != nil || beginWithAll.contains(file.header.format) ? file : nil
        }

        /// Blocking.
        private static func file(
            _ bytes: ByteRope, fileBytes: Int, _ limits: LimitOptions, _ places: DecodePlaces
        ) throws(ImageError) -> FileHeader {
            let session = try Assembly.decoding(limits: limits.headerLimits, places).open(bytes, options(limits))
            var file = FileHeader(
                header: session.header, bytes: fileBytes, photo: session.exif.map { CameraFacts(exif: $0) })
            file.gainMap = session.describedGainMap.map { GainMapFacts($0) }
            file.credentialBytes = ContentCredentials.byteCount(in: bytes)
            file.omissions = Omissions.of(bytes, session.header.format)
            return file
        }

        private static func options(_ limits: LimitOptions) -> ResolvedDecodeOptions {
            var options = DecodeOptions()
            options.limits = limits.headerLimits
            options.color = .raw
            options.appliesOrientation = false
            return ResolvedDecodeOptions(options)
        }
    }

    extension ImageHeader {
        /// The rest of the file can add nothing.
        fileprivate var isWhole: Bool {
            guard let frameCount else { return false }
            return frameCount == 1 || (animation?.delays.count ?? 0) >= frameCount
        }
    }
#endif
