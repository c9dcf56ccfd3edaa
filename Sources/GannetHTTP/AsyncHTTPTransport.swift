#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    public import GannetCore
    import NIOCore
    import NIOHTTP1
    import NIOSSL

    /// The wire: AsyncHTTPClient, HTTP/1.1 with keep-alive and HTTP/2 where the server offers it.
    ///
    /// No redirects, no decompression, no cookies. Deadlines cover the body; a body that ends too early throws. Chunks are
    /// pulled: at most 256 KiB wait for a slow reader. Connections are kept until the transport ends.
    public final class AsyncHTTPTransport: HTTPTransport {
        private let client: HTTPClient
        private let tls: TLSConfiguration
        private let options: Options

        /// What belongs to connections and not to requests.
        public struct Options: Hashable, Sendable {
            /// Files with certificates (PEM) of authorities that are trusted beside the system's.
            public var additionalTrustRoots: [String] = []
            /// Off: HTTP/1.1 only.
            public var allowsHTTP2 = true
            /// Connections to one host at once over HTTP/1.1, default 32; download slots are the usual bound.
            public var maximumConnectionsPerHost = 32
            /// How long an idle connection is kept, default 60 s.
            public var keepsIdleConnections = Duration.seconds(60)

            public init() {}
        }

        /// Throws `io` or `tlsFailed` if an additional trust root cannot be read.
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
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(options.maximumConnectionsPerHost, 1)
            configuration.connectionPool.idleTimeout = .milliseconds(options.keepsIdleConnections.wholeMilliseconds)
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }

        deinit {
            // Needs a moment on the event loops; the client lives until it is done.
            client.shutdown { _ in }
        }

        public func send(_ request: GannetCore.HTTPRequest) async throws(ImageError) -> GannetCore.HTTPResponse {
            do throws(ImageError) { return try await attempt(request) } catch {
                // A kept connection that the server closed at this very moment: nothing was sent, so asking again is safe.
                guard error.underlying as? ChannelError == .ioOnClosedChannel else { throw error }
                return try await attempt(request)
            }
        }

        private func attempt(_ request: GannetCore.HTTPRequest) async throws(ImageError) -> GannetCore.HTTPResponse {
            try ImageError.checkCancellation(stage: .load)
            let message: HTTPClient.Request
            do {
                message = try HTTPClient.Request(
                    url: request.url.absoluteString, method: HTTPMethod(rawValue: request.method),
                    headers: NIOHTTP1.HTTPHeaders(request.headers.fields.map { ($0.name, $0.value) }),
                    body: request.body.map { .bytes($0) }, tlsConfiguration: request.trustsAnyCertificate ? trustingAll : nil)
            } catch {
                throw WireErrors.translate(error)
            }
            let exchange = WireExchange(url: request.url, deadlines: request.deadlines)
            let handle = WireHandle(exchange)
            exchange.start(client.execute(request: message, delegate: exchange))
            let head = try await exchange.head()
            return GannetCore.HTTPResponse(
                head: head, body: ByteStream { () async throws(ImageError) in try await handle.next() })
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

        deinit { exchange.abandon() }
    }
#endif
