#if CommandLine && HTTP
    import NIOCore
    import NIOHTTP1

    /// Closes a connection whose next request is not whole in time: a client that sends a byte now and then would hold it for ever. The
    /// time for answering is not counted.
    final class RequestDeadline: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart

        private let limit: TimeAmount
        private var end: Scheduled<Void>?

        init(_ limit: TimeAmount) { self.limit = limit }

        func channelActive(context: ChannelHandlerContext) {
            begin(context)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) { end?.cancel() }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .end = unwrapOutboundIn(data) { begin(context) }
            context.write(data, promise: promise)
        }

        func channelInactive(context: ChannelHandlerContext) {
            end?.cancel()
            context.fireChannelInactive()
        }

        private func begin(_ context: ChannelHandlerContext) {
            end?.cancel()
            let channel = context.channel
            end = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        }
    }
#endif
