#if Server
    import FoundationEssentials
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetSupport

    /// Descriptions of sources, as JSON.
    extension ThumbnailService {
        /// From memory, or made anew; equal requests share the work. `iiif`: the image's address, for a description as IIIF has it.
        func info(
            _ address: ThumbnailAddress, _ request: Request, _ configuration: Configuration, iiif: String?
        ) async throws(ImageError) -> Response {
            let key = ResponseKey(info: address, iiif: iiif)
            if let found = inMemory(key), found.isFresh {
                return response(found.response, to: address, nil, .service, configuration)
            }
            return try await rendering.run(configuration.parties(address, request)) { [self] priority throws(ImageError) in
                let made = try await current(key.scopes) { asksAgain throws(ImageError) in
                    var asked = address
                    asked.asksAgain = asksAgain
                    let made = try await info(asked, key, configuration, iiif, priority)
                    return (made, made.freshness)
                }
                return response(made, to: address, nil, .service, configuration)
            }
        }

        private func info(
            _ address: ThumbnailAddress, _ key: ResponseKey, _ configuration: Configuration, _ iiif: String?,
            _ priority: LoadPriority
        ) async throws(ImageError) -> StoredResponse {
            try await work.join(key.job, priority: LivePriority(priority)) { [self] job throws(ImageError) in
                let encoded = try await bytes(address, configuration, job.priority.current)
                let text: String
                if let iiif {
                    text = try await iiifDescription(of: encoded.bytes, iiif, configuration, job.priority.current).text
                } else {
                    let file = try await described(encoded.bytes, address, configuration.limits, job.priority.current)
                    text =
                        file.json(source: address.encrypted == nil ? GannetCore.Redaction.url(address.source) : "encrypted").text
                }
                let made = StoredResponse(
                    mimeType: "application/json", bytes: Array((text + "\n").utf8), freshness: lasting(encoded.freshness))
                if !made.freshness.forbidsStoring { memory.store(made, for: key) }
                return LeasedRendering.Made(response: made, isShared: false)
            }.value.response
        }

        /// Only the facts that the address asks for: without a request for colours nothing is decoded.
        private func described(
            _ bytes: ByteRope, _ address: ThumbnailAddress, _ limits: DecodeLimits, _ priority: LoadPriority
        ) async throws(ImageError) -> FileHeader {
            let wish = address.info
            let page = address.options.page
            var file = try await facts(of: bytes, page: page, limits, priority) { session in
                var file = FileHeader(header: session.header, bytes: bytes.count)
                file.gainMap = session.describedGainMap.map { GainMapFacts($0) }
                file.credentialBytes = ContentCredentials.byteCount(in: bytes)
                if let exif = session.exif { file.read(exif: exif, camera: wish.showsCamera, place: wish.showsPlace) }
                return file
            }
            let count = max(file.header.frameCount ?? 1, file.header.pageCount)
            guard page < count else { throw Self.missing(page, ImageError(.misuse, stage: .decode, "It has \(count).")) }
            if !wish.colors.isEmpty { file.colors = try await colors(of: bytes, address, limits, priority) }
            return file
        }

        private func colors(
            of bytes: ByteRope, _ address: ThumbnailAddress, _ limits: DecodeLimits, _ priority: LoadPriority
        ) async throws(ImageError) -> ColorFacts {
            let (options, wish) = (address.options, address.info.colors)
            var request = ImageRequest(source: .data(bytes, identifier: "source:" + UUID().uuidString))
            request.decode.target = .size(TargetSize(.fit, width: ColorFacts.side, height: ColorFacts.side))
            request.decode.limits = options.limited(limits)
            request.decode.frames = options.page == 0 ? .first : .index(options.page)
            request.schedule.priority = priority
            (request.cache.read, request.cache.write) = (.none, .none)
            (request.cache.readOriginal, request.cache.writeOriginal) = (.none, .none)
            let image: Bitmap
            do throws(ImageError) { image = try await manager.image(for: request).bitmap } catch {
                throw Self.missing(options.page, error)
            }
            return try await manager.pixelWork(holding: image.layout.byteCount, priority: priority) { () throws(ImageError) in
                try ColorFacts(image, wish)
            }
        }

        /// Reads the header of a file, as it is for one of its pages, and decodes nothing.
        func facts<Facts: Sendable>(
            of bytes: ByteRope, page: Int, region: PixelRect? = nil, _ limits: DecodeLimits, _ priority: LoadPriority,
            _ read: @escaping @Sendable (DecodeSession) -> Facts
        ) async throws(ImageError) -> Facts {
            var options = DecodeOptions()
            options.limits = limits
            options.region = region
            options.color = .raw
            options.appliesOrientation = false
            options.frames = page == 0 ? .first : .index(page)
            let resolved = ResolvedDecodeOptions(options)
            var environment = DecodeEnvironment(limits: limits, colorManager: manager.configuration.colorManager)
            environment.places = manager.configuration.places
            let reader = ImageDecoding(coders: manager.configuration.coders, environment: environment)
            return try await manager.pixelWork(holding: 0, priority: priority) { () throws(ImageError) in
                read(try reader.open(bytes, resolved))
            }
        }
    }
#endif
