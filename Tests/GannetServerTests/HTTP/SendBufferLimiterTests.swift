#if CommandLine && Server
    import GannetTesting
    import NIOCore
    import NIOEmbedded
    import NIOHTTP1
    import Testing

    @testable import GannetServer

    /// Memory for responses that clients do not read: a piece for each, and each body once.
    struct SendBufferLimiterTests {
        private static let share = SendBufferLimiterState.share

        private func body(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

        @Test func aBodyCountsOnce() throws {
            let (one, other) = (body(1_000_000), body(1_000_000))
            var limiter = SendBufferLimiterState(maximum: 3_000_000)
            let places = (0..<4).compactMap { _ in limiter.enter(.init(one), at: .zero).ticket }
            #expect(places.count == 4 && limiter.used == 1_000_000 + 4 * Self.share)
            let ticket = try #require(limiter.enter(.init(other), at: .zero).ticket)
            #expect(limiter.used == 2_000_000 + 5 * Self.share)
            for ticket in places + places { limiter.leave(ticket) }
            #expect(limiter.used == 1_000_000 + Self.share)
            limiter.leave(ticket)
            #expect(limiter.used == 0)
        }

        @Test func theSlowestReaderGoesWhenOthersNeedItsRoom() {
            let bodies = (0..<4).map { _ in body(1_000_000) }
            var limiter = SendBufferLimiterState(maximum: 3 * (1_000_000 + Self.share))
            let places = bodies.prefix(3).compactMap { limiter.enter(.init($0), at: .zero).ticket }
            limiter.note(places[0], taken: 10_000)
            limiter.note(places[1], taken: 5000)
            limiter.note(places[2], taken: 1_000_000)
            // Nobody can be told slow yet.
            let early = limiter.enter(.init(bodies[3]), at: .milliseconds(900))
            #expect(early.ticket == nil && early.removed.isEmpty)
            let late = limiter.enter(.init(bodies[3]), at: .seconds(1))
            #expect(late.ticket != nil && late.removed == [places[1]])
            // The other two, whose rest is fast enough, stay.
            let next = limiter.enter(.init(body(1_000_000)), at: .seconds(1))
            #expect(next.removed == [places[0]])
            let refused = limiter.enter(.init(body(1_000_000)), at: .milliseconds(1500))
            #expect(refused.ticket == nil && refused.removed.isEmpty)
            // What it has read does not help a client that stands still.
            let after = limiter.enter(.init(body(1_000_000)), at: .seconds(100))
            #expect(after.ticket != nil && after.removed.count == 1)
        }

        @Test func aBodyThatIsLargerThanTheRoomIsSentAlone() throws {
            var limiter = SendBufferLimiterState(maximum: 1000)
            let (one, other) = (body(5000), body(10))
            let ticket = try #require(limiter.enter(.init(one), at: .zero).ticket)
            #expect(limiter.enter(.init(other), at: .zero).ticket == nil)
            limiter.leave(ticket)
            #expect(limiter.enter(.init(other), at: .zero).ticket != nil)
        }

        /// A transport that takes writes and sends nothing until it is told to.
        private final class Stalled: ChannelOutboundHandler {
            typealias OutboundIn = HTTPServerResponsePart

            private(set) var bytes = 0
            private(set) var hasEnded = false
            private var promises: [EventLoopPromise<Void>] = []

            func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
                switch unwrapOutboundIn(data) {
                case .head: break
                case .body(let piece): bytes += piece.readableBytes
                case .end: hasEnded = true
                }
                if let promise { promises.append(promise) }
            }

            func flush(context: ChannelHandlerContext) {}

            func send() {
                let sent = promises
                promises = []
                for promise in sent { promise.succeed() }
            }

            func fail() { for promise in promises { promise.fail(ChannelError.ioOnClosedChannel) } }
        }

        private final class Sending: ChannelInboundHandler {
            typealias InboundIn = HTTPServerRequestPart

            let sender: ResponseWriter
            var isSent = false

            init(_ limiter: SendBufferLimiter) { sender = ResponseWriter(limiter) }

            func send(_ body: [UInt8], _ context: ChannelHandlerContext) -> Bool {
                guard sender.admit(body, context.channel) else { return false }
                sender.send(HTTPResponseHead(version: .http1_1, status: .ok), body, context) { _ in self.isSent = true }
                return true
            }

            func channelInactive(context: ChannelHandlerContext) { sender.channelInactive() }
        }

        private func connection(_ limiter: SendBufferLimiter) throws -> (EmbeddedChannel, Stalled, Sending) {
            let (stalled, sending) = (Stalled(), Sending(limiter))
            let channel = EmbeddedChannel(handlers: [stalled, sending])
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return (channel, stalled, sending)
        }

        /// Many responses with one body, and none is read: each has one piece in its connection.
        @Test func whoDoesNotReadHoldsOnePiece() throws {
            let limiter = SendBufferLimiter(maximum: 64 << 20, time: ManualTimeSource())
            let body = body(12 << 20)
            var connections: [(EmbeddedChannel, Stalled, Sending)] = []
            for _ in 0..<100 {
                let (channel, stalled, sending) = try connection(limiter)
                let isSent = try sending.send(body, channel.pipeline.syncOperations.context(handler: sending))
                #expect(isSent && stalled.bytes == ResponseWriter.piece)
                connections.append((channel, stalled, sending))
            }
            #expect(limiter.used == body.count + 100 * Self.share)
            let (channel, stalled, sending) = connections[0]
            stalled.send()
            #expect(stalled.bytes == 2 * ResponseWriter.piece)
            while !stalled.hasEnded { stalled.send() }
            #expect(stalled.bytes == body.count && !sending.isSent)
            stalled.send()
            #expect(sending.isSent && limiter.used == body.count + 99 * Self.share)
            _ = try channel.finish()
            for (channel, stalled, _) in connections.dropFirst() {
                _ = try channel.finish()
                stalled.fail()
            }
            #expect(limiter.used == 0)
        }

        /// Small ones need no room while they are sent at once, and have some as soon as they are not.
        @Test func smallAnswersThatAreNotSentCountToo() throws {
            let limiter = SendBufferLimiter(maximum: 3 * (1000 + Self.share), time: ManualTimeSource())
            var channels: [(EmbeddedChannel, Stalled)] = []
            for number in 0..<4 {
                let (channel, stalled, sending) = try connection(limiter)
                let isSent = try sending.send(body(1000), channel.pipeline.syncOperations.context(handler: sending))
                #expect(isSent && stalled.bytes == 1000)
                // The fourth has no room, and nobody could be told slow yet.
                #expect(channel.isActive == (number < 3))
                channels.append((channel, stalled))
            }
            #expect(limiter.used == 3 * (1000 + Self.share))
            for (channel, stalled) in channels {
                stalled.send()
                _ = try channel.finish(acceptAlreadyClosed: true)
            }
            #expect(limiter.used == 0)
        }

        @Test func aLargeAnswerWithoutRoomIsRefused() throws {
            let limiter = SendBufferLimiter(maximum: (1 << 20) + 2 * Self.share, time: ManualTimeSource())
            let (first, stalled, sending) = try connection(limiter)
            let large = body(900 << 10)
            #expect(try sending.send(large, first.pipeline.syncOperations.context(handler: sending)))
            let (second, slow, other) = try connection(limiter)
            #expect(try !other.send(body(900 << 10), second.pipeline.syncOperations.context(handler: other)))
            // The same body shares the room of the first.
            #expect(try other.send(large, second.pipeline.syncOperations.context(handler: other)))
            for (channel, stalled) in [(first, stalled), (second, slow)] {
                _ = try channel.finish()
                stalled.fail()
            }
        }
    }
#endif
