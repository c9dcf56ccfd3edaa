#if Server
    import NIOCore

    /// Passes on only request lines that follow RFC 9112 §3: method, target and version with one space between them. The decoder accepts
    /// more, which a proxy may read in another way. A wrong line is changed into one that the decoder cannot read, so that it gets one
    /// response, in its turn, and ends the connection.
    ///
    /// A target without end is cut: what is left of it is longer than any address, and the service says so (414, RFC 9112 §3).
    ///
    /// It stops after a request with a body, because that request is the last one.
    final class RequestLineValidator: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private enum Position { case requestLine, fields, body, broken }

        /// Longer lines are wrong.
        static let maximumLength = 16 << 10

        private var position = Position.requestLine
        /// The bytes of the current line: the whole request line, or the first bytes of a field.
        private var line: [UInt8] = []
        private var hasBody = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var buffer = unwrapInboundIn(data)
            // Request lines are held back until they are complete.
            var passed = context.channel.allocator.buffer(capacity: line.count + buffer.readableBytes)
            while buffer.readableBytes > 0 {
                switch position {
                case .requestLine: readRequestLine(&buffer, &passed)
                case .fields: readField(&buffer, &passed)
                case .body: passed.writeBuffer(&buffer)
                case .broken: buffer.moveReaderIndex(to: buffer.writerIndex)
                }
            }
            if passed.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(passed)) }
        }

        /// The bytes up to the next line feed, and whether that has arrived.
        private func take(_ buffer: inout ByteBuffer) -> (bytes: ByteBuffer, isComplete: Bool) {
            let view = buffer.readableBytesView
            let end = view.firstIndex(of: 10)
            let count = end.map { $0 - view.startIndex + 1 } ?? view.count
            return (buffer.readSlice(length: count) ?? ByteBuffer(), end != nil)
        }

        private func readRequestLine(_ buffer: inout ByteBuffer, _ passed: inout ByteBuffer) {
            let (bytes, isComplete) = take(&buffer)
            line += bytes.readableBytesView
            guard line.count <= Self.maximumLength else { return cut(&passed) }
            guard isComplete else { return }
            let text = line.dropLast(2)
            // Empty lines before a request are ignored (RFC 9112 §2.2), and none ends with a line feed alone.
            guard line.suffix(2) == [13, 10], text.isEmpty || Self.isRight(text) else { return breakOff(&passed) }
            passed.writeBytes(line)
            if !text.isEmpty { position = .fields }
            line.removeAll(keepingCapacity: true)
        }

        private func cut(_ passed: inout ByteBuffer) {
            let start = line.prefix(Self.maximumLength)
            let parts = start.split(separator: 32, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, Self.isPrintable(start) else { return breakOff(&passed) }
            position = .broken
            line = []
            passed.writeBytes(start)
            // It needs no host, and ends the connection.
            passed.writeString(" HTTP/1.0\r\n\r\n")
        }

        private func breakOff(_ passed: inout ByteBuffer) {
            position = .broken
            line = []
            passed.writeBytes([0, 13, 10, 13, 10])
        }

        static func isRight(_ line: ArraySlice<UInt8>) -> Bool {
            let parts = line.split(separator: 32, omittingEmptySubsequences: false)
            guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, isPrintable(line) else { return false }
            return parts[2].elementsEqual("HTTP/1.1".utf8) || parts[2].elementsEqual("HTTP/1.0".utf8)
        }

        private static func isPrintable(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 > 31 && $0 != 127 } }

        private func readField(_ buffer: inout ByteBuffer, _ passed: inout ByteBuffer) {
            var (bytes, isComplete) = take(&buffer)
            line += bytes.readableBytesView.prefix(max(64 - line.count, 0))
            passed.writeBuffer(&bytes)
            guard isComplete else { return }
            let text = String(decoding: line, as: UTF8.self).lowercased()
            line.removeAll(keepingCapacity: true)
            if text.hasPrefix("transfer-encoding:") { hasBody = true }
            if text.hasPrefix("content-length:"), !Self.isZero(text.dropFirst(15)) { hasBody = true }
            if text == "\n" || text == "\r\n" { position = hasBody ? .body : .requestLine }
        }

        private static func isZero(_ value: Substring) -> Bool {
            value.allSatisfy { "0 \t\r\n".contains($0) } && value.contains("0")
        }
    }
#endif
