#if Server
    import NIOCore
    import NIOHTTP2

    /// Resets an HTTP/2 stream after a response that was sent before the end of its request (RFC 9113 §8.1). The rest of the request is of no
    /// use, and a client that never sends it would keep the stream open.
    final class EarlyResponseReset: ChannelDuplexHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias OutboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        private var requestHasEnded = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if Self.isLast(unwrapInboundIn(data)) { requestHasEnded = true }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard Self.isLast(unwrapOutboundIn(data)), !requestHasEnded else { return context.write(data, promise: promise) }
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.assumeIsolated().whenSuccess {
                guard !self.requestHasEnded, context.channel.isActive else { return }
                context.writeAndFlush(self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
            }
            context.write(data, promise: sent)
        }

        private static func isLast(_ frame: HTTP2Frame.FramePayload) -> Bool {
            switch frame {
            case .data(let data): data.endStream
            case .headers(let headers): headers.endStream
            default: false
            }
        }
    }
#endif
