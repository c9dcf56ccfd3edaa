#if CommandLine && HTTP
    import NIOCore
    import NIOHTTP1

    /// Tells a ``ConnectionRoom`` when a connection's request is being answered: from its last byte until the answer is sent.
    final class RoomKeeper: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart

        private let room: ConnectionRoom
        private let place: ConnectionRoom.Place

        init(_ room: ConnectionRoom, _ place: ConnectionRoom.Place) { (self.room, self.place) = (room, place) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) { room.setBusy(true, place) }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            // Some requests are answered before their end.
            case .head: room.setBusy(true, place)
            case .body: break
            case .end:
                let sent = promise ?? context.eventLoop.makePromise()
                let (room, place) = (room, place)
                sent.futureResult.whenComplete { _ in room.setBusy(false, place) }
                return context.write(data, promise: sent)
            }
            context.write(data, promise: promise)
        }
    }
#endif
