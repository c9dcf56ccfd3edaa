#if Server
    import NIOCore
    import NIOTLS

    /// Closes a connection whose TLS handshake does not end in time, or has not ended when the server stops. The handlers that close a
    /// connection in order are added after the handshake.
    final class HandshakeTimeout: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = Any

        private let limit: TimeAmount
        private var end: Scheduled<Void>?

        init(_ limit: TimeAmount) { self.limit = limit }

        func handlerAdded(context: ChannelHandlerContext) {
            let channel = context.channel
            end = context.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
        }

        func handlerRemoved(context: ChannelHandlerContext) { end?.cancel() }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent { return context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
            if case .handshakeCompleted? = event as? TLSUserEvent {
                context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            }
        }
    }
#endif
