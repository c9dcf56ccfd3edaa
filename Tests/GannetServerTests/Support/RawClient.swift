#if CommandLine && Server
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetFetch
    import GannetImages
    import NIOCore
    import NIOPosix

    @testable import GannetServer
    @testable import gannet

    /// Sends bytes to a server that has no sources, and hands out everything that came until it closed.
    enum RawClient {
        private final class Talker: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            private let bytes: [UInt8]
            private let closesItsSide: Bool
            private let answer: EventLoopPromise<String>
            private var received = ByteBuffer()

            init(_ bytes: [UInt8], closesItsSide: Bool, _ answer: EventLoopPromise<String>) {
                self.bytes = bytes
                self.closesItsSide = closesItsSide
                self.answer = answer
            }

            func channelActive(context: ChannelHandlerContext) {
                context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
                if closesItsSide { context.close(mode: .output, promise: nil) }
            }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                var buffer = unwrapInboundIn(data)
                received.writeBuffer(&buffer)
            }

            func channelInactive(context: ChannelHandlerContext) { answer.succeed(String(buffer: received)) }

            func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
        }

        static func answer(to bytes: [UInt8], closingItsSide: Bool = false) async throws -> String {
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: CodersManager()))
            let service = ThumbnailService(
                ThumbnailService.Configuration(policy: SourcePolicy(hosts: [])), manager: manager)
            let server = try await ThumbnailServer.start(service, at: .host("127.0.0.1", port: 0))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await server.run() }
                defer { group.cancelAll() }
                let answer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: String.self)
                do {
                    _ = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                        .channelInitializer { channel in
                            channel.eventLoop.makeCompletedFuture {
                                let talker = Talker(bytes, closesItsSide: closingItsSide, answer)
                                try channel.pipeline.syncOperations.addHandler(talker)
                            }
                        }
                        .connect(host: "127.0.0.1", port: server.port).get()
                } catch { answer.fail(error) }
                return try await answer.futureResult.get()
            }
        }

        static func statuses(_ answer: String) -> [Int] {
            answer.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
        }
    }
#endif
