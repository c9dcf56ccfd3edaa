#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    import GannetCore
    import NIOCore

    extension HTTPClient.Body {
        private static let piece = 64 << 10

        /// A body in bytes. A long one is sent piece by piece, so that each piece sent counts as activity.
        static func whole(_ bytes: [UInt8]) -> Self {
            guard bytes.count > piece else { return .bytes(bytes) }
            return .stream(contentLength: Int64(bytes.count)) { send(bytes, from: 0, $0) }
        }

        @Sendable private static func send(_ bytes: [UInt8], from start: Int, _ writer: StreamWriter) -> EventLoopFuture<Void> {
            let end = min(start + piece, bytes.count)
            let sent = writer.write(.byteBuffer(ByteBuffer(bytes: bytes[start..<end])))
            if end == bytes.count { return sent }
            // The client may accept a piece and pause only afterwards. The next piece sees the pause in a separate turn.
            let loop = sent.eventLoop
            return sent.flatMap { loop.flatSubmit { send(bytes, from: end, writer) } }
        }
    }

    extension GannetCore.HTTPRequest {
        var hasEscapes: Bool { url.absoluteString.utf8.contains(UInt8(ascii: "%")) }

        /// Throws `misuse` for what would change the request on the wire or crash the client: a method that is no token (RFC
        /// 9110 §5.6.2), or an invalid host or port.
        func checkLine() throws(ImageError) {
            if let fault = url.authorityFault {
                throw ImageError(.misuse, stage: .load, "The request cannot be sent: \(fault).")
            }
            let isToken = method.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
            guard isToken, !method.isEmpty else {
                throw ImageError(
                    .misuse, stage: .load, "The request cannot be sent: its method is no word of HTTP, as GET is one.")
            }
        }
    }
#endif
