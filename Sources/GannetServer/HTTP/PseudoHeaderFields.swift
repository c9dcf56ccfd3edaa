#if Server
    import NIOCore
    import NIOHPACK
    import NIOHTTP2

    /// Makes the head of an HTTP/2 request one that the codec behind it can read, or resets the stream.
    ///
    /// The codec wants `:authority`, `:scheme` and `:path` in every request. RFC 9113 wants no `:authority` where `Host` is there, or
    /// nothing is known (§8.3.1), and neither of the others in CONNECT (§8.5). A request that the codec refuses is an error in a stream
    /// that is not active yet, and NIOHTTP2 then counts the stream as open for ever: the connection would never be idle.
    final class PseudoHeaderFields: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias InboundOut = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        private var isBehindHead = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isBehindHead, case .headers(var content) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
            isBehindHead = true
            guard Self.isRight(content.headers) else {
                // RFC 9113 §8.1.1.
                return context.writeAndFlush(wrapOutboundOut(.rstStream(.protocolError)), promise: nil)
            }
            content.headers = Self.completed(content.headers)
            context.fireChannelRead(wrapInboundOut(.headers(content)))
        }

        /// What NIOHTTP2 does not look at: characters of pseudo-header fields, two different hosts, and lengths that are no numbers.
        static func isRight(_ fields: HPACKHeaders) -> Bool {
            for (name, value, _) in fields {
                let isRight =
                    switch name {
                    case ":method": !value.isEmpty && isVisible(value)
                    case ":path", ":scheme", ":authority": isVisible(value)
                    case "content-length": !value.isEmpty && value.utf8.allSatisfy { (48...57).contains($0) }
                    default: true
                    }
                guard isRight else { return false }
            }
            guard let authority = fields.first(name: ":authority") else { return true }
            return fields["host"].allSatisfy { $0.lowercased() == authority.lowercased() }
        }

        private static func isVisible(_ value: String) -> Bool { value.utf8.allSatisfy { $0 > 32 && $0 != 127 } }

        /// An added `:authority` is empty: where `Host` is there, the codec passes that on.
        static func completed(_ fields: HPACKHeaders) -> HPACKHeaders {
            var added: [(String, String)] = []
            let authority = fields.first(name: ":authority") ?? ""
            if !fields.contains(name: ":authority") { added.append((":authority", authority)) }
            if !fields.contains(name: ":scheme") { added.append((":scheme", "https")) }
            if !fields.contains(name: ":path") { added.append((":path", authority)) }
            if added.isEmpty { return fields }
            var all = HPACKHeaders(added)
            all.add(contentsOf: fields)
            return all
        }
    }
#endif
