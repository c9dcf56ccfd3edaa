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
            /// What other services have too.
            var shared = SharedStores()
            /// Answers `/metrics`: for networks in which strangers cannot ask.
            var showsMetrics = false
        }

        struct Answer: Sendable {
            var status: Int
            var headers: [(String, String)]
            var body: [UInt8] = []
            /// For the operator, not for clients: what failed.
            var failure: String?
            var origin = Origin.service

            /// Where an answer came from.
            enum Origin: String, Hashable, Sendable {
                /// Stored answers.
                case memory, disk
                /// Answers of another replica.
                case shared
                /// Made for this request, or for an equal one at the same time.
                case made
                /// In place of a source that failed.
                case fallback
                /// The service's own: states, descriptions and refusals.
                case service
                /// The source failed.
                case failed
            }
        }

        let configuration: Configuration
        let manager: ImageManager
        let answers: AnswerStores
        let work = JobTable<Never, LeasedMaking.Made>()
        let metrics: ServiceMetrics
        private let isDraining = Atomic(false)
        private let running: Mutex<RunningRequests>

        /// The policy for the manager behind the service: its thumbnails go to many users, and into shared caches.
        static func policy(defaultLifetime: Duration) -> HTTPCachePolicy {
            HTTPCachePolicy(isShared: true, defaultLifetime: defaultLifetime, handsFreshnessOn: true)
        }

        /// Answers are also kept in the manager's disk cache, where it has one. `metrics` should be among the manager's observers.
        init(_ configuration: Configuration, manager: ImageManager, metrics: ServiceMetrics = ServiceMetrics()) {
            self.metrics = metrics
            self.configuration = configuration
            self.manager = manager
            answers = AnswerStores(
                memory: AnswerMemory(maximumBytes: configuration.answerBytes),
                disk: manager.configuration.diskCache.map { AnswerDisk(cache: $0, time: manager.configuration.time) },
                shared: configuration.shared, time: manager.configuration.time)
            running = Mutex(
                RunningRequests(maximum: configuration.maximumRequests, isShared: !configuration.policy.namesOneHost))
        }

        /// From now on the service is not ready, and goes on answering: balancers send their requests elsewhere meanwhile.
        func drain() { isDraining.store(true, ordering: .relaxed) }

        /// `target` as received; header names in any case. `isReserve`: the connection is beyond the server's room, and only asks how
        /// the service is.
        func answer(
            method: String, target: String, headers: [(String, String)], isReserve: Bool = false
        ) async -> Answer {
            let start = manager.configuration.time.uptime
            metrics.begin()
            let answer =
                isReserve
                ? state(target) ?? Self.problem(503, "There are too many connections; try again.", [("Retry-After", "1")])
                : await respond(method: method, target: target, headers: headers)
            metrics.ended(answer, after: manager.configuration.time.uptime - start)
            return answer
        }

        private func respond(method: String, target: String, headers: [(String, String)]) async -> Answer {
            guard method == "GET" || method == "HEAD" else {
                return Self.problem(405, "Only GET and HEAD are understood here.", [("Allow", "GET, HEAD")])
            }
            let target = Self.originForm(target)
            if let state = state(target) { return state }
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

        /// How the service is: `/health` is for whoever would start it again, `/ready` for whoever sends it requests.
        private func state(_ target: String) -> Answer? {
            func text(_ text: String, _ type: String = "text/plain", status: Int = 200) -> Answer {
                let headers = [("Content-Type", type), ("Cache-Control", "no-store")]
                return Answer(status: status, headers: headers, body: Array(text.utf8))
            }
            switch target {
            case "/health": return text("ok\n")
            case "/ready":
                if isDraining.load(ordering: .relaxed) { return text("draining\n", status: 503) }
                if metrics.counts.isCacheDegraded { return text("the folder of the cache cannot be used\n", status: 503) }
                return text("ok\n")
            case "/metrics" where configuration.showsMetrics:
                let shared = answers.shared.watches.map { (name: $0.name, counts: $0.counts) }
                return text(
                    MetricsText(metrics.counts, kept: answers.memory.kept, shared: shared).text, MetricsText.contentType)
            default: return nil
            }
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
            let (known, origin) = await answers.find(key)
            if let known, known.freshness.isFresh(at: manager.configuration.time.now) {
                return answer(known, to: address, choice, origin)
            }
            return try await room(for: address) { () throws(ImageError) in
                do throws(ImageError) {
                    let made = try await make(key, address, choice, last: known)
                    return answer(made.answer, to: address, choice, made.isShared ? .shared : .made)
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
