#if Server
    import NIOCore
    import NIOHTTP1

    /// Ends the output after the last response: the one with `Connection: close`, or the one in progress when the server stops.
    /// Requests after it are dropped.
    final class CloseAfterResponse: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        /// From the head of a request to the end of its response.
        private var isBusy = false
        private var isStopping = false
        /// The response in progress is the last one.
        private var isLast = false
        private var hasEnded = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if hasEnded { return }
            if case .head = unwrapInboundIn(data) { isBusy = true }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head(var head):
                if isStopping { head.headers.replaceOrAdd(name: "Connection", value: "close") }
                isLast = !head.isKeepAlive
                context.write(wrapOutboundOut(.head(head)), promise: promise)
            case .body: context.write(data, promise: promise)
            case .end:
                if isLast || isStopping {
                    // Before `end`, which would let in the next request. It has no bytes, because every response states its
                    // length: what it promises is that all before it has been sent.
                    end(context, promise)
                    context.write(data, promise: nil)
                } else {
                    isBusy = false
                    context.write(data, promise: promise)
                }
            }
        }

        /// The decoder reports an unreadable request once, in order. It reports later bytes out of order, which would end the
        /// connection before earlier requests are answered.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if error is ByteToMessageDecoderError || hasEnded { return }
            context.fireErrorCaught(error)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event is LingeringClose.ServerStops else { return context.fireUserInboundEventTriggered(event) }
            isStopping = true
            if !isBusy, !hasEnded { end(context) }
        }

        private func end(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil) {
            hasEnded = true
            context.close(mode: .output, promise: promise)
        }
    }
#endif
