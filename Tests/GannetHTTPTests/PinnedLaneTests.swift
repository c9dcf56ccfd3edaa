#if HTTP
    import FoundationEssentials
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetImages
    import NIOCore
    import NIOPosix
    import Synchronization
    import Testing

    /// Secure hosts at checked addresses.
    @Suite(.enabled(if: Certificates.isAvailable, "there is no /usr/bin/openssl"))
    struct PinnedLaneTests {
        /// Answers each request, and what asks for `/slow` with the second half when `rest` is there.
        private final class EachReply: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            typealias OutboundOut = ByteBuffer

            private let rest: EventLoopFuture<Void>
            private var received = ""

            init(_ rest: EventLoopFuture<Void>) { self.rest = rest }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                received += String(buffer: unwrapInboundIn(data))
                guard received.hasSuffix("\r\n\r\n") else { return }
                defer { received = "" }
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
                let channel = context.channel
                guard received.hasPrefix("GET /slow ") else {
                    return channel.writeAndFlush(ByteBuffer(string: head + "hello"), promise: nil)
                }
                channel.writeAndFlush(ByteBuffer(string: head + "he"), promise: nil)
                rest.whenComplete { _ in channel.writeAndFlush(ByteBuffer(string: "llo"), promise: nil) }
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }

        /// A TLS server, how many connections it got, and what ends its slow answers.
        private struct Place {
            final class Count: Sendable { let value = Mutex(0) }

            let server: TLSServer
            let connections = Count()
            let rest: EventLoopPromise<Void>

            init(_ certificate: String) async throws {
                let rest = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self)
                self.rest = rest
                server = try await TLSServer(certificate) { [connections] in
                    connections.value.withLock { $0 += 1 }
                    return EachReply(rest.futureResult)
                }
            }
        }

        private static func transport(_ names: Names) throws -> AsyncHTTPTransport {
            let authority = try Certificates.shared.get().folder + "/ca.pem"
            return try names.transport(allowing: TwoServers.allowed) { $0.additionalTrustRoots = [authority] }
        }

        private static func names(_ count: Int) -> Names {
            Names(Dictionary(uniqueKeysWithValues: (0..<count).map { ("h\($0).example", [["127.0.0.1"]]) }))
        }

        @Test func `The certificate is that of the name, not of the address`() async throws {
            let place = try await Place("other")
            let names = Names(["other.example": [["127.0.0.1"]], "wrong.example": [["127.0.0.1"]]])
            let transport = try Self.transport(names)
            let rig = try Rig(transport)
            for _ in 0..<3 { #expect(try await rig.bytes(place.server.url("other.example")) == TwoServers.hello) }
            // The connection was kept.
            #expect(place.connections.value.withLock { $0 } == 1 && transport.pinnedHosts == 1)
            for host in ["wrong.example", "127.0.0.1"] {
                let error = await #expect(throws: ImageError.self) { try await rig.bytes(place.server.url(host)) }
                #expect(error?.code == .tlsFailed, "\(String(describing: error))")
            }
            place.rest.succeed()
        }

        @Test func `Addresses in a certificate`() async throws {
            let place = try await Place("good")
            let transport = try Self.transport(Names([:]))
            #expect(try await Rig(transport).bytes(place.server.url("127.0.0.1")) == TwoServers.hello)
            #expect(transport.pinnedHosts == 0)
            place.rest.succeed()
        }

        @Test func `A name with another address at the next question, with TLS`() async throws {
            let place = try await Place("other")
            let names = Names(["other.example": [["127.0.0.1"], ["127.0.0.2"]]])
            let rig = try Rig(Self.transport(names))
            #expect(try await rig.bytes(place.server.url("other.example")) == TwoServers.hello)
            let error = await #expect(throws: ImageError.self) { try await rig.bytes(place.server.url("other.example")) }
            #expect(error?.code == .blocked)
            place.rest.succeed()
        }

        /// Of 50 hosts 32 are kept. A request that runs keeps its host.
        @Test(.timeLimit(.minutes(10))) func `Hosts that were not used for the longest time are forgotten`() async throws {
            let place = try await Place("other")
            let transport = try Self.transport(Self.names(50))
            func send(_ host: Int, _ path: String = "/") async throws -> ByteStream {
                let url = try #require(URL(string: "https://h\(host).example:\(place.server.port)\(path)"))
                return try await transport.send(HTTPRequest(url: url, trustsAnyCertificate: true)).body
            }
            let slow = try await send(0, "/slow")
            for host in 1..<50 { #expect(try await Self.read(try await send(host)) == TwoServers.hello) }
            #expect(transport.pinnedHosts == 32)
            #expect(place.connections.value.withLock { $0 } == 50)
            place.rest.succeed()
            #expect(try await Self.read(slow) == TwoServers.hello)
            // The last one is still connected, and the first is connected again.
            #expect(try await Self.read(try await send(49)) == TwoServers.hello)
            #expect(place.connections.value.withLock { $0 } == 50)
            #expect(try await Self.read(try await send(1)) == TwoServers.hello)
            #expect(place.connections.value.withLock { $0 } == 51)
        }

        private static func read(_ stream: ByteStream) async throws -> [UInt8] {
            var bytes: [UInt8] = []
            while let chunk = try await stream.next() { bytes += chunk }
            return bytes
        }
    }
#endif
