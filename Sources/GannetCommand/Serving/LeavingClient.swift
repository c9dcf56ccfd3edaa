#if CommandLine && HTTP
    import NIOCore

    /// Gives a client that ends its own side ten seconds for the answers that it waits for, then closes the connection: it may be waiting, or may have
    /// gone, and nobody can tell (RFC 9112 §9.6). With the connection the work for it ends.
    ///
    /// It stands before the handlers of HTTP, which keep the end of a client's side to themselves while requests wait behind another one.
    final class LeavingClient: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let patience: TimeAmount
        private var end: Scheduled<Void>?

        init(_ limit: TimeAmount) { patience = min(limit, .seconds(10)) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event, end == nil {
                let channel = context.channel
                end = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
            }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            end?.cancel()
            context.fireChannelInactive()
        }
    }
#endif
