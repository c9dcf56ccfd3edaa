#if CommandLine && Server
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetFetch
    import GannetImages
    import NIOCore
    import NIOEmbedded
    import NIOHTTP1
    import NIOPosix
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Requests that no browser sends; RFC 9112 §3.2, RFC 9110 §10.1.1.
    struct ServeProtocolTests {
        private func answer(to text: String, closingItsSide: Bool = false) async throws -> String {
            try await RawClient.answer(to: Array(text.utf8), closingItsSide: closingItsSide)
        }

        @Test(
            .timeLimit(.minutes(10)),
            arguments: [
                ("GET /health HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "),
                ("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "HTTP/1.1 400 "),
                ("GET /health HTTP/1.1\r\nHost: a b/c\r\n\r\n", "HTTP/1.1 400 "),
                ("GET /health HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", "HTTP/1.1 400 "),
                ("GET /health HTTP/1.0\r\n\r\n", "HTTP/1.1 200 "),
                // RFC 9112 §6.1.
                (
                    "GET /health HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                    "HTTP/1.1 200 "
                ),
                ("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 "),
                // The bodies never come.
                ("POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n", "HTTP/1.1 405 "),
                ("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 405 "),
                ("GET /health HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n", "HTTP/1.1 200 "),
            ])
        func oddRequestsAreAnsweredAtOnce(_ text: String, _ status: String) async throws {
            let answer = try await answer(to: text)
            #expect(answer.hasPrefix(status), "\(answer.prefix(200))")
            #expect(answer.lowercased().contains("connection: close\r\n"))
        }

        /// RFC 9112 §3: one space between the parts of the line, and a version that this server speaks. One answer, and nothing after it,
        /// whether the wrong request is the first one or a later one.
        @Test(
            .timeLimit(.minutes(10)),
            arguments: [
                "GET  /health HTTP/1.1", "GET /health  HTTP/1.1", "GET /health HTTP/1.1 ", " GET /health HTTP/1.1",
                "GET\t/health HTTP/1.1",
                "GET /health", "GET /a b HTTP/1.1", "GET /health HTTP/2.0", "GET /health HTTP/1.2", "GET /health http/1.1",
                "PRI * HTTP/2.0", "GET /health HTTP/1.1\rX: y", "GET /hea\u{0}lth HTTP/1.1", "\u{16}\u{3}\u{1}\u{2}",
                String(repeating: "a", count: 20_000) + " /health HTTP/1.1",
            ])
        func wrongRequestLinesAreAnsweredOnce(_ line: String) async throws {
            let wrong = line + "\r\nHost: a\r\n\r\n"
            let right = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            let first = try await answer(to: wrong + right)
            #expect(first.hasPrefix("HTTP/1.1 400 ") && first.components(separatedBy: "HTTP/1.1 ").count == 2, "\(first)")
            let second = try await answer(to: right + "\r\n" + wrong + right)
            let statuses = second.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses == ["200", "400"], "\(second)")
        }

        /// Bytes after the last request are no request.
        @Test(
            .timeLimit(.minutes(10)),
            arguments: [
                "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nnonsense\r\n\r\n",
                "GET /health HTTP/1.0\r\n\r\nGET  / HTTP/1.1\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcnonsense\r\n\r\n",
                // RFC 9112 §11.2: where the body ends is what a proxy may see differently.
                "GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcdGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                // The head can be answered, and the body cannot be read: one answer, whichever comes first.
                "GET /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "POST /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0x2\r\nab\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                // RFC 9110 §7.8.
                "GET /health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            ])
        func nothingFollowsTheLastAnswer(_ text: String) async throws {
            let answer = try await answer(to: text)
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
            #expect(answer.lowercased().contains("connection: close"), "\(answer)")
        }

        @Test func linesMayComeByteByByte() throws {
            let channel = EmbeddedChannel(handler: RequestLineValidator())
            let requests =
                "GET /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n\r\nGET /b HTTP/1.0\r\n\r\nGET  /c HTTP/1.1\r\nX: y\r\n\r\n"
            for byte in requests.utf8 { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
            var passed = ""
            while let buffer = try channel.readInbound(as: ByteBuffer.self) { passed += String(buffer: buffer) }
            let right = requests.components(separatedBy: "GET  ")[0]
            #expect(passed == right + "\u{0}\r\n\r\n")
            _ = try channel.finish()
        }

        /// The next answer of a pipeline waits until the client reads the one before; otherwise an answer takes its time.
        @Test(arguments: [true, false]) func whoDoesNotReadIsIdle(reads: Bool) throws {
            let channel = EmbeddedChannel(handler: RequestDeadline(idle: .hours(1), request: .hours(1)))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try channel.writeInbound(HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
            channel.isWritable = reads
            channel.pipeline.fireUserInboundEventTriggered(IdleStateHandler.IdleStateEvent.all)
            #expect(channel.isActive == reads)
            _ = try? channel.finish()
        }

        /// Health checks, `nc -N`: the client closes its side after its last request, and waits.
        @Test(.timeLimit(.minutes(10)), arguments: [1, 3]) func aClientThatAsksNoMoreIsAnswered(_ count: Int) async throws {
            let request = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
            let answer = try await answer(to: String(repeating: request, count: count), closingItsSide: true)
            #expect(answer.components(separatedBy: "HTTP/1.1 200 ").count == count + 1, "\(answer.prefix(200))")
        }

        /// More than the system's buffers take: it gets its answer although it is still sending.
        @Test(.timeLimit(.minutes(10))) func aLongBodyDoesNotLoseItsAnswer() async throws {
            let body = String(repeating: "x", count: 8 << 20)
            let answer = try await answer(to: "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
            #expect(answer.hasPrefix("HTTP/1.1 405 "), "\(answer.prefix(100))")
        }

        @Test(arguments: [
            "", "a", "Example.org:8080", "a_b.c-d", "10.0.0.1:", "[::1]", "[::1]:80", "[fe80::1%25eth0]:80", "%C3%A4.org", "a,b",
        ])
        func hostsThatRequestsName(_ field: String) { #expect(HostHeader.isHost(field)) }

        @Test(arguments: [
            "a b", "a b/c", "a/", "a?b", "http://a", "me@a", "a:b", "a:80:81", "a:-1", "[::1", "[]", "[]:80", "[::1]a", "::1",
            "%4",
            "%zz.org", "a\u{E4}.org", "a#",
        ])
        func hostsThatAreNone(_ field: String) { #expect(!HostHeader.isHost(field)) }

        @Test(
            arguments: [
                ("Example.org", "Example.org"), (".example.org", ".example.org"), ("[::1]", "::1"), ("::1", "::1"),
                ("10.0.0.1", "10.0.0.1"),
                ("localhost:8080", nil), ("http://127.0.0.1", nil), ("a/b", nil), ("a b", nil), ("", nil), (".", nil),
                ("me@a", nil), ("*.example.org", nil), ("*", nil), ("a.org,b.org", nil), ("..", nil), ("a..b", nil),
                ("[a]", nil),
            ] as [(String, String?)])
        func onlyWhatCanBeAHostIsAllowed(_ text: String, _ host: String?) { #expect(SourcePolicy.host(text) == host) }
    }
#endif
