#if Server
    import GannetCore
    import GannetImages
    import GannetPlatform

    /// Watermarks that an address brings.
    extension ThumbnailService {
        /// The configuration with that watermark in place of the operator's, and the freshness of an image that was loaded for it. An image is
        /// asked for each time, for the responses' keys have its pixels: the manager decides whether it is loaded again.
        func marked(
            _ address: ThumbnailAddress, _ configuration: Configuration, _ parties: [AdmissionControl.Party]
        ) async throws(ImageError) -> (configuration: Configuration, freshness: Freshness?) {
            guard let place = address.options.watermark, address.watermark != nil || address.options.watermarkText != nil else {
                return (configuration, nil)
            }
            return try await rendering.run(parties) { [self] priority throws(ImageError) in
                var marked = configuration
                let loaded: LoadedImage
                if let source = address.watermark {
                    loaded = try await watermark(source, for: address, configuration, priority)
                } else {
                    loaded = try await drawn(address.options.watermarkText ?? "", isScaled: place.scale > 0, priority)
                }
                marked.watermark = loaded.image.bitmap
                return (marked, address.watermark == nil ? nil : lasting(loaded.freshness))
            }
        }

        private func watermark(
            _ source: AddressSource, for address: ThumbnailAddress, _ configuration: Configuration, _ priority: LoadPriority
        ) async throws(ImageError) -> LoadedImage {
            do throws(ImageError) {
                return try await current(PurgeScopes(ofSource: ImageSource(source.url).keyText)) { asksAgain throws(ImageError) in
                    var asked = address.replacingSource(by: source)
                    asked.asksAgain = asksAgain
                    var request = ImageRequest(source: ImageSource(source.url))
                    request.decode.limits = configuration.limits
                    prepare(&request, for: asked, configuration)
                    let loaded = try await load(request, priority)
                    return (loaded, loaded.freshness)
                }
            } catch {
                var error = error
                error.message = "The watermark: " + error.message
                throw error
            }
        }

        private func drawn(_ text: String, isScaled: Bool, _ priority: LoadPriority) async throws(ImageError) -> LoadedImage {
            guard manager.configuration.coders.formats.contains(.svg) else {
                throw ImageError(.misuse, stage: .resolve, "This service draws no text, because it reads no SVG.")
            }
            let drawing = TextMark.drawing(text, isScaled: isScaled)
            var request = ImageRequest(source: .data(ByteRope(drawing), identifier: "text:\(Checksum.xxh3(drawing))"))
            request.transform.transformers = [TrimTransformer(threshold: 0)]
            request.transform.appliesTo = .vector
            return try await load(request, priority)
        }

        /// Decoded watermarks stay in memory, and nowhere else.
        private func load(_ request: ImageRequest, _ priority: LoadPriority) async throws(ImageError) -> LoadedImage {
            var request = request
            request.decode.frames = .first
            request.schedule.priority = priority
            (request.cache.read, request.cache.write) = (.memory, .memory)
            return try await manager.image(for: request)
        }
    }

    extension Freshness {
        /// That of something made of both.
        func combined(with other: Freshness?) -> Freshness {
            guard let other else { return self }
            func earlier(_ one: Timestamp?, _ two: Timestamp?) -> Timestamp? { one.flatMap { one in two.map { min(one, $0) } } }
            var freshness = self
            freshness.freshUntil = min(freshUntil ?? .distantFuture, other.freshUntil ?? .distantFuture)
            freshness.forbidsStoring = forbidsStoring || other.forbidsStoring
            freshness.unreachableUntil = earlier(unreachableUntil, other.unreachableUntil)
            freshness.staleIfErrorUntil = earlier(staleIfErrorUntil, other.staleIfErrorUntil)
            freshness.requestedAt = earlier(requestedAt, other.requestedAt) ?? requestedAt ?? other.requestedAt
            freshness.tags += other.tags.filter { !tags.contains($0) }
            return freshness
        }
    }
#endif
