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
            guard let leases = responses.shared.redis else {
                return LeasedRendering.Made(response: try await makeHere(rendering, priority, number: 0), isShared: false)
            }
            let leased = LeasedRendering(leases: leases, time: responses.time, renewal: leases.leaseLength / 3)
            return try await leased.make(rendering.key) {
                await responses.findFresh(rendering.key, in: leases)
            } make: { number throws(ImageError) in
                try await makeHere(rendering, priority, number: number)
            }
        }

        private func makeHere(
            _ rendering: Rendering, _ priority: LivePriority, number: Int
        ) async throws(ImageError) -> StoredResponse {
            let made: StoredResponse
            let options = rendering.address.options
            if let confirmed = try await confirmed(rendering) {
                made = confirmed
            } else if options.isRaw {
                made = try await original(rendering, priority)
            } else if options.needsSource(maximumSide: rendering.configuration.longestSide) {
                made = try await fromSource(rendering, priority)
            } else {
                made = try await encoded(try request(rendering), rendering, priority)
            }
            if !made.freshness.forbidsStoring {
                await TracedWork.span("gannet.keep") { _ in await responses.store(made, for: rendering.key, number: number) }
            }
            return made
        }

        private func request(_ rendering: Rendering) throws(ImageError) -> ImageRequest {
            let configuration = rendering.configuration
            var request = try rendering.address.options.request(
                for: ImageSource(rendering.address.source), format: rendering.choice.format,
                maximumSide: configuration.longestSide, limits: configuration.limits, watermark: configuration.watermark)
            prepare(&request, for: rendering.address, configuration)
            return request
        }

        private func prepare(_ request: inout ImageRequest, for address: ThumbnailAddress, _ configuration: Configuration) {
            request.download.deadlines = configuration.deadlines
            switch address.sourceKind {
            case .web, .base:
                // A signed address also allows its own host, to which a redirect may lead back.
                var policy = configuration.policy
                policy.hosts.insert(address.host)
                request.download.redirectHandler = AllowedRedirects(policy: policy)
            case .folder:
                request.download.loader = configuration.sources.folder
                // A copy of a file would only be another file.
                (request.cache.readOriginal, request.cache.writeOriginal) = (.none, .none)
            case .bucket: request.download.loader = configuration.sources.buckets
            }
        }

        /// The last response again, if its source file has not changed since.
        private func confirmed(_ rendering: Rendering) async throws(ImageError) -> StoredResponse? {
            guard var last = rendering.last, case .folder = rendering.address.sourceKind,
                let folder = rendering.configuration.sources.folder
            else { return nil }
            let now = try await folder.freshness(of: ImageSource(rendering.address.source))
            guard last.freshness.matches(now, isSentAgain: false) else { return nil }
            last.freshness = ending(now, rendering.address)
            return last
        }

        /// Files have no freshness: their responses are fresh as long as those of sources that state none.
        private func ending(_ freshness: Freshness, _ address: ThumbnailAddress) -> Freshness {
            guard case .folder = address.sourceKind else { return freshness }
            var freshness = freshness
            freshness.freshUntil = manager.configuration.time.now + manager.configuration.httpPolicy.defaultLifetime
            freshness.unreachableUntil = .distantFuture
            return freshness
        }

        private func encoded(
            _ request: ImageRequest, _ rendering: Rendering, _ priority: LivePriority
        ) async throws(ImageError) -> StoredResponse {
            let loaded = try await load(request, rendering, priority)
            // The source confirmed the version that the last response was rendered from.
            if var last = rendering.last, last.freshness.matches(loaded.freshness, isSentAgain: loaded.origin == .network) {
                last.freshness = loaded.freshness
                return last
            }
            return try await encoded(loaded.image, rendering, ending(loaded.freshness, rendering.address))
        }

        /// The image, where something is decided by the source's header, or taken from it: all from the same bytes.
        private func fromSource(_ rendering: Rendering, _ priority: LivePriority) async throws(ImageError) -> StoredResponse {
            let (configuration, options) = (rendering.configuration, rendering.address.options)
            let (source, freshness) = try await bytes(rendering.address, configuration, priority.current)
            let limits = options.limited(configuration.limits)
            var bytes = source.bytes
            if options.usesThumbnail { bytes = SourceMetadata.thumbnail(in: bytes) ?? bytes }
            let header = try await header(of: bytes, limits, priority.current)
            if options.unprocessed.contains(header.format), [nil, header.format].contains(options.format),
                let type = header.format.mimeTypes.first
            {
                // No client gets a file that the service itself would not decode.
                if !header.isVector { try limits.check(size: header.size, allocating: PixelLayout(size: header.size)) }
                return StoredResponse(mimeType: type, bytes: source.bytes.contiguous(), freshness: freshness)
            }
            var request = try options.request(
                for: .data(bytes, identifier: "source:" + UUID().uuidString), header: header,
                format: rendering.choice.format, maximumSide: configuration.longestSide, limits: configuration.limits,
                watermark: configuration.watermark)
            request.cache.read = .none
            request.cache.write = .none
            let image = try await load(request, rendering, priority).image
            return try await encoded(
                image, rendering, freshness, metadataOf: options.carriesMetadata ? source.bytes : nil)
        }

        private func header(
            of bytes: ByteRope, _ limits: DecodeLimits, _ priority: LoadPriority
        ) async throws(ImageError) -> ImageHeader {
            var options = DecodeOptions()
            options.limits = limits
            options.color = .raw
            options.appliesOrientation = false
            let resolved = ResolvedDecodeOptions(options)
            var environment = DecodeEnvironment(limits: limits, colorManager: manager.configuration.colorManager)
            environment.places = manager.configuration.places
            let reader = ImageDecoding(coders: manager.configuration.coders, environment: environment)
            return try await manager.pixelWork(holding: 0, priority: priority) { () throws(ImageError) in
                try reader.header(of: bytes, options: resolved)
            }
        }

        private func load(
            _ request: ImageRequest, _ rendering: Rendering, _ priority: LivePriority
        ) async throws(ImageError) -> LoadedImage {
            do throws(ImageError) { return try await manager.image(for: request, priority: priority) } catch {
                let page = rendering.address.options.page
                // The only part of a request that a file may not have.
                guard page > 0, error.code == .misuse, error.stage == .decode else { throw error }
                throw ImageError(.notFound, stage: .resolve, "There is no page \(page) in this source; the first one is 0.")
            }
        }

        /// In the queue of decodes. The image holds its pixels until then, so the priority is above that of every decode.
        private func encoded(
            _ image: DecodedImage, _ rendering: Rendering, _ freshness: Freshness, metadataOf source: ByteRope? = nil
        ) async throws(ImageError) -> StoredResponse {
            let (coders, places) = (manager.configuration.coders, manager.configuration.places)
            let limits = rendering.configuration.limits
            let image = rendering.address.options.shortened(image)
            let format = rendering.choice.format(of: image, rendering.address.options, coders: coders)
            let options = rendering.address.options.encoding(as: format)
            let encoded = try await TracedWork.span("gannet.encode") { span throws(ImageError) in
                span?.attributes["gannet.format"] = format.identifier
                let bytes = image.bitmap.layout.byteCount
                return try await manager.pixelWork(holding: bytes, priority: .veryHigh) { () throws(ImageError) in
                    let metadata = try source.flatMap { bytes throws(ImageError) in
                        try SourceMetadata.read(
                            from: bytes, coders: coders, places: places, limits: limits,
                            rightsOnly: !rendering.address.options.keepsMetadata)
                    }
                    return try SourceMetadata.encode(image, with: metadata, coders: coders, options: options)
                }
            }
            return StoredResponse(
                mimeType: (encoded.format ?? format).mimeTypes.first ?? "application/octet-stream",
                bytes: encoded.bytes.contiguous(), freshness: freshness)
        }

        /// The source's own bytes, if they are an image.
        private func original(_ rendering: Rendering, _ priority: LivePriority) async throws(ImageError) -> StoredResponse {
            let (encoded, freshness) = try await bytes(rendering.address, rendering.configuration, priority.current)
            let coders = manager.configuration.coders
            guard let format = coders.format(of: encoded.bytes), let type = format.mimeTypes.first else {
                throw ImageError(.notAnImage, stage: .load, "The source is no image.")
            }
            try coders.checkReadable(format)
            return StoredResponse(mimeType: type, bytes: encoded.bytes.contiguous(), freshness: freshness)
        }

        private func bytes(
            _ address: ThumbnailAddress, _ configuration: Configuration, _ priority: LoadPriority
        ) async throws(ImageError) -> (EncodedImage, Freshness) {
            var request = ImageRequest(source: ImageSource(address.source))
            request.decode.limits = address.options.limited(configuration.limits)
            request.schedule.priority = priority
            prepare(&request, for: address, configuration)
            let fetched = try await manager.fetchBytes(for: request)
            guard case .encoded(let encoded) = fetched.content else {
                throw ImageError(.notAnImage, stage: .load, "The source is no image.")
            }
            return (encoded, ending(encoded.freshness, address))
        }

        /// The facts of the source's header, as JSON.
        func info(
            _ address: ThumbnailAddress, _ configuration: Configuration, _ priority: LoadPriority
        ) async throws(ImageError) -> Response {
            let (encoded, freshness) = try await bytes(address, configuration, priority)
            let header = try await header(of: encoded.bytes, configuration.limits, priority)
            let text = FileHeader(header: header, bytes: encoded.bytes.count).json(
                source: GannetCore.Redaction.url(address.source)
            ).text
            let made = StoredResponse(mimeType: "application/json", bytes: Array((text + "\n").utf8), freshness: freshness)
            return response(made, to: address, nil, .service, configuration)
        }

        /// The fallback image in the address' size and format, for a minute.
        func response(
            _ fallback: FallbackImage, instead error: ImageError, _ failed: Rendering, _ priority: LoadPriority
        ) async throws(ImageError) -> Response {
            var address = failed.address
            address.options.isRaw = false
            address.source = fallback.name
            let configuration = failed.configuration
            let rendering = Rendering(address, FormatChoice(failed.choice, of: address.options), configuration)
            var made: StoredResponse
            if let known = await responses.response(for: rendering.key) {
                made = known
            } else {
                let request = try address.options.request(
                    for: .data(fallback.bytes, identifier: fallback.name), maximumSide: configuration.longestSide,
                    limits: configuration.limits, watermark: configuration.watermark)
                made = try await encoded(request, rendering, LivePriority(priority))
                await responses.store(made, for: rendering.key)
            }
            made.freshness = Freshness(
                freshUntil: manager.configuration.time.now + .seconds(60), forbidsStoring: false)
            var response = response(made, to: address, rendering.choice, .fallback, configuration)
            response.failure = error.message
            return response
        }
    }

    /// The operator's image for sources that fail.
    struct FallbackImage: Sendable {
        let bytes: [UInt8]
        /// Another file has another name, so that no response is kept of an earlier one.
        let name: String

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            name = "fallback:\(Checksum.xxh3(bytes))"
        }
    }
#endif
