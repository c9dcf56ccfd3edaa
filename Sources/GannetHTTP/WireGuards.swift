#if HTTP
    import AsyncHTTPClient
    import GannetCore
    import NIOCore
    import NIOHTTP1

    /// Guards against responses that the client considers impossible and would crash on. The request fails instead.
    enum WireGuards {
        /// Interim responses allowed before the final one.
        static let maximumInterim = 256

        /// A field that is never sent: its value replaces the path in the request line, or `:path`.
        static let target = "gannet-request-target"

        static func install(in configuration: inout HTTPClient.Configuration) {
            configuration.http1_1ConnectionDebugInitializer = { channel in
                channel.eventLoop.submit {
                    let pipeline = channel.pipeline.syncOperations
                    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                    let heads = HeadHandler()
                    try pipeline.addHandler(heads, position: .before(decoder))
                    try pipeline.addHandler(AnswerGuard(heads), position: .after(decoder))
                }
            }
            installHTTP2(in: &configuration)
        }

        /// Tells interim heads from the final one. Throws for a head that is neither.
        struct Heads {
            private(set) var hasFinal = false
            private var interim = 0

            mutating func take(_ status: Int) throws(ImageError) {
                guard status >= 100, !hasFinal else { throw WireGuards.violation("an answer with the status \(status)") }
                guard status != 101 else { throw WireGuards.violation("a change to another protocol that nobody asked for") }
                if status >= 200 {
                    hasFinal = true
                } else {
                    interim += 1
                    guard interim <= WireGuards.maximumInterim else {
                        throw WireGuards.violation("interim responses without end")
                    }
                }
            }

            func takeBody() throws(ImageError) {
                guard hasFinal else { throw WireGuards.violation("a body before its answer") }
            }
        }

        /// A reused connection ended before the first byte of the next response.
        struct ClosedWhileKept: Error {
            /// Other requests shared the connection (HTTP/2) and ended with it.
            var isShared = false
        }

        static func violation(_ what: String) -> ImageError {
            ImageError(.protocolViolation, stage: .load, "The server's answer breaks the rules of HTTP: \(what).")
        }
    }

    /// Checks the answers of one connection, after the HTTP/1.1 decoder.
    private final class AnswerGuard: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        private let bytes: HeadHandler
        private var heads = WireGuards.Heads()
        private var isBroken = false
        private var hasAnswered = false
        /// A request was sent and nothing has arrived since.
        private var isWaiting = false
        /// Of the current response.
        private var isChunked = false
        private var bodyCount = 0
        /// Bytes arrived after the end of a response, so the start of the next one is unknown (RFC 9112 §9.2).
        private var isSpoilt = false
        /// A request came nevertheless; nothing was sent.
        private var hasRefused = false

        init(_ bytes: HeadHandler) { self.bytes = bytes }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard !isSpoilt else {
                hasRefused = true
                promise?.fail(WireGuards.Unprocessed())
                return
            }
            guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
            isWaiting = true
            bytes.requestBegins()
            guard let target = head.headers.first(name: WireGuards.target) else {
                return context.write(data, promise: promise)
            }
            head.headers.remove(name: WireGuards.target)
            head.uri = target
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        }

        func channelInactive(context: ChannelHandlerContext) {
            if hasRefused {
                context.fireErrorCaught(WireGuards.Unprocessed())
            } else if isWaiting, hasAnswered {
                context.fireErrorCaught(WireGuards.ClosedWhileKept())
            }
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // An unsolicited response that was read together with the end of the last one.
            let isForeign = error as? NIOHTTPDecoderError == .unsolicitedResponse
            let isClosed = (error is IOError || isForeign) && isWaiting && hasAnswered
            context.fireErrorCaught(isClosed ? WireGuards.ClosedWhileKept() : error)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isBroken else { return }
            do throws(ImageError) {
                let part = unwrapInboundIn(data)
                try check(part)
                context.fireChannelRead(lastsNot(part) ?? data)
                // The request has ended; the connection may already have another one.
                if isSpoilt { WireGuards.hangUp(context.channel) }
            } catch {
                isBroken = true
                context.fireErrorCaught(error)
            }
        }

        private func check(_ part: HTTPClientResponsePart) throws(ImageError) {
            isWaiting = false
            switch part {
            case .head(let head):
                try heads.take(Int(head.status.code))
                guard heads.hasFinal else { return }
                let codings = head.headers[canonicalForm: "transfer-encoding"]
                try checkCodings(codings)
                isChunked = !codings.isEmpty
                bodyCount = 0
            case .body(let buffer):
                try heads.takeBody()
                bodyCount += buffer.readableBytes
            case .end:
                try heads.takeBody()
                heads = WireGuards.Heads()
                isSpoilt = !bytes.answerEnds(after: isChunked ? nil : bodyCount)
                hasAnswered = true
            }
        }

        /// Chunks from an HTTP/1.0 server: an intermediary may see the response end elsewhere (RFC 9112 §6.1).
        private func lastsNot(_ part: HTTPClientResponsePart) -> NIOAny? {
            guard case .head(var head) = part, head.version != .http1_1, head.headers.contains(name: "transfer-encoding") else {
                return nil
            }
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            return wrapInboundOut(.head(head))
        }

        /// The decoder undoes a final `chunked`, and passes any other coding on as if it were the body.
        private func checkCodings(_ names: [Substring]) throws(ImageError) {
            guard !names.isEmpty else { return }
            let codings = names.map { $0.lowercased() }
            let text = codings.joined(separator: ", ").prefix(64)
            guard codings.allSatisfy({ $0 == "chunked" || $0 == "identity" }),
                codings.last == "chunked" || !codings.contains("chunked")
            else { throw WireGuards.violation("a Transfer-Encoding (\(text)) that nobody asked for") }
            // The decoder would undo only one of them.
            guard codings.count(where: { $0 == "chunked" }) <= 1 else {
                throw WireGuards.violation("a Transfer-Encoding (\(text)) with chunks in chunks")
            }
        }
    }
#endif
