#if Server
    import GannetCore
    import GannetPlatform
    import Glibc
    import NIOCore
    import NIOExtras
    import NIOPosix

    /// An HTTP server for a ``ThumbnailService``, for programs that have none.
    package final class ThumbnailServer: Sendable {
        /// The limits of each connection, and of their number.
        package struct Limits: Sendable {
            /// From the opening of a connection, or its last response, to the next request; and for each piece of a response.
            package var idle = Duration.seconds(60)
            /// From the first byte of a request to its last one.
            package var request = Duration.seconds(10)
            /// Open at once. By default half of the descriptors that this process may have. The other half is for downloads and files, which must
            /// not fail when there are many clients.
            package var connections = Self.halfOfTheDescriptors()
            /// Memory for responses that clients have not read yet, in bytes; a body counts once for all of its readers. When it is used up,
            /// clients that read less than 32 KiB a second are closed, and where there are none, large responses are refused with 503.
            package var unreadBytes = 128 << 20

            /// The defaults that each property documents.
            package init() {}

            package init(idle: Duration, request: Duration = .seconds(10)) { (self.idle, self.request) = (idle, request) }

            private static func halfOfTheDescriptors() -> Int {
                var limit = rlimit()
                guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
                return max(min(Int(clamping: limit.rlim_cur) / 2, 4096), 1)
            }
        }

        private let listener: any Channel
        private let limiter: ConnectionLimiter
        private let quiescing: ServerQuiescingHelper
        /// Succeeds when ``stop()`` is called.
        private let stopping: EventLoopPromise<Void>
        /// Succeeds when all connections are closed.
        private let ended: EventLoopPromise<Void>
        /// The port; the system's choice if none was given.
        package let port: Int

        private init(
            _ listener: any Channel, _ limiter: ConnectionLimiter, _ quiescing: ServerQuiescingHelper
        ) {
            (self.listener, self.limiter, self.quiescing) = (listener, limiter, quiescing)
            stopping = listener.eventLoop.makePromise()
            ended = listener.eventLoop.makePromise()
            port = listener.localAddress?.port ?? 0
        }

        /// Where a server listens.
        package enum Address: Sendable {
            /// Port 0 lets the system choose.
            case host(String, port: Int)
            /// A socket in the file system; one that an earlier process left is replaced.
            case unixSocket(String)
            /// A socket that listens already, of TCP or of the file system. The server closes it; the caller removes it.
            case listening(CInt)
        }

        /// The proxies before the server, and access to its socket.
        package struct Front: Sendable {
            package var proxies = TrustedProxies()
            /// Of a socket in the file system.
            package var access = SocketAccess()

            package init() {}
        }

        /// Starts to listen and to serve; ``run(grace:)`` waits for the end. With a certificate it speaks HTTP/2 and HTTP/1.1 over TLS,
        /// otherwise plain HTTP/1.1. `log` is called for each response that was written.
        package static func start(
            _ service: ThumbnailService, at address: Address, limits: Limits = Limits(), certificate: ServerCertificate? = nil,
            log: (@Sendable (AccessLog.Entry) -> Void)? = nil
        ) async throws -> ThumbnailServer {
            try await start(service, at: address, limits: limits, certificate: certificate, front: Front(), log: log)
        }

        package static func start(
            _ service: ThumbnailService, at address: Address, limits: Limits, certificate: ServerCertificate?, front: Front,
            log: (@Sendable (AccessLog.Entry) -> Void)?
        ) async throws -> ThumbnailServer {
            let server = ServerEnvironment(
                service: service, sendBuffers: SendBufferLimiter(maximum: limits.unreadBytes),
                scheme: certificate == nil ? "http" : "https",
                proxies: front.proxies, log: log)
            let connections = ConnectionPipeline(server: server, limits: limits, certificate: certificate)
            let limiter = ConnectionLimiter(maximum: limits.connections)
            let quiescing = ServerQuiescingHelper(group: MultiThreadedEventLoopGroup.singleton)
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                // If the queue is full, a client tries again after a second. In a longer queue health checks would wait.
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                // All bytes of one read are parsed and kept until their turn. Pipelined small requests take thirty times their bytes.
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                        try pipeline.addHandler(AcceptGate(limiter))
                    }
                }
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        // A socket in the file system lacks this option, and has a fixed buffer.
                        try? channel.syncOptions?.setOption(.tcpOption(.unsentBytes), value: Self.unsentInSystem)
                        try connections.configure(channel, limiter.enter(channel))
                    }
                }
            let listener: any Channel
            switch address {
            case .host(let host, let port): listener = try await bootstrap.bind(host: host, port: port).get()
            case .unixSocket(let path):
                listener = try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
                do throws(ImageError) { try front.access.apply(to: path) } catch {
                    try? await listener.close()
                    throw error
                }
            case .listening(let descriptor): listener = try await bootstrap.withBoundSocket(descriptor).get()
            }
            return ThumbnailServer(listener, limiter, quiescing)
        }

        /// The unsent bytes of each connection that the system keeps. By default the only limit is the send buffer, which grows to megabytes.
        private static let unsentInSystem = 32 << 10

        /// Accepts no more connections and requests; ``run(grace:)`` ends when the responses in progress have been sent.
        package func stop() {
            listener.eventLoop.execute { [self] in
                quiescing.initiateShutdown(promise: ended)
                stopping.succeed()
            }
        }

        /// Waits until ``stop()``, after which responses in progress have `grace` to finish, or until the task is cancelled, which
        /// cuts them off.
        package func run(grace: Duration = .seconds(4)) async throws {
            try await withTaskCancellationHandler {
                try await stopping.futureResult.get()
                let cut = listener.eventLoop.scheduleTask(in: TimeAmount(grace)) { [limiter] in limiter.closeAll() }
                try await ended.futureResult.get()
                cut.cancel()
            } onCancel: {
                stop()
                limiter.closeAll()
            }
        }

        deinit {
            // Promises must be completed.
            stopping.succeed()
            ended.succeed()
        }
    }

    extension NIOBSDSocket.Option {
        /// `TCP_NOTSENT_LOWAT` (tcp(7)).
        fileprivate static var unsentBytes: NIOBSDSocket.Option { NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT) }
    }
#endif
