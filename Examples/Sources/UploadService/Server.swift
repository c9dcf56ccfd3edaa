import NIOCore
import NIOHTTP1
import NIOPosix

/// HTTP/1.1 around `Uploads`: the body of a POST is an image, and the answer is its thumbnail.
struct Server: Sendable {
    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let uploads: Uploads

    /// Serves until the task is cancelled.
    func run(host: String, port: Int) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        try await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections { group.addTask { await serve(connection) } }
            }
        }
    }

    private func serve(_ connection: Connection) async {
        // A client that goes away ends its own connection, and nothing else.
        try? await connection.executeThenClose { inbound, outbound in try await answerAll(inbound, outbound) }
    }

    private func answerAll(
        _ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        var head: HTTPRequestHead?
        var upload = ByteBuffer()
        for try await part in inbound {
            switch part {
            case .head(let received):
                head = received
                upload.clear()
            case .body(var piece):
                // Refused before it is all in memory.
                guard upload.readableBytes + piece.readableBytes <= uploads.maximumBytes else {
                    try await send(Uploads.Answer(status: 413), closes: true, outbound)
                    return
                }
                upload.writeBuffer(&piece)
            case .end:
                guard let request = head else { return }
                try await send(await answer(request, upload), closes: !request.isKeepAlive, outbound)
                if !request.isKeepAlive { return }
            }
        }
    }

    private func answer(_ request: HTTPRequestHead, _ upload: ByteBuffer) async -> Uploads.Answer {
        guard request.method == .POST else { return Uploads.Answer(status: 405) }
        return await uploads.thumbnail(of: Array(upload.readableBytesView))
    }

    private func send(
        _ answer: Uploads.Answer, closes: Bool, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        var headers = HTTPHeaders([
            ("Content-Type", answer.type), ("Content-Length", String(answer.body.count)), ("X-Content-Type-Options", "nosniff"),
        ])
        if answer.status == 405 { headers.add(name: "Allow", value: "POST") }
        if closes { headers.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: answer.status)
        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
        try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: answer.body))))
        try await outbound.write(.end(nil))
    }
}
