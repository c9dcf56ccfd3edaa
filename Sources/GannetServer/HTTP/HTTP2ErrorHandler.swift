#if Server
    import NIOCore

    /// Ends a connection of HTTP/2 after an error in its frames, for which NIOHTTP2 sends a GOAWAY and leaves the rest to the program
    /// (RFC 9113 §5.4.1): what came behind the faulty frame is not read, and the connection would stay for ever.
    ///
    /// A client that keeps to the protocol gets here too: after a GOAWAY without open streams NIOHTTP2 takes every frame but a
    /// PING for an error, and a WINDOW_UPDATE may have been on its way.
    final class HTTP2ErrorHandler: ChannelInboundHandler {
        typealias InboundIn = Any

        private let connection: TrackedConnection

        init(_ connection: TrackedConnection) { self.connection = connection }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Errors of one stream come here as well, and the others are answered to their ends.
            connection.closeAfterResponses()
        }
    }
#endif
