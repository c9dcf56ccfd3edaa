#if Server
    import NIOCore

    /// Accepts connections while there is room for them (``ConnectionLimiter/isOpen``). The others wait in the system's queue, where they lose
    /// nothing: a connection that was accepted and closed would have got no answer.
    final class AcceptGate: ChannelOutboundHandler {
        typealias OutboundIn = NIOAny

        /// Room is looked for so often. In the meantime the connections beyond the room are answered.
        static let pause = TimeAmount.milliseconds(10)

        private let limiter: ConnectionLimiter
        private var next: Scheduled<Void>?

        init(_ limiter: ConnectionLimiter) { self.limiter = limiter }

        func read(context: ChannelHandlerContext) {
            guard next == nil else { return }
            if limiter.isOpen { return context.read() }
            let own = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            next = context.eventLoop.scheduleTask(in: Self.pause) {
                let (gate, context) = own.value
                gate.next = nil
                gate.read(context: context)
            }
        }

        func handlerRemoved(context: ChannelHandlerContext) { next?.cancel() }
    }
#endif
