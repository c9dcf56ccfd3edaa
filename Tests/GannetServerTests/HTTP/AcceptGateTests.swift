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
            let limiter = ConnectionLimiter(maximum: 1, time: time)
            let (reads, listener) = (Reads(), EmbeddedChannel())
            try listener.pipeline.syncOperations.addHandlers([reads, AcceptGate(limiter)])
            listener.pipeline.read()
            #expect(reads.count == 1)
            let clients = (0..<17).map { _ in EmbeddedChannel() }
            for client in clients { client.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil) }
            let connections = clients.map { limiter.enter($0) }
            #expect(connections.filter(\.isReserve).count == 16 && !limiter.isOpen)
            for connection in connections { connection.begin() }
            listener.pipeline.read()
            listener.pipeline.read()
            listener.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(reads.count == 1)
            // One that was answered is idle, and a moment later it has to go for another.
            connections[3].end()
            listener.embeddedEventLoop.advanceTime(by: AcceptGate.pause)
            #expect(reads.count == 1)
            time.advance(by: ConnectionLimiterState.shortPatience)
            listener.embeddedEventLoop.advanceTime(by: AcceptGate.pause)
            #expect(reads.count == 2 && limiter.isOpen)
            _ = limiter.enter(EmbeddedChannel())
            for client in clients { client.embeddedEventLoop.run() }
            #expect(!limiter.isOpen)
            #expect(clients.indices.filter { !clients[$0].isActive } == [3])
            for client in clients { _ = try client.finish(acceptAlreadyClosed: true) }
            _ = try listener.finish()
        }

        /// The connection that has to go may have sent its request already.
        @Test func aRequestThatHasArrivedIsAnswered() throws {
            let time = ManualTimeSource()
            let limiter = ConnectionLimiter(maximum: 1, time: time)
            let channel = EmbeddedChannel()
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            let connection = limiter.enter(channel)
            time.advance(by: ConnectionLimiterState.patience)
            let other = limiter.enter(EmbeddedChannel())
            #expect(!other.isReserve && connection.isReserve)
            // Read before the connection's thread comes to closing it.
            connection.begin()
            channel.embeddedEventLoop.run()
            #expect(channel.isActive)
            _ = try channel.finish()
        }

        /// A place that is asked for by another one, of a connection without a request.
        private func evicted(_ limiter: ConnectionLimiter, _ time: ManualTimeSource) throws -> (
            EmbeddedChannel, TrackedConnection
        ) {
            let channel = EmbeddedChannel(handler: LingeringClose(.seconds(60)))
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            let connection = limiter.enter(channel)
            time.advance(by: ConnectionLimiterState.patience)
            _ = limiter.enter(EmbeddedChannel())
            channel.embeddedEventLoop.run()
            return (channel, connection)
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
            let (channel, _) = try evicted(ConnectionLimiter(maximum: 1, time: time), time)
            #expect(try words(channel).isEmpty && channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: TrackedConnection.lastChance)
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
            let (channel, connection) = try evicted(ConnectionLimiter(maximum: 1, time: time), time)
            // It may be a health check, which has room.
            connection.begin()
            channel.embeddedEventLoop.advanceTime(by: TrackedConnection.lastChance)
            #expect(try words(channel).isEmpty && channel.isActive)
            _ = try channel.finish()
        }

        /// A second answer would be taken for that to the next request.
        @Test func whoHadAnAnswerIsNotTold() throws {
            let time = ManualTimeSource()
            let limiter = ConnectionLimiter(maximum: 1, time: time)
            let (channel, connection) = try evicted(limiter, time)
            connection.begin()
            connection.end()
            channel.embeddedEventLoop.advanceTime(by: TrackedConnection.lastChance)
            #expect(try words(channel).isEmpty && !channel.isActive)
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }
#endif
