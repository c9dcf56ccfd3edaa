#if HTTP
    import CGannetCURL
    public import GannetCore

    /// The HTTP transport over libcurl, the HTTP client of the platform: HTTP/1.1 with kept connections, HTTP/2 where the server
    /// offers it, HTTP/3 where the library has it and the options allow it. TLS is the system's, with its certificates.
    ///
    /// Follows no redirects, undoes no compression, keeps no cookies. Deadlines cover the body; a body that ends too early
    /// throws. The reader pulls: of a body that is longer than 1 MiB, at most 256 KiB, or twice what it waits for, wait for a slow one
    /// beside libcurl's own buffers, and the server is held back; over HTTP/2 and up to libcurl 8.3, which cannot, 64 MiB wait. All
    /// transfers run on one thread of the transport. Connections stay open until the transport is released, which waits for bodies
    /// that are still being read.
    public final class CURLTransport: HTTPTransport {
        private let options: Options
        private let loop: CURLLoop

        /// Settings of connections, not of requests.
        public struct Options: Hashable, Sendable {
            /// PEM files with certificate authorities to trust in addition to the system's.
            public var additionalTrustRoots: [String] = []
            /// Hosts whose public key has to be one of these: base64 of its SHA-256, after `sha256//`. The certificate is checked
            /// as well. Default: none.
            public var pinnedPublicKeys: [String: [String]] = [:]
            /// False: HTTP/1.1 only.
            public var allowsHTTP2 = true
            /// True: HTTP/3 is tried beside HTTP/2, if this machine's libcurl has it. Default false.
            public var allowsHTTP3 = false
            /// Concurrent connections to one host, default 1024. Download slots normally set the limit. If this number is
            /// smaller, waiting for a connection counts as connecting.
            public var maximumConnectionsPerHost = 1024
            /// Proxies between this machine and servers. Default: none; the environment is not read.
            public var proxies = Proxies.none
            /// Decides about each address before a connection to it is opened. Default: nil, anywhere is allowed.
            public var addressPolicy: AddressPolicy?
            /// How long an idle connection may be used again, default 60 s. It is closed when the next request finds it older.
            public var keepsIdleConnections = Duration.seconds(60)
            /// How long the addresses of a name are used for new connections.
            package var keepsNames = Duration.seconds(10)

            /// Options with the defaults that each property documents.
            public init() {}
        }

        /// Throws `unsupported` for a proxy credential that cannot be sent, `misuse` for a bad proxy or pinned key, `tlsFailed` if
        /// an additional trust root cannot be read, and `io` if the system has no thread left.
        public init(options: Options = Options()) throws(ImageError) {
            for proxy in options.proxies.all { try proxy.check() }
            var options = options
            options.pinnedPublicKeys = try CURLTarget.checked(options.pinnedPublicKeys)
            self.options = options
            loop = try CURLLoop(options, roots: try CURLRoots(additional: options.additionalTrustRoots))
        }

        deinit { loop.end() }

        /// From 8.14 on, libcurl itself refuses a response with a transfer coding that was not requested, also one of an invented
        /// name.
        package static let refusesInventedTransferCodings = gannet_curl_is_at_least(8, 14)

        /// Whether this machine's libcurl speaks HTTP/3.
        static let hasHTTP3 = gannet_curl_has_http3()

        public func send(_ request: HTTPRequest) async throws(ImageError) -> HTTPResponse {
            try ImageError.checkCancellation(stage: .load)
            try request.check()
            let target = try CURLTarget(request.url, options)
            var request = request
            if let host = target.hostField(of: request.url), !request.headers.contains("Host") {
                request.headers.add("Host", host)
            }
            let reader = Reader(CURLTransfer(request, to: target, on: loop), of: self)
            loop.start(reader.transfer)
            let (head, times) = try await reader.transfer.head()
            if head.status == 407, target.isAskedOfProxy { throw CURLFailure.proxyRefusal(nil) }
            let body = ByteStream { () async throws(ImageError) in
                try await reader.transfer.next()
            } into: { (bytes: inout [UInt8], patience: Int) async throws(ImageError) in
                try await reader.transfer.next(into: &bytes, patience)
            }
            var response = HTTPResponse(head: head, body: body)
            response.times = times
            return response
        }

        /// Ends the transfer when its stream is released.
        private final class Reader: Sendable {
            let transfer: CURLTransfer
            /// Kept until the reader is done: the thread lives as long.
            private let transport: CURLTransport

            init(_ transfer: CURLTransfer, of transport: CURLTransport) {
                self.transfer = transfer
                self.transport = transport
            }

            deinit { transfer.abandon() }
        }
    }
#endif
