#if Server
    import NIOCore
    import NIOHTTP1

    /// Resets an HTTP/2 stream whose request does not arrive completely in time, or whose response is not read. The connection has
    /// its own limit, which counts only while it has no stream.
    final class StreamDeadline: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart

        private let idle: TimeAmount
        private let request: TimeAmount
        private var end: Scheduled<Void>?

        init(idle: TimeAmount, request: TimeAmount) { (self.idle, self.request) = (idle, request) }

        func channelActive(context: ChannelHandlerContext) {
            schedule(request, context)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // Loads have their own deadlines.
            if case .end = unwrapInboundIn(data) { end?.cancel() }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .head = unwrapOutboundIn(data) { schedule(idle, context) }
            context.write(data, promise: promise)
        }

        /// The client has read a piece of the response.
        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable { schedule(idle, context) }
            context.fireChannelWritabilityChanged()
        }

        func channelInactive(context: ChannelHandlerContext) {
            end?.cancel()
            context.fireChannelInactive()
        }

        private func schedule(_ limit: TimeAmount, _ context: ChannelHandlerContext) {
            end?.cancel()
            let channel = context.channel
            end = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        }
    }
#endif
