#if Server
    import GannetCore
    import GannetImages
    import GannetPlatform
    import GannetSupport

    /// The IIIF Image API 3.0, level 2.
    extension ThumbnailService {
        /// `base`: the URL of all identifiers, without a slash at its end.
        func iiif(
            _ address: ThumbnailAddress, _ place: IIIFAddress, at base: String, _ request: Request, _ settings: Settings
        ) async throws(ImageError) -> Response {
            let configuration = settings.configuration
            // Slashes of an identifier that are not encoded look like one.
            if address.signature != nil, configuration.policy.keys == nil {
                throw ImageError(.notFound, stage: .resolve, "There is no such identifier here.")
            }
            try configuration.policy.check(address, now: manager.configuration.time.now)
            let id = base + "/" + place.identifier
            switch place.kind {
            case .identifier:
                return Response(status: 303, headers: [("Location", id + "/info.json"), ("Cache-Control", "no-cache")])
            case .description:
                return described(try await info(address, request, configuration, iiif: id), request)
            case .image:
                if let format = address.options.format, !FormatChoice.canWrite(format, manager.configuration.coders) {
                    throw ImageError(.unsupported, stage: .resolve, "The format \(format) is not made here.")
                }
                return try await image(address, request, settings)
            }
        }

        /// Of every response to an address of IIIF, refusals too: viewers are on pages of other sites.
        static let anyOrigin = ("Access-Control-Allow-Origin", "*")

        static let iiifHeaders = [anyOrigin, ("Link", "<\(IIIFDescription.profile)>;rel=\"profile\"")]

        /// With the media type that the client asks for.
        private func described(_ response: Response, _ request: Request) -> Response {
            var response = response
            response.headers.append(("Vary", "Accept"))
            if request.header("accept")?.contains("application/ld+json") == true {
                response.headers.removeAll { $0.0 == "Content-Type" }
                response.headers.append(("Content-Type", "application/ld+json;profile=\"\(IIIFDescription.context)\""))
            }
            return response
        }

        func iiifDescription(
            of bytes: ByteRope, _ id: String, _ configuration: Configuration, _ priority: LoadPriority
        ) async throws(ImageError) -> JSON {
            let header = try await header(of: bytes, page: 0, forRegions: true, configuration.limits, priority)
            return IIIFDescription(
                id: id, size: header.displayedSize, limit: configuration.longestSide,
                maximumPixels: configuration.limits.maximumPixels,
                writesWebP: FormatChoice.canWrite(.webp, manager.configuration.coders)
            ).json
        }

        /// `forRegions`: also of an image that is too large to be decoded as a whole, if parts of it can be.
        func header(
            of bytes: ByteRope, page: Int, forRegions: Bool, _ limits: DecodeLimits, _ priority: LoadPriority
        ) async throws(ImageError) -> ImageHeader {
            let region = forRegions ? PixelRect(x: 0, y: 0, width: 1, height: 1) : nil
            return try await facts(of: bytes, page: page, region: region, limits, priority) { $0.header }
        }
    }
#endif
