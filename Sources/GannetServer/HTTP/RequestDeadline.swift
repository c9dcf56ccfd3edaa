#if Server
    import NIOCore
    import NIOHTTP1

    /// Closes a connection that is idle too long between requests, or whose request does not arrive completely in time. Otherwise a
    /// client that sends a byte now and then could hold the connection for ever. The time to produce a response does not count, because
    /// loads have their own deadlines. Nor does idleness during that time; otherwise the `IdleStateHandler` before this handler closes
    /// idle connections.
    final class RequestDeadline: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart

        private let idle: TimeAmount
        private let request: TimeAmount
        /// When the connection is closed; nil while a response is produced.
        private var deadline: NIODeadline?
        /// Fires at an earlier deadline and then checks the current one: a new timer for each request would cost more than the request.
        private var timer: (task: Scheduled<Void>, time: NIODeadline)?
        /// The first byte of a request has arrived.
        private var hasBegun = false
        /// From the end of a request to the head of its response.
        private var isResponding = false
        /// From the end of a request to the end of its response.
        private var isBusy = false
        /// The client has closed its side, or the last response is on its way; ``LingeringClose`` closes the connection.
        private var isLeaving = false

        /// - Parameters:
        ///   - idle: from the opening, or the last response, to the first byte of a request.
        ///   - request: from there to its last byte.
        init(idle: TimeAmount, request: TimeAmount) { (self.idle, self.request) = (idle, request) }

        func channelActive(context: ChannelHandlerContext) {
            schedule(idle, context)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) {
                deadline = nil
                (isResponding, isBusy, hasBegun) = (true, true, false)
            }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head: isResponding = false
            case .body: break
            case .end:
                isBusy = false
                if !isLeaving { schedule(idle, context) }
            }
            context.write(data, promise: promise)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output { leave() }
            context.close(mode: mode, promise: promise)
        }

        private func leave() {
            deadline = nil
            isLeaving = true
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            switch event {
            case is LingeringClose.BytesArrived:
                if isBusy || hasBegun || isLeaving { return }
                hasBegun = true
                schedule(request, context)
            case is IdleStateHandler.IdleStateEvent:
                // The next response of a pipeline waits until the client has read the one before.
                if !isResponding || !context.channel.isWritable { context.close(promise: nil) }
            default:
                if case ChannelEvent.inputClosed = event { leave() }
                context.fireUserInboundEventTriggered(event)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            timer?.task.cancel()
            timer = nil
            context.fireChannelInactive()
        }

        private func schedule(_ limit: TimeAmount, _ context: ChannelHandlerContext) {
            let time = NIODeadline.now() + limit
            deadline = time
            if let timer, timer.time <= time { return }
            timer?.task.cancel()
            let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            timer = (context.eventLoop.scheduleTask(deadline: time) { own.value.0.look(own.value.1) }, time)
        }

        private func look(_ context: ChannelHandlerContext) {
            timer = nil
            guard let deadline else { return }
            if deadline <= .now() { return context.close(promise: nil) }
            schedule(deadline - .now(), context)
        }
    }
#endif
