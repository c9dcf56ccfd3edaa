#if CommandLine && HTTP
    import NIOCore
    import NIOHTTP1

    /// Closes a connection whose next request does not arrive completely in time. Without this, a client that sends a byte now
    /// and then could hold the connection for ever. The time to produce a response does not count, because loads have their own
    /// deadlines. An idle connection does not matter during that time either; at other times the `IdleStateHandler` in front of
    /// this handler closes it.
    final class RequestDeadline: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart

        private let limit: TimeAmount
        private var end: Scheduled<Void>?
        /// From the end of a request to the head of its response.
        private var isAnswering = false
        /// The client has closed its side, or the last response is on its way; ``OrderlyClose`` closes the connection.
        private var isLeaving = false

        init(_ limit: TimeAmount) { self.limit = limit }

        func channelActive(context: ChannelHandlerContext) {
            begin(context)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) {
                end?.cancel()
                isAnswering = true
            }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head: isAnswering = false
            case .body: break
            case .end: if !isLeaving { begin(context) }
            }
            context.write(data, promise: promise)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output { leave() }
            context.close(mode: mode, promise: promise)
        }

        private func leave() {
            end?.cancel()
            isLeaving = true
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event is IdleStateHandler.IdleStateEvent else {
                if case ChannelEvent.inputClosed = event { leave() }
                return context.fireUserInboundEventTriggered(event)
            }
            if !isAnswering { context.close(promise: nil) }
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
