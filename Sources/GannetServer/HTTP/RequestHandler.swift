#if Server
    import GannetFetch
    import GannetPlatform
    import NIOCore
    import NIOHTTP1

    /// The parts that all connections of a server share.
    struct ServerEnvironment: Sendable {
        var service: ThumbnailService
        var sendBuffers: SendBufferLimiter
        var scheme = "http"
        var proxies = TrustedProxies()
        var log: (@Sendable (AccessLog.Entry) -> Void)?
    }

    /// Responds to the requests of one connection in turn. A stored response is written at once, on the connection's own thread, if it can be read
    /// without waiting. For others a task runs, which is cancelled when the connection closes.
    ///
    /// ``CloseAfterResponse`` drops everything after the last response.
    final class RequestHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart

        private struct Running {
            var request: HTTPRequestHead
            var start: Duration
            var closes: Bool
        }

        private let server: ServerEnvironment
        private let connection: TrackedConnection?
        private let writer: ResponseWriter
        private let time = SystemTimeSource()
        private var head: HTTPRequestHead?
        private var work: Task<Void, Never>?
        /// The client sends no more requests, or unreadable ones; the response in progress is the last one.
        private var isLast = false
        /// The response in progress is not sent any more.
        private var isRefused = false

        init(_ server: ServerEnvironment, _ connection: TrackedConnection?) {
            (self.server, self.connection) = (server, connection)
            writer = ResponseWriter(server.sendBuffers)
        }

        private var isReserve: Bool { connection?.isReserve ?? false }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let received):
                let needsNoBody = Self.needsNoBody(received)
                head = needsNoBody ? nil : received
                if needsNoBody { respond(to: received, context, closes: true) }
            case .body: break
            case .end:
                guard let request = head else { return }
                head = nil
                respond(to: request, context, closes: isReserve || Self.asksForAnotherProtocol(request))
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if let error = error as? HTTPParserError, !writer.isSending { refuse(error, context) }
            end(context)
        }

        /// Refuses bytes that are no request. A request whose body cannot be read gets this response instead of its own.
        private func refuse(_ error: HTTPParserError, _ context: ChannelHandlerContext) {
            isRefused = true
            work?.cancel()
            work = nil
            var response = ThumbnailService.problem(400, "This is no request of HTTP/1.1.", [])
            response.failure = "The request cannot be read: \(error)."
            let request = HTTPRequestHead(version: .http1_1, method: .RAW(value: "-"), uri: "-")
            write(response, to: Running(request: request, start: time.uptime, closes: true), context)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { end(context) }
            context.fireUserInboundEventTriggered(event)
        }

        private func end(_ context: ChannelHandlerContext) {
            isLast = true
            closeIfLast(context)
        }

        private func closeIfLast(_ context: ChannelHandlerContext) {
            if isLast, work == nil, !writer.isSending { context.close(mode: .output, promise: nil) }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable, writer.isSending {
                writer.proceed(context)
                closeIfLast(context)
            }
            context.fireChannelWritabilityChanged()
        }

        func channelInactive(context: ChannelHandlerContext) {
            work?.cancel()
            writer.channelInactive()
            context.fireChannelInactive()
        }

        /// True if the body cannot change the response, or if the client waits for a response before it sends the body (RFC 9110
        /// §10.1.1).
        private static func needsNoBody(_ head: HTTPRequestHead) -> Bool {
            !HostHeader.isRight(in: head) || head.headers.contains(name: "Expect") || ![.GET, .HEAD].contains(head.method)
                || hasBody(head)
        }

        /// The decoder reads nothing after such a request: the next bytes would belong to the other protocol.
        private static func asksForAnotherProtocol(_ head: HTTPRequestHead) -> Bool { head.headers.contains(name: "Upgrade") }

        /// No response depends on a body, and servers may disagree on where a body ends (request smuggling).
        private static func hasBody(_ head: HTTPRequestHead) -> Bool {
            head.headers.contains(name: "Transfer-Encoding") || head.headers["Content-Length"].contains { Int($0) != 0 }
        }

        private func respond(to request: HTTPRequestHead, _ context: ChannelHandlerContext, closes: Bool) {
            let running = Running(request: request, start: time.uptime, closes: closes || !request.isKeepAlive)
            guard HostHeader.isRight(in: request) else {
                let problem = ThumbnailService.problem(400, "A request names one host, as in Host: example.org:8080.", [])
                return write(problem, to: running, context)
            }
            var asked = ThumbnailService.Request(
                method: request.method.rawValue, target: request.uri, headers: request.headers.map { ($0.name, $0.value) },
                scheme: server.scheme, isReserve: isReserve)
            if let known = server.service.cachedResponse(to: asked) { return write(known, to: running, context) }
            asked.client = address(of: request, context)
            let own = NIOLoopBound((self, context, running), eventLoop: context.eventLoop)
            let loop = context.eventLoop
            work = Task { [service = server.service, asked] in
                let response = await service.respond(to: asked)
                loop.execute {
                    let (handler, context, running) = own.value
                    guard !handler.isRefused, context.channel.isActive else { return }
                    handler.work = nil
                    handler.write(response, to: running, context)
                    // The next pipelined request may have arrived with the end of this response.
                    handler.closeIfLast(context)
                }
            }
        }

        private func write(_ response: ThumbnailService.Response, to running: Running, _ context: ChannelHandlerContext) {
            let isWanted = running.request.method != .HEAD
            guard writer.admit(isWanted ? response.body : [], context.channel) else {
                let refusal = "Too much waits for clients that read slowly; try again."
                return write(ThumbnailService.problem(503, refusal, [("Retry-After", "1")]), to: running, context)
            }
            let client = server.log == nil ? nil : address(of: running.request, context)
            writer.send(head(of: response, to: running), isWanted ? response.body : [], context) { [self] result in
                guard case .success = result else { return }
                if let client, let log = server.log { log(entry(response, running, client)) }
                closeIfLast(context)
            }
        }

        private func head(of response: ThumbnailService.Response, to running: Running) -> HTTPResponseHead {
            let request = running.request
            var headers = NIOHTTP1.HTTPHeaders(response.headers)
            // Without `Date`, caches in front of the server cannot compute the response's age (RFC 9110 §6.6.1).
            headers.add(name: "Date", value: HTTPDate.format(time.now))
            if response.status != 304 { headers.add(name: "Content-Length", value: String(response.body.count)) }
            if request.version.major > 1 {
                // Connections and their ends are frames there (RFC 9113 §8.2.2).
            } else if running.closes {
                headers.add(name: "Connection", value: "close")
            } else if request.version == .http1_0 {
                headers.add(name: "Connection", value: "keep-alive")
            }
            return HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        }

        private func address(of request: HTTPRequestHead, _ context: ChannelHandlerContext) -> String {
            server.proxies.client(at: context.channel.remoteAddress?.ipAddress, request.headers)
        }

        private func entry(_ response: ThumbnailService.Response, _ running: Running, _ client: String) -> AccessLog.Entry {
            let request = running.request
            return AccessLog.Entry(
                time: time.now, client: client, method: request.method.rawValue, target: request.uri,
                version: "\(request.version.major).\(request.version.minor)",
                agent: request.headers["User-Agent"].first ?? "-", response: response, duration: time.uptime - running.start)
        }
    }
#endif
