#if Server
    import GannetCore
    public import GannetFetch
    public import GannetImages
    import GannetPlatform
    import Synchronization
    import Tracing

    /// Responds to requests for thumbnails. It knows no sockets: any HTTP server can mount it, under any path or at the root.
    ///
    /// A stored response is sent again while its source allows it. Equal concurrent requests for a new one share the work.
    public final class ThumbnailService: Sendable {
        /// One request, as a server received it.
        public struct Request: Sendable {
            /// As in the request line.
            public var method: String
            /// Path and query, or the absolute form.
            public var target: String
            /// Names in any case, and values.
            public var headers: [(String, String)]
            /// `http` or `https`, as clients connect: for traces.
            public var scheme = "http"
            /// The address of the client; empty: unknown. For the client's share of ``Configuration/maximumRequests``.
            public var client = ""
            /// The connection is beyond the server's limit, and gets health checks and refusals alone.
            var isReserve = false

            /// `target`: not decoded, because signatures cover every byte.
            public init(method: String = "GET", target: String, headers: [(String, String)] = []) {
                (self.method, self.target, self.headers) = (method, target, headers)
            }

            init(
                method: String, target: String, headers: [(String, String)], scheme: String, isReserve: Bool
            ) {
                self.init(method: method, target: target, headers: headers)
                (self.scheme, self.isReserve) = (scheme, isReserve)
            }

            /// Several fields with one name form one list (RFC 9110 §5.3). `name` in lower case.
            func header(_ name: String) -> String? {
                var found: String?
                for (other, value) in headers where other.utf8.count == name.utf8.count && other.lowercased() == name {
                    found = found.map { $0 + ", " + value } ?? value
                }
                return found
            }
        }

        /// The response to one request.
        public struct Response: Sendable {
            /// Of HTTP.
            public var status: Int
            /// Names and values, without `Content-Length` and `Date`, which are the server's.
            public var headers: [(String, String)]
            /// Also for HEAD, whose response has its length.
            public var body: [UInt8] = []
            /// For the operator, not for clients: what failed.
            public var failure: String?
            /// Where it came from.
            package var origin = Origin.service
            /// The span of its request, if that is recorded.
            var trace: TraceContext?

            /// Where a response came from.
            package enum Origin: String, Hashable, Sendable {
                /// Stored responses.
                case memory, disk
                /// Responses of another replica.
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

        /// As given, or set later. A new value applies to requests that begin later, and not to running ones; the numbers
        /// ``Configuration/maximumRequests`` and ``Configuration/responseBytes`` keep their first values.
        public var configuration: Configuration {
            get { settings.configuration }
            set { current.withLock { $0 = Settings(newValue) } }
        }

        /// A configuration, and the targets that it has allowed: they end together, also for requests that are under way.
        final class Settings: Sendable {
            let configuration: Configuration
            let routes: RouteCache

            init(_ configuration: Configuration) {
                self.configuration = configuration
                routes = RouteCache(responseBytes: configuration.responseBytes)
            }
        }

        private let current: Mutex<Settings>
        var settings: Settings { current.withLock { $0 } }
        /// Loads the sources.
        public let manager: ImageManager
        /// By address, for hits on the connection's thread.
        let memory: MemoryResponseStore
        /// Of all replicas.
        let shared: SharedStores
        let purges: Purges?
        let work = JobTable<Never, LeasedRendering.Made>()
        let lookups = JobTable<Never, FoundResponse?>()
        /// Counts its requests.
        public let metrics: ServiceMetrics
        /// Makes spans of its requests; nil: there are none.
        let tracing: ServiceTracing?
        let traces: TraceExporter?
        private let isDraining = Atomic(false)
        /// Admission control for lookups outside of memory, and for rendering. They are separate, so that stored responses are sent while no new
        /// ones are admitted, and both are bounded.
        let looking: AdmissionControl
        let rendering: AdmissionControl
        let guarding: MemoryGuard?

        /// The HTTP cache policy for the service's manager: its thumbnails go to many users, and into shared caches.
        public static func policy(defaultLifetime: Duration) -> HTTPCachePolicy {
            HTTPCachePolicy(isShared: true, defaultLifetime: defaultLifetime, handsFreshnessOn: true)
        }

        /// Images of responses are files of the manager, in its disk cache, where it has one. `metrics` should be among the manager's observers.
        public convenience init(
            _ configuration: Configuration, manager: ImageManager, metrics: ServiceMetrics = ServiceMetrics()
        ) {
            self.init(configuration, manager: manager, metrics: metrics, tracing: nil)
        }

        /// `tracing` should be among the manager's observers, too.
        package init(_ configuration: Configuration, manager: ImageManager, metrics: ServiceMetrics, tracing: ServiceTracing?) {
            (self.metrics, self.tracing, traces) = (metrics, tracing, configuration.traces)
            current = Mutex(Settings(configuration))
            self.manager = manager
            memory = MemoryResponseStore(maximumBytes: configuration.responseBytes)
            (shared, purges) = (configuration.shared, configuration.purges)
            looking = AdmissionControl(maximum: configuration.maximumRequests)
            rendering = AdmissionControl(maximum: configuration.maximumRequests, memory: configuration.memory)
            guarding = configuration.memory
        }

        /// Makes the service not ready, while it continues to serve: load balancers then send their requests elsewhere.
        public func drain() { isDraining.store(true, ordering: .relaxed) }

        /// Refuses new responses while the memory is short, until the task is cancelled.
        package func guardMemory() async { await guarding?.run { [rendering] in (rendering.count, rendering.begun) } }

        /// Before the process ends: drops waiting writes to shared stores, and waits for running ones.
        package func finishSharing() async { await shared.finish() }

        /// The response, rendered if none is stored; a failure is a response too.
        public func respond(to request: Request) async -> Response {
            let start = manager.configuration.time.uptime
            // One configuration for the whole request, even if another is set meanwhile.
            let settings = settings
            metrics.begin()
            var response: Response
            if request.isReserve {
                response = await state(request.target, settings.configuration) ?? Self.tooManyConnections
            } else if let tracing, !["/health", "/ready", "/metrics"].contains(Self.originForm(request.target)) {
                response = await tracing.responding(request, settings.configuration.presets) {
                    await respond(to: request, settings)
                }
            } else {
                response = await respond(to: request, settings)
            }
            if settings.configuration.iiifBaseURL != nil, Self.originForm(request.target).hasPrefix(IIIFAddress.prefix),
                !response.headers.contains(where: { $0.0 == Self.anyOrigin.0 })
            {
                response.headers.append(Self.anyOrigin)
            }
            metrics.ended(response, after: manager.configuration.time.uptime - start)
            return response
        }

        /// The same without waiting; nil if neither memory nor the kernel's copy of the disk has it, or its address was not requested before.
        public func cachedResponse(to request: Request) -> Response? {
            guard request.method == "GET" || request.method == "HEAD", !request.isReserve else { return nil }
            let time = manager.configuration.time
            let start = time.uptime
            let traced = tracing.map { ($0, DefaultTracerClock.now) }
            let settings = settings
            guard let known = route(of: request, settings), let stored = atOnce(known), stored.isFresh else { return nil }
            metrics.begin()
            var response = conditional(
                response(stored.response, to: known.address, known.choice, stored.origin, settings.configuration), request)
            if let (tracing, start) = traced { tracing.note(&response, to: request, known.address, since: start) }
            metrics.ended(response, after: time.uptime - start)
            return response
        }

        private func respond(to request: Request, _ settings: Settings) async -> Response {
            if let response = await purge(request, settings.configuration) { return response }
            guard request.method == "GET" || request.method == "HEAD" else {
                return Self.problem(405, "Only GET and HEAD are understood here.", [("Allow", "GET, HEAD")])
            }
            let target = Self.originForm(request.target)
            guard target.utf8.count <= ThumbnailAddress.maximumLength else {
                // RFC 9112 §3 wants this status.
                return Self.problem(414, "The address is longer than \(ThumbnailAddress.maximumLength) bytes.", [])
            }
            let configuration = settings.configuration
            if let state = await state(target, configuration) { return state }
            do throws(ImageError) {
                if let known = route(of: request, settings), known.address.iiif == nil {
                    return conditional(try await image(known.address, known.choice, request, settings), request)
                }
                var address = try ThumbnailAddress(
                    target, presets: configuration.presets, sources: configuration.sources)
                address.options.usesLinearLight = configuration.usesLinearLight
                address.options.toneMapping = configuration.toneMapping
                if let place = address.iiif {
                    guard let base = configuration.iiifBaseURL else {
                        return Self.problem(404, "This service has no addresses of IIIF.", [])
                    }
                    return conditional(try await iiif(address, place, at: base, request, settings), request)
                }
                if configuration.readsClientHints {
                    ClientHints(request).apply(to: &address.options, maximumSide: configuration.maximumSide)
                }
                SaveData.apply(configuration.saveDataQuality, SaveData.isOn(request), to: &address)
                try configuration.policy.check(address, now: manager.configuration.time.now)
                try address.decrypt(with: configuration.sources)
                try check(address.options, configuration)
                return conditional(
                    address.isInfo
                        ? try await info(address, request, configuration, iiif: nil)
                        : try await image(address, request, settings), request)
            } catch { return Self.response(error) }
        }

        /// Where the request leads, if that was found out before and has not expired.
        private func route(of request: Request, _ settings: Settings) -> RouteCache.Route? {
            guard let known = settings.routes.find(routeKey(request, settings)) else { return nil }
            let now = manager.configuration.time.now.milliseconds / 1000
            return known.address.expires.map { now < $0 } ?? true ? known : nil
        }

        private func routeKey(_ request: Request, _ settings: Settings) -> RouteCache.Key {
            RouteCache.Key(
                target: request.target, accept: request.header("accept") ?? "*/*",
                hints: settings.configuration.readsClientHints ? ClientHints(request) : .none,
                savesData: settings.configuration.saveDataQuality != nil && SaveData.isOn(request))
        }

        private func conditional(_ response: Response, _ request: Request) -> Response {
            request.header("if-none-match").map { Self.conditional(response, on: $0) } ?? response
        }

        /// The path and query of a target. A proxy may send the absolute form; its scheme and host are ignored (RFC 9112 §3.2.2). Without
        /// a host, or with a user, it is not valid (RFC 9110 §4.2), and stays as it is: no address begins like that.
        static func originForm(_ target: String) -> String {
            let start = target.prefix(8).lowercased()
            guard let scheme = ["http://", "https://"].first(where: { start.hasPrefix($0) }) else { return target }
            let rest = target.dropFirst(scheme.count)
            let host = rest.prefix { !"/?#".contains($0) }
            guard let first = host.first, first != ":", HostHeader.isHost(String(host)) else { return target }
            let path = rest[host.endIndex...]
            return path.hasPrefix("/") ? String(path) : "/" + path
        }

        /// The state of the service: `/health` for a supervisor that restarts it, `/ready` for a load balancer.
        private func state(_ target: String, _ configuration: Configuration) async -> Response? {
            func text(_ text: String, _ type: String = "text/plain", status: Int = 200) -> Response {
                Self.text(text, type, status: status)
            }
            switch target {
            case "/health": return text("ok\n")
            case "/ready":
                if isDraining.load(ordering: .relaxed) { return text("draining\n", status: 503) }
                if metrics.counts.isCacheDegraded { return text("the folder of the cache cannot be used\n", status: 503) }
                return text("ok\n")
            case "/metrics" where configuration.showsMetrics:
                return text(
                    PrometheusText(metrics.counts, await statistics(configuration)).text, PrometheusText.contentType)
            default: return nil
            }
        }

        private func check(_ options: ProcessingOptions, _ configuration: Configuration) throws(ImageError) {
            let (width, height) = (options.pixelWidth, options.pixelHeight)
            let hasMinimum = options.minimumWidth != nil || options.minimumHeight != nil
            // The only boxes that are permitted may be longer than the limit.
            let isNamed =
                !hasMinimum && configuration.sizes.contains { $0.width == width && $0.height == height }
            let isAllowed = configuration.sizes.isEmpty || isNamed
            let least = options.leastSides
            let isPlain = isNamed && options.padding == ProcessingOptions.Padding()
            guard isAllowed, isPlain || max(least.width, least.height) <= configuration.maximumSide else {
                throw ImageError(.limitExceeded, stage: .resolve, "Thumbnails of this size are not made here.")
            }
            // Before the source is fetched, which has no part in it.
            if let format = options.format, !options.isRaw, !FormatChoice.canWrite(format, manager.configuration.coders) {
                throw ImageError(.misuse, stage: .resolve, "This service does not write \(format).")
            }
            if options.carriesMetadata, let format = options.format, !FormatChoice.keepsMetadata(format) {
                throw ImageError(.misuse, stage: .resolve, "Metadata can be kept in JPEG, PNG and WebP, and not in \(format).")
            }
        }

        func image(
            _ address: ThumbnailAddress, _ request: Request, _ settings: Settings
        ) async throws(ImageError) -> Response {
            let choice = FormatChoice(
                address.options, accept: request.header("accept") ?? "*/*",
                preferred: settings.configuration.preferredFormats, coders: manager.configuration.coders)
            return try await image(address, choice, request, settings)
        }

        private func image(
            _ address: ThumbnailAddress, _ choice: FormatChoice, _ request: Request, _ settings: Settings
        ) async throws(ImageError) -> Response {
            let parties = settings.configuration.parties(address, request)
            let (configuration, mark) = try await marked(address, settings.configuration, parties)
            let rendering = Rendering(address, choice, configuration, mark: mark)
            let response = try await current(rendering.key.scopes) { asksAgain throws(ImageError) in
                if !asksAgain { return try await image(rendering, parties) }
                var address = address
                address.asksAgain = true
                return try await image(Rendering(address, choice, configuration, mark: mark), parties)
            }
            // A failure leaves no route. Another image at the watermark's URL is another key.
            let known = routeKey(request, settings)
            if address.watermark == nil, settings.routes.find(known) == nil {
                settings.routes.store(
                    RouteCache.Route(address, choice, rendering.key, file: place(of: rendering)), for: known)
            }
            return response
        }

        /// With the freshness of what it was made of, which may have been purged meanwhile; nil for the fallback image.
        private func image(
            _ asked: Rendering, _ parties: [AdmissionControl.Party]
        ) async throws(ImageError) -> (value: Response, freshness: Freshness?) {
            var rendering = asked
            let (address, choice, configuration) = (asked.address, asked.choice, asked.configuration)
            let found = try await find(rendering, parties)
            if let found, found.isFresh {
                return (response(found.response, to: address, choice, found.origin, configuration), found.response.freshness)
            }
            rendering.last = found?.response
            return try await self.rendering.run(parties) { [rendering] priority throws(ImageError) in
                do throws(ImageError) {
                    let made = try await make(rendering, priority)
                    return (
                        response(made.response, to: address, choice, made.isShared ? .shared : .made, configuration),
                        made.response.freshness
                    )
                } catch {
                    return (try await fallback(for: rendering, instead: error, priority), nil)
                }
            }
        }
    }
#endif
