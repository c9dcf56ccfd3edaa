#if CommandLine && HTTP
    import NIOCore
    import NIOHTTP1

    /// Ends the output behind the last answer: the one that says `Connection: close`, or the one under way when the server stops. Requests
    /// behind it are dropped.
    final class LastAnswer: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        /// From the head of a request to the end of its answer.
        private var isBusy = false
        private var isStopping = false
        /// The answer that is being written is the last one.
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
                    // Before the end, which would let in the next request. The end has no bytes: every answer says its length.
                    end(context)
                } else {
                    isBusy = false
                }
                context.write(data, promise: promise)
            }
        }

        /// The decoder reports a request that it cannot read once, in its turn. Its reports of later bytes do not wait for their turn, and
        /// would end the connection before the requests ahead of them are answered.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if error is ByteToMessageDecoderError { return }
            context.fireErrorCaught(error)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event is OrderlyClose.ServerStops else { return context.fireUserInboundEventTriggered(event) }
            isStopping = true
            if !isBusy, !hasEnded { end(context) }
        }

        private func end(_ context: ChannelHandlerContext) {
            hasEnded = true
            context.close(mode: .output, promise: nil)
        }
    }
#endif
