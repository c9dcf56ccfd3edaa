#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    public import GannetCore
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL

    /// The HTTP transport over AsyncHTTPClient: HTTP/1.1 with keep-alive, and HTTP/2 where the server offers it.
    ///
    /// Follows no redirects, undoes no compression, keeps no cookies. Deadlines cover the body; a body that ends too early
    /// throws. The reader pulls chunks. At most about 512 KiB wait for a slow reader, or 4 MiB over HTTP/2 if it reads the
    /// whole body into one array. Connections stay open until the transport is released, which waits for bodies that are still
    /// being read.
    public final class AsyncHTTPTransport: HTTPTransport {
        private let routes: WireRoutes
        private let tls: TLSConfiguration
        private let options: Options
        private let watch: DeadlineWatch
        /// Nil without an address policy.
        private let addresses: AddressBook?

        /// Settings of connections, not of requests.
        public struct Options: Hashable, Sendable {
            /// PEM files with certificate authorities to trust in addition to the system's.
            public var additionalTrustRoots: [String] = []
            /// False: HTTP/1.1 only.
            public var allowsHTTP2 = true
            /// Concurrent HTTP/1.1 connections to one host, default 1024. Download slots normally set the limit. If this number
            /// is smaller, waiting for a connection counts as connecting.
            public var maximumConnectionsPerHost = 1024
            /// Proxies between this machine and servers. Default: none; the environment is not read.
            public var proxies = Proxies.none
            /// Where connections may go. Default: nil, anywhere. With a policy, the transport resolves names itself, and secure
            /// hosts share no client: connections of the 32 hosts used last are kept.
            public var addressPolicy: AddressPolicy?
            /// Longest time for one connection attempt, TLS included, default 10 s. The attempt serves all requests to its host
            /// and continues after they end. A request that may wait longer starts another attempt.
            public var maximumConnectTime = Duration.seconds(10)
            /// How long an idle connection stays open, default 60 s.
            public var keepsIdleConnections = Duration.seconds(60)

            /// Options with the defaults that each property documents.
            public init() {}
        }

        /// Throws `unsupported` for a proxy credential that cannot be sent, `misuse` for a bad proxy port or host, and `io` or
        /// `tlsFailed` if an additional trust root cannot be read.
        public convenience init(options: Options = Options()) throws(ImageError) {
            try self.init(options: options, resolver: .system, keepsAddresses: .seconds(10))
        }

        /// - Parameter resolver: asked only with an address policy.
        /// - Parameter keepsAddresses: how long its answers are used.
        package init(options: Options, resolver: HostResolver, keepsAddresses: Duration) throws(ImageError) {
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
            // A refused connection fails at once; the retry strategy decides whether to try again.
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.connectionPool.idleTimeout = .milliseconds(options.keepsIdleConnections.wholeMilliseconds)
            // Load observers already make spans. A second span for each request would cost a tenth of a small one, even without
            // a listener.
            configuration.tracing.tracer = nil
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            watch = DeadlineWatch(loop: loop)
            addresses = options.addressPolicy.map {
                AddressBook($0, resolver: resolver, lifetime: keepsAddresses, loop: loop)
            }
            routes = try WireRoutes(
                configuration, proxies: options.proxies, connectionsPerHost: max(options.maximumConnectionsPerHost, 1),
                pinsAddresses: addresses != nil)
        }

        deinit {
            // Takes a moment on the event loops; the clients live until it is done.
            routes.shutDown()
        }

        public func send(_ request: GannetCore.HTTPRequest) async throws(ImageError) -> GannetCore.HTTPResponse {
            let began = NIODeadline.now()
            if let addresses { return try await send(request, began, checkedBy: addresses) }
            do throws(Failure) { return try await send(request, began, to: nil) } catch { throw error.error }
        }

        /// - Parameter address: nil lets the client resolve the host.
        private func send(
            _ request: GannetCore.HTTPRequest, _ began: NIODeadline, to address: HostAddress?
        ) async throws(Failure) -> GannetCore.HTTPResponse {
            var tries: [Failure.Kind: Int] = [:]
            while true {
                do throws(Failure) { return try await attempt(request, began, to: address) } catch {
                    let (kind, most) = Self.maximumTries(request, began, after: error)
                    guard tries[kind, default: 1] < most else { throw error }
                    tries[kind, default: 1] += 1
                }
            }
        }

        /// Tries the allowed addresses in turn until one accepts the connection. Each gets an equal part of the time that is left
        /// for connecting.
        private func send(
            _ request: GannetCore.HTTPRequest, _ began: NIODeadline, checkedBy book: AddressBook
        ) async throws(ImageError) -> GannetCore.HTTPResponse {
            try ImageError.checkCancellation(stage: .load)
            try request.checkLine()
            let url = Self.ascii(request.url)
            let isProxied = try routes.route(for: url).proxy != nil
            let limit = request.deadlines.connect
            let found = try await book.addresses(for: url, isProxied: isProxied, began: began, within: limit)
            let list = found?.map { Optional($0) } ?? [nil]
            for (index, address) in list.enumerated() {
                let isLast = index == list.count - 1
                var part = request
                if !isLast {
                    let spent = Duration.nanoseconds((NIODeadline.now() - began).nanoseconds)
                    let share = max(limit - spent, .zero) / (list.count - index)
                    part.deadlines.connect = spent + min(share, options.maximumConnectTime)
                }
                do throws(Failure) {
                    let response = try await send(part, began, to: address)
                    if index > 0, let address { book.prefer(address, for: url) }
                    return response
                } catch {
                    guard !isLast, error.isUnconnected else { throw error.error }
                }
            }
            preconditionFailure("the last address has been tried")
        }

        private struct Failure: Error {
            /// Counted separately: a server that is being replaced shows several kinds.
            enum Kind { case unprocessed, closed, closedWhileKept, slow, amongOthers, final }

            var error: ImageError
            /// See ``WireExchange/isUnsentAmongOthers``.
            var isUnsentAmongOthers = false
            /// No connection was made to the address.
            var isUnconnected = false
        }

        /// The most times a request may be sent after this kind of failure.
        private static func maximumTries(
            _ request: GannetCore.HTTPRequest, _ began: NIODeadline, after failure: Failure
        ) -> (Failure.Kind, Int) {
            switch failure.error.underlying {
            // The server did not process it. A server that is being replaced may answer so several times.
            case is WireGuards.Unprocessed: return (.unprocessed, 8)
            // The server closed a kept connection at this very moment: nothing was sent.
            case let closed as ChannelError where closed == .ioOnClosedChannel: return (.closed, 8)
            // As above, but the server may have received the request: safe only for GET and HEAD (RFC 9112 §9.3.1). Each retry
            // uses up one kept connection, and the last one is new. A server that closes without announcing it may leave many.
            case let closed as WireGuards.ClosedWhileKept:
                guard ["GET", "HEAD"].contains(request.method), request.body == nil else { return (.final, 1) }
                return (.closedWhileKept, closed.isShared ? 3 : 64)
            // The attempt to connect began for an earlier request, or its limit is shorter than this request's.
            case _? where failure.error.code == .timedOut:
                return (.slow, NIODeadline.now() < began + WireExchange.amount(request.deadlines.connect) ? .max : 1)
            // Each failed connection of other requests costs one try. A bad certificate stays bad.
            case let error? where [.connectionFailed, .network, .tlsFailed].contains(failure.error.code):
                return (.amongOthers, failure.isUnsentAmongOthers && !"\(error)".contains("CERTIFICATE") ? 16 : 1)
            default: return (.final, 1)
            }
        }

        private func attempt(
            _ request: GannetCore.HTTPRequest, _ began: NIODeadline, to address: HostAddress?
        ) async throws(Failure) -> GannetCore.HTTPResponse {
            let (exchange, route): (WireExchange, WireRoutes.Route)
            do throws(ImageError) { (exchange, route) = try begin(request, began, to: address) } catch {
                throw Failure(error: error)
            }
            let handle = WireHandle(exchange, of: self)
            let head: GannetCore.HTTPResponseHead
            do throws(ImageError) { head = try await exchange.head() } catch {
                throw Failure(
                    error: route.explained(error), isUnsentAmongOthers: exchange.isUnsentAmongOthers,
                    isUnconnected: [.connectionFailed, .timedOut].contains(error.code) && !exchange.isConnected)
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

        /// Separate, so that the client's message is released while the response is awaited.
        @inline(never) private func begin(
            _ request: GannetCore.HTTPRequest, _ began: NIODeadline, to address: HostAddress?
        ) throws(ImageError) -> (WireExchange, WireRoutes.Route) {
            try ImageError.checkCancellation(stage: .load)
            try request.checkLine()
            let url = Self.ascii(request.url)
            let route = try routes.route(for: url)
            let message: HTTPClient.Request
            do {
                var headers = NIOHTTP1.HTTPHeaders(request.headers.fields.map { ($0.name, $0.value) })
                headers.remove(name: WireGuards.target)
                // The client sends `/` instead of a path whose escapes are not UTF-8.
                if request.hasEscapes { headers.add(name: WireGuards.target, value: url.parts.target) }
                let connected = address.map { $0.place(in: url, &headers) } ?? route.address(for: url, &headers)
                message = try HTTPClient.Request(
                    url: connected, method: HTTPMethod(rawValue: request.method), headers: headers,
                    body: request.body.map { .whole($0) }, tlsConfiguration: request.trustsAnyCertificate ? trustingAll : nil)
            } catch {
                throw WireErrors.translate(error)
            }
            if let address, !address.isHost(of: message) {
                guard message.useTLS, let pinned = routes.pinned else {
                    throw ImageError(.misuse, stage: .load, "The request cannot be sent: its URL has no place for an address.")
                }
                return (pinned.use(message.host, at: address) { start(message, for: request, began, $0) }, route)
            }
            return (start(message, for: request, began, route.lanes.lane(for: message)), route)
        }

        private func start(
            _ message: HTTPClient.Request, for request: GannetCore.HTTPRequest, _ began: NIODeadline, _ lane: WireLanes.Lane
        ) -> WireExchange {
            let exchange = WireExchange(url: request.url, deadlines: request.deadlines, began: began, watch: watch, lane: lane)
            exchange.start(lane.client.execute(request: message, delegate: exchange))
            return exchange
        }

        private static func ascii(_ url: URL) -> URL { HostName.ascii(url.baseURL == nil ? url : url.absoluteURL) }

        /// Secure hosts that have a client of their own.
        package var pinnedHosts: Int { routes.pinned?.count ?? 0 }

        private var trustingAll: TLSConfiguration {
            var tls = tls
            tls.certificateVerification = .none
            return tls
        }
    }

    /// Ends the transfer when its stream is released.
    private final class WireHandle: Sendable {
        private let exchange: WireExchange
        /// Kept until the reader is done: releasing the transport closes all connections.
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
