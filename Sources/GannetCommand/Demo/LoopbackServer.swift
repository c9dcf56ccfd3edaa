#if CommandLine && Server
    import GannetCore
    import Glibc
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import Synchronization

    /// An HTTP/1.1 server on 127.0.0.1 that serves a fixed list of files and counts requests.
    struct LoopbackServer {
        private let channel: any Channel
        private let group: MultiThreadedEventLoopGroup
        private let counter: RequestCounter
        private let files: [ServedFile]
        let port: Int

        /// Serves `files[n]` as `/n`, fresh for an hour, from a port that the system chooses.
        static func start(files: [ServedFile]) async throws -> LoopbackServer {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let counter = RequestCounter()
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        try channel.pipeline.syncOperations.addHandler(FileHandler(files: files, counter: counter))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            return LoopbackServer(
                channel: channel, group: group, counter: counter, files: files, port: channel.localAddress?.port ?? 0)
        }

        /// Requests since the server was started.
        var requestCount: Int { counter.value }

        func url(_ index: Int) -> String { "http://127.0.0.1:\(port)/\(index)" }

        func path(_ index: Int) -> String { files[index].path }

        /// Bytes of file `index`.
        func bytes(_ index: Int) -> Int { files[index].bytes }

        func stop() async {
            try? await channel.close()
            try? await group.shutdownGracefully()
        }
    }

    struct ServedFile: Sendable {
        var path: String
        var mimeType: String
        var bytes: Int
    }

    private final class RequestCounter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .sequentiallyConsistent) }
        func add() { count.add(1, ordering: .sequentiallyConsistent) }
    }

    /// Lets the kernel copy from the file to the socket, so that the server costs the process no memory.
    private final class FileHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let files: [ServedFile]
        private let counter: RequestCounter
        private var head: HTTPRequestHead?

        init(files: [ServedFile], counter: RequestCounter) {
            self.files = files
            self.counter = counter
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = head
            case .body: break
            case .end:
                counter.add()
                if let head { answer(head, context) }
                head = nil
            }
        }

        private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
            guard request.method == .GET, let index = Int(request.uri.dropFirst()), files.indices.contains(index) else {
                return send(.notFound, [("content-length", "0")], nil, context)
            }
            let file = files[index]
            let descriptor = file.path.withPath { open($0, O_RDONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { return send(.notFound, [("content-length", "0")], nil, context) }
            let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
            let headers = [
                ("content-type", file.mimeType), ("content-length", String(file.bytes)), ("cache-control", "max-age=3600"),
                ("etag", "\"\(index)-\(file.bytes)\""),
            ]
            send(.ok, headers, FileRegion(fileHandle: handle, readerIndex: 0, endIndex: file.bytes), context)
        }

        private func send(
            _ status: HTTPResponseStatus, _ headers: [(String, String)], _ body: FileRegion?, _ context: ChannelHandlerContext
        ) {
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: HTTPHeaders(headers))
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if let body {
                let sent = context.eventLoop.makePromise(of: Void.self)
                let handle = body.fileHandle
                sent.futureResult.whenComplete { _ in try? handle.close() }
                context.write(wrapOutboundOut(.body(.fileRegion(body))), promise: sent)
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
#endif
