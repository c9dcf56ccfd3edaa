#if Server
    import FoundationEssentials
    import GannetCommandSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import Tracing

    extension ThumbnailService {
        /// Loads, encodes and stores. Equal requests at the same time share all of it, also those at other replicas where there
        /// are leases. `last`: the stale answer that was there.
        func make(
            _ key: AnswerKey, _ address: ThumbnailAddress, _ choice: FormatChoice, last: StoredAnswer?
        ) async throws(ImageError) -> LeasedMaking.Made {
            let name = CacheKey(key.source + "\u{1}" + key.making)
            let (made, wasJoined) = try await work.join(name, priority: LivePriority(.normal)) { [self] _ throws(ImageError) in
                var made = try await makeOnce(key, address, choice, last: last)
                made.maker = TracedWork.current?.request.context
                return made
            }
            if wasJoined { TracedWork.current?.joined(made.maker) }
            return made
        }

        private func makeOnce(
            _ key: AnswerKey, _ address: ThumbnailAddress, _ choice: FormatChoice, last: StoredAnswer?
        ) async throws(ImageError) -> LeasedMaking.Made {
            guard let leases = answers.shared.redis else {
                let made = try await makeHere(key, address, choice, last: last, number: 0)
                return LeasedMaking.Made(answer: made, isShared: false)
            }
            let making = LeasedMaking(leases: leases, time: answers.time, renewal: leases.limits.lease / 3)
            return try await making.make(key) {
                guard let found = await leases.answer(for: key), found.freshness.isFresh(at: answers.time.now) else {
                    return nil
                }
                await answers.storeHere(found, for: key)
                return found
            } make: { number throws(ImageError) in
                try await makeHere(key, address, choice, last: last, number: number)
            }
        }

        private func makeHere(
            _ key: AnswerKey, _ address: ThumbnailAddress, _ choice: FormatChoice, last: StoredAnswer?, number: Int
        ) async throws(ImageError) -> StoredAnswer {
            let made: StoredAnswer
            if let last, let confirmed = try await confirmed(last, address) {
                made = confirmed
            } else if address.options.isRaw {
                made = try await original(address)
            } else if address.options.keepsMetadata {
                made = try await withMetadata(address, choice)
            } else {
                made = try await encoded(try request(address), address, choice, last: last)
            }
            if !made.freshness.forbidsStoring {
                await TracedWork.span("gannet.keep") { _ in await answers.store(made, for: key, number: number) }
            }
            return made
        }

        private func request(_ address: ThumbnailAddress) throws(ImageError) -> ImageRequest {
            var request = try address.options.request(
                for: ImageSource(address.source), maximumSide: configuration.maximumSide, limits: configuration.limits,
                watermark: configuration.watermark)
            prepare(&request, for: address)
            return request
        }

        private func prepare(_ request: inout ImageRequest, for address: ThumbnailAddress) {
            request.download.deadlines = configuration.deadlines
            switch address.place {
            case .web, .base: request.download.redirectHandler = AllowedRedirects(policy: redirects(address))
            case .folder:
                request.download.loader = configuration.places.folder
                // A copy of a file would only be another file.
                (request.cache.readOriginal, request.cache.writeOriginal) = (.none, .none)
            case .bucket: request.download.loader = configuration.places.buckets
            }
        }

        /// The last answer again, if the file that it was made from has not changed since.
        private func confirmed(_ last: StoredAnswer, _ address: ThumbnailAddress) async throws(ImageError) -> StoredAnswer? {
            guard case .folder = address.place, let folder = configuration.places.folder else { return nil }
            let now = try await folder.freshness(of: ImageSource(address.source))
            guard Self.isSame(last.freshness, now) else { return nil }
            var last = last
            last.freshness = ending(now, address)
            return last
        }

        /// Files say nothing of how long they stay as they are: answers are fresh as long as those whose source does not say.
        private func ending(_ freshness: Freshness, _ address: ThumbnailAddress) -> Freshness {
            guard case .folder = address.place else { return freshness }
            var freshness = freshness
            freshness.freshUntil = manager.configuration.time.now + manager.configuration.httpPolicy.defaultLifetime
            freshness.unreachableUntil = .distantFuture
            return freshness
        }

        /// A signed address also allows its own host, to which a redirect may lead back.
        private func redirects(_ address: ThumbnailAddress) -> SourcePolicy {
            var policy = configuration.policy
            policy.hosts.insert(address.host)
            return policy
        }

        private func encoded(
            _ request: ImageRequest, _ address: ThumbnailAddress, _ choice: FormatChoice, last: StoredAnswer?
        ) async throws(ImageError) -> StoredAnswer {
            let loaded = try await manager.image(for: request)
            // The source confirmed what the last answer was made from.
            if var last, loaded.origin != .network, Self.isSame(last.freshness, loaded.freshness) {
                last.freshness = loaded.freshness
                return last
            }
            return try await encoded(loaded.image, address, choice, ending(loaded.freshness, address))
        }

        /// The image with EXIF and XMP of its source, both from the same bytes.
        private func withMetadata(_ address: ThumbnailAddress, _ choice: FormatChoice) async throws(ImageError) -> StoredAnswer {
            let (source, freshness) = try await bytes(address)
            var request = try address.options.request(
                for: .data(source.bytes, identifier: "source:" + UUID().uuidString),
                maximumSide: configuration.maximumSide, limits: configuration.limits, watermark: configuration.watermark)
            request.cache.read = .none
            request.cache.write = .none
            let image = try await manager.image(for: request).image
            return try await encoded(image, address, choice, freshness, metadataOf: source.bytes)
        }

        private func encoded(
            _ image: DecodedImage, _ address: ThumbnailAddress, _ choice: FormatChoice, _ freshness: Freshness,
            metadataOf source: ByteRope? = nil
        ) async throws(ImageError) -> StoredAnswer {
            let (coders, places, limits) = (manager.configuration.coders, manager.configuration.places, configuration.limits)
            let format = choice.format(of: image, address.options, coders: coders)
            let options = address.options.encoding(as: format)
            let encoded = try await TracedWork.span("gannet.encode") { span throws(ImageError) in
                span?.attributes["gannet.format"] = format.identifier
                return try await BlockingExecutor.decoding.run { () throws(ImageError) in
                    let metadata = try source.flatMap { bytes throws(ImageError) in
                        try SourceMetadata.read(from: bytes, coders: coders, places: places, limits: limits)
                    }
                    return try SourceMetadata.encode(image, with: metadata, coders: coders, options: options)
                }
            }
            return StoredAnswer(
                mimeType: (encoded.format ?? format).mimeTypes.first ?? "application/octet-stream",
                bytes: encoded.bytes.contiguous(), freshness: freshness)
        }

        /// Both have the same validators, and have one.
        private static func isSame(_ left: Freshness, _ right: Freshness) -> Bool {
            left.etag == right.etag && left.lastModified == right.lastModified && (left.etag ?? left.lastModified) != nil
        }

        /// The source's own bytes, if they are an image.
        private func original(_ address: ThumbnailAddress) async throws(ImageError) -> StoredAnswer {
            let (encoded, freshness) = try await bytes(address)
            guard let type = manager.configuration.coders.format(of: encoded.bytes)?.mimeTypes.first else {
                throw ImageError(.notAnImage, stage: .load, "The source is no image.")
            }
            return StoredAnswer(mimeType: type, bytes: encoded.bytes.contiguous(), freshness: freshness)
        }

        private func bytes(_ address: ThumbnailAddress) async throws(ImageError) -> (EncodedImage, Freshness) {
            var request = ImageRequest(source: ImageSource(address.source))
            request.decode.limits = configuration.limits
            prepare(&request, for: address)
            let fetched = try await manager.fetchBytes(for: request)
            guard case .encoded(let encoded) = fetched.content else {
                throw ImageError(.notAnImage, stage: .load, "The source is no image.")
            }
            return (encoded, ending(encoded.freshness, address))
        }

        /// The facts of the source's header, as JSON.
        func info(_ address: ThumbnailAddress) async throws(ImageError) -> Answer {
            let (encoded, freshness) = try await bytes(address)
            var options = DecodeOptions()
            options.limits = configuration.limits
            options.color = .raw
            options.appliesOrientation = false
            let resolved = ResolvedDecodeOptions(options)
            var environment = DecodeEnvironment(limits: configuration.limits, colorManager: manager.configuration.colorManager)
            environment.places = manager.configuration.places
            let reader = ImageDecoding(coders: manager.configuration.coders, environment: environment)
            let header = try await BlockingExecutor.decoding.run { () throws(ImageError) in
                try reader.header(of: encoded.bytes, options: resolved)
            }
            let text = FileHeader(header: header, bytes: encoded.bytes.count).json(
                source: GannetCore.Redaction.url(address.source)
            ).text
            let made = StoredAnswer(mimeType: "application/json", bytes: Array((text + "\n").utf8), freshness: freshness)
            return answer(made, to: address, nil, .service)
        }

        /// The fallback image in the address' size and format, for a minute.
        func answer(
            _ fallback: FallbackImage, instead error: ImageError, to address: ThumbnailAddress, _ choice: FormatChoice
        ) async throws(ImageError) -> Answer {
            var address = address
            address.options.isRaw = false
            address.source = fallback.name
            let choice = FormatChoice(choice, of: address.options)
            let key = AnswerKey(address, choice, watermark: "")
            var made: StoredAnswer
            if let known = await answers.answer(for: key) {
                made = known
            } else {
                let request = try address.options.request(
                    for: .data(fallback.bytes, identifier: fallback.name), maximumSide: configuration.maximumSide,
                    limits: configuration.limits, watermark: nil)
                made = try await encoded(request, address, choice, last: nil)
                await answers.store(made, for: key)
            }
            made.freshness = Freshness(
                freshUntil: manager.configuration.time.now + .seconds(60), forbidsStoring: false)
            var answer = answer(made, to: address, choice, .fallback)
            answer.failure = error.message
            return answer
        }
    }

    /// The operator's image for sources that fail.
    public struct FallbackImage: Sendable {
        /// A file of any format that the service reads.
        public let bytes: [UInt8]
        /// Another file has another name, so that no answer is kept of an earlier one.
        let name: String

        /// O(n) for its name.
        public init(_ bytes: [UInt8]) {
            self.bytes = bytes
            name = "fallback:\(Checksum.xxh3(bytes))"
        }
    }
#endif
