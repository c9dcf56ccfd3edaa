#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    public import GannetCore
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL

    /// The wire: AsyncHTTPClient, HTTP/1.1 with keep-alive and HTTP/2 where the server offers it.
    ///
    /// No redirects, no decompression, no cookies. Deadlines cover the body; a body that ends too early throws. Chunks are
    /// pulled: about 512 KiB wait for a slow reader, and 4 MiB over HTTP/2 for one who wants the whole body in one array. Connections
    /// are kept until the transport ends, which waits for bodies that are being read.
    public final class AsyncHTTPTransport: HTTPTransport {
        private let routes: WireRoutes
        private let tls: TLSConfiguration
        private let options: Options
        private let watch: DeadlineWatch

        /// What belongs to connections and not to requests.
        public struct Options: Hashable, Sendable {
            /// Files with certificates (PEM) of authorities that are trusted beside the system's.
            public var additionalTrustRoots: [String] = []
            /// Off: HTTP/1.1 only.
            public var allowsHTTP2 = true
            /// Connections to one host at once over HTTP/1.1, default 1024. Download slots are the usual bound; under a smaller number
            /// than theirs, waiting for a connection counts as connecting.
            public var maximumConnectionsPerHost = 1024
            /// What stands between this machine and servers. Default: nothing, whatever the environment says.
            public var proxies = Proxies.none
            /// How long one attempt to connect may take, TLS included, default 10 s. It serves all requests to its host, and goes on when
            /// they have gone; a request that may wait longer begins another one.
            public var maximumConnectTime = Duration.seconds(10)
            /// How long an idle connection is kept, default 60 s.
            public var keepsIdleConnections = Duration.seconds(60)

            /// See each property for what it begins with.
            public init() {}
        }

        /// Throws `unsupported` for a proxy's credential that cannot be shown, `misuse` for its port or host, and `io` or `tlsFailed` if an additional trust root cannot be read.
        public init(options: Options = Options()) throws(ImageError) {
            self.options = options
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            do {
                for path in options.additionalTrustRoots {
                    tls.additionalTrustRoots.append(.certificates(try NIOSSLCertificate.fromPEMFile(path)))
                }
            } catch {
                throw ImageError(error, code: .tlsFailed, stage: .load, "An additional trust root cannot be read.")
            }
            self.tls = tls
            var configuration = HTTPClient.Configuration(
                tlsConfiguration: tls, redirectConfiguration: .disallow,
                timeout: HTTPClient.Configuration.Timeout(
                    connect: WireExchange.amount(max(options.maximumConnectTime, .milliseconds(1))), read: nil),
                decompression: .disabled)
            configuration.httpVersion = options.allowsHTTP2 ? .automatic : .http1Only
            // A closed port is known at once; trying again is the retry strategy's business.
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.connectionPool.idleTimeout = .milliseconds(options.keepsIdleConnections.wholeMilliseconds)
            // Spans are those of the load's observers: a second one for each request costs a tenth of a small one, even if nobody
            // is listening.
            configuration.tracing.tracer = nil
            watch = DeadlineWatch(loop: MultiThreadedEventLoopGroup.singleton.next())
            routes = try WireRoutes(
                configuration, proxies: options.proxies, connectionsPerHost: max(options.maximumConnectionsPerHost, 1))
        }

        deinit {
            // Needs a moment on the event loops; the clients live until it is done.
            routes.shutDown()
        }

        public func send(_ request: GannetCore.HTTPRequest) async throws(ImageError) -> GannetCore.HTTPResponse {
            let began = NIODeadline.now()
            var tries: [Failure.Kind: Int] = [:]
            while true {
                do throws(Failure) { return try await attempt(request, began) } catch {
                    let (kind, most) = Self.maximumTries(request, began, after: error)
                    guard tries[kind, default: 1] < most else { throw error.error }
                    tries[kind, default: 1] += 1
                }
            }
        }

        private struct Failure: Error {
            /// Each is counted by itself: a server that is being replaced shows several.
            enum Kind { case unprocessed, closed, closedWhileKept, slow, amongOthers, final }

            var error: ImageError
            /// See ``WireExchange/isUnsentAmongOthers``.
            var isUnsentAmongOthers = false
        }

        /// How often a request may be sent in all that fails in this way.
        private static func maximumTries(
            _ request: GannetCore.HTTPRequest, _ began: NIODeadline, after failure: Failure
        ) -> (Failure.Kind, Int) {
            switch failure.error.underlying {
            // Nothing was done about it. A server that is being replaced may say so several times.
            case is WireGuards.Unprocessed: return (.unprocessed, 8)
            // A kept connection that the server closed at this very moment: nothing was sent.
            case let closed as ChannelError where closed == .ioOnClosedChannel: return (.closed, 8)
            // The same, and perhaps the server has it: safe for what asks only (RFC 9112 §9.3.1). Each time ends one of the kept
            // connections, and the last one is new: where a server keeps none although it says nothing of closing, there may be many.
            case let closed as WireGuards.ClosedWhileKept:
                guard ["GET", "HEAD"].contains(request.method), request.body == nil else { return (.final, 1) }
                return (.closedWhileKept, closed.isShared ? 3 : 64)
            // An attempt to connect that another request had begun before, or one that is shorter than this request is patient.
            case _? where failure.error.code == .timedOut:
                return (.slow, NIODeadline.now() < began + WireExchange.amount(request.deadlines.connect) ? .max : 1)
            // Each connection of others that cannot be made costs one. A certificate is no better the next time.
            case let error? where [.connectionFailed, .network, .tlsFailed].contains(failure.error.code):
                return (.amongOthers, failure.isUnsentAmongOthers && !"\(error)".contains("CERTIFICATE") ? 16 : 1)
            default: return (.final, 1)
            }
        }

        private func attempt(
            _ request: GannetCore.HTTPRequest, _ began: NIODeadline
        ) async throws(Failure) -> GannetCore.HTTPResponse {
            let (exchange, route): (WireExchange, WireRoutes.Route)
            do throws(ImageError) { (exchange, route) = try begin(request, began) } catch { throw Failure(error: error) }
            let handle = WireHandle(exchange, of: self)
            let head: GannetCore.HTTPResponseHead
            do throws(ImageError) { head = try await exchange.head() } catch {
                throw Failure(error: route.explained(error), isUnsentAmongOthers: exchange.isUnsentAmongOthers)
            }
            if route.isAskedForTargets, head.status == 407 {
                throw Failure(error: WireErrors.translate(HTTPClientError.proxyAuthenticationRequired))
            }
            let body = ByteStream { () async throws(ImageError) in
                try await handle.next()
            } into: { (bytes: inout [UInt8], patience: Int) async throws(ImageError) in
                try await handle.next(into: &bytes, patience)
            }
            return GannetCore.HTTPResponse(head: head, body: body)
        }

        /// On its own, so that the client's message is not kept while the answer is waited for.
        @inline(never) private func begin(
            _ request: GannetCore.HTTPRequest, _ began: NIODeadline
        ) throws(ImageError) -> (WireExchange, WireRoutes.Route) {
            try ImageError.checkCancellation(stage: .load)
            try request.checkLine()
            let url = HostName.ascii(request.url.baseURL == nil ? request.url : request.url.absoluteURL)
            let route = try routes.route(for: url)
            let message: HTTPClient.Request
            do {
                var headers = NIOHTTP1.HTTPHeaders(request.headers.fields.map { ($0.name, $0.value) })
                message = try HTTPClient.Request(
                    url: route.address(for: url, &headers), method: HTTPMethod(rawValue: request.method), headers: headers,
                    body: request.body.map { .whole($0) }, tlsConfiguration: request.trustsAnyCertificate ? trustingAll : nil)
            } catch {
                throw WireErrors.translate(error)
            }
            let lane = route.lanes.lane(for: message)
            let exchange = WireExchange(url: request.url, deadlines: request.deadlines, began: began, watch: watch, lane: lane)
            exchange.start(lane.client.execute(request: message, delegate: exchange))
            return (exchange, route)
        }

        private var trustingAll: TLSConfiguration {
            var tls = tls
            tls.certificateVerification = .none
            return tls
        }
    }

    /// Ends the transfer when nobody holds its stream any more.
    private final class WireHandle: Sendable {
        private let exchange: WireExchange
        /// Its end closes all connections: it lives as long as somebody reads.
        private let transport: AsyncHTTPTransport

        init(_ exchange: WireExchange, of transport: AsyncHTTPTransport) {
            self.exchange = exchange
            self.transport = transport
        }

        func next() async throws(ImageError) -> [UInt8]? { try await exchange.next() }
        func next(into bytes: inout [UInt8], _ patience: Int) async throws(ImageError) -> Bool {
            try await exchange.next(into: &bytes, patience)
        }

        deinit { exchange.abandon() }
    }
#endif
