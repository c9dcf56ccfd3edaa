#if CommandLine && Server && PNG
    import Foundation
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetTesting
    import NIOCore
    import NIOHTTP2
    import NIOPosix
    import NIOSSL
    import Synchronization
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// The service's own TLS and HTTP/2, and its socket in the file system.
    @Suite(.enabled(if: access("/usr/bin/openssl", X_OK) == 0, "there is no /usr/bin/openssl"), .serialized)
    struct ServeTLSTests {
        let tool: Tool
        let source: PictureServer

        init() throws {
            tool = try Tool()
            source = PictureServer(PictureServer.picture(try Samples.png()))
        }

        private func service() throws -> ThumbnailService {
            var options = StandardOptions()
            options.cacheDirectory = nil
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
            return ThumbnailService(
                ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"])), manager: manager)
        }

        private func client(trusting name: String) throws -> CURLTransport {
            var options = CURLTransport.Options()
            options.additionalTrustRoots = [tool.path("\(name).pem")]
            return try CURLTransport(options: options)
        }

        private func get(_ client: CURLTransport, _ port: Int, _ target: String) async throws -> (status: Int, body: [UInt8]) {
            let url = try #require(URL(string: "https://localhost:\(port)\(target)"))
            let answer = try await client.send(HTTPRequest(url: url))
            var body: [UInt8] = []
            while let piece = try await answer.body.next() { body += piece }
            return (answer.head.status, body)
        }

        private var target: String { "/6x6/fit?format=png&url=\(source.url("/a.png"))" }

        @Test func `Many requests at once over one connection of HTTP 2`() async throws {
            try tool.makeCertificate("one")
            let certificate = try ServerCertificate(chain: tool.path("one.pem"), key: tool.path("one.key"))
            let service = try service()
            let versions = Mutex<[String]>([])
            let server = try await ThumbnailServer.start(
                service, at: .host("localhost", port: 0), limits: .patient, certificate: certificate
            ) { entry in versions.withLock { $0.append(entry.version) } }
            async let end: Void = server.run(grace: .seconds(9999))
            // The connection goes with its transport: the server would wait for an idle client of HTTP/2 at its end.
            func ask() async throws {
                let client = try client(trusting: "one")
                let expected = await service.respond(to: ThumbnailService.Request(target: target))
                #expect(expected.status == 200)
                let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                    for _ in 0..<40 { group.addTask { try await get(client, server.port, target).body } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(bodies == Array(repeating: expected.body, count: 40))
                #expect(try await get(client, server.port, "/health").status == 200)
                #expect(try await get(client, server.port, "/4x4/nothing").status == 400)
            }
            try await ask()
            #expect(await eventually { versions.withLock { $0.count } == 42 })
            #expect(versions.withLock { Set($0) } == ["2.0"])
            server.stop()
            try await end
        }

        @Test func `A certificate is exchanged while the server runs`() async throws {
            for name in ["one", "two"] { try tool.makeCertificate(name) }
            for suffix in ["pem", "key"] {
                try FileManager.default.copyItem(atPath: tool.path("one.\(suffix)"), toPath: tool.path("live.\(suffix)"))
            }
            let certificate = try ServerCertificate(chain: tool.path("live.pem"), key: tool.path("live.key"))
            let server = try await ThumbnailServer.start(
                try service(), at: .host("localhost", port: 0), limits: .patient, certificate: certificate)
            async let end: Void = server.run()
            #expect(try await get(try client(trusting: "one"), server.port, "/health").status == 200)
            // Half of the exchange is no certificate, and changes nothing.
            try FileManager.default.removeItem(atPath: tool.path("live.pem"))
            try FileManager.default.copyItem(atPath: tool.path("two.pem"), toPath: tool.path("live.pem"))
            #expect(throws: ImageError.self) { try certificate.reload() }
            #expect(try await get(try client(trusting: "one"), server.port, "/health").status == 200)
            try FileManager.default.removeItem(atPath: tool.path("live.key"))
            try FileManager.default.copyItem(atPath: tool.path("two.key"), toPath: tool.path("live.key"))
            try certificate.reload()
            #expect(try await get(try client(trusting: "two"), server.port, "/health").status == 200)
            await #expect(throws: ImageError.self) { try await get(try client(trusting: "one"), server.port, "/health") }
            server.stop()
            try await end
        }

        @Test func `A client that says nothing after it connected is closed`() async throws {
            try tool.makeCertificate("one")
            let certificate = try ServerCertificate(chain: tool.path("one.pem"), key: tool.path("one.key"))
            let server = try await ThumbnailServer.start(
                try service(), at: .host("localhost", port: 0),
                limits: ThumbnailServer.Limits(idle: .seconds(9999), request: .milliseconds(50)), certificate: certificate)
            async let end: Void = server.run()
            let silent = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "localhost", port: server.port).get()
            try await silent.closeFuture.get()
            server.stop()
            try await end
        }

        /// A connection that has agreed on HTTP/2, or is about to, with the handlers of a test behind its TLS.
        private func connection(
            to server: ThumbnailServer, _ addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
        ) async throws -> any Channel {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .file(tool.path("one.pem"))
            configuration.applicationProtocols = ["h2"]
            let context = try NIOSSLContext(configuration: configuration)
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                        try addHandlers(pipeline)
                    }
                }
                .connect(host: "localhost", port: server.port).get()
        }

        /// A client of HTTP/2 that asks nothing.
        private func quietConnection(to server: ThumbnailServer) async throws -> any Channel {
            try await connection(to: server) { pipeline in
                _ = try pipeline.configureHTTP2Pipeline(
                    mode: .client, connectionConfiguration: .init(), streamConfiguration: .init()
                ) { $0.eventLoop.makeSucceededVoidFuture() }
            }
        }

        private func server(_ limits: ThumbnailServer.Limits) async throws -> ThumbnailServer {
            try tool.makeCertificate("one")
            let certificate = try ServerCertificate(chain: tool.path("one.pem"), key: tool.path("one.key"))
            return try await ThumbnailServer.start(
                try service(), at: .host("localhost", port: 0), limits: limits, certificate: certificate)
        }

        @Test func `A connection of HTTP 2 that never asks is closed when it has been idle for long enough`() async throws {
            let server = try await server(ThumbnailServer.Limits(idle: .milliseconds(50), request: .seconds(9999)))
            async let end: Void = server.run()
            try await quietConnection(to: server).closeFuture.get()
            server.stop()
            try await end
        }

        @Test func `A client that ends its half of HTTP 2 has ended the connection`() async throws {
            let server = try await server(.patient)
            async let end: Void = server.run()
            let channel = try await quietConnection(to: server)
            try await channel.close(mode: .output)
            try await channel.closeFuture.get()
            server.stop()
            try await end
        }

        @Test func `A frame that was on its way when the server stopped does not keep the connection`() async throws {
            let server = try await server(.patient)
            async let end: Void = server.run(grace: .seconds(9999))
            let (greeted, greeting) = AsyncStream<Void>.makeStream()
            let client = try await connection(to: server) { try $0.addHandler(LateFrame { greeting.finish() }) }
            for await _ in greeted {}
            server.stop()
            try await end
            try await client.closeFuture.get()
        }

        @Test func `A server that stops does not wait for a handshake`() async throws {
            let server = try await server(.patient)
            async let end: Void = server.run(grace: .seconds(9999))
            let silent = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "localhost", port: server.port).get()
            // Connections are accepted in turn: the first one is, when the second has an answer.
            #expect(try await get(try client(trusting: "one"), server.port, "/health").status == 200)
            server.stop()
            try await end
            try await silent.closeFuture.get()
        }

        @Test func `A socket in the file system`() async throws {
            let path = tool.path("service.socket")
            // The socket that an earlier process left there is replaced.
            for _ in 0..<2 {
                let server = try await ThumbnailServer.start(try service(), at: .unixSocket(path), limits: .patient)
                async let end: Void = server.run()
                let text = try await RawUnixRequest.answer(
                    at: path, to: "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("ok\n"))
                server.stop()
                try await end
            }
        }
    }

    /// A client of HTTP/2 that has sent a WINDOW_UPDATE when it reads the server's GOAWAY, and confirms no PING.
    private final class LateFrame: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let greeted: () -> Void
        private var read = ByteBuffer()

        init(_ greeted: @escaping () -> Void) { self.greeted = greeted }

        func channelActive(context: ChannelHandlerContext) {
            var greeting = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            // Settings, none.
            greeting.writeBytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
            context.writeAndFlush(wrapOutboundOut(greeting), promise: nil)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var came = unwrapInboundIn(data)
            read.writeBuffer(&came)
            while let length = read.getInteger(at: read.readerIndex, as: UInt32.self).map({ Int($0 >> 8) }),
                let frame = read.readSlice(length: 9 + length)
            {
                switch (frame.getInteger(at: frame.readerIndex + 3, as: UInt8.self), length) {
                // The acknowledgement of settings: the server has read the greeting.
                case (4, 0): greeted()
                case (7, _):
                    context.writeAndFlush(
                        wrapOutboundOut(ByteBuffer(bytes: [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1])), promise: nil)
                default: break
                }
            }
        }
    }

    /// Sends one request to a socket in the file system, and reads to the end.
    private enum RawUnixRequest {
        static func answer(at path: String, to request: String) async throws -> String {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            return try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: request))
                var all = ByteBuffer()
                for try await var piece in inbound { all.writeBuffer(&piece) }
                return String(buffer: all)
            }
        }
    }
#endif
