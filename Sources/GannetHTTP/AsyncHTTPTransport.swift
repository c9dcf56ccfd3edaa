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
    /// pulled: at most 256 KiB wait for a slow reader. Connections are kept until the transport ends.
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
            /// Connections to one host at once over HTTP/1.1, default 32; download slots are the usual bound.
            public var maximumConnectionsPerHost = 32
            /// What stands between this machine and servers. Default: nothing, whatever the environment says.
            public var proxies = Proxies.none
            /// How long an idle connection is kept, default 60 s.
            public var keepsIdleConnections = Duration.seconds(60)

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
                timeout: HTTPClient.Configuration.Timeout(connect: .hours(1), read: nil), decompression: .disabled)
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
            let began = ContinuousClock.now
            let total = request.deadlines.total
            var request = request
            var tries = 1
            while true {
                do throws(ImageError) { return try await attempt(request) } catch {
                    guard tries < 3, Self.mayRepeat(request, after: error) else { throw error }
                    tries += 1
                    request.deadlines.total = total - (ContinuousClock.now - began)
                }
            }
        }

        /// After a kept connection that the server closed at this very moment: if nothing was sent, or if it asks only (RFC 9112 §9.3.1).
        private static func mayRepeat(_ request: GannetCore.HTTPRequest, after error: ImageError) -> Bool {
            if error.underlying as? ChannelError == .ioOnClosedChannel { return true }
            let asksOnly = ["GET", "HEAD"].contains(request.method) && request.body == nil
            return asksOnly && error.underlying is WireGuards.ClosedWhileKept
        }

        private func attempt(_ request: GannetCore.HTTPRequest) async throws(ImageError) -> GannetCore.HTTPResponse {
            try ImageError.checkCancellation(stage: .load)
            let url = HostName.ascii(request.url.baseURL == nil ? request.url : request.url.absoluteURL)
            let route = try routes.route(for: url)
            let exchange = try begin(request, url, route)
            let handle = WireHandle(exchange)
            let head: GannetCore.HTTPResponseHead
            do throws(ImageError) { head = try await exchange.head() } catch { throw route.explained(error) }
            if route.isAskedForTargets, head.status == 407 {
                throw WireErrors.translate(HTTPClientError.proxyAuthenticationRequired)
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
            _ request: GannetCore.HTTPRequest, _ url: URL, _ route: WireRoutes.Route
        ) throws(ImageError) -> WireExchange {
            let message: HTTPClient.Request
            // The client would end the process.
            if let port = request.url.port, !(0...65_535).contains(port) {
                throw ImageError(.misuse, stage: .load, "The request cannot be sent: there is no port \(port).")
            }
            do {
                var headers = NIOHTTP1.HTTPHeaders(request.headers.fields.map { ($0.name, $0.value) })
                message = try HTTPClient.Request(
                    url: route.address(for: url, &headers), method: HTTPMethod(rawValue: request.method), headers: headers,
                    body: request.body.map { .bytes($0) }, tlsConfiguration: request.trustsAnyCertificate ? trustingAll : nil)
            } catch {
                throw WireErrors.translate(error)
            }
            let lane = route.lanes.lane(for: message)
            let exchange = WireExchange(url: request.url, deadlines: request.deadlines, watch: watch, lane: lane)
            exchange.start(lane.client.execute(request: message, delegate: exchange))
            return exchange
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

        init(_ exchange: WireExchange) { self.exchange = exchange }

        func next() async throws(ImageError) -> [UInt8]? { try await exchange.next() }
        func next(into bytes: inout [UInt8], _ patience: Int) async throws(ImageError) -> Bool {
            try await exchange.next(into: &bytes, patience)
        }

        deinit { exchange.abandon() }
    }
#endif
