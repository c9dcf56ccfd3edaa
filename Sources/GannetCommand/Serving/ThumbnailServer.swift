#if CommandLine && HTTP
    import NIOCore
    import NIOHTTP1
    import NIOPosix

    /// HTTP/1.1 around a ``ThumbnailService``.
    struct ThumbnailServer {
        private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

        private let listener: NIOAsyncChannel<Connection, Never>
        private let service: ThumbnailService
        private let log: @Sendable (String) -> Void
        let port: Int

        /// Listens; port 0 lets the system choose. Connections that send nothing for `idle` are closed.
        static func start(
            _ service: ThumbnailService, host: String, port: Int, idle: Duration = .seconds(60),
            log: @escaping @Sendable (String) -> Void = { _ in }
        ) async throws -> ThumbnailServer {
            let idle = TimeAmount.seconds(idle.components.seconds)
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(IdleStateHandler(allTimeout: idle))
                        try channel.pipeline.syncOperations.addHandler(IdleCloser())
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
            return ThumbnailServer(
                listener: listener, service: service, log: log, port: listener.channel.localAddress?.port ?? 0)
        }

        /// Serves until the task is cancelled; answers that are under way are cut off then.
        func run() async throws {
            try await listener.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections { group.addTask { await serve(connection) } }
                }
            }
        }

        /// Until the client has gone: what is being made for him ends then.
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
            // A client that goes away or speaks no HTTP ends its own connection, and nothing else.
            try? await connection.executeThenClose { inbound, outbound in
                var head: HTTPRequestHead?
                for try await part in inbound {
                    switch part {
                    case .head(let received): head = received
                    case .body: continue
                    case .end:
                        guard let request = head else { return }
                        head = nil
                        try await answer(request, outbound)
                        if !request.isKeepAlive { return }
                    }
                }
            }
        }

        private func answer(
            _ request: HTTPRequestHead, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
        ) async throws {
            let answer = await service.answer(
                method: request.method.rawValue, target: request.uri, headers: request.headers.map { ($0.name, $0.value) })
            var headers = HTTPHeaders(answer.headers)
            if answer.status != 304 { headers.add(name: "Content-Length", value: String(answer.body.count)) }
            if !request.isKeepAlive { headers.add(name: "Connection", value: "close") }
            let status = HTTPResponseStatus(statusCode: answer.status)
            try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
            if request.method != .HEAD, !answer.body.isEmpty {
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: answer.body))))
            }
            try await outbound.write(.end(nil))
            log("\(answer.status) \(request.method.rawValue) \(request.uri) \(answer.body.count)")
        }
    }

    private final class IdleCloser: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is IdleStateHandler.IdleStateEvent {
                context.close(promise: nil)
            } else {
                context.fireUserInboundEventTriggered(event)
            }
        }
    }
#endif
