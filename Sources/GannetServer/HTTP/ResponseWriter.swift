#if Server
    import NIOCore
    import NIOHTTP1

    /// Writes the responses of one connection, or of one HTTP/2 stream, in pieces: a piece is copied when the one before has left the process.
    /// So a client that does not read costs one piece, and a body is held once for all of its readers.
    ///
    /// The end of a response is written once the channel is writable again. It admits the next pipelined request.
    final class ResponseWriter {
        /// Bytes. Larger ones would cost more for each client that does not read, smaller ones more system calls.
        static let piece = 32 << 10

        /// A response whose end was written. It keeps its ticket until that has been sent.
        private final class Written {
            let body: [UInt8]
            var ticket: UInt64?
            var isSent = false

            init(_ body: [UInt8], _ ticket: UInt64?) { (self.body, self.ticket) = (body, ticket) }
        }

        private let sendBuffers: SendBufferLimiter
        private var body: [UInt8] = []
        /// Bytes of the body that were written.
        private var count = 0
        private var ticket: UInt64?
        /// Called when the end was sent; nil: no response is being written.
        private var whenSent: ((Result<Void, any Error>) -> Void)?
        private var waitsForPiece = false
        private var isContinuing = false

        init(_ sendBuffers: SendBufferLimiter) { self.sendBuffers = sendBuffers }

        var isSending: Bool { whenSent != nil }

        /// False: too many bytes wait for other clients. A small response can be sent instead.
        func admit(_ body: [UInt8], _ channel: any Channel) -> Bool {
            if body.count <= Self.piece { return true }
            ticket = sendBuffers.enter(body, channel)
            return ticket != nil
        }

        /// An admitted body.
        func send(
            _ head: HTTPResponseHead, _ body: [UInt8], _ context: ChannelHandlerContext,
            whenSent: @escaping (Result<Void, any Error>) -> Void
        ) {
            (self.body, count, self.whenSent) = (body, 0, whenSent)
            write(.head(head), context)
            proceed(context)
        }

        /// Writes as much as the channel takes.
        func proceed(_ context: ChannelHandlerContext) {
            // A write may call this again. Then the first call continues.
            guard !isContinuing else { return }
            isContinuing = true
            defer { isContinuing = false }
            while isSending, !waitsForPiece {
                if let ticket { sendBuffers.note(ticket, taken: count) }
                if body.count - count > Self.piece {
                    writePiece(context)
                } else {
                    guard writeRest(context) else { return }
                }
            }
        }

        func channelInactive() {
            if let ticket { sendBuffers.leave(ticket) }
            (body, ticket, whenSent) = ([], nil, nil)
        }

        private func writePiece(_ context: ChannelHandlerContext) {
            waitsForPiece = true
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.assumeIsolated().whenComplete { result in
                self.waitsForPiece = false
                if case .success = result { self.proceed(context) }
            }
            write(next(Self.piece), context, sent)
            context.flush()
        }

        /// False: the channel is not writable, and the end waits.
        private func writeRest(_ context: ChannelHandlerContext) -> Bool {
            if count < body.count { write(next(body.count - count), context) }
            if !context.channel.isWritable { context.flush() }
            guard context.channel.isWritable else {
                if ticket == nil { ticket = sendBuffers.enter(body, context.channel) }
                if ticket == nil { context.close(promise: nil) }
                return false
            }
            writeEnd(context)
            return true
        }

        private func writeEnd(_ context: ChannelHandlerContext) {
            let (written, whenSent) = (Written(body, ticket), whenSent)
            (body, ticket, self.whenSent) = ([], nil, nil)
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.assumeIsolated().whenComplete { [sendBuffers] result in
                written.isSent = true
                if let ticket = written.ticket { sendBuffers.leave(ticket) }
                whenSent?(result)
            }
            write(.end(nil), context, sent)
            context.flush()
            guard !written.isSent, written.ticket == nil else { return }
            written.ticket = sendBuffers.enter(written.body, context.channel)
            if written.ticket == nil { context.close(promise: nil) }
        }

        private func next(_ length: Int) -> HTTPServerResponsePart {
            defer { count += length }
            return .body(.byteBuffer(ByteBuffer(bytes: body[count..<count + length])))
        }

        private func write(
            _ part: HTTPServerResponsePart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil
        ) { context.write(NIOAny(part), promise: promise) }
    }
#endif
