#if CommandLine && Server
    import GannetTesting
    import NIOCore
    import NIOEmbedded
    import NIOHTTP1
    import Testing

    @testable import GannetServer

    /// Memory for responses that clients do not read: a piece for each, and each body once.
    struct SendRoomTests {
        private static let share = SendRoomState.share

        private func body(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

        @Test func aBodyCountsOnce() throws {
            let (one, other) = (body(1_000_000), body(1_000_000))
            var room = SendRoomState(maximum: 3_000_000)
            let places = (0..<4).compactMap { _ in room.enter(.init(one), at: .zero).place }
            #expect(places.count == 4 && room.used == 1_000_000 + 4 * Self.share)
            let place = try #require(room.enter(.init(other), at: .zero).place)
            #expect(room.used == 2_000_000 + 5 * Self.share)
            for place in places + places { room.leave(place) }
            #expect(room.used == 1_000_000 + Self.share)
            room.leave(place)
            #expect(room.used == 0)
        }

        @Test func theSlowestReaderGoesWhenOthersNeedItsRoom() {
            let bodies = (0..<4).map { _ in body(1_000_000) }
            var room = SendRoomState(maximum: 3 * (1_000_000 + Self.share))
            let places = bodies.prefix(3).compactMap { room.enter(.init($0), at: .zero).place }
            room.note(places[0], taken: 10_000)
            room.note(places[1], taken: 5000)
            room.note(places[2], taken: 1_000_000)
            // Nobody can be told slow yet.
            let early = room.enter(.init(bodies[3]), at: .milliseconds(900))
            #expect(early.place == nil && early.removed.isEmpty)
            let late = room.enter(.init(bodies[3]), at: .seconds(1))
            #expect(late.place != nil && late.removed == [places[1]])
            // The other two, whose rest is fast enough, stay.
            let next = room.enter(.init(body(1_000_000)), at: .seconds(1))
            #expect(next.removed == [places[0]])
            let refused = room.enter(.init(body(1_000_000)), at: .milliseconds(1500))
            #expect(refused.place == nil && refused.removed.isEmpty)
            // What it has read does not help a client that stands still.
            let after = room.enter(.init(body(1_000_000)), at: .seconds(100))
            #expect(after.place != nil && after.removed.count == 1)
        }

        @Test func aBodyThatIsLargerThanTheRoomIsSentAlone() throws {
            var room = SendRoomState(maximum: 1000)
            let (one, other) = (body(5000), body(10))
            let place = try #require(room.enter(.init(one), at: .zero).place)
            #expect(room.enter(.init(other), at: .zero).place == nil)
            room.leave(place)
            #expect(room.enter(.init(other), at: .zero).place != nil)
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

            let sender: ResponseSender
            var isSent = false

            init(_ room: SendRoom) { sender = ResponseSender(room) }

            func send(_ body: [UInt8], _ context: ChannelHandlerContext) -> Bool {
                guard sender.admit(body, context.channel) else { return false }
                sender.send(HTTPResponseHead(version: .http1_1, status: .ok), body, context) { _ in self.isSent = true }
                return true
            }

            func channelInactive(context: ChannelHandlerContext) { sender.channelInactive() }
        }

        private func connection(_ room: SendRoom) throws -> (EmbeddedChannel, Stalled, Sending) {
            let (stalled, sending) = (Stalled(), Sending(room))
            let channel = EmbeddedChannel(handlers: [stalled, sending])
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return (channel, stalled, sending)
        }

        /// Many responses with one body, and none is read: each has one piece in its connection.
        @Test func whoDoesNotReadHoldsOnePiece() throws {
            let room = SendRoom(maximum: 64 << 20, time: ManualTimeSource())
            let body = body(12 << 20)
            var connections: [(EmbeddedChannel, Stalled, Sending)] = []
            for _ in 0..<100 {
                let (channel, stalled, sending) = try connection(room)
                let isSent = try sending.send(body, channel.pipeline.syncOperations.context(handler: sending))
                #expect(isSent && stalled.bytes == ResponseSender.piece)
                connections.append((channel, stalled, sending))
            }
            #expect(room.used == body.count + 100 * Self.share)
            let (channel, stalled, sending) = connections[0]
            stalled.send()
            #expect(stalled.bytes == 2 * ResponseSender.piece)
            while !stalled.hasEnded { stalled.send() }
            #expect(stalled.bytes == body.count && !sending.isSent)
            stalled.send()
            #expect(sending.isSent && room.used == body.count + 99 * Self.share)
            _ = try channel.finish()
            for (channel, stalled, _) in connections.dropFirst() {
                _ = try channel.finish()
                stalled.fail()
            }
            #expect(room.used == 0)
        }

        /// Small ones need no room while they are sent at once, and have some as soon as they are not.
        @Test func smallAnswersThatAreNotSentCountToo() throws {
            let room = SendRoom(maximum: 3 * (1000 + Self.share), time: ManualTimeSource())
            var channels: [(EmbeddedChannel, Stalled)] = []
            for number in 0..<4 {
                let (channel, stalled, sending) = try connection(room)
                let isSent = try sending.send(body(1000), channel.pipeline.syncOperations.context(handler: sending))
                #expect(isSent && stalled.bytes == 1000)
                // The fourth has no room, and nobody could be told slow yet.
                #expect(channel.isActive == (number < 3))
                channels.append((channel, stalled))
            }
            #expect(room.used == 3 * (1000 + Self.share))
            for (channel, stalled) in channels {
                stalled.send()
                _ = try channel.finish(acceptAlreadyClosed: true)
            }
            #expect(room.used == 0)
        }

        @Test func aLargeAnswerWithoutRoomIsRefused() throws {
            let room = SendRoom(maximum: (1 << 20) + 2 * Self.share, time: ManualTimeSource())
            let (first, stalled, sending) = try connection(room)
            let large = body(900 << 10)
            #expect(try sending.send(large, first.pipeline.syncOperations.context(handler: sending)))
            let (second, slow, other) = try connection(room)
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
