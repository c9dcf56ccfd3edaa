#if Server
    import GannetFetch
    import GannetPlatform
    import NIOCore
    import NIOHTTP1

    /// Answers the requests of one connection in turn. Answers in memory are written at once, on the connection's own thread; for
    /// others there is a task, which ends with the connection.
    ///
    /// ``LastAnswer`` drops everything after the last response.
    final class RequestAnswerer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private struct Running {
            var request: HTTPRequestHead
            var start: Duration
            var closes: Bool
        }

        private let service: ThumbnailService
        /// There is room for a word of how the service is.
        private let isReserve: Bool
        private let scheme: String
        private let log: (@Sendable (AccessLog.Entry) -> Void)?
        private let time = SystemTimeSource()
        private var head: HTTPRequestHead?
        private var work: Task<Void, Never>?
        /// The end of an answer whose bytes the client has not taken yet. The next request of a pipeline comes with that end, so a
        /// client that does not read gets no second answer into the memory.
        private var unread: (answer: ThumbnailService.Answer, running: Running)?
        /// The client asks nothing more, or what cannot be read; the answer in progress is the last one.
        private var isLast = false

        init(
            _ service: ThumbnailService, isReserve: Bool, scheme: String = "http", log: (@Sendable (AccessLog.Entry) -> Void)?
        ) { (self.service, self.isReserve, self.scheme, self.log) = (service, isReserve, scheme, log) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let received):
                let isAnsweredAtOnce = Self.isAnsweredAtOnce(received)
                head = isAnsweredAtOnce ? nil : received
                if isAnsweredAtOnce { answer(received, context, closes: true) }
            case .body: break
            case .end:
                guard let request = head else { return }
                head = nil
                answer(request, context, closes: isReserve || Self.asksForAnotherProtocol(request))
            }
        }

        /// The handler in front has answered bytes that are no request with 400.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { end(context) }
            context.fireUserInboundEventTriggered(event)
        }

        private func end(_ context: ChannelHandlerContext) {
            isLast = true
            closeIfLast(context)
        }

        private func closeIfLast(_ context: ChannelHandlerContext) {
            if isLast, work == nil, unread == nil { context.close(mode: .output, promise: nil) }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable, let (answer, running) = unread {
                unread = nil
                writeEnd(of: answer, to: running, context)
                closeIfLast(context)
            }
            context.fireChannelWritabilityChanged()
        }

        func channelInactive(context: ChannelHandlerContext) {
            work?.cancel()
            context.fireChannelInactive()
        }

        /// True if the body cannot change the response, or if the client waits for a response before it sends the body (RFC 9110
        /// §10.1.1).
        private static func isAnsweredAtOnce(_ head: HTTPRequestHead) -> Bool {
            !HostField.isRight(in: head) || head.headers.contains(name: "Expect") || ![.GET, .HEAD].contains(head.method)
                || hasBody(head)
        }

        /// The decoder reads nothing behind such a request: what follows would be the other protocol's, if this server spoke it.
        private static func asksForAnotherProtocol(_ head: HTTPRequestHead) -> Bool { head.headers.contains(name: "Upgrade") }

        /// No answer depends on one, and what two servers understand differently is where a body ends.
        private static func hasBody(_ head: HTTPRequestHead) -> Bool {
            head.headers.contains(name: "Transfer-Encoding") || head.headers["Content-Length"].contains { Int($0) != 0 }
        }

        private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext, closes: Bool) {
            let running = Running(request: request, start: time.uptime, closes: closes || !request.isKeepAlive)
            guard HostField.isRight(in: request) else {
                let problem = ThumbnailService.problem(400, "A request names one host, as in Host: example.org:8080.", [])
                return write(problem, to: running, context)
            }
            let asked = ThumbnailService.Request(
                method: request.method.rawValue, target: request.uri, headers: request.headers.map { ($0.name, $0.value) },
                scheme: scheme, client: context.channel.remoteAddress?.ipAddress ?? "", isReserve: isReserve)
            if let known = service.answerAtOnce(asked) { return write(known, to: running, context) }
            let own = NIOLoopBound((self, context, running), eventLoop: context.eventLoop)
            let loop = context.eventLoop
            work = Task { [service] in
                let answer = await service.answer(asked)
                loop.execute {
                    let (answerer, context, running) = own.value
                    answerer.work = nil
                    guard context.channel.isActive else { return }
                    answerer.write(answer, to: running, context)
                    // The next request of a pipeline may have come with the end of this answer.
                    answerer.closeIfLast(context)
                }
            }
        }

        private func write(_ answer: ThumbnailService.Answer, to running: Running, _ context: ChannelHandlerContext) {
            let request = running.request
            var headers = NIOHTTP1.HTTPHeaders(answer.headers)
            let now = time.now
            // Without `Date`, caches in front of the server cannot compute the response's age (RFC 9110 §6.6.1).
            headers.add(name: "Date", value: HTTPDate.format(now))
            if answer.status != 304 { headers.add(name: "Content-Length", value: String(answer.body.count)) }
            if request.version.major > 1 {
                // Connections and their ends are frames there (RFC 9113 §8.2.2).
            } else if running.closes {
                headers.add(name: "Connection", value: "close")
            } else if request.version == .http1_0 {
                headers.add(name: "Connection", value: "keep-alive")
            }
            let status = HTTPResponseStatus(statusCode: answer.status)
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
            if request.method != .HEAD, !answer.body.isEmpty {
                // In pieces of one memory: each that is sent shows that a slow reader is alive.
                var rest = ByteBuffer(bytes: answer.body)
                while let piece = rest.readSlice(length: min(rest.readableBytes, 64 << 10)), piece.readableBytes > 0 {
                    context.write(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil)
                }
            }
            if !context.channel.isWritable { context.flush() }
            guard context.channel.isWritable else {
                unread = (answer, running)
                return
            }
            writeEnd(of: answer, to: running, context)
        }

        private func writeEnd(
            of answer: ThumbnailService.Answer, to running: Running, _ context: ChannelHandlerContext
        ) {
            let request = running.request
            guard let log else { return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
            let entry = AccessLog.Entry(
                time: time.now, client: context.channel.remoteAddress?.ipAddress ?? "-", method: request.method.rawValue,
                target: request.uri, version: "\(request.version.major).\(request.version.minor)",
                agent: request.headers["User-Agent"].first ?? "-", answer: answer, duration: time.uptime - running.start)
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.whenSuccess { log(entry) }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        }
    }
#endif
