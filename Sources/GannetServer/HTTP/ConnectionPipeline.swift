#if Server
    import GannetPlatform
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOSSL
    import NIOTLS

    /// The handlers of a connection, for its protocol.
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
                        if case .negotiated("h2") = result {
                            try addHTTP2(channel, connection)
                        } else {
                            try addHTTP1(channel, connection)
                        }
                    }
                })
        }

        private func addHTTP1(_ channel: any Channel, _ connection: TrackedConnection) throws {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(IdleStateHandler(allTimeout: idle))
            try pipeline.addHandler(LingeringClose(idle))
            try pipeline.addHandler(RequestLineValidator())
            // The last handler responds to errors, as to requests.
            try pipeline.configureHTTPServerPipeline(withErrorHandling: false)
            try pipeline.addHandler(RequestDeadline(idle: idle, request: request))
            try pipeline.addHandler(InFlightHandler(connection))
            try pipeline.addHandler(CloseAfterResponse())
            try pipeline.addHandler(RequestHandler(server, connection))
        }

        private func addHTTP2(_ channel: any Channel, _ connection: TrackedConnection) throws {
            // Closes idle connections, and those that are open when the server stops, with a GOAWAY.
            let manager = NIOHTTP2ServerConnectionManagementHandler(
                eventLoop: channel.eventLoop,
                configuration: .init(
                    maxIdleTime: idle, maxAge: nil, maxGraceTime: nil, keepalive: .init(pingInterval: idle, ackTimeout: request)))
            // HTTP/2 needs both directions: without the client's frames no response can be sent.
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
                    try pipeline.addHandler(PseudoHeaderFields())
                    try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                    try pipeline.addHandler(StreamDeadline(idle: idle, request: request))
                    try pipeline.addHandler(InFlightHandler(connection))
                    try pipeline.addHandler(RequestHandler(server, connection))
                }
            }
            try pipeline.addHandler(manager)
            // The channel became active before its handshake. Without this call a connection without requests has no time limit.
            manager.channelActive(context: try pipeline.context(handler: manager))
            try pipeline.addHandler(HTTP2ErrorHandler(connection))
        }
    }
#endif
