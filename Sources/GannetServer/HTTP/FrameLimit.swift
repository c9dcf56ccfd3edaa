#if Server
    import NIOCore

    /// Closes an HTTP/2 connection whose client sends too many frames without requests (``FrameCredit``), with a GOAWAY of
    /// ENHANCE_YOUR_CALM (RFC 9113 §10.5). NIOHTTP2 limits some kinds of frames, but neither WINDOW_UPDATE nor unknown ones.
    ///
    /// It precedes NIOHTTP2's handler, and reads only the headers of frames.
    final class FrameLimit: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        /// RFC 9113 §6.
        private enum Kind {
            static let data: UInt8 = 0
            static let headers: UInt8 = 1
            static let goAway: UInt8 = 7
            static let endStream: UInt8 = 1
            static let enhanceYourCalm: UInt32 = 11
        }

        /// Bytes of the preface, or of a frame's content, that are still to come.
        private var skipped = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count
        /// The beginning of a frame's head: length (3 bytes), kind, flags, stream (4 bytes).
        private var head = ByteBuffer()
        private static let headLength = 9
        private var credit: FrameCredit?
        private var lastStream: UInt32 = 0
        private var isOver = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if isOver { return }
            guard isAllowed(unwrapInboundIn(data), context) else { return end(context) }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            credit?.addSent(unwrapOutboundIn(data).readableBytes)
            context.write(data, promise: promise)
        }

        /// Nothing more is read once the connection is being closed.
        func read(context: ChannelHandlerContext) { if !isOver { context.read() } }

        private func isAllowed(_ came: ByteBuffer, _ context: ChannelHandlerContext) -> Bool {
            var came = came
            var credit = credit ?? FrameCredit(at: context.eventLoop.now)
            defer { self.credit = credit }
            while true {
                let passed = min(skipped, came.readableBytes)
                came.moveReaderIndex(forwardBy: passed)
                skipped -= passed
                guard var more = came.readSlice(length: min(Self.headLength - head.readableBytes, came.readableBytes)),
                    more.readableBytes > 0
                else { return true }
                head.writeBuffer(&more)
                guard let (top, bottom, flags, stream) = head.readMultipleIntegers(as: (UInt16, UInt16, UInt8, UInt32).self)
                else { return true }
                head.clear()
                let kind = UInt8(truncatingIfNeeded: bottom)
                skipped = Int(top) << 8 | Int(bottom >> 8)
                switch kind {
                case Kind.headers:
                    lastStream = max(lastStream, stream & 0x7FFF_FFFF)
                    credit.addRequest()
                // The end of a request.
                case Kind.data where flags & Kind.endStream != 0: break
                default: guard credit.spend(at: context.eventLoop.now) else { return false }
                }
            }
        }

        private func end(_ context: ChannelHandlerContext) {
            isOver = true
            var frame = ByteBuffer()
            frame.writeMultipleIntegers(UInt16(0), UInt8(8), Kind.goAway, UInt8(0), UInt32(0), lastStream, Kind.enhanceYourCalm)
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(frame)), promise: nil)
            context.close(promise: nil)
        }
    }
#endif
