#if Server
    import NIOCore
    import NIOHTTP1
    import Synchronization

    /// A connection's place in a ``ConnectionRoom``, and the number of its requests that are being answered.
    final class ConnectionUse: Sendable {
        private let room: ConnectionRoom
        private let place: ConnectionRoom.Place
        private let count = Atomic(0)

        init(_ room: ConnectionRoom, _ place: ConnectionRoom.Place) { (self.room, self.place) = (room, place) }

        var isReserve: Bool { place.isReserve }

        var isAnswering: Bool { count.load(ordering: .relaxed) > 0 }

        func begin() { if count.add(1, ordering: .relaxed).oldValue == 0 { room.setBusy(true, place) } }

        func end() { if count.subtract(1, ordering: .relaxed).newValue == 0 { room.setBusy(false, place) } }
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
