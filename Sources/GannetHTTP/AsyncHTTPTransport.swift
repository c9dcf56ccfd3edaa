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
        private let lanes: WireLanes
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
            /// What stands between this machine and all servers; nil: nothing.
            public var proxy: Proxy?
            /// How long an idle connection is kept, default 60 s.
            public var keepsIdleConnections = Duration.seconds(60)

            public init() {}
        }

        /// A server that connections go through: by `CONNECT` for both schemes, or by SOCKS 5.
        public struct Proxy: Hashable, Sendable {
            public enum Kind: Hashable, Sendable { case http, socks }

            public var kind: Kind
            public var host: String
            /// 1 … 65535.
            public var port: Int
            /// Shown to HTTP proxies as `Proxy-Authorization`, and to no server: basic or bearer.
            public var credential: Credential?

            public init(kind: Kind = .http, host: String, port: Int, credential: Credential? = nil) {
                self.kind = kind
                self.host = host
                self.port = port
                self.credential = credential
            }
        }

        /// Throws `unsupported` for a proxy's credential that cannot be shown, `misuse` for its port, and `io` or `tlsFailed` if an additional trust root cannot be read.
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
            if let proxy = options.proxy { configuration.proxy = try Self.proxy(proxy) }
            // Spans are those of the load's observers: a second one for each request costs a tenth of a small one, even if nobody
            // is listening.
            configuration.tracing.tracer = nil
            WireGuards.install(in: &configuration)
            watch = DeadlineWatch(loop: MultiThreadedEventLoopGroup.singleton.next())
            lanes = WireLanes(configuration, connectionsPerHost: max(options.maximumConnectionsPerHost, 1))
        }

        private static func proxy(_ proxy: Proxy) throws(ImageError) -> HTTPClient.Configuration.Proxy {
            guard (1...65_535).contains(proxy.port) else {
                throw ImageError(.misuse, stage: .resolve, "There is no port \(proxy.port) for a proxy.")
            }
            return switch (proxy.kind, proxy.credential) {
            case (.socks, nil): .socksServer(host: proxy.host, port: proxy.port)
            case (.http, nil): .server(host: proxy.host, port: proxy.port)
            case (.http, .basic(let user, let password)):
                .server(host: proxy.host, port: proxy.port, authorization: .basic(username: user, password: password))
            case (.http, .bearer(let token)): .server(host: proxy.host, port: proxy.port, authorization: .bearer(tokens: token))
            case (.http, .digest), (.socks, _):
                throw ImageError(
                    .unsupported, stage: .resolve,
                    "HTTP proxies are shown a name and a password (basic) or a token (bearer), SOCKS proxies nothing.")
            }
        }

        deinit {
            // Needs a moment on the event loops; the clients live until it is done.
            lanes.shutDown()
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
            let exchange = try begin(request)
            let handle = WireHandle(exchange)
            let head = try await exchange.head()
            let body = ByteStream { () async throws(ImageError) in
                try await handle.next()
            } into: { (bytes: inout [UInt8], patience: Int) async throws(ImageError) in
                try await handle.next(into: &bytes, patience)
            }
            return GannetCore.HTTPResponse(head: head, body: body)
        }

        /// On its own, so that the client's message is not kept while the answer is waited for.
        @inline(never) private func begin(_ request: GannetCore.HTTPRequest) throws(ImageError) -> WireExchange {
            let message: HTTPClient.Request
            // The client would end the process.
            if let port = request.url.port, !(0...65_535).contains(port) {
                throw ImageError(.misuse, stage: .load, "The request cannot be sent: there is no port \(port).")
            }
            do {
                message = try HTTPClient.Request(
                    url: HostName.ascii(request.url.baseURL == nil ? request.url : request.url.absoluteURL),
                    method: HTTPMethod(rawValue: request.method),
                    headers: NIOHTTP1.HTTPHeaders(request.headers.fields.map { ($0.name, $0.value) }),
                    body: request.body.map { .bytes($0) }, tlsConfiguration: request.trustsAnyCertificate ? trustingAll : nil)
            } catch {
                throw WireErrors.translate(error)
            }
            let lane = lanes.lane(for: message)
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
