#if Server
    import NIOCore

    /// Accepts connections while the limiter is open (``ConnectionLimiter/isOpen``). The others wait in the system's queue, where they lose
    /// nothing: a connection that is accepted and then closed would get no response.
    final class AcceptGate: ChannelOutboundHandler {
        typealias OutboundIn = NIOAny

        /// The time between two looks at the limiter. Meanwhile the reserve connections get their responses.
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
