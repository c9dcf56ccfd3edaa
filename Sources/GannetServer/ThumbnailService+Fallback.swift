#if Server
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform

    /// Images in place of a source that fails.
    extension ThumbnailService {
        /// The address's own fallback, otherwise the operator's, in the address's size and format, for a minute. Throws `error` if there is none.
        func fallback(
            for failed: Rendering, instead error: ImageError, _ priority: LoadPriority
        ) async throws(ImageError) -> Response {
            guard error.code != .cancelled, error.code != .misuse else { throw error }
            if let source = failed.address.fallback, let other = try? await response(of: source, instead: error, failed, priority)
            {
                return other
            }
            guard let image = failed.configuration.fallbackImage else { throw error }
            return try await response(image, instead: error, failed, priority)
        }

        private func response(
            of source: AddressSource, instead error: ImageError, _ failed: Rendering, _ priority: LoadPriority
        ) async throws(ImageError) -> Response {
            let address = failed.address.replacingSource(by: source)
            let rendering = Rendering(address, failed.choice, failed.configuration, mark: failed.mark)
            if let known = inMemory(rendering.key), known.isFresh { return response(known.response, instead: error, rendering) }
            return response(try await make(rendering, priority).response, instead: error, rendering)
        }

        private func response(
            _ fallback: FallbackImage, instead error: ImageError, _ failed: Rendering, _ priority: LoadPriority
        ) async throws(ImageError) -> Response {
            var address = failed.address
            address.options.isRaw = false
            address.source = fallback.name
            let configuration = failed.configuration
            let rendering = Rendering(address, FormatChoice(failed.choice, of: address.options), configuration, mark: failed.mark)
            if let known = memory.response(for: rendering.key) { return response(known, instead: error, rendering) }
            let request = try address.options.request(
                for: .data(fallback.bytes, identifier: fallback.name), maximumSide: configuration.longestSide,
                limits: configuration.limits, watermark: configuration.watermark)
            let made = try await encoded(request, rendering, LivePriority(priority))
            memory.store(made, for: rendering.key)
            return response(made, instead: error, rendering)
        }

        /// For a minute at most: the source may be there again.
        private func response(_ made: StoredResponse, instead error: ImageError, _ rendering: Rendering) -> Response {
            var made = made
            let end = manager.configuration.time.now + .seconds(60)
            made.freshness = Freshness(
                freshUntil: min(end, made.freshness.freshUntil ?? end), forbidsStoring: made.freshness.forbidsStoring)
            var response = response(made, to: rendering.address, rendering.choice, .fallback, rendering.configuration)
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
