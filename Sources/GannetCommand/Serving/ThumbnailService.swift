#if CommandLine && HTTP
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import Synchronization

    /// Answers requests for thumbnails, without knowing about sockets.
    ///
    /// Equal concurrent requests share their work in the manager. Fresh thumbnails come from its caches, already encoded if they
    /// were requested recently.
    final class ThumbnailService: Sendable {
        struct Configuration: Sendable {
            var policy: SourcePolicy
            /// The maximum for a thumbnail's longer side, in pixels.
            var maximumSide = 2048
            /// The only permitted boxes; empty: any up to ``maximumSide``.
            var sizes: [Box] = []
            /// Running and waiting requests; further ones are refused with 503. If there may be several source hosts, one host
            /// gets at most half, and less while others are busy.
            var maximumRequests = 256
            var limits = DecodeLimits.standard
            var deadlines = LoadDeadlines()
            /// Memory for encoded thumbnails, in addition to that for images.
            var encodedBytes = 32 << 20
        }

        struct Answer: Sendable {
            var status: Int
            var headers: [(String, String)]
            var body: [UInt8] = []
        }

        let configuration: Configuration
        private let manager: ImageManager
        private let encoded: EncodedThumbnails
        private let running: Mutex<RunningRequests>

        /// The policy for the manager behind the service: its thumbnails go to many users, and into shared caches.
        static func policy(defaultLifetime: Duration) -> HTTPCachePolicy {
            HTTPCachePolicy(isShared: true, defaultLifetime: defaultLifetime, handsFreshnessOn: true)
        }

        init(_ configuration: Configuration, manager: ImageManager) {
            self.configuration = configuration
            self.manager = manager
            encoded = EncodedThumbnails(coders: manager.configuration.coders, maximumBytes: configuration.encodedBytes)
            running = Mutex(
                RunningRequests(maximum: configuration.maximumRequests, isShared: !configuration.policy.namesOneHost))
        }

        /// `target` as received; header names in any case.
        func answer(method: String, target: String, headers: [(String, String)]) async -> Answer {
            guard method == "GET" || method == "HEAD" else {
                return Self.problem(405, "Only GET and HEAD are understood here.", [("Allow", "GET, HEAD")])
            }
            let target = Self.originForm(target)
            if target == "/health" {
                return Answer(status: 200, headers: [("Content-Type", "text/plain")], body: Array("ok\n".utf8))
            }
            // Several fields with one name form one list (RFC 9110 §5.3).
            func header(_ name: String) -> String? {
                let values = headers.filter { $0.0.lowercased() == name }.map(\.1)
                return values.isEmpty ? nil : values.joined(separator: ", ")
            }
            do throws(ImageError) {
                let address = try ThumbnailAddress(target)
                try configuration.policy.check(address)
                try check(address.box)
                guard running.withLock({ $0.begin(address.host) }) else {
                    return Self.problem(503, "There is too much to do; try again.", [("Retry-After", "1")])
                }
                defer { running.withLock { $0.end(address.host) } }
                var answer = try await thumbnail(address, accept: header("accept") ?? "*/*")
                if let wanted = header("if-none-match"), let tag = answer.headers.first(where: { $0.0 == "ETag" })?.1,
                    Self.matches(wanted, tag)
                {
                    answer.status = 304
                    answer.headers.removeAll { $0.0.hasPrefix("Content-") }
                    answer.body = []
                }
                return answer
            } catch { return Self.answer(error) }
        }

        /// The path and query of a target. A proxy may send the absolute form; its scheme and host are ignored (RFC 9112 §3.2.2).
        private static func originForm(_ target: String) -> String {
            let start = target.prefix(8).lowercased()
            guard let scheme = ["http://", "https://"].first(where: { start.hasPrefix($0) }) else { return target }
            let rest = target.dropFirst(scheme.count)
            return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        }

        private func check(_ box: Box) throws(ImageError) {
            guard
                configuration.sizes.isEmpty
                    ? max(box.width, box.height) <= configuration.maximumSide : configuration.sizes.contains(box)
            else { throw ImageError(.limitExceeded, stage: .resolve, "Thumbnails of this size are not made here.") }
        }

        private func thumbnail(_ address: ThumbnailAddress, accept: String) async throws(ImageError) -> Answer {
            var request = ImageRequest(source: ImageSource(address.source))
            request.decode.target = .size(TargetSize(address.mode, width: address.box.width, height: address.box.height))
            request.decode.frames = .first
            request.decode.limits = configuration.limits
            request.download.deadlines = configuration.deadlines
            request.download.redirectHandler = AllowedRedirects(policy: redirects(address))
            let loaded = try await manager.image(for: request)
            let coders = manager.configuration.coders
            let format = Self.format(address, loaded.image, accept, coders)
            let sent = try await encoded.encode(loaded.image, options: EncodeOptions(format: format, quality: address.quality))
            var headers = [
                ("Content-Type", sent.mimeType), ("ETag", sent.tag),
                ("Cache-Control", cacheControl(loaded.freshness)), ("X-Content-Type-Options", "nosniff"),
            ]
            if address.format == nil { headers.append(("Vary", "Accept")) }
            return Answer(status: 200, headers: headers, body: sent.bytes)
        }

        /// A signed address also allows its own host, to which a redirect may lead back.
        private func redirects(_ address: ThumbnailAddress) -> SourcePolicy {
            var policy = configuration.policy
            if case .url(let url) = ImageSource(address.source), let host = url.host { policy.hosts.insert(host.lowercased()) }
            return policy
        }

        /// The format in the address; else WebP if the client accepts it; else JPEG, or PNG for images with transparency.
        private static func format(
            _ address: ThumbnailAddress, _ image: DecodedImage, _ accept: String, _ coders: CodersManager
        ) -> ImageFormat {
            if let format = address.format { return format }
            func canWrite(_ format: ImageFormat) -> Bool {
                (try? coders.encoder(for: format, options: EncodeOptions(format: format))) != nil
            }
            if accepts("image/webp", accept), canWrite(.webp) { return .webp }
            return image.bitmap.layout.alpha == .opaque && canWrite(.jpeg) ? .jpeg : .png
        }

        /// Whether the field accepts this type; a weight of 0 means no (RFC 9110 §12.4.2).
        static func accepts(_ type: String, _ field: String) -> Bool {
            field.lowercased().split(separator: ",").contains { part in
                let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
                let weight = words.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
                return words.first == type && weight.flatMap { Double($0) } != 0
            }
        }

        private func cacheControl(_ freshness: Freshness) -> String {
            if freshness.forbidsStoring { return "no-store" }
            // Sources are always HTTP, where this is known.
            let until = freshness.freshUntil ?? .distantPast
            // `no-cache`, not `max-age=0`: with that, caches may serve stale responses while they are disconnected (RFC 9111
            // §4.2.4).
            if until == .distantPast { return "public, no-cache" }
            let rest = min(max((until - manager.configuration.time.now).components.seconds, 0), Self.longestLifetime)
            return "public, max-age=\(rest)" + (Self.mayBeUsedStale(freshness, until) ? "" : ", must-revalidate")
        }

        /// Larger numbers need not be understood (RFC 9111 §1.2.2).
        private static let longestLifetime = Int64(Int32.max)

        /// Whether the source allows every cache to serve it stale. Clients do not see the redirects on the way to the source,
        /// and so do not know how long those allow it.
        private static func mayBeUsedStale(_ freshness: Freshness, _ end: Timestamp) -> Bool {
            guard let last = freshness.unreachableUntil else { return false }
            return last == .distantFuture || (freshness.staleIfErrorUntil != nil && last > end)
        }

        /// RFC 9110 §13.1.2; weak tags match.
        static func matches(_ field: String, _ tag: String) -> Bool {
            field.split(separator: ",").contains { part in
                var part = part.trimmedOWS()[...]
                if part.hasPrefix("W/") { part = part.dropFirst(2) }
                return part == "*" || part == tag
            }
        }

        private static func answer(_ error: ImageError) -> Answer {
            var headers = [("X-Gannet-Code", error.code.name)]
            // Set if the source is busy, or has failed and is not retried yet.
            if let wait = error.retryAfter, wait > .zero {
                headers.append(("Retry-After", String(min(max(wait.components.seconds, 1), Self.longestWait))))
            }
            return problem(status(of: error), error.message, headers)
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
            case .limitExceeded: 413
            case .notAnImage, .unsupported, .contentType, .corrupt, .truncated, .empty: 415
            case .cancelled: 503
            case .timedOut: 504
            default: 502
            }
        }

        static func problem(_ status: Int, _ message: String, _ headers: [(String, String)]) -> Answer {
            Answer(
                status: status,
                headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")] + headers,
                body: Array((message + "\n").utf8))
        }
    }
#endif
