#if HTTP
    import NIOCore
    import Testing

    @testable import GannetHTTP

    /// Heads that the decoder would refuse, and that browsers and curl accept. RFC 9112 §2.2, §5.2, §6.3, RFC 9110 §8.6
    @Suite struct HeadNormalizerTests {
        static let status = "HTTP/1.1 200 OK\r\n"

        /// The output for input that arrives in these pieces.
        static func output(_ pieces: [String]) -> String {
            var heads = HeadNormalizer()
            var result = ""
            for piece in pieces { result += heads.take(ByteBuffer(string: piece)).map { String(buffer: $0) } ?? "" }
            return result + (heads.finish().map { String(buffer: $0) } ?? "")
        }

        static let repairs: [(String, String, String)] = [
            ("a folded line", "A: one\r\n  two\r\n\tthree\r\nB: 4\r\n", "A: one two three\r\nB: 4\r\n"),
            ("a fold of spaces alone", "A: 1\r\n \t\r\nB: 2\r\n", "A: 1 \r\nB: 2\r\n"),
            (
                "what keeps the connection", "Connection: Keep-Alive\r\nConnection: x\r\nA: 1\r\n 2\r\n",
                "Connection: x\r\nA: 1 2\r\n"
            ),
            ("a folded line at the end", "A: 1\r\n 2\r\n", "A: 1 2\r\n"),
            ("spaces in front of the first field", " A: 1\r\n B: 2\r\nC: 3\r\n", "C: 3\r\n"),
            ("a length said twice", "Content-Length: 3\r\nA: 1\r\ncontent-length:3 \r\n", "Content-Length: 3\r\nA: 1\r\n"),
            ("a length said in a list", "Content-Length: 3,03, 3\r\n", "Content-Length: 3\r\n"),
            ("a length that is folded", "Content-Length:\r\n 3\r\n", "Content-Length: 3\r\n"),
            ("a length beside chunks", "Content-Length: 3\r\nTransfer-Encoding: Chunked\r\n", "Transfer-Encoding: Chunked\r\n"),
            (
                "chunks beside a length", "Transfer-Encoding: gzip, chunked\r\nContent-Length: 3\r\n",
                "Transfer-Encoding: gzip, chunked\r\n"
            ),
            ("a coding and nothing", "Transfer-Encoding: chunked ,\r\n", "Transfer-Encoding: chunked\r\n"),
            ("nothing between codings", "transfer-encoding:,gzip,, chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n"),
            ("an invented coding", "Transfer-Encoding: rot13\r\nA: 1\r\n", "A: 1\r\n"),
            (
                "a length beside a coding that is none", "Content-Length: 3\r\nTransfer-Encoding: Identity\r\n",
                "Content-Length: 3\r\n"
            ),
            (
                "nothing behind chunks, and a length", "Content-Length: 3\r\nTransfer-Encoding: chunked, \r\n",
                "Transfer-Encoding: chunked\r\n"
            ),
        ]

        @Test(arguments: repairs.indices) func repaired(_ index: Int) {
            let (name, fields, expected) = Self.repairs[index]
            let input = Self.status + fields + "\r\nA: 1\r\n b"
            // Bytes after the head pass unchanged.
            let output = Self.status + expected + "Connection: close\r\n\r\nA: 1\r\n b"
            #expect(Self.output([input]) == output, "\(name)")
            for cut in 1..<input.utf8.count {
                let bytes = Array(input.utf8)
                let pieces = [bytes[..<cut], bytes[cut...]].map { String(decoding: $0, as: UTF8.self) }
                #expect(Self.output(pieces) == output, "\(name), cut at \(cut)")
            }
            #expect(Self.output(input.unicodeScalars.map { String($0) }) == output, "\(name), one by one")
        }

        static let untouched = [
            "A: 1\r\nB:  2\r\nContent-Length: 3\r\n",
            "Content-Length: 3\r\nContent-Length: 4\r\n",
            "Content-Length: 3\r\nContent-Length: three\r\n",
            "Content-Length: 3\r\nContent-Length: -3\r\n",
            "Content-Length: ,\r\n",
            "Content-Length: 3\r\nTransfer-Encoding: gzip\r\n", "Transfer-Encoding: gzip,chunked\r\n", "Transfer-Encoding: ,\r\n",
            "Transfer-Encoding: rot13\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: xchunked\r\n",
            "Transfer-Encoding: rot13, gzip\r\n", "Transfer-Encoding: chunked;q=1\r\n",
            "Location: /ä.png\r\n", "A: 1,\r\nLocation: /a,.png\r\n",
            "Content-Lengths: 3\r\nContent-Length: 3\r\n", "Content\rLength: 3\r\nContent-Length: 3\r\n",
            "A: 1\n b\r\nContent-Length: 3\nContent-Length: 3\r\n",
        ]

        @Test(arguments: untouched) func whatIsRightOrCannotBeHelpedGoesOnAsItCame(_ fields: String) {
            let input = Self.status + fields + "\r\nbody\r\n body"
            #expect(Self.output([input]) == input)
            #expect(Self.output(input.unicodeScalars.map { String($0) }) == input)
        }

        @Test func interimResponsesAreHeadsOfTheirOwn() {
            let input =
                "HTTP/1.1 103 Early Hints\r\nLink: a\r\n b\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + Self.status
                + "A: 1\r\n 2\r\n\r\nA\r\n B"
            let output =
                "HTTP/1.1 103 Early Hints\r\nLink: a b\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + Self.status
                + "A: 1 2\r\nConnection: close\r\n\r\nA\r\n B"
            #expect(Self.output([input]) == output)
            #expect(Self.output(input.unicodeScalars.map { String($0) }) == output)
        }

        @Test func theNextAnswerBeginsWithAHead() {
            var heads = HeadNormalizer()
            let input = Self.status + "A: 1\r\n 2\r\n\r\n"
            let output = Self.status + "A: 1 2\r\nConnection: close\r\n\r\n"
            #expect(heads.take(ByteBuffer(string: input)).map { String(buffer: $0) } == output)
            #expect(heads.take(ByteBuffer(string: input)).map { String(buffer: $0) } == input, "a body")
            heads.isPastHead = false
            #expect(heads.take(ByteBuffer(string: input)).map { String(buffer: $0) } == output)
        }

        /// As browsers and curl request them: after the decoder the original bytes cannot be recovered.
        @Test func bytesOfOtherEncodingsInALocationAreEncoded() {
            let input = Self.status + "Location: /"
            var heads = HeadNormalizer()
            var bytes = ByteBuffer(string: input)
            bytes.writeBytes([0xE4, 0x2E, 0xC3, 0xA4, 0x20, 0xFF])
            bytes.writeString("\r\nContent-Length: 0\r\n\r\n")
            let output = Self.status + "Location: /%E4.%C3%A4 %FF\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            #expect(heads.take(bytes).map { String(buffer: $0) } == output)
        }

        @Test func bytesBehindTheHeadAreCounted() {
            var heads = HeadNormalizer()
            let head = Self.status + "A: 1\r\n 2\r\n\r\n"
            _ = heads.take(ByteBuffer(string: "HTTP/1.1 103 Early Hints\r\n\r\n" + head + "four"))
            #expect(heads.countPastHead == 4)
            _ = heads.take(ByteBuffer(string: "more"))
            #expect(heads.countPastHead == 8)
            heads.isPastHead = false
            #expect(heads.countPastHead == 0)
        }

        /// It is refused when it arrives, not when a deadline passes.
        @Test(arguments: ["SSH-2.0", "h", "HTTQ", "\r\rHTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\n"]) func whatIsNoHeadIsNotKept(
            _ text: String
        ) {
            var heads = HeadNormalizer()
            #expect(heads.take(ByteBuffer(string: text)).map { String(buffer: $0) } == text)
        }

        @Test func aStatusLineWithoutEndIsTold() {
            var heads = HeadNormalizer()
            var kept = 0
            while !heads.isEndless, kept < 1 << 20 {
                _ = heads.take(ByteBuffer(string: kept == 0 ? "HTTP/1.1 200 " : String(repeating: "O", count: 1000)))
                kept += 1000
            }
            #expect(heads.isEndless && kept <= HeadNormalizer.maximumBytes + 2000)
        }

        @Test func aHeadWithoutEndIsNotKeptForEver() {
            var heads = HeadNormalizer()
            var kept = 0
            while heads.take(ByteBuffer(string: kept == 0 ? Self.status + "A: " : String(repeating: "a", count: 1000))) == nil {
                kept += 1000
            }
            #expect(kept <= HeadNormalizer.maximumBytes + 1000)
        }
    }
#endif
