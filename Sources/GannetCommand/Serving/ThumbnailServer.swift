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
        private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

        private let listener: NIOAsyncChannel<Connection, Never>
        private let service: ThumbnailService
        private let log: @Sendable (String) -> Void
        private let maximumConnections: Int
        private let quiescing: ServerQuiescingHelper
        let port: Int

        /// Starts to listen; port 0 lets the system choose. Closes connections that are idle for `idle` unless a response is
        /// being produced, and connections whose next request has not arrived completely by then. While `maximumConnections` are
        /// open, new ones wait.
        static func start(
            _ service: ThumbnailService, host: String, port: Int, idle: Duration = .seconds(60),
            maximumConnections: Int = halfOfTheDescriptors(), log: @escaping @Sendable (String) -> Void = { _ in }
        ) async throws -> ThumbnailServer {
            let idle = TimeAmount(idle)
            let quiescing = ServerQuiescingHelper(group: MultiThreadedEventLoopGroup.singleton)
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                    }
                }
                .bind(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(IdleStateHandler(allTimeout: idle))
                        try channel.pipeline.syncOperations.addHandler(OrderlyClose(idle))
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        try channel.pipeline.syncOperations.addHandler(RequestDeadline(idle))
                        try channel.pipeline.syncOperations.addHandler(LastAnswer())
                        return try Connection(
                            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                    }
                }
            return ThumbnailServer(
                listener: listener, service: service, log: log, maximumConnections: maximumConnections, quiescing: quiescing,
                port: listener.channel.localAddress?.port ?? 0)
        }

        /// The other half is for downloads and files, which must not fail when there are many clients.
        private static func halfOfTheDescriptors() -> Int {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
            return max(min(Int(clamping: limit.rlim_cur) / 2, 4096), 1)
        }

        /// Accepts no more connections and requests; ``run(grace:)`` ends when the responses in progress have been sent.
        func stop() { quiescing.initiateShutdown(promise: nil) }

        /// Serves until ``stop()``, after which responses in progress have `grace` to finish, or until the task is cancelled,
        /// which cuts them off.
        func run(grace: Duration = .seconds(4)) async throws {
            try await listener.executeThenClose { connections in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    var count = 0
                    for try await connection in connections {
                        if count == maximumConnections {
                            try await group.next()
                            count -= 1
                        }
                        count += 1
                        group.addTask { await serve(connection) }
                    }
                    group.addTask {
                        try await Task.sleep(for: grace)
                        throw CancellationError()
                    }
                    for _ in 0..<count { try await group.next() }
                    group.cancelAll()
                }
            }
        }

        /// Runs until the client is gone, which cancels its work; if the client only closed its side, ten seconds later.
        private func serve(_ connection: Connection) async {
            let (closed, end) = AsyncStream.makeStream(of: Never.self)
            connection.channel.closeFuture.whenComplete { _ in end.finish() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await talk(connection) }
                group.addTask { for await _ in closed {} }
                await group.next()
                group.cancelAll()
            }
        }

        private func talk(_ connection: Connection) async {
            let channel = connection.channel
            await withTaskCancellationHandler {
                try? await connection.executeThenClose { inbound, outbound in
                    // A client that leaves or does not speak HTTP ends only its own connection.
                    try? await answerAll(inbound, outbound)
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
            _ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>,
            _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
        ) async throws {
            var head: HTTPRequestHead?
            for try await part in inbound {
                switch part {
                case .head(let received):
                    head = received
                    guard Self.isAnsweredAtOnce(received) else { continue }
                    head = nil
                    try await answer(received, outbound, closes: true)
                case .body: continue
                case .end:
                    guard let request = head else { continue }
                    head = nil
                    try await answer(request, outbound)
                }
            }
        }

        /// True if the body cannot change the response, or if the client waits for a response before it sends the body (RFC 9110
        /// §10.1.1).
        private static func isAnsweredAtOnce(_ head: HTTPRequestHead) -> Bool {
            !HostField.isRight(in: head) || head.headers.contains(name: "Expect") || ![.GET, .HEAD].contains(head.method)
                || hasDoubtfulEnd(head)
        }

        /// HTTP/1.0 has no chunked coding, so bytes after such a body may still belong to it (RFC 9112 §6.1).
        private static func hasDoubtfulEnd(_ head: HTTPRequestHead) -> Bool {
            head.version != .http1_1 && head.headers.contains(name: "Transfer-Encoding")
        }

        private func answer(
            _ request: HTTPRequestHead, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>, closes: Bool = false
        ) async throws {
            let answer =
                !HostField.isRight(in: request)
                ? ThumbnailService.problem(400, "A request names one host, as in Host: example.org:8080.", [])
                : await service.answer(
                    method: request.method.rawValue, target: request.uri, headers: request.headers.map { ($0.name, $0.value) })
            var headers = NIOHTTP1.HTTPHeaders(answer.headers)
            // Without `Date`, caches in front of the server cannot compute the response's age (RFC 9110 §6.6.1).
            headers.add(name: "Date", value: HTTPDate.format(SystemTimeSource().now))
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
            log("\(answer.status) \(request.method.rawValue) \(request.uri) \(answer.body.count)")
        }
    }
#endif
