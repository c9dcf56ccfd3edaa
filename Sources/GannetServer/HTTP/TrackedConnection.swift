#if Server
    import GannetCore
    import GannetFetch
    import GannetPlatform
    import NIOCore
    import NIOHTTP1
    import Synchronization

    /// A connection of a ``ConnectionLimiter``, and the number of its requests in progress.
    final class TrackedConnection: Sendable {
        let id: UInt64
        let channel: any Channel
        private let limiter: ConnectionLimiter
        private let count = Atomic(0)
        private let hasToGo: Atomic<Bool>
        /// A request has arrived: the client has a response, or gets one.
        private let wasAsked = Atomic(false)

        /// For a request that is on its way when its connection is evicted.
        static let lastChance = TimeAmount.milliseconds(100)

        init(_ limiter: ConnectionLimiter, _ channel: any Channel, _ id: UInt64, isReserve: Bool) {
            (self.limiter, self.channel, self.id) = (limiter, channel, id)
            hasToGo = Atomic(isReserve)
        }

        /// The connection gets health checks and refusals, and no other response.
        var isReserve: Bool { hasToGo.load(ordering: .relaxed) }

        var isResponding: Bool { count.load(ordering: .relaxed) > 0 }

        func begin() {
            wasAsked.store(true, ordering: .relaxed)
            if count.add(1, ordering: .relaxed).oldValue == 0 { limiter.setBusy(true, id) }
        }

        func end() { if count.subtract(1, ordering: .relaxed).newValue == 0 { limiter.setBusy(false, id) } }

        /// Closes an evicted idle connection. A request that has arrived is still read, and gets its response. A client without any response gets a
        /// 503: it could not tell a silent close from a failure.
        ///
        /// `hasTime`: a request that is on its way may still come, and the client may close its side first.
        func makeRoom(hasTime: Bool) {
            hasToGo.store(true, ordering: .relaxed)
            channel.eventLoop.execute { [self] in
                guard hasTime, !wasAsked.load(ordering: .relaxed) else { return refuse(hasTime: hasTime) }
                // Bytes that have arrived are read before the timer ends.
                channel.eventLoop.scheduleTask(in: Self.lastChance) { [self] in refuse(hasTime: true) }
            }
        }

        private func refuse(hasTime: Bool) {
            guard !wasAsked.load(ordering: .relaxed),
                // Absent before the end of a TLS handshake, and in HTTP/2.
                let context = try? channel.pipeline.syncOperations.context(handlerType: LingeringClose.self),
                let closing = context.handler as? LingeringClose
            else { return closeAfterResponses() }
            closing.refuse(Self.refusal(at: SystemTimeSource().now), context, hasTime: hasTime)
        }

        /// For a client whose request is not known.
        static func refusal(at now: Timestamp) -> ByteBuffer {
            let response = ThumbnailService.tooManyConnections
            let fields =
                response.headers + [
                    ("Date", HTTPDate.format(now)), ("Content-Length", String(response.body.count)), ("Connection", "close"),
                ]
            var bytes = ByteBuffer(string: "HTTP/1.1 \(response.status) Service Unavailable\r\n")
            for (name, value) in fields { bytes.writeString("\(name): \(value)\r\n") }
            bytes.writeString("\r\n")
            bytes.writeBytes(response.body)
            return bytes
        }

        /// On the connection's thread.
        func closeAfterResponses() {
            if isResponding {
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            } else {
                channel.close(promise: nil)
            }
        }
    }

    /// Notes when a request is in progress: from its last byte until its response is sent, or the connection closes.
    final class InFlightHandler: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart

        private let connection: TrackedConnection
        /// A response has not been written to its end. The next request may come before it is sent.
        private var isResponding = false

        init(_ connection: TrackedConnection) { self.connection = connection }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) { begin() }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            // Some responses begin before the end of their request.
            case .head: begin()
            case .body: break
            case .end:
                isResponding = false
                let sent = promise ?? context.eventLoop.makePromise()
                sent.futureResult.whenComplete { [connection] _ in connection.end() }
                return context.write(data, promise: sent)
            }
            context.write(data, promise: promise)
        }

        func channelInactive(context: ChannelHandlerContext) {
            if isResponding { connection.end() }
            isResponding = false
            context.fireChannelInactive()
        }

        private func begin() {
            if !isResponding { connection.begin() }
            isResponding = true
        }
    }
#endif
