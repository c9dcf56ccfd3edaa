#if HTTP
    import FoundationEssentials
    import GannetCore
    import GannetHTTP
    import GannetTesting
    import Testing

    #if Server
        import NIOCore
        import NIOHTTP1
        import NIOHTTP2
    #endif

    /// Paths whose escapes are not UTF-8 are asked for as they are written: Foundation takes them for empty.
    @Suite struct EscapedPathTests {
        static let targets = [
            "/dir/caf%E9.png?x=1", "/%83%5C.png", "/%C4%E3/%BA%C3?q=%E9", "/a%00b", "/%ff", "/a%2Fb", "/ok.png", "/",
        ]

        /// Answers with the target that it was asked for.
        private static func server() -> RawServer {
            RawServer { connection in
                while let head = connection.readHead() {
                    let target = String(head.split(separator: " ")[1])
                    let isAway = target.hasPrefix("/away")
                    let field = isAway ? "Location: \(target.dropFirst(5))\r\n" : ""
                    let body = isAway ? "" : target
                    connection.write(
                        "HTTP/1.1 \(isAway ? 302 : 200) \r\nContent-Length: \(body.utf8.count)\r\n\(field)\r\n\(body)")
                }
            }
        }

        @Test(arguments: targets) func `As written, also behind a redirect`(_ target: String) async throws {
            let server = Self.server()
            let rig = try Rig()
            #expect(try await rig.bytes(server.url(target)) == Array(target.utf8))
            #expect(try await rig.bytes(server.url("/away" + target)) == Array(target.utf8))
        }

        @Test func `Relative to such a path`() async throws {
            let server = RawServer { connection in
                while let head = connection.readHead() {
                    let target = String(head.split(separator: " ")[1])
                    connection.write(
                        target == "/d%E9/e?f"
                            ? "HTTP/1.1 302 \r\nContent-Length: 0\r\nLocation: ../g%E8/h\r\n\r\n"
                            : "HTTP/1.1 200 \r\nContent-Length: \(target.utf8.count)\r\n\r\n\(target)")
                }
            }
            #expect(try await Rig().bytes(server.url("/d%E9/e?f")) == Array("/g%E8/h".utf8))
        }

        @Test(arguments: targets) func `Through a proxy, and to a checked address`(_ target: String) async throws {
            let server = Self.server()
            var options = CURLTransport.Options()
            options.proxies = .init(CURLTransport.Proxy(host: "127.0.0.1", port: server.port))
            let url = "http://pictures.invalid"
            #expect(try await Rig(CURLTransport(options: options)).bytes(url + target) == Array((url + target).utf8))
            options = CURLTransport.Options()
            options.addressPolicy = try AddressPolicy(allowing: ["127.0.0.0/8"])
            #expect(try await Rig(CURLTransport(options: options)).bytes(server.url(target)) == Array(target.utf8))
        }

        #if Server
            @Test(.enabled(if: Certificates.isAvailable, "there is no /usr/bin/openssl"), arguments: targets)
            func `Over HTTP/2`(_ target: String) async throws {
                let server = try await TLSServer("good", protocols: ["h2"]) { TargetConnection() }
                let url = try #require(URL(string: server.url())).parts
                #expect(
                    try await Rig(try TLSTests.transport()).bytes("https://\(url.authority ?? "")\(target)") == Array(target.utf8)
                )
            }
        #endif
    }

    #if Server
        private final class TargetConnection: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            func handlerAdded(context: ChannelHandlerContext) {
                do {
                    _ = try context.pipeline.syncOperations.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandlers(HTTP2FramePayloadToHTTP1ServerCodec(), TargetReply())
                        }
                    }
                } catch { context.close(promise: nil) }
            }
        }

        private final class TargetReply: ChannelInboundHandler {
            typealias InboundIn = HTTPServerRequestPart
            typealias OutboundOut = HTTPServerResponsePart

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                guard case .head(let request) = unwrapInboundIn(data) else { return }
                let body = request.uri
                context.write(wrapOutboundOut(.head(NIOHTTP1.HTTPResponseHead(version: .http2, status: .ok))), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    #endif
#endif
