#if Server
    import FoundationEssentials
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSupport
    import Tracing

    extension ThumbnailService {
        /// Loads, encodes and stores. Equal requests at the same time share all of it, also those at other replicas where there
        /// are leases.
        func make(_ rendering: Rendering, _ priority: LoadPriority) async throws(ImageError) -> LeasedRendering.Made {
            let (made, wasJoined) = try await work.join(rendering.key.job, priority: LivePriority(priority)) {
                [self] job throws(ImageError) in
                var made = try await makeOnce(rendering, job.priority)
                made.maker = TracedWork.current?.request.context
                return made
            }
            if wasJoined { TracedWork.current?.joined(made.maker) }
            return made
        }

        private func makeOnce(_ rendering: Rendering, _ priority: LivePriority) async throws(ImageError) -> LeasedRendering.Made {
            guard let leases = shared.redis else {
                return LeasedRendering.Made(response: try await makeHere(rendering, priority, number: 0), isShared: false)
            }
            let leased = LeasedRendering(
                leases: leases, time: manager.configuration.time, renewal: leases.leaseLength / 3)
            return try await leased.make(rendering.key) {
                await findFresh(rendering, in: leases)
            } make: { number throws(ImageError) in
                try await makeHere(rendering, priority, number: number)
            }
        }

        /// `number`: that of the lease; 0 without one.
        private func makeHere(
            _ rendering: Rendering, _ priority: LivePriority, number: Int
        ) async throws(ImageError) -> StoredResponse {
            let (options, configuration) = (rendering.address.options, rendering.configuration)
            let made: StoredResponse
            if options.isRaw {
                made = try original(try await bytes(rendering.address, configuration, priority.current))
            } else if options.needsSource(maximumSide: configuration.longestSide) {
                made = try await fromSource(rendering, priority)
            } else {
                made = try await encoded(try request(rendering), rendering, priority)
            }
            if !made.freshness.forbidsStoring {
                await TracedWork.span("gannet.keep") { _ in
                    memory.store(made, for: rendering.key)
                    if let exported = exported(made, rendering.key) {
                        await shared.store(exported, for: rendering.key, number: number)
                    }
                }
            }
            return made
        }

        // MARK: Images

        /// The manager's file: loaded, decoded, changed, encoded and stored as is needed, or the last response if its source confirms it.
        func encoded(
            _ request: ImageRequest, _ rendering: Rendering, _ priority: LivePriority
        ) async throws(ImageError) -> StoredResponse {
            response(
                of: try await file(
                    for: request, rendering, by: encoder(of: rendering), holding: rendering.last?.file, priority),
                mark: rendering.mark)
        }

        private func file(
            for request: ImageRequest, _ rendering: Rendering, by encoder: FileEncoder, holding held: EncodedImage?,
            _ priority: LivePriority
        ) async throws(ImageError) -> EncodedImage {
            do throws(ImageError) {
                return try await manager.encoded(for: request, by: encoder, holding: held, priority: priority)
            } catch {
                throw Self.missing(rendering.address.options.page, error)
            }
        }

        /// The page that a file does not have: the only part of a request that it may lack. Or the error itself.
        static func missing(_ page: Int, _ error: ImageError) -> ImageError {
            guard page > 0, error.code == .misuse, error.stage == .decode else { return error }
            return ImageError(.notFound, stage: .resolve, "There is no page \(page) in this source; the first one is 0.")
        }

        func request(_ rendering: Rendering) throws(ImageError) -> ImageRequest {
            let configuration = rendering.configuration
            var request = try rendering.address.options.request(
                for: ImageSource(rendering.address.source), format: rendering.choice.format,
                maximumSide: configuration.longestSide, limits: configuration.limits, watermark: configuration.watermark)
            prepare(&request, for: rendering.address, configuration)
            return request
        }

        /// Writes the image in the format of the response, with EXIF and XMP of its source where the address asks for them.
        ///
        /// - Parameter whole: the source, where the image is decoded from a part of it.
        func encoder(of rendering: Rendering, metadataOf whole: ByteRope? = nil) -> FileEncoder {
            let (coders, places) = (manager.configuration.coders, manager.configuration.places)
            let (options, choice, limits) = (rendering.address.options, rendering.choice, rendering.configuration.limits)
            let budget = manager.budget
            // Equal addresses of other folders and servers are other sources.
            let name = rendering.address.sourceKind.name + "|" + rendering.key.rendering
            return FileEncoder(name: name) { image, original throws(ImageError) in
                let source = options.carriesMetadata ? whole ?? original : nil
                let metadata = try source.flatMap { bytes throws(ImageError) in
                    try SourceMetadata.read(
                        from: bytes, coders: coders, places: places, limits: limits, rightsOnly: !options.keepsMetadata)
                }
                let image = options.shortened(image)
                let encoding = ResponseEncoding(
                    options: options, coders: coders, limits: limits, budget: budget
                ) { encoding throws(ImageError) in
                    try SourceMetadata.encode(image, with: metadata, coders: coders, options: encoding)
                }
                return try encoding.file(of: image, as: choice.formats(of: image, options, coders: coders))
            }
        }

        func prepare(_ request: inout ImageRequest, for address: ThumbnailAddress, _ configuration: Configuration) {
            request.download.deadlines = configuration.deadlines
            if address.asksAgain { request.cache.lookup = .loaderOnly }
            switch address.sourceKind {
            case .web, .base:
                // A signed address also allows its own host, to which a redirect may lead back.
                var policy = configuration.policy
                policy.hosts.insert(address.host)
                request.download.redirectHandler = AllowedRedirects(policy: policy)
            case .folder:
                request.download.loader = configuration.sources.folder
                // A copy of a file would only be another file.
                request.cache.readOriginal.formIntersection(.memory)
                request.cache.writeOriginal.formIntersection(.memory)
            case .bucket: request.download.loader = configuration.sources.buckets
            }
        }

        /// `mark`: of a watermark, where one was loaded.
        func response(of file: EncodedImage, mark: Freshness? = nil) -> StoredResponse {
            let format = file.format ?? manager.configuration.coders.format(of: file.bytes)
            return StoredResponse(
                mimeType: format?.mimeTypes.first ?? "application/octet-stream", bytes: file.bytes.contiguous(),
                freshness: lasting(file.freshness).combined(with: mark))
        }

        /// Files have no freshness: their responses are fresh as long as those of sources that state none, from this look on.
        func lasting(_ freshness: Freshness) -> Freshness {
            guard freshness.freshUntil == nil else { return freshness }
            var freshness = freshness
            freshness.freshUntil = manager.configuration.time.now + manager.configuration.httpPolicy.defaultLifetime
            freshness.unreachableUntil = .distantFuture
            return freshness
        }

        // MARK: Bytes

        /// The image, where something is decided by the source's header, or taken from it: all from the same bytes.
        private func fromSource(_ rendering: Rendering, _ priority: LivePriority) async throws(ImageError) -> StoredResponse {
            let (configuration, options) = (rendering.configuration, rendering.address.options)
            let source = try await bytes(rendering.address, configuration, priority.current)
            let limits = options.limited(configuration.limits)
            let bytes = options.usesThumbnail ? SourceMetadata.thumbnail(in: source.bytes) ?? source.bytes : source.bytes
            let header = try await header(
                of: bytes, page: options.page, forRegions: options.iiif != nil, limits, priority.current)
            if options.unprocessed.contains(header.format), [nil, header.format].contains(options.format) {
                // No client gets a file that the service itself would not decode.
                if !header.isVector { try limits.check(size: header.size, allocating: PixelLayout(size: header.size)) }
                return try original(source)
            }
            var request = try options.request(
                for: .data(bytes, identifier: "source:" + UUID().uuidString), header: header,
                format: rendering.choice.format, maximumSide: configuration.longestSide, limits: configuration.limits,
                watermark: configuration.watermark)
            (request.cache.read, request.cache.write) = (.none, .none)
            (request.cache.readOriginal, request.cache.writeOriginal) = (.none, .none)
            let encoder = encoder(of: rendering, metadataOf: source.bytes)
            var file = try await file(for: request, rendering, by: encoder, holding: nil, priority)
            file.freshness = source.freshness
            if !file.freshness.forbidsStoring {
                try await manager.store(file, for: try self.request(rendering), by: encoder)
            }
            return response(of: file, mark: rendering.mark)
        }

        /// For the source's own bytes.
        func bytesRequest(
            _ address: ThumbnailAddress, _ configuration: Configuration, _ priority: LoadPriority
        ) -> ImageRequest {
            var request = ImageRequest(source: ImageSource(address.source))
            request.decode.limits = address.options.limited(configuration.limits)
            request.schedule.priority = priority
            prepare(&request, for: address, configuration)
            return request
        }

        func bytes(
            _ address: ThumbnailAddress, _ configuration: Configuration, _ priority: LoadPriority
        ) async throws(ImageError) -> EncodedImage {
            let fetched = try await manager.fetchBytes(for: bytesRequest(address, configuration, priority))
            guard let file = fetched.encoded else { throw Self.noImage }
            return file
        }

        /// The source's own bytes, if they are an image.
        func original(_ file: EncodedImage) throws(ImageError) -> StoredResponse {
            let coders = manager.configuration.coders
            guard let format = coders.format(of: file.bytes) else { throw Self.noImage }
            try coders.checkReadable(format)
            return response(of: EncodedImage(bytes: file.bytes, format: format, freshness: file.freshness))
        }

        private static var noImage: ImageError { ImageError(.notAnImage, stage: .load, "The source is no image.") }
    }
#endif
