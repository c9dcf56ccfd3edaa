#if Server
    import NIOCore

    /// Closes an HTTP/2 connection after an error in its frames (RFC 9113 §5.4.1). NIOHTTP2 sends a GOAWAY, reads nothing after the faulty
    /// frame, and leaves the close to the program: the connection would stay open for ever.
    ///
    /// Correct clients cause such errors too. After a GOAWAY without open streams NIOHTTP2 treats every frame except PING as an error, and a
    /// WINDOW_UPDATE may have been on its way.
    final class HTTP2ErrorHandler: ChannelInboundHandler {
        typealias InboundIn = Any

        private let connection: TrackedConnection

        init(_ connection: TrackedConnection) { self.connection = connection }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Errors of one stream arrive here too; the other streams get their whole responses.
            connection.closeAfterResponses()
        }
    }
#endif
