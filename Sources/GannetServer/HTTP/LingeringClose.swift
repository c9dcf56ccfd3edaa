#if Server
    import NIOCore

    /// Closes a connection so that its last response arrives (RFC 9112 §9.6).
    ///
    /// - A close of the output waits until everything written has been sent. The idle limit bounds that time.
    /// - The client then has ten seconds to close its own side. Until then its bytes are read and discarded. Closing a socket
    ///   with unread bytes would reset the connection, and the client would lose the part of the response that it has not read.
    /// - A client that closes its own side first has ten seconds for each piece of its responses. It may be waiting, or may be
    ///   gone. Work for it ends with the connection.
    ///
    /// It precedes the HTTP handlers, which do not pass on the end of the client's side while requests are queued.
    final class LingeringClose: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = IOData

        /// An event for the HTTP handlers: the server stops, and this connection ends with the response in progress.
        struct ServerStops: Sendable {}

        /// An event for the HTTP handlers, which see requests only when their heads are complete.
        struct BytesArrived: Sendable {}

        private let patience: TimeAmount
        /// Writes that have not been sent.
        private var unsent = 0
        private var endsOutput = false
        private var hasEndedOutput = false
        /// Succeeds when the output is closed, after everything written has been sent.
        private var outputClosed: EventLoopPromise<Void>?
        private var inputHasEnded = false
        private var isStopping = false
        private var end: Scheduled<Void>?

        init(_ limit: TimeAmount) { patience = min(limit, .seconds(10)) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if endsOutput { return }
            context.fireUserInboundEventTriggered(BytesArrived())
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            // This can only be a response to bytes after the last request, which the decoder cannot read.
            guard !endsOutput else {
                promise?.fail(ChannelError.outputClosed)
                return
            }
            unsent += 1
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.assumeIsolated().whenComplete { _ in
                self.unsent -= 1
                if self.inputHasEnded { self.close(context, in: self.patience) }
                self.endOutputIfSent(context)
            }
            context.write(data, promise: sent)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard mode == .output else { return context.close(mode: mode, promise: promise) }
            endsOutput = true
            if let promise {
                if hasEndedOutput { return promise.succeed() }
                if let outputClosed { outputClosed.futureResult.cascade(to: promise) } else { outputClosed = promise }
            }
            endOutputIfSent(context)
        }

        /// Sends `words` to a client that has had no response, and closes the connection. `hasTime`: the client has a second to close its side first.
        func refuse(_ words: ByteBuffer, _ context: ChannelHandlerContext, hasTime: Bool) {
            guard !endsOutput, context.channel.isActive else { return context.close(promise: nil) }
            isStopping = true
            write(context: context, data: NIOAny(IOData.byteBuffer(words)), promise: nil)
            context.flush()
            if hasTime { close(context: context, mode: .output, promise: nil) } else { context.close(promise: nil) }
        }

        private func endOutputIfSent(_ context: ChannelHandlerContext) {
            guard endsOutput, !hasEndedOutput, unsent == 0 else { return }
            hasEndedOutput = true
            let promise = outputClosed
            outputClosed = nil
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
            outputClosed?.fail(ChannelError.ioOnClosedChannel)
            outputClosed = nil
            context.fireChannelInactive()
        }
    }
#endif
