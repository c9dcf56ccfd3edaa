#if CommandLine && HTTP
    import NIOCore

    /// Ends a connection so that its last answer arrives (RFC 9112 §9.6).
    ///
    /// - A close of the output waits until everything that was written has gone out. How long that may take is up to the idle limit.
    /// - Then the client has ten seconds to end its own side. Until then its bytes are read and thrown away. A socket that is closed with
    ///   unread bytes resets the connection, and the client loses the part of its answer that it has not read.
    /// - A client that ends its own side first has ten seconds for each piece of its answers. It may be waiting, or may have gone. The
    ///   work for it ends with the connection.
    ///
    /// It stands before the handlers of HTTP, which keep the end of a client's side to themselves while requests wait behind another one.
    final class OrderlyClose: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = IOData

        /// An event for the handlers of HTTP: the server stops, and this connection ends with the answer that is under way.
        struct ServerStops: Sendable {}

        private let patience: TimeAmount
        /// Writes that have not gone out.
        private var unsent = 0
        private var endsOutput = false
        private var hasEndedOutput = false
        private var inputHasEnded = false
        private var isStopping = false
        private var end: Scheduled<Void>?

        init(_ limit: TimeAmount) { patience = min(limit, .seconds(10)) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if !endsOutput { context.fireChannelRead(data) }
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            // Only an answer to bytes behind the last request, which the decoder cannot read.
            guard !endsOutput else {
                promise?.fail(ChannelError.outputClosed)
                return
            }
            unsent += 1
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.assumeIsolated().whenComplete { _ in
                self.unsent -= 1
                if self.inputHasEnded { self.close(context, in: self.patience) }
                self.endOutputIfSent(context, nil)
            }
            context.write(data, promise: sent)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard mode == .output else { return context.close(mode: mode, promise: promise) }
            endsOutput = true
            endOutputIfSent(context, promise)
        }

        /// `promise` is that of the request to end, which is carried out later where something has still to be sent.
        private func endOutputIfSent(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
            guard endsOutput, !hasEndedOutput, unsent == 0 else {
                promise?.succeed()
                return
            }
            hasEndedOutput = true
            // Nothing is left to wait for.
            if inputHasEnded { return context.close(mode: .all, promise: promise) }
            context.close(mode: .output, promise: promise)
            close(context, in: isStopping ? min(patience, .seconds(1)) : patience)
        }

        private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
            end?.cancel()
            guard context.channel.isActive else { return }
            let channel = context.channel
            end = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            switch event {
            case is ChannelShouldQuiesceEvent:
                isStopping = true
                context.fireUserInboundEventTriggered(ServerStops())
            case ChannelEvent.inputClosed:
                inputHasEnded = true
                close(context, in: patience)
                context.fireUserInboundEventTriggered(event)
            default: context.fireUserInboundEventTriggered(event)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            end?.cancel()
            context.fireChannelInactive()
        }
    }
#endif
