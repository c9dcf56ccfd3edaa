#if Server
    import GannetPlatform
    import Glibc
    import NIOCore
    import NIOExtras
    import NIOPosix

    /// An HTTP server for a ``ThumbnailService``, for programs that have none.
    public final class ThumbnailServer: Sendable {
        /// The limits of each connection, and of their number.
        public struct Limits: Sendable {
            /// From the opening of a connection, or its last response, to the next request; and for each piece of a response.
            public var idle = Duration.seconds(60)
            /// From the first byte of a request to its last one.
            public var request = Duration.seconds(10)
            /// Open at once. By default half of the descriptors that this process may have: the other half is for downloads and
            /// files, which must not fail when there are many clients.
            public var connections = Self.halfOfTheDescriptors()

            /// The defaults that each property documents.
            public init() {}

            package init(idle: Duration, request: Duration = .seconds(10)) { (self.idle, self.request) = (idle, request) }

            private static func halfOfTheDescriptors() -> Int {
                var limit = rlimit()
                guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
                return max(min(Int(clamping: limit.rlim_cur) / 2, 4096), 1)
            }
        }

        private let listener: any Channel
        private let room: ConnectionRoom
        private let quiescing: ServerQuiescingHelper
        /// ``stop()`` was called.
        private let stopping: EventLoopPromise<Void>
        /// All connections are closed after that.
        private let ended: EventLoopPromise<Void>
        /// The one that the system chose, where none was given.
        public let port: Int

        private init(
            _ listener: any Channel, _ room: ConnectionRoom, _ quiescing: ServerQuiescingHelper
        ) {
            (self.listener, self.room, self.quiescing) = (listener, room, quiescing)
            stopping = listener.eventLoop.makePromise()
            ended = listener.eventLoop.makePromise()
            port = listener.localAddress?.port ?? 0
        }

        /// Where a server listens.
        public enum Address: Sendable {
            /// Port 0 lets the system choose.
            case host(String, port: Int)
            /// A socket in the file system; one that an earlier process left is replaced.
            case unixSocket(String)
            /// A socket that listens already, of TCP or of the file system; the server closes it. It is somebody else's to remove.
            case listening(CInt)
        }

        /// Starts to listen and to answer; ``run(grace:)`` waits for the end. With a certificate it speaks HTTP/2 and HTTP/1.1 over TLS,
        /// else HTTP/1.1 as it is. `log` is called for each answer that was written.
        public static func start(
            _ service: ThumbnailService, at address: Address, limits: Limits = Limits(), certificate: ServerCertificate? = nil,
            log: (@Sendable (AccessLog.Entry) -> Void)? = nil
        ) async throws -> ThumbnailServer {
            let connections = ConnectionPipeline(service: service, limits: limits, certificate: certificate, log: log)
            let room = ConnectionRoom(maximum: limits.connections)
            let quiescing = ServerQuiescingHelper(group: MultiThreadedEventLoopGroup.singleton)
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                // Where the queue is full, a client tries again after a second; in a longer one health checks would wait.
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                // All that is read at once is parsed, and kept until its turn: of a pipeline of small requests thirty times its bytes.
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                    }
                }
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        // The channel is closed where this throws.
                        guard let place = room.enter(channel) else { throw ChannelError.inputClosed }
                        try connections.configure(channel, ConnectionUse(room, place))
                    }
                }
            let listener =
                switch address {
                case .host(let host, let port): try await bootstrap.bind(host: host, port: port).get()
                case .unixSocket(let path):
                    try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
                case .listening(let descriptor): try await bootstrap.withBoundSocket(descriptor).get()
                }
            return ThumbnailServer(listener, room, quiescing)
        }

        /// Accepts no more connections and requests; ``run(grace:)`` ends when the responses in progress have been sent.
        public func stop() {
            listener.eventLoop.execute { [self] in
                quiescing.initiateShutdown(promise: ended)
                stopping.succeed()
            }
        }

        /// Waits until ``stop()``, after which responses in progress have `grace` to finish, or until the task is cancelled, which
        /// cuts them off.
        public func run(grace: Duration = .seconds(4)) async throws {
            try await withTaskCancellationHandler {
                try await stopping.futureResult.get()
                let cut = listener.eventLoop.scheduleTask(in: TimeAmount(grace)) { [room] in room.closeAll() }
                try await ended.futureResult.get()
                cut.cancel()
            } onCancel: {
                stop()
                room.closeAll()
            }
        }

        deinit {
            // Nobody waits for them any more.
            stopping.succeed()
            ended.succeed()
        }
    }
#endif
