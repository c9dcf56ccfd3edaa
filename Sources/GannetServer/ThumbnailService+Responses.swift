#if Server
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSupport

    /// How responses are composed.
    extension ThumbnailService {
        /// `choice` nil: the response is no image.
        func response(
            _ made: StoredResponse, to address: ThumbnailAddress, _ choice: FormatChoice?, _ origin: Response.Origin,
            _ configuration: Configuration
        ) -> Response {
            var headers = [
                ("Content-Type", made.mimeType), ("ETag", made.tag),
                ("Cache-Control", cacheControl(made.freshness, until: address.expires)), ("X-Content-Type-Options", "nosniff"),
            ]
            var negotiated = choice?.isNegotiated == true ? ["Accept"] : []
            if configuration.readsClientHints { negotiated += ClientHints.names }
            if variesBySaveData(made, address) { negotiated.append(SaveData.name) }
            if !negotiated.isEmpty { headers.append(("Vary", negotiated.joined(separator: ", "))) }
            // An image in SVG may contain scripts, which would run as this site's.
            if address.options.isRaw || !address.options.unprocessed.isEmpty {
                headers.append(("Content-Security-Policy", "default-src 'none'; sandbox"))
            }
            if address.iiif != nil { headers += Self.iiifHeaders }
            headers += surrogateKeys(address, made.freshness, configuration)
            if let disposition = Self.disposition(address.options) { headers.append(("Content-Disposition", disposition)) }
            return Response(status: 200, headers: headers, body: made.bytes, origin: origin)
        }

        /// The address leaves the quality open, and the response is in a format that has one.
        private func variesBySaveData(_ made: StoredResponse, _ address: ThumbnailAddress) -> Bool {
            guard address.leavesQualityToClient, let format = ImageFormat.named(made.mimeType) else { return false }
            // Of several files with other qualities another one may be the smallest.
            if address.options.isBest { return true }
            return FormatChoice.hasQuality(format) && address.options.qualityOfFormat[format] == nil
        }

        /// RFC 6266; the name in UTF-8 and percent-encoded, as RFC 8187 has it, so that no character of it is syntax.
        private static func disposition(_ options: ProcessingOptions) -> String? {
            guard options.fileName != nil || options.isAttachment else { return nil }
            let kind = options.isAttachment ? "attachment" : "inline"
            guard let name = options.fileName else { return kind }
            return "\(kind); filename*=UTF-8''\(PercentEncoding.encoded(name, keepsSlashes: false))"
        }

        private func cacheControl(_ freshness: Freshness, until expires: Int64?) -> String {
            if freshness.forbidsStoring { return "no-store" }
            let now = manager.configuration.time.now
            // Known for every source: by the rules of HTTP, or the service's default for files.
            let until = freshness.freshUntil ?? .distantPast
            // `no-cache`, not `max-age=0`: with that, caches may serve stale responses while they are disconnected (RFC 9111
            // §4.2.4).
            if until == .distantPast { return "public, no-cache" }
            var rest = min(max((until - now).components.seconds, 0), Self.longestLifetime)
            if let expires { rest = min(rest, max(expires - now.milliseconds / 1000, 0)) }
            let mayBeStale = expires == nil && Self.mayBeUsedStale(freshness, until)
            return "public, max-age=\(rest)" + (mayBeStale ? "" : ", must-revalidate")
        }

        /// Larger numbers need not be understood (RFC 9111 §1.2.2).
        private static let longestLifetime = Int64(Int32.max)

        /// Whether the source allows every cache to serve it stale. Clients do not see the redirects to the source, and so do not know how
        /// long those allow it.
        private static func mayBeUsedStale(_ freshness: Freshness, _ end: Timestamp) -> Bool {
            guard let last = freshness.unreachableUntil else { return false }
            return last == .distantFuture || (freshness.staleIfErrorUntil != nil && last > end)
        }

        /// 304 if the client has this response (RFC 9110 §13.1.2).
        static func conditional(_ response: Response, on field: String) -> Response {
            guard response.status == 200, let tag = response.headers.first(where: { $0.0 == "ETag" })?.1, matches(field, tag)
            else {
                return response
            }
            var response = response
            response.status = 304
            response.headers.removeAll { $0.0.hasPrefix("Content-") }
            response.body = []
            return response
        }

        /// Weak tags match.
        private static func matches(_ field: String, _ tag: String) -> Bool {
            field.split(separator: ",").contains { part in
                var part = part.trimmedOWS()[...]
                if part.hasPrefix("W/") { part = part.dropFirst(2) }
                return part == "*" || part == tag
            }
        }

        /// The response to a failure. It says only whether the source exists and is an image: closed ports, certificates and statuses would
        /// describe the service's network to strangers.
        static func response(_ error: ImageError) -> Response {
            let status = status(of: error)
            var headers: [(String, String)] = status < 500 ? [("X-Gannet-Code", error.code.name)] : []
            // Set if the source is busy, or has failed and is not retried yet.
            if let wait = error.retryAfter, wait > .zero {
                headers.append(("Retry-After", String(min(max(wait.components.seconds, 1), Self.longestWait))))
            } else if status == 503 {
                headers.append(("Retry-After", "1"))
            }
            var response = problem(status, error.stage == .resolve ? error.message : publicMessage(status, error.code), headers)
            response.failure = error.message
            if error.stage != .resolve { response.origin = .failed }
            return response
        }

        private static func publicMessage(_ status: Int, _ code: ImageError.Code) -> String {
            switch status {
            case 403: "The source is not fetched here."
            case 404: "The source does not exist."
            case 413: "The source, or what is to be made of it, is larger than this service allows."
            case 415 where code == .unsupported:
                "The source is in a format, or uses a part of one, that this service does not read."
            case 415: "The source is no image that this service can read, or its image is damaged."
            case 503: "The request was cancelled; try again."
            case 504: "The source took too long."
            default: "The source cannot be fetched."
            }
        }

        /// One day: after that the source is tried again, whatever it said.
        private static let longestWait: Int64 = 86_400

        private static func status(of error: ImageError) -> Int {
            switch error.code {
            case .misuse: 400
            // A repeated request for a failed source gets the same status as the first one.
            case .blocked where error.stage != .resolve: (error.underlying as? ImageError).map(status) ?? 502
            case .blocked, .hookRefused: 403
            case .notFound: 404
            // Only failures that concern the client: a broken source, or one that demands credentials, is a bad gateway.
            case .httpStatus: [404, 410].contains(error.httpStatus) ? 404 : 502
            // Of an image that does not get as small as `max_bytes`, or is too large for its format.
            case .limitExceeded, .encodeFailed: 413
            // Known to the standard of an address, and not to this service.
            case .unsupported where error.stage == .resolve: 501
            case .notAnImage, .unsupported, .contentType, .corrupt, .truncated, .empty: 415
            case .cancelled: 503
            case .timedOut: 504
            default: 502
            }
        }

        static var tooManyConnections: Response {
            problem(503, "There are too many connections; try again.", [("Retry-After", "1")])
        }

        static func problem(_ status: Int, _ message: String, _ headers: [(String, String)]) -> Response {
            text(message + "\n", "text/plain; charset=utf-8", status: status, headers)
        }

        /// A response of the service itself. `nosniff` here too: a message may quote the address.
        static func text(_ text: String, _ type: String, status: Int = 200, _ headers: [(String, String)] = []) -> Response {
            let common = [("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
            return Response(status: status, headers: common + headers, body: Array(text.utf8))
        }
    }
#endif
