#if Server
    import FoundationEssentials
    import GannetFetch
    import GannetCore
    import GannetHTTP
    import GannetImages
    import GannetTesting
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import Testing

    /// OP-06: bodies over HTTP/2 that are larger than any window or buffer.
    @Suite(.enabled(if: Certificates.isAvailable, "there is no /usr/bin/openssl"), .serialized)
    struct HTTP2Tests {
        static let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }

        static func server(_ body: [UInt8], isAnnounced: Bool) async throws -> TLSServer {
            try await TLSServer("good", protocols: ["h2"]) { HTTP2Connection(body, isAnnounced: isAnnounced) }
        }

        @Test(arguments: [true, false], [1, 70_000, 300_000, 1_048_576, 3_000_000])
        func `A body that nobody watches comes whole`(_ isAnnounced: Bool, _ count: Int) async throws {
            let body = Array(Self.large[..<count])
            let server = try await Self.server(body, isAnnounced: isAnnounced)
            #expect(try await Rig(try TLSTests.transport()).bytes(server.url()) == body)
        }

        @Test(arguments: [true, false])
        func `A body that somebody watches comes whole, in pieces`(_ isAnnounced: Bool) async throws {
            let server = try await Self.server(Self.large, isAnnounced: isAnnounced)
            let rig = try Rig(try TLSTests.transport())
            let (counts, told) = AsyncStream.makeStream(of: Int.self)
            let fetched = try await rig.fetcher.fetch(
                rig.request(server.url())
            ) { told.yield($0.bytes.count) }
            told.finish()
            #expect(fetched.encoded?.bytes.contiguous() == Self.large)
            var before = 0
            for await count in counts {
                #expect(count >= before)
                before = count
            }
            #expect(before == Self.large.count)
        }

        /// On the same connection, with data held back for one slow reader.
        @Test func `A reader who does not read keeps nobody else waiting`() async throws {
            let server = try await Self.server(Self.large, isAnnounced: false)
            let transport = try TLSTests.transport()
            let slow = try await transport.send(HTTPRequest(url: try #require(URL(string: server.url()))))
            let rig = try Rig(transport)
            for _ in 0..<3 { #expect(try await rig.bytes(server.url()) == Self.large) }
            var bytes: [UInt8] = []
            while let piece = try await slow.body.next() { bytes += piece }
            #expect(bytes == Self.large)
        }

        @Test func `A limit by count holds for a body that is put together as it comes`() async throws {
            let server = try await Self.server(Self.large, isAnnounced: false)
            let result = await (try Rig(try TLSTests.transport())).fetch(server.url()) { request in
                var limits = DecodeLimits()
                limits.maximumEncodedBytes = 100_000
                request.decode.limits = limits
            }
            #expect(throws: ImageError.self) { try result.get() }
            if case .failure(let error) = result { #expect(error.code == .limitExceeded, "\(error)") }
        }
    }

    /// A connection whose every stream is answered with one body.
    private final class HTTP2Connection: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let body: [UInt8]
        private let isAnnounced: Bool

        init(_ body: [UInt8], isAnnounced: Bool) {
            self.body = body
            self.isAnnounced = isAnnounced
        }

        func handlerAdded(context: ChannelHandlerContext) {
            do {
                let (body, isAnnounced) = (body, isAnnounced)
                _ = try context.pipeline.syncOperations.configureHTTP2Pipeline(
                    mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                ) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandlers(
                            HTTP2FramePayloadToHTTP1ServerCodec(), BodyReply(body, isAnnounced: isAnnounced))
                    }
                }
            } catch { context.close(promise: nil) }
        }
    }

    private final class BodyReply: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let body: [UInt8]
        private let isAnnounced: Bool

        init(_ body: [UInt8], isAnnounced: Bool) {
            self.body = body
            self.isAnnounced = isAnnounced
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let headers: NIOHTTP1.HTTPHeaders = isAnnounced ? ["content-length": "\(body.count)"] : [:]
            let head = HTTPResponseHead(version: .http2, status: .ok, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
#endif
