#if CommandLine && HTTP
    import GannetCore
    import GannetFetch
    import GannetPlatform
    import Glibc
    import NIOCore
    import NIOExtras
    import NIOHTTP1
    import NIOPosix

    /// An HTTP/1.1 server for a ``ThumbnailService``.
    struct ThumbnailServer {
        /// What a server grants each connection.
        struct Limits: Sendable {
            /// From the opening of a connection, or its last response, to the next request; and for each piece of a response.
            var idle = Duration.seconds(60)
            /// From the first byte of a request to its last one.
            var request = Duration.seconds(10)
            /// Open at once. By default half of the descriptors that this process may have: the other half is for downloads and
            /// files, which must not fail when there are many clients.
            var connections = Self.halfOfTheDescriptors()

            private static func halfOfTheDescriptors() -> Int {
                var limit = rlimit()
                guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
                return max(min(Int(clamping: limit.rlim_cur) / 2, 4096), 1)
            }
        }

        private struct Connection: Sendable {
            var channel: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
            /// There is room for a word of how the service is.
            var isReserve: Bool

            /// The client's address, without its port.
            var client: String { channel.channel.remoteAddress?.ipAddress ?? "-" }
        }

        private let listener: NIOAsyncChannel<Connection, Never>
        private let service: ThumbnailService
        private let log: @Sendable (AccessLog.Entry) -> Void
        private let quiescing: ServerQuiescingHelper
        let port: Int

        /// Starts to listen; port 0 lets the system choose.
        static func start(
            _ service: ThumbnailService, host: String, port: Int, limits: Limits = Limits(),
            log: @escaping @Sendable (AccessLog.Entry) -> Void = { _ in }
        ) async throws -> ThumbnailServer {
            let (idle, request) = (TimeAmount(limits.idle), TimeAmount(limits.request))
            let room = ConnectionRoom(maximum: limits.connections)
            let quiescing = ServerQuiescingHelper(group: MultiThreadedEventLoopGroup.singleton)
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
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
                .bind(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard let place = room.enter(channel) else {
                            channel.close(promise: nil)
                            throw ChannelError.inputClosed
                        }
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(IdleStateHandler(allTimeout: idle))
                        try pipeline.addHandler(OrderlyClose(idle))
                        try pipeline.addHandler(RequestLines())
                        try pipeline.configureHTTPServerPipeline()
                        try pipeline.addHandler(RequestDeadline(idle: idle, request: request))
                        try pipeline.addHandler(RoomKeeper(room, place))
                        try pipeline.addHandler(LastAnswer())
                        let wrapped = try NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>(
                            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                        return Connection(channel: wrapped, isReserve: place.isReserve)
                    }
                }
            return ThumbnailServer(
                listener: listener, service: service, log: log, quiescing: quiescing,
                port: listener.channel.localAddress?.port ?? 0)
        }

        /// Accepts no more connections and requests; ``run(grace:)`` ends when the responses in progress have been sent.
        func stop() { quiescing.initiateShutdown(promise: nil) }

        /// Serves until ``stop()``, after which responses in progress have `grace` to finish, or until the task is cancelled,
        /// which cuts them off.
        func run(grace: Duration = .seconds(4)) async throws {
            try await listener.executeThenClose { connections in
                let (accepting, end) = AsyncStream.makeStream(of: Never.self)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        defer { end.finish() }
                        try await withThrowingDiscardingTaskGroup { group in
                            for try await connection in connections { group.addTask { await serve(connection) } }
                            end.finish()
                        }
                    }
                    group.addTask {
                        for await _ in accepting {}
                        try await Task.sleep(for: grace)
                        throw CancellationError()
                    }
                    try await group.next()
                    group.cancelAll()
                }
            }
        }

        /// Runs until the client is gone, which cancels its work; if the client only closed its side, ten seconds later.
        private func serve(_ connection: Connection) async {
            let (closed, end) = AsyncStream.makeStream(of: Never.self)
            connection.channel.channel.closeFuture.whenComplete { _ in end.finish() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await talk(connection) }
                group.addTask { for await _ in closed {} }
                await group.next()
                group.cancelAll()
            }
        }

        private func talk(_ connection: Connection) async {
            let channel = connection.channel.channel
            await withTaskCancellationHandler {
                try? await connection.channel.executeThenClose { inbound, outbound in
                    // A client that leaves or does not speak HTTP ends only its own connection.
                    try? await answerAll(connection, inbound, outbound)
                    // The responses are written, but not sent yet: ``OrderlyClose`` closes the connection when they are.
                    outbound.finish()
                    try await channel.closeFuture.get()
                }
            } onCancel: {
                channel.close(promise: nil)
            }
        }

        /// ``LastAnswer`` drops everything after the last response.
        private func answerAll(
            _ connection: Connection, _ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>,
            _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
        ) async throws {
            var head: HTTPRequestHead?
            for try await part in inbound {
                switch part {
                case .head(let received):
                    head = received
                    guard Self.isAnsweredAtOnce(received) else { continue }
                    head = nil
                    try await answer(received, connection, outbound, closes: true)
                case .body: continue
                case .end:
                    guard let request = head else { continue }
                    head = nil
                    try await answer(
                        request, connection, outbound, closes: connection.isReserve || Self.asksForAnotherProtocol(request))
                }
            }
        }

        /// True if the body cannot change the response, or if the client waits for a response before it sends the body (RFC 9110
        /// §10.1.1).
        private static func isAnsweredAtOnce(_ head: HTTPRequestHead) -> Bool {
            !HostField.isRight(in: head) || head.headers.contains(name: "Expect") || ![.GET, .HEAD].contains(head.method)
                || hasBody(head)
        }

        /// The decoder reads nothing behind such a request: what follows would be the other protocol's, if this server spoke it.
        private static func asksForAnotherProtocol(_ head: HTTPRequestHead) -> Bool { head.headers.contains(name: "Upgrade") }

        /// No answer depends on one, and what two servers understand differently is where a body ends.
        private static func hasBody(_ head: HTTPRequestHead) -> Bool {
            head.headers.contains(name: "Transfer-Encoding") || head.headers["Content-Length"].contains { Int($0) != 0 }
        }

        private func answer(
            _ request: HTTPRequestHead, _ connection: Connection,
            _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>, closes: Bool
        ) async throws {
            let time = SystemTimeSource()
            let start = time.uptime
            let answer =
                !HostField.isRight(in: request)
                ? ThumbnailService.problem(400, "A request names one host, as in Host: example.org:8080.", [])
                : await service.answer(
                    method: request.method.rawValue, target: request.uri, headers: request.headers.map { ($0.name, $0.value) },
                    isReserve: connection.isReserve)
            var headers = NIOHTTP1.HTTPHeaders(answer.headers)
            // Without `Date`, caches in front of the server cannot compute the response's age (RFC 9110 §6.6.1).
            headers.add(name: "Date", value: HTTPDate.format(time.now))
            if answer.status != 304 { headers.add(name: "Content-Length", value: String(answer.body.count)) }
            if closes || !request.isKeepAlive {
                headers.add(name: "Connection", value: "close")
            } else if request.version == .http1_0 {
                headers.add(name: "Connection", value: "keep-alive")
            }
            let status = HTTPResponseStatus(statusCode: answer.status)
            try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
            if request.method != .HEAD, !answer.body.isEmpty {
                // In pieces: each piece sent shows that a slow reader is alive.
                var rest = ByteBuffer(bytes: answer.body)
                while let piece = rest.readSlice(length: min(rest.readableBytes, 64 << 10)), piece.readableBytes > 0 {
                    try await outbound.write(.body(.byteBuffer(piece)))
                }
            }
            try await outbound.write(.end(nil))
            log(
                AccessLog.Entry(
                    time: time.now, client: connection.client, method: request.method.rawValue, target: request.uri,
                    version: "\(request.version.major).\(request.version.minor)",
                    agent: request.headers["User-Agent"].first ?? "-",
                    answer: answer, duration: time.uptime - start))
        }
    }
#endif
