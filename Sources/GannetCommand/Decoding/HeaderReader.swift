#if CommandLine
    import Gannet
    import GannetCommandSupport
    import GannetCore
    import GannetPlatform

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
                    if let header = Self.header(of: head.bytes, limits, places), header.isWhole {
                        return FileHeader(header: header, bytes: head.fileBytes)
                    }
                    head.bytes = ByteRope(try LocalFile.read(source, maximumBytes: limits.maxBytes))
                }
                let header = try Assembly.decoding(limits: limits.headerLimits, places)
                    .header(of: head.bytes, options: Self.options(limits))
                return FileHeader(header: header, bytes: head.bytes.count)
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
            let limits = limits
            return try await BlockingExecutor.decoding.run { () throws(ImageError) -> FileHeader in
                let header = try Assembly.decoding(limits: limits.headerLimits, try limits.places())
                    .header(of: encoded.bytes, options: Self.options(limits))
                return FileHeader(header: header, bytes: encoded.bytes.count)
            }
        }

        /// Nil: more bytes are needed, or these are damaged, which the whole file will show.
        private static func header(of bytes: ByteRope, _ limits: LimitOptions, _ places: DecodePlaces) -> ImageHeader? {
            do throws(ImageError) {
                return try Assembly.decoding(limits: limits.headerLimits, places).header(of: bytes, options: options(limits))
            } catch { return nil }
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
