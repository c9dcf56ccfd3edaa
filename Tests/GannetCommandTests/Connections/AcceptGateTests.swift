#if CommandLine && Server
    import FoundationEssentials
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

        /// A place that is asked for by another one, of a connection without a request.
        private func evicted(_ room: ConnectionRoom, _ time: ManualTimeSource) throws -> (EmbeddedChannel, ConnectionUse) {
            let channel = EmbeddedChannel(handler: OrderlyClose(.seconds(60)))
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            let use = room.enter(channel)
            time.advance(by: ConnectionRoomState.patience)
            _ = room.enter(EmbeddedChannel())
            channel.embeddedEventLoop.run()
            return (channel, use)
        }

        private func words(_ channel: EmbeddedChannel) throws -> String {
            var all = ""
            while let data = try channel.readOutbound(as: IOData.self) {
                if case .byteBuffer(let buffer) = data { all += String(buffer: buffer) }
            }
            return all
        }

        /// Its request may still come for a moment.
        @Test func whoHasToGoUnansweredIsTold() throws {
            let time = ManualTimeSource()
            let (channel, _) = try evicted(ConnectionRoom(maximum: 1, time: time), time)
            #expect(try words(channel).isEmpty && channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: ConnectionUse.lastChance)
            let text = try words(channel)
            #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"), "\(text)")
            #expect(text.contains("\r\nRetry-After: 1\r\n"), "\(text)")
            #expect(text.contains("\r\nConnection: close\r\n") && text.contains("\r\nContent-Type: text/plain"), "\(text)")
            let body = try #require(text.components(separatedBy: "\r\n\r\n").last)
            #expect(text.contains("\r\nContent-Length: \(body.utf8.count)\r\n") && !body.isEmpty, "\(text)")
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(!channel.isActive)
            _ = try channel.finish(acceptAlreadyClosed: true)
        }

        @Test func aRequestThatComesInTheLastMomentIsAnswered() throws {
            let time = ManualTimeSource()
            let (channel, use) = try evicted(ConnectionRoom(maximum: 1, time: time), time)
            // It may be a health check, which has room.
            use.begin()
            channel.embeddedEventLoop.advanceTime(by: ConnectionUse.lastChance)
            #expect(try words(channel).isEmpty && channel.isActive)
            _ = try channel.finish()
        }

        /// A second answer would be taken for that to the next request.
        @Test func whoHadAnAnswerIsNotTold() throws {
            let time = ManualTimeSource()
            let room = ConnectionRoom(maximum: 1, time: time)
            let (channel, use) = try evicted(room, time)
            use.begin()
            use.end()
            channel.embeddedEventLoop.advanceTime(by: ConnectionUse.lastChance)
            #expect(try words(channel).isEmpty && !channel.isActive)
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }
#endif
