#if HTTP
    import NIOCore

    /// Repairs HTTP/1.1 response heads that browsers and curl accept and the decoder refuses:
    ///
    /// - folded lines become spaces (RFC 9112 §5.2); lines that begin with a space right after the status line are removed
    ///   (§2.2),
    /// - a `Content-Length` repeated with one number (RFC 9110 §8.6) is kept once,
    /// - a `Content-Length` next to chunks, which mark their own end (RFC 9112 §6.3), is removed,
    /// - empty members of `Transfer-Encoding` (`chunked,`, RFC 9110 §5.6.1.2) are removed,
    /// - a `Transfer-Encoding` of only unknown names or `identity` is removed: servers that send it encode nothing,
    /// - a `Location` that is not UTF-8, whose bytes would be lost after the decoder, is percent-encoded.
    ///
    /// Everything else passes unchanged, right or wrong. A head that arrives in pieces is held until it is complete or
    /// ``maximumBytes`` long; bodies pass through. Work and memory are proportional to the head. A head without any of these is
    /// only scanned.
    struct HeadNormalizer {
        /// More than the decoder accepts for a field, so that the decoder refuses longer ones.
        static let maximumBytes = 256 * 1024

        /// Whether the last head is complete and a body or unknown bytes follow. The caller resets it at the end of a response.
        var isPastHead = false { didSet { if !isPastHead { countPastHead = 0 } } }
        /// Bytes passed on after the head.
        private(set) var countPastHead = 0
        /// The status line exceeds the limit of a whole head; the decoder would keep it for ever.
        private(set) var isEndless = false
        private var held: ByteBuffer?
        private var lines = Lines()

        /// Returns the bytes that can pass on to the decoder.
        mutating func take(_ buffer: ByteBuffer) -> ByteBuffer? {
            guard !isPastHead else {
                countPastHead += buffer.readableBytes
                return buffer
            }
            var head = buffer
            if var held {
                self.held = nil
                held.writeImmutableBuffer(buffer)
                head = held
            }
            return normalized(&head)
        }

        /// Returns what is held of an incomplete head, when no more will come.
        mutating func finish() -> ByteBuffer? {
            isPastHead = true
            defer { held = nil }
            return held
        }

        private mutating func normalized(_ buffer: inout ByteBuffer) -> ByteBuffer? {
            var result: ByteBuffer?
            while true {
                switch lines.read(buffer.readableBytesView) {
                case .more where buffer.readableBytes <= Self.maximumBytes:
                    // Kept unchanged; complete heads before it pass on.
                    held = buffer.readableBytes > 0 ? buffer : nil
                    return result
                case .more, .foreign:
                    isEndless = buffer.readableBytes > Self.maximumBytes && !lines.hasStatusLine
                    isPastHead = true
                    lines = Lines()
                    return joined(result, buffer)
                case .end(let count):
                    let isInterim = lines.isInterim
                    let needsRepair = lines.needsRepair
                    lines = Lines()
                    if !isInterim {
                        isPastHead = true
                        countPastHead = buffer.readableBytes - count
                    }
                    if !needsRepair, result == nil, !isInterim { return buffer }
                    guard let head = buffer.readSlice(length: count) else { return joined(result, buffer) }
                    append(needsRepair ? HeadRepair.repaired(head, isInterim: isInterim) : head, to: &result)
                    if !isInterim { return joined(result, buffer) }
                }
            }
        }

        private func append(_ head: ByteBuffer, to result: inout ByteBuffer?) {
            if result == nil { result = head } else { result?.writeImmutableBuffer(head) }
        }

        private func joined(_ first: ByteBuffer?, _ second: ByteBuffer) -> ByteBuffer {
            guard var first else { return second }
            first.writeImmutableBuffer(second)
            return first
        }
    }

    extension HeadNormalizer {
        /// Finds the end of a head line by line, and resumes where it stopped.
        private struct Lines {
            enum Found {
                case more
                /// Bytes from the start up to and including the empty line.
                case end(Int)
                /// Not HTTP: a line ends without a carriage return.
                case foreign
            }

            private(set) var isInterim = false
            private(set) var needsRepair = false
            /// Offset from the start of the head.
            private var lineStart = 0
            /// No line end before this offset.
            private var searched = 0
            private(set) var hasStatusLine = false
            private var hasLength = false
            private var hasCoding = false

            mutating func read(_ bytes: ByteBufferView) -> Found {
                let base = bytes.startIndex
                while let newline = bytes[(base + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = bytes[(base + lineStart)..<newline]
                    guard line.last == UInt8(ascii: "\r") else { return .foreign }
                    lineStart = newline + 1 - base
                    searched = lineStart
                    if line.count > 1, line.first == UInt8(ascii: "\r") { return .foreign }
                    if line.count == 1 {
                        // Empty lines before the status line are ignored.
                        if hasStatusLine { return .end(lineStart) }
                    } else {
                        guard hasStatusLine || isStatusLine(line) else { return .foreign }
                        look(at: line)
                    }
                }
                searched = bytes.count
                return hasStatusLine || isStatusLine(bytes[(base + lineStart)...]) ? .more : .foreign
            }

            /// Checks the bytes that are there: the decoder refuses other beginnings at once.
            private func isStatusLine(_ line: ByteBufferView) -> Bool {
                zip(line, "HTTP/".utf8).allSatisfy(==) || line.first == UInt8(ascii: "\r")
            }

            private mutating func look(at line: ByteBufferView) {
                guard hasStatusLine else {
                    hasStatusLine = true
                    // "HTTP/1.1 1"
                    isInterim = line.count > 9 && line[line.startIndex + 9] == UInt8(ascii: "1")
                    return
                }
                switch line[line.startIndex] {
                case UInt8(ascii: " "), UInt8(ascii: "\t"): needsRepair = true
                case UInt8(ascii: "c"), UInt8(ascii: "C"):
                    guard HeadRepair.isField("content-length", line) else { return }
                    if hasLength || hasCoding || line.contains(UInt8(ascii: ",")) { needsRepair = true }
                    hasLength = true
                case UInt8(ascii: "t"), UInt8(ascii: "T"):
                    guard HeadRepair.isField("transfer-encoding", line) else { return }
                    if hasLength || !HeadRepair.isChunked(line) { needsRepair = true }
                    hasCoding = true
                case UInt8(ascii: "l"), UInt8(ascii: "L"):
                    if HeadRepair.isField("location", line), line.contains(where: { $0 >= 128 }) { needsRepair = true }
                default: break
                }
            }
        }
    }

    /// Rewrites heads.
    private enum HeadRepair {
        private static let blank = UInt8(ascii: " ")

        /// - Parameter head: complete, with the empty line at its end.
        static func repaired(_ head: ByteBuffer, isInterim: Bool) -> ByteBuffer {
            var lines: [[UInt8]] = []
            for line in head.readableBytesView.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                if let first = line.first, first == blank || first == UInt8(ascii: "\t"), !lines.isEmpty {
                    // Directly after the status line, there is no field to continue.
                    if lines.count > 1 {
                        lines[lines.count - 1] += [blank] + line.drop { $0 == blank || $0 == UInt8(ascii: "\t") }
                    }
                } else if !line.isEmpty {
                    lines.append(Array(line))
                }
            }
            repairCodings(in: &lines)
            removeInventedCodings(from: &lines)
            repairLength(in: &lines)
            repairLocation(in: &lines)
            // Nothing was repaired: return the same bytes, for the decoder to refuse.
            let isSame = lines.reduce(2) { $0 + $1.count + 2 } == head.readableBytes
            if isSame, zip(lines.flatMap { $0 + [13, 10] }, head.readableBytesView).allSatisfy(==) { return head }
            // An intermediary may have read the old head and see this response end elsewhere. Bytes after it on this
            // connection cannot be trusted (RFC 9112 §6.3, §11.2).
            if !isInterim {
                lines.removeAll {
                    isField("connection", $0) && trimmed(value(of: $0)).map(lowercased) == Array("keep-alive".utf8)
                }
                lines.append(Array("Connection: close".utf8))
            }
            var result = ByteBufferAllocator().buffer(capacity: head.readableBytes)
            for line in lines {
                result.writeBytes(line)
                result.writeStaticString("\r\n")
            }
            result.writeStaticString("\r\n")
            return result
        }

        static func isField(_ name: StaticString, _ line: some Collection<UInt8>) -> Bool {
            name.withUTF8Buffer { name in
                line.count > name.count && zip(name, line).allSatisfy { $0 == lowercased($1) }
                    && line.dropFirst(name.count).first == UInt8(ascii: ":")
            }
        }

        private static func lowercased(_ byte: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }

        private static func repairCodings(in lines: inout [[UInt8]]) {
            for index in lines.indices where isField("transfer-encoding", lines[index]) {
                let members = value(of: lines[index]).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                let codings = members.map { trimmed($0) }.filter { !$0.isEmpty }
                guard codings.count < members.count, !codings.isEmpty else { continue }
                lines[index] = Array("Transfer-Encoding: ".utf8) + codings.joined(separator: ", ".utf8)
            }
        }

        /// Removes codings that servers invent, and `identity`. Servers that send one send a plain body up to its length or until
        /// they close, and browsers accept it. Names that may mean chunks stay: one recipient would read chunks, another would
        /// not.
        private static func removeInventedCodings(from lines: inout [[UInt8]]) {
            let found = lines.indices.filter { isField("transfer-encoding", lines[$0]) }
            let codings = found.flatMap { index in
                value(of: lines[index]).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                    trimmed($0).map(lowercased)
                }
            }
            let undone = ["gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd"].map { Array($0.utf8) }
            let isInvented = codings.allSatisfy { name in
                !name.isEmpty && !undone.contains(name) && !name.contains("chunk".utf8)
                    && name.allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigitOrLetter }
            }
            if isInvented { lines.remove(at: found) }
        }

        static func isChunked(_ line: ByteBufferView) -> Bool {
            trimmed(Array(line)[...].drop { $0 != UInt8(ascii: ":") }.dropFirst().dropLast()).map(lowercased)
                == Array("chunked".utf8)
        }

        private static func repairLocation(in lines: inout [[UInt8]]) {
            for index in lines.indices where isField("location", lines[index]) {
                guard String(validating: lines[index], as: UTF8.self) == nil else { continue }
                lines[index] = lines[index].flatMap { byte -> [UInt8] in
                    let digits = Array("0123456789ABCDEF".utf8)
                    return byte < 128 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }
        }

        private static func repairLength(in lines: inout [[UInt8]]) {
            let lengths = lines.indices.filter { isField("content-length", lines[$0]) }
            guard let first = lengths.first else { return }
            // The last coding decides where the body ends.
            let coding = lines.last { isField("transfer-encoding", $0) }
            if let coding {
                let last = value(of: coding).split(separator: UInt8(ascii: ",")).last.map { trimmed($0).map { $0 | 0x20 } }
                if last == Array("chunked".utf8) { lines.remove(at: lengths) }
                return
            }
            let numbers = lengths.flatMap { index in
                value(of: lines[index]).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                    number(trimmed($0))
                }
            }
            guard let length = numbers[0], numbers.allSatisfy({ $0 == length }) else { return }
            lines[first] = Array("Content-Length: \(length)".utf8)
            lines.remove(at: lengths.dropFirst())
        }

        private static func value(of line: [UInt8]) -> ArraySlice<UInt8> {
            line.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        }

        private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            let isBlank: (UInt8) -> Bool = { $0 == blank || $0 == UInt8(ascii: "\t") }
            var result = bytes.drop(while: isBlank)
            while let last = result.last, isBlank(last) { result.removeLast() }
            return result
        }

        private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
            guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return Int(String(decoding: digits, as: UTF8.self))
        }
    }

    extension UInt8 {
        /// An ASCII digit or lower-case letter.
        fileprivate var isDigitOrLetter: Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
        }
    }

    extension [[UInt8]] {
        fileprivate mutating func remove(at indices: some Collection<Int>) {
            let indices = Set(indices)
            self = enumerated().filter { !indices.contains($0.offset) }.map(\.element)
        }
    }

    /// Repairs the heads of one connection before the HTTP/1.1 decoder. Confined to its event loop.
    final class HeadHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private var heads = HeadNormalizer()
        /// The last bytes that passed on, up to four.
        private var tail: UInt32 = 0
        /// A response has ended, and no request was sent since.
        private var isIdle = false

        /// Marks later bytes as the response to this request.
        func requestBegins() { isIdle = false }

        /// Ends a response with `bodyCount` bytes after its head (nil: chunks); a head comes next. Returns false if more bytes
        /// than that have arrived.
        func answerEnds(after bodyCount: Int?) -> Bool {
            // An empty line follows the last chunk.
            let isExact: Bool
            if let bodyCount {
                // Empty lines are ignored.
                let more = heads.countPastHead - bodyCount
                isExact =
                    (0...4).contains(more)
                    && (0..<more).allSatisfy { [0x0A, 0x0D].contains(UInt8(truncatingIfNeeded: tail >> UInt32(8 * $0))) }
            } else {
                isExact = tail == 0x0D0A_0D0A
            }
            heads.isPastHead = false
            isIdle = true
            return isExact
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            guard !isIdle else {
                // An unsolicited response, or the rest of the last one. It would become the start of the next request's
                // response (RFC 9112 §9.2). Empty lines are ignored.
                let isBlank = buffer.readableBytesView.allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
                if !isBlank { WireGuards.hangUp(context.channel) }
                return
            }
            guard !heads.isEndless, let bytes = heads.take(buffer) else { return }
            guard !heads.isEndless else {
                // Reads no more: the request and its connection end with the error.
                context.fireErrorCaught(WireGuards.violation("a status line without end"))
                return
            }
            for byte in bytes.readableBytesView.suffix(4) { tail = tail << 8 | UInt32(byte) }
            context.fireChannelRead(wrapInboundOut(bytes))
        }

        func channelInactive(context: ChannelHandlerContext) {
            // Only the decoder can judge half a head.
            if let rest = heads.finish() { context.fireChannelRead(wrapInboundOut(rest)) }
            context.fireChannelInactive()
        }
    }
#endif
