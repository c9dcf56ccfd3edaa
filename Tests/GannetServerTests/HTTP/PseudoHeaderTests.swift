#if CommandLine && Server
    import Foundation
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetImages
    import NIOCore
    import NIOHPACK
    import NIOHTTP2
    import NIOPosix
    import NIOSSL
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Heads of HTTP/2 requests that no browser sends; RFC 9113 §8.3.1 and §8.5.
    struct PseudoHeaderTests {
        typealias Fields = [(String, String)]

        private static let plain: Fields = [
            (":method", "GET"), (":scheme", "https"), (":authority", "a"), (":path", "/health"),
        ]

        private static func plain(_ name: String, _ value: String) -> Fields {
            plain.map { $0.0 == name ? (name, value) : $0 }
        }

        @Test(
            arguments: [
                (plain, true), (plain + [("host", "A")], true), (plain + [("host", "b")], false),
                (plain + [("host", "a"), ("host", "b")], false), (plain(":method", ""), false),
                (plain(":method", "GET / HTTP/1.1\r\nx:"), false), (plain(":path", "/he alth"), false),
                (plain(":path", "/health\r\nx: y"), false), (plain(":path", "/health\0"), false),
                (plain(":path", "/health\t"), false), (plain(":path", "/health\u{7F}"), false),
                (plain(":path", "/gr\u{FC}n"), true), (plain(":scheme", "https\r\n"), false),
                (plain(":authority", "a\r\nx: y"), false), (plain + [("content-length", "0")], true),
                (plain + [("content-length", "")], false), (plain + [("content-length", "+0")], false),
                (plain + [("content-length", "0, 0")], false), (plain + [("content-length", "0x0")], false),
                (plain + [("x", "any thing")], true),
            ] as [(Fields, Bool)])
        func onlyRightHeadsArePassedOn(_ fields: Fields, _ isRight: Bool) {
            #expect(PseudoHeaderFields.isRight(HPACKHeaders(fields)) == isRight)
        }

        @Test func whatIsMissingIsAdded() {
            func completed(_ fields: Fields, _ name: String) -> [String] {
                PseudoHeaderFields.completed(HPACKHeaders(fields))[name]
            }
            let bare: Fields = [(":method", "GET"), (":scheme", "http"), (":path", "/a")]
            #expect(completed(bare, ":authority") == [""])
            #expect(completed(bare + [("host", "a b")], ":authority") == [""])
            #expect(completed(Self.plain + [("host", "a")], ":authority") == ["a"])
            let tunnel: Fields = [(":method", "CONNECT"), (":authority", "a:80")]
            #expect(completed(tunnel, ":scheme") == ["https"] && completed(tunnel, ":path") == ["a:80"])
            #expect(completed(Self.plain, ":path") == ["/health"])
        }

        /// What a stream got: a status, or the code that reset it.
        private final class Reply: ChannelInboundHandler {
            typealias InboundIn = HTTP2Frame.FramePayload
            typealias OutboundOut = HTTP2Frame.FramePayload

            private let fields: HPACKHeaders
            private let reply: EventLoopPromise<String>

            init(_ fields: HPACKHeaders, _ reply: EventLoopPromise<String>) { (self.fields, self.reply) = (fields, reply) }

            func channelActive(context: ChannelHandlerContext) {
                context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: fields, endStream: true))), promise: nil)
            }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                switch unwrapInboundIn(data) {
                case .headers(let content): reply.succeed(content.headers.first(name: ":status") ?? "")
                case .rstStream(let code): reply.succeed("reset \(code.networkCode)")
                default: break
                }
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) {}

            func channelInactive(context: ChannelHandlerContext) { reply.succeed("closed") }
        }

        private func connect(
            _ port: Int, trusting certificate: String
        ) async throws -> (channel: any Channel, streams: NIOHTTP2Handler.StreamMultiplexer) {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .file(certificate)
            configuration.applicationProtocols = ["h2"]
            let context = try NIOSSLContext(configuration: configuration)
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "localhost", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                        let streams = try pipeline.configureHTTP2Pipeline(
                            mode: .client, connectionConfiguration: .init(), streamConfiguration: .init()
                        ) { $0.eventLoop.makeSucceededVoidFuture() }
                        return (channel, streams)
                    }
                }
        }

        /// In a debug build NIOHTTP2 ends the process where a stream is closed before it was counted.
        @Test(
            .enabled(if: access("/usr/bin/openssl", X_OK) == 0, "there is no /usr/bin/openssl"), .timeLimit(.minutes(10)),
            arguments: [
                ([(":method", "GET"), (":scheme", "https"), (":path", "/health"), ("host", "a")], "200"),
                ([(":method", "GET"), (":scheme", "https"), (":path", "/health")], "200"),
                ([(":method", "GET"), (":scheme", "https"), (":path", "/health"), ("host", "a b")], "400"),
                ([(":method", "CONNECT"), (":authority", "a:80")], "405"),
                (plain + [("host", "b")], "reset 1"), (plain, "200"),
            ] as [(Fields, String)])
        func everyHeadIsAnswered(_ fields: Fields, _ expected: String) async throws {
            let tool = try Tool()
            try tool.makeCertificate("one")
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: CodersManager()))
            let server = try await ThumbnailServer.start(
                ThumbnailService(.plain, manager: manager), at: .host("localhost", port: 0), limits: .patient,
                certificate: try ServerCertificate(chain: tool.path("one.pem"), key: tool.path("one.key")))
            let answer = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                defer { group.cancelAll() }
                let (channel, streams) = try await connect(server.port, trusting: tool.path("one.pem"))
                let reply = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: String.self)
                let head = HPACKHeaders(fields)
                _ = try await streams.createStreamChannel { stream in
                    stream.eventLoop.makeCompletedFuture { try stream.pipeline.syncOperations.addHandler(Reply(head, reply)) }
                }.get()
                let answer = try await reply.futureResult.get()
                // The end of the server waits for its clients.
                try await channel.close()
                return answer
            }
            #expect(answer == expected)
        }
    }
#endif
