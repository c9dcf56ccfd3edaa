#if HTTP
    import AsyncHTTPClient
    import GannetCore
    import NIOCore
    import NIOHPACK
    import NIOHTTP2
    import NIOSSL

    // Guards of HTTP/2 connections, each confined to its event loop. The codec only reports violations; the guards hang up.
    // Until the server's first SETTINGS, a connection cannot be reached.
    extension WireGuards {
        static func installHTTP2(in configuration: inout HTTPClient.Configuration) {
            let patience = TimeAmount.nanoseconds((configuration.timeout.connect ?? .seconds(10)).nanoseconds / 2)
            configuration.http2ConnectionDebugInitializer = { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let codec = try pipeline.handler(type: NIOHTTP2Handler.self)
                    let frames = ConnectionGuard(patience: patience)
                    try pipeline.addHandler(frames, position: .after(codec))
                    try pipeline.addHandler(ByteGuard(frames), position: .before(codec))
                }
            }
            configuration.http2StreamChannelDebugInitializer = { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StreamGuard(), position: .first)
                }
            }
        }

        /// Closes at once, on the channel's event loop. Bypasses TLS, which would wait for close_notify while the server keeps
        /// sending.
        static func hangUp(_ channel: any Channel) {
            if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self) {
                tls.close(mode: .all, promise: nil)
            } else {
                channel.close(mode: .all, promise: nil)
            }
        }

        /// The server refused the request, or sent GOAWAY before it arrived: it was not processed (RFC 9113 §8.7).
        struct Unprocessed: Error {}
    }

    /// State shared by all streams of a connection; sits after the HTTP/2 codec.
    private final class ConnectionGuard: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias InboundOut = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        /// Last stream of the server's GOAWAY; later streams were not processed.
        private(set) var lastStream: HTTP2StreamID?
        /// The last stream that the server reset.
        private(set) var lastReset: HTTP2StreamID?
        /// The server's violation, once it is known.
        private(set) var reason: (any Error)?
        /// The codec has sent its final GOAWAY.
        fileprivate(set) var isOver = false
        /// Some stream has had an answer.
        fileprivate(set) var hasAnswered = false
        private(set) var silence: SilenceWatch?
        private let patience: TimeAmount

        init(patience: TimeAmount) { self.patience = patience }

        func handlerAdded(context: ChannelHandlerContext) {
            let channel = context.channel
            silence = SilenceWatch(channel.eventLoop, patience: patience, grace: max(patience, .seconds(10))) { [weak self] in
                guard let self else { return }
                context.writeAndFlush(
                    wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(), ack: false))), promise: nil)
            } hangUp: {
                WireGuards.hangUp(channel)
            }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            silence?.stop()
            silence = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.payload {
            case .goAway(let last, _, _): lastStream = lastStream.map { min($0, last) } ?? last
            case .rstStream: lastReset = frame.streamID
            default: break
            }
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if isOver, reason == nil { reason = error }
            context.fireErrorCaught(error)
        }

        var violation: ImageError {
            WireGuards.violation(reason.map { "HTTP/2 ended with \(type(of: $0))" } ?? "the connection had to be ended")
        }
    }

    /// Hangs up once the codec has sent GOAWAY, which it does only after violations. Otherwise, everything the server still
    /// sends would be kept unread for ever. Sits between TLS and the codec.
    private final class ByteGuard: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        private let frames: ConnectionGuard
        /// Bytes left of the frame whose header was written last; its payload is a separate write.
        private var rest = 0

        init(_ frames: ConnectionGuard) { self.frames = frames }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            frames.silence?.end()
            guard !frames.isOver else { return }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            look(unwrapOutboundIn(data), context.channel)
            context.write(data, promise: promise)
        }

        private func look(_ data: IOData, _ channel: any Channel) {
            guard rest == 0 else {
                rest = max(rest - data.readableBytes, 0)
                return
            }
            guard case .byteBuffer(let buffer) = data, let head = buffer.getBytes(at: buffer.readerIndex, length: 9) else {
                return
            }
            rest = max(9 + (Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])) - buffer.readableBytes, 0)
            guard head[3] == 7, !frames.isOver else { return }
            frames.isOver = true
            // After the GOAWAY is written.
            channel.eventLoop.execute { WireGuards.hangUp(channel) }
        }
    }

    /// Checks one stream, before the codec of HTTP/1 parts.
    private final class StreamGuard: ChannelDuplexHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias InboundOut = HTTP2Frame.FramePayload
        typealias OutboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        private var connection: ConnectionGuard?
        private var heads = WireGuards.Heads()
        private var hasAsked = false
        private var hasHeard = false
        /// Events are no longer passed on.
        private var isOver = false
        private var pieces = PieceJoiner()

        func handlerAdded(context: ChannelHandlerContext) {
            connection = try? context.channel.parent?.pipeline.syncOperations.handler(type: ConnectionGuard.self)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if !hasAsked {
                hasAsked = true
                connection?.silence?.begin()
            }
            context.write(withTarget(unwrapOutboundIn(data)).map { wrapOutboundOut($0) } ?? data, promise: promise)
        }

        /// Nil: the request has no target of its own.
        private func withTarget(_ payload: HTTP2Frame.FramePayload) -> HTTP2Frame.FramePayload? {
            guard case .headers(var frame) = payload, let target = frame.headers.first(name: WireGuards.target) else {
                return nil
            }
            // In their order: fields of the protocol come first (RFC 9113 §8.3).
            var headers = HPACKHeaders()
            for field in frame.headers where field.name != WireGuards.target {
                let value = field.name == ":path" ? target : field.value
                headers.add(name: field.name, value: value, indexing: field.indexable)
            }
            frame.headers = headers
            return .headers(frame)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isOver else { return }
            do throws(ImageError) {
                let payload = unwrapInboundIn(data)
                try check(payload)
                if case .data(let frame) = payload, !frame.endStream, case .byteBuffer(let piece) = frame.data {
                    if let joined = pieces.take(piece) { hand(joined, context) }
                } else {
                    handHeld(context)
                    context.fireChannelRead(data)
                }
            } catch {
                isOver = true
                context.fireErrorCaught(error)
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            handHeld(context)
            context.fireChannelReadComplete()
        }

        private func handHeld(_ context: ChannelHandlerContext) {
            if let held = pieces.finish() { hand(held, context) }
        }

        private func hand(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
            context.fireChannelRead(wrapInboundOut(.data(.init(data: .byteBuffer(bytes)))))
        }

        private func check(_ payload: HTTP2Frame.FramePayload) throws(ImageError) {
            switch payload {
            case .data: try heads.takeBody()
            case .headers(let fields):
                hasHeard = true
                connection?.hasAnswered = true
                // After the final head, these are trailers.
                guard !heads.hasFinal else { return }
                let text = fields.headers.first(name: ":status") ?? ""
                guard text.utf8.count == 3, text.utf8.allSatisfy({ (48...57).contains($0) }), let status = Int(text) else {
                    throw WireGuards.violation("a status that is no number of three digits")
                }
                try heads.take(status)
                guard fields.headers["content-length"].allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
                    throw WireGuards.violation("a length that is no number")
                }
                guard heads.hasFinal || !fields.endStream else { throw WireGuards.violation("an end without an answer") }
            default: break
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if !isOver { handHeld(context) }
            isOver = true
            context.fireErrorCaught(explained(error))
        }

        private func explained(_ error: any Error) -> any Error {
            guard let connection, let closed = error as? NIOHTTP2Errors.StreamClosed else { return error }
            if connection.isOver { return connection.violation }
            if connection.lastReset == closed.streamID {
                return closed.errorCode == .refusedStream ? WireGuards.Unprocessed() : error
            }
            if let last = connection.lastStream, closed.streamID > last { return WireGuards.Unprocessed() }
            return WireGuards.violation("the stream had to be ended (\(closed.errorCode))")
        }

        func channelInactive(context: ChannelHandlerContext) {
            if hasAsked { connection?.silence?.leave() }
            if !isOver { handHeld(context) }
            if hasAsked, !isOver, let connection {
                if connection.isOver {
                    context.fireErrorCaught(connection.violation)
                } else if !hasHeard, connection.hasAnswered {
                    context.fireErrorCaught(WireGuards.ClosedWhileKept(isShared: true))
                }
            }
            context.fireChannelInactive()
        }
    }
#endif
