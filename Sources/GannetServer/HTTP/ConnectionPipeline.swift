#if Server
    import GannetPlatform
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOSSL
    import NIOTLS

    /// The handlers of a connection, by the protocol that it speaks.
    struct ConnectionPipeline: Sendable {
        var server: ServerEnvironment
        var limits: ThumbnailServer.Limits
        /// Nil: the connection is not encrypted, and speaks HTTP/1.1.
        var certificate: ServerCertificate?

        private var idle: TimeAmount { TimeAmount(limits.idle) }
        private var request: TimeAmount { TimeAmount(limits.request) }

        func configure(_ channel: any Channel, _ connection: TrackedConnection) throws {
            guard let certificate else { return try addHTTP1(channel, connection) }
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
            try pipeline.addHandler(HandshakeTimeout(request))
            try pipeline.addHandler(
                ApplicationProtocolNegotiationHandler { result, channel in
                    channel.eventLoop.makeCompletedFuture {
                        if case .negotiated("h2") = result { try addHTTP2(channel, connection) } else { try addHTTP1(channel, connection) }
                    }
                })
        }

        private func addHTTP1(_ channel: any Channel, _ connection: TrackedConnection) throws {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(IdleStateHandler(allTimeout: idle))
            try pipeline.addHandler(LingeringClose(idle))
            try pipeline.addHandler(RequestLineValidator())
            // Errors are answered by the last handler, as everything else is.
            try pipeline.configureHTTPServerPipeline(withErrorHandling: false)
            try pipeline.addHandler(RequestDeadline(idle: idle, request: request))
            try pipeline.addHandler(InFlightHandler(connection))
            try pipeline.addHandler(CloseAfterResponse())
            try pipeline.addHandler(RequestHandler(server, connection))
        }

        private func addHTTP2(_ channel: any Channel, _ connection: TrackedConnection) throws {
            // Ends idle connections, and those that the server's stop leaves, with a word to the client.
            let manager = NIOHTTP2ServerConnectionManagementHandler(
                eventLoop: channel.eventLoop,
                configuration: .init(
                    maxIdleTime: idle, maxAge: nil, maxGraceTime: nil, keepalive: .init(pingInterval: idle, ackTimeout: request)))
            // Half a connection has no use in HTTP/2: without the client's frames nothing can be answered.
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(FrameLimit())
            _ = try pipeline.configureHTTP2Pipeline(
                mode: .server, connectionConfiguration: .init(), streamConfiguration: .init(),
                streamDelegate: manager.http2StreamDelegate
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    let pipeline = stream.pipeline.syncOperations
                    try pipeline.addHandler(EarlyResponseReset())
                    try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                    try pipeline.addHandler(StreamDeadline(idle: idle, request: request))
                    try pipeline.addHandler(InFlightHandler(connection))
                    try pipeline.addHandler(RequestHandler(server, connection))
                }
            }
            try pipeline.addHandler(manager)
            // The connection has been active since before its handshake: without this the time of one that never asks is not limited.
            manager.channelActive(context: try pipeline.context(handler: manager))
            try pipeline.addHandler(HTTP2ErrorHandler(connection))
        }
    }
#endif
