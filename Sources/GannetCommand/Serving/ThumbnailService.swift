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
    /// An answer that was sent before is sent again while its source allows it. Equal concurrent requests for a new one share
    /// the work.
    final class ThumbnailService: Sendable {
        struct Configuration: Sendable {
            var policy: SourcePolicy
            var presets = Presets()
            /// Sent to clients that name them in `Accept`, the first before the others.
            var preferredFormats: [ImageFormat] = [.webp]
            /// The maximum for a thumbnail's longer side, in pixels.
            var maximumSide = 2048
            /// The only permitted boxes; empty: any up to ``maximumSide``.
            var sizes: [Box] = []
            /// Running and waiting requests for new answers; further ones are refused with 503. If there may be several source
            /// hosts, one host gets at most half, and less while others are busy.
            var maximumRequests = 256
            var limits = DecodeLimits.standard
            var deadlines = LoadDeadlines()
            /// Memory for answers, in addition to that for images.
            var answerBytes = 64 << 20
            /// Drawn where an address asks for it.
            var watermark: Bitmap?
            /// Shown in place of a source that fails.
            var fallback: FallbackImage?
        }

        struct Answer: Sendable {
            var status: Int
            var headers: [(String, String)]
            var body: [UInt8] = []
            /// For the operator, not for clients: what failed.
            var failure: String?
        }

        let configuration: Configuration
        let manager: ImageManager
        let answers: AnswerStores
        let work = JobTable<Never, StoredAnswer>()
        private let running: Mutex<RunningRequests>

        /// The policy for the manager behind the service: its thumbnails go to many users, and into shared caches.
        static func policy(defaultLifetime: Duration) -> HTTPCachePolicy {
            HTTPCachePolicy(isShared: true, defaultLifetime: defaultLifetime, handsFreshnessOn: true)
        }

        /// Answers are also kept in the manager's disk cache, where it has one.
        init(_ configuration: Configuration, manager: ImageManager) {
            self.configuration = configuration
            self.manager = manager
            answers = AnswerStores(
                memory: AnswerMemory(maximumBytes: configuration.answerBytes),
                disk: manager.configuration.diskCache.map { AnswerDisk(cache: $0, time: manager.configuration.time) })
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
                let address = try ThumbnailAddress(target, presets: configuration.presets)
                try configuration.policy.check(address, now: manager.configuration.time.now)
                try check(address.options)
                if address.isInfo { return try await room(for: address) { () throws(ImageError) in try await info(address) } }
                let answer = try await image(address, accept: header("accept") ?? "*/*")
                return header("if-none-match").map { Self.conditional(answer, on: $0) } ?? answer
            } catch { return Self.answer(error) }
        }

        /// The path and query of a target. A proxy may send the absolute form; its scheme and host are ignored (RFC 9112 §3.2.2).
        private static func originForm(_ target: String) -> String {
            let start = target.prefix(8).lowercased()
            guard let scheme = ["http://", "https://"].first(where: { start.hasPrefix($0) }) else { return target }
            let rest = target.dropFirst(scheme.count)
            return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        }

        private func check(_ options: ProcessingOptions) throws(ImageError) {
            let (width, height) = (options.pixelWidth, options.pixelHeight)
            let isAllowed =
                configuration.sizes.isEmpty
                ? max(width ?? 0, height ?? 0) <= configuration.maximumSide
                : configuration.sizes.contains { $0.width == width && $0.height == height }
            guard isAllowed else {
                throw ImageError(.limitExceeded, stage: .resolve, "Thumbnails of this size are not made here.")
            }
        }

        private func image(_ address: ThumbnailAddress, accept: String) async throws(ImageError) -> Answer {
            let choice = FormatChoice(
                address.options, accept: accept, preferred: configuration.preferredFormats,
                coders: manager.configuration.coders)
            let key = AnswerKey(address, choice)
            let known = await answers.answer(for: key)
            if let known, known.freshness.isFresh(at: manager.configuration.time.now) {
                return answer(known, to: address, choice)
            }
            return try await room(for: address) { () throws(ImageError) in
                do throws(ImageError) {
                    return answer(try await make(key, address, choice, last: known), to: address, choice)
                } catch {
                    guard let fallback = configuration.fallback, error.code != .cancelled, error.code != .misuse else {
                        throw error
                    }
                    return try await answer(fallback, instead: error, to: address, choice)
                }
            }
        }

        /// Answers that are stored take no room, so that they are sent while there is none for new ones.
        private func room(
            for address: ThumbnailAddress, _ body: () async throws(ImageError) -> Answer
        ) async throws(ImageError) -> Answer {
            guard running.withLock({ $0.begin(address.host) }) else {
                return Self.problem(503, "There is too much to do; try again.", [("Retry-After", "1")])
            }
            defer { running.withLock { $0.end(address.host) } }
            return try await body()
        }
    }
#endif
