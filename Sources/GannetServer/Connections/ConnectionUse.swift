#if Server
    import NIOCore
    import NIOHTTP1
    import Synchronization

    /// A connection in a ``ConnectionRoom``, and the number of its requests that are being answered.
    final class ConnectionUse: Sendable {
        let id: UInt64
        let channel: any Channel
        private let room: ConnectionRoom
        private let count = Atomic(0)
        private let hasToGo: Atomic<Bool>

        init(_ room: ConnectionRoom, _ channel: any Channel, _ id: UInt64, isReserve: Bool) {
            (self.room, self.channel, self.id) = (room, channel, id)
            hasToGo = Atomic(isReserve)
        }

        /// There is room for a word of how the service is, and for no other answer.
        var isReserve: Bool { hasToGo.load(ordering: .relaxed) }

        var isAnswering: Bool { count.load(ordering: .relaxed) > 0 }

        func begin() { if count.add(1, ordering: .relaxed).oldValue == 0 { room.setBusy(true, id) } }

        func end() { if count.subtract(1, ordering: .relaxed).newValue == 0 { room.setBusy(false, id) } }

        /// Closes an idle connection, whose place another one has now. A request that has arrived is read before, and is answered.
        func makeRoom() {
            hasToGo.store(true, ordering: .relaxed)
            channel.eventLoop.execute { [self] in endWhenAnswered() }
        }

        /// On the connection's thread.
        func endWhenAnswered() {
            if isAnswering {
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            } else {
                channel.close(promise: nil)
            }
        }
    }

    /// Notes when a request is being answered: from its last byte until the answer is sent, or the client is gone.
    final class RoomKeeper: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart

        private let use: ConnectionUse
        /// A response has not been written to its end. The next request may come before it is sent.
        private var isAnswering = false

        init(_ use: ConnectionUse) { self.use = use }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) { begin() }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            // Some requests are answered before their end.
            case .head: begin()
            case .body: break
            case .end:
                isAnswering = false
                let sent = promise ?? context.eventLoop.makePromise()
                sent.futureResult.whenComplete { [use] _ in use.end() }
                return context.write(data, promise: sent)
            }
            context.write(data, promise: promise)
        }

        func channelInactive(context: ChannelHandlerContext) {
            if isAnswering { use.end() }
            isAnswering = false
            context.fireChannelInactive()
        }

        private func begin() {
            if !isAnswering { use.begin() }
            isAnswering = true
        }
    }
#endif
