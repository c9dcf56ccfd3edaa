#if CommandLine && Server
    import GannetTesting
    import NIOCore
    import NIOEmbedded
    import Testing

    @testable import GannetServer

    struct AcceptGateTests {
        /// Counts what reaches the system.
        private final class Reads: ChannelOutboundHandler {
            typealias OutboundIn = NIOAny

            private(set) var count = 0

            func read(context: ChannelHandlerContext) { count += 1 }
        }

        @Test func connectionsBeyondTheRoomWait() throws {
            let time = ManualTimeSource()
            let room = ConnectionRoom(maximum: 1, time: time)
            let (reads, listener) = (Reads(), EmbeddedChannel())
            try listener.pipeline.syncOperations.addHandlers([reads, AcceptGate(room)])
            listener.pipeline.read()
            #expect(reads.count == 1)
            let clients = (0..<17).map { _ in EmbeddedChannel() }
            for client in clients { client.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil) }
            let uses = clients.map { room.enter($0) }
            #expect(uses.filter(\.isReserve).count == 16 && !room.isOpen)
            for use in uses { use.begin() }
            listener.pipeline.read()
            listener.pipeline.read()
            listener.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(reads.count == 1)
            // One that was answered is idle, and a moment later it has to go for another.
            uses[3].end()
            listener.embeddedEventLoop.advanceTime(by: AcceptGate.pause)
            #expect(reads.count == 1)
            time.advance(by: ConnectionRoomState.shortPatience)
            listener.embeddedEventLoop.advanceTime(by: AcceptGate.pause)
            #expect(reads.count == 2 && room.isOpen)
            _ = room.enter(EmbeddedChannel())
            for client in clients { client.embeddedEventLoop.run() }
            #expect(!room.isOpen)
            #expect(clients.indices.filter { !clients[$0].isActive } == [3])
            for client in clients { _ = try client.finish(acceptAlreadyClosed: true) }
            _ = try listener.finish()
        }

        /// The connection that has to go may have sent its request already.
        @Test func aRequestThatHasArrivedIsAnswered() throws {
            let time = ManualTimeSource()
            let room = ConnectionRoom(maximum: 1, time: time)
            let channel = EmbeddedChannel()
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            let use = room.enter(channel)
            time.advance(by: ConnectionRoomState.patience)
            let other = room.enter(EmbeddedChannel())
            #expect(!other.isReserve && use.isReserve)
            // Read before the connection's thread comes to closing it.
            use.begin()
            channel.embeddedEventLoop.run()
            #expect(channel.isActive)
            _ = try channel.finish()
        }
    }
#endif
