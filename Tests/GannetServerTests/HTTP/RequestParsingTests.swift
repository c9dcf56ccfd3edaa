#if CommandLine && Server
    import FoundationEssentials
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Requests that some servers read in another way than RFC 9112 has it, each with a second request behind it. Characters are bytes.
    @Suite(.timeLimit(.minutes(10))) struct RequestParsingTests {
        private func statuses(_ request: String) async throws -> [Int] {
            let second = "GET /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let bytes = (request + second).unicodeScalars.map { UInt8($0.value) }
            return RawClient.statuses(try await RawClient.answer(to: bytes))
        }

        private func get(_ fields: String, _ body: String = "") -> String {
            "GET /health HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)"
        }

        /// RFC 9112 §3.
        @Test(arguments: [
            "GET\n/health HTTP/1.1", "GET /health\nHTTP/1.1", "GET /health HTTP/1.1\n", "GET /health HTTP/1.32",
            "GET /health HTTP/\r\r1.1", "GET /health HTTP/11", "GET /health HTTP/1.", "GET /health HTTP/01.1",
            "GET /health HTTP/4294967297.1", "GET /health HTTP/0.9", "GET /health ICE/1.0", "SOURCE /health ICE/1.0",
            "GET /health RTSP/1.0", "G=\":<>(e),[T];?\" /health HTTP/1.1", "G(T /health HTTP/1.1", "\u{0} /health HTTP/1.1",
            "GET /health\u{B}HTTP/1.1", "GET /health\u{C} HTTP/1.1", "GET \u{7F}/health HTTP/1.1", "GET health HTTP/1.1",
            "GET a:80 HTTP/1.1", "GET /\u{80}health HTTP/1.1", "\rGET /health HTTP/1.1", "\nGET /health HTTP/1.1",
        ])
        func wrongRequestLines(_ line: String) async throws {
            #expect(try await statuses(line + "\r\nHost: a\r\n\r\n") == [400])
        }

        /// RFC 9112 §5.1 and §5.2, RFC 9110 §5.1 and §5.5.
        @Test(arguments: [
            "X : y", "X\t: y", " X: y", "\tX: y", "X y: z", "X\u{80}: y", "\u{EF}oo: y", "X\u{0}: y", "\u{0}: y", "X(: y",
            "X@: y",
            "X/: y", "{X}: y", "X;: y", "X\\: y", "Xyz", "Content-Length 10", ": y", ":", "X: a\u{0}", "X: a\u{0}b", "X: a\rb",
            "X\r: y", "\rX: y", "X: a\nb", "X: \u{1}", "X: \u{B}", "X: \u{7F}", "X:\r\n y", "X:\r\n\ty", "X: y\r\n z", "X:\n y",
            "Te\nst: y", "Transfer-\r\nEncoding: chunked", "\rZGET /second: HTTP/1.1", "X:\n\nGET /second HTTP/1.1",
            "Host: b", "Host:", "host: a", "Host : a",
        ])
        func wrongFields(_ field: String) async throws { #expect(try await statuses(get(field + "\r\n")) == [400]) }

        /// RFC 9112 §6.2 and §6.3.
        @Test(arguments: [
            "Content-Length: 0x0", "Content-Length: +0", "Content-Length: -0", "Content-Length: -48", "Content-Length: 1_0",
            "Content-Length: 0 0", "Content-Length: 0,0", "Content-Length: 0, 0", "Content-Length: ,0", "Content-Length: 0,",
            "Content-Length: 0;", "Content-Length: \"0\"", "Content-Length: 1Z", "Content-Length: 0.0", "Content-Length: \u{B}0",
            "Content-Length: \u{A0}0", "Content-Length: 18446744073709551616", "Content-Length:", "Content-Length: ",
            "Content-Length: \r\nContent-Length: 5", "Content-Length: 5\r\nContent-Length:", "Content-Length\u{85}: 5",
            "Content-Length: 0\r\nContent-Length: 0", "Content-Length: 1\r\nContent-Length: 0",
            "CONTENT-LENGTH: 5\r\ncontent-length: 6", "Content-Length: 5\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: ,chunked\r\nContent-Length: 5", "Transfer-Encoding: x\r\nContent-Length: 5",
        ])
        func wrongLengths(_ field: String) async throws {
            #expect(try await statuses(get(field + "\r\n", "0\r\n\r\n")) == [400])
        }

        /// RFC 9112 §6.1. The head alone says how to respond, so it may have been answered before the field was found to be wrong.
        @Test(arguments: [
            "Transfer-Encoding: x", "Transfer-Encoding: gzip", "Transfer-Encoding: chunkedx", "Transfer-Encoding: chunked,",
            "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked;a=b", "Transfer-Encoding: \"chunked\"",
            "Transfer-Encoding: \u{A0}chunked\u{A0}", "Transfer-Encoding: chunked\u{B}",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
            "Transfer-Encoding\u{85}: chunked", "Transfer-Encoding\u{0}: chunked",
            // Those that RFC 9112 allows; the body is not read.
            "Transfer-Encoding: ,chunked", "Transfer-Encoding: CHUNKED", "Transfer-Encoding:chunked",
            "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: x\r\nTransfer-Encoding: chunked", "Content-Length: 010",
            "Content-Length: 9223372036854775808",
        ])
        func nothingBehindABodyIsARequest(_ field: String) async throws {
            let statuses = try await statuses(get(field + "\r\n", "0\r\n\r\n"))
            #expect(statuses == [400] || statuses == [200])
        }

        /// RFC 9112 §7.1: whatever a body is found to be.
        @Test(
            arguments: [
                "0_2e\r\n\r\n", "0x0\r\n\r\n", "-0x0\r\n\r\n", "+0\r\n\r\n", "-0\r\n\r\n", " 0\r\n\r\n", "0 \r\n\r\n", "0\n\n",
                "0\r\n\n", "1\nZ\n0\n\n", "1\r\nZ\n0\r\n\r\n", "1\r\nZ\r0\r\n\r\n", "1\r\nZXX0\r\n\r\n",
                "1\r\nZ\r\n\r\n0\r\n\r\n",
                "5\r\r;ABCD\r\n34\r\nE\r\n0\r\n\r\n", "2\r\r;a\r\n02\r\n41\r\n0\r\n\r\n", "1;a=b\r\rX\r\n0\r\n\r\n",
                "1;a=\"\r\nZ\r\n0\r\n\r\n", "1;a=b\u{0}\r\nZ\r\n0\r\n\r\n", "1;\nZ\r\n0\r\n\r\n", "1;a=b\r\nZ\r\n0\r\n\r\n",
                "\r\n\r\n", "Z\r\nZZ\r\n", "INVALID!!!\r\n", "1zzzz\r\nZ\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFF\r\nZ\r\n",
                "10000000000000000\r\nZ\r\n", "0\r\nX:POST / HTTP/1.1\r\n\r\n", "0\r\nX : y\r\n\r\n", "0\r\n X: y\r\n\r\n",
                "0\r\nContent-Length: 5\r\n\r\n", "0\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\nX: a\nb\r\n\r\n",
                "0\r\n\r\n\u{0}",
            ], ["GET", "POST"])
        func nothingBehindChunksIsARequest(_ body: String, _ method: String) async throws {
            let statuses = try await statuses(
                "\(method) /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
            #expect(statuses == [400] || statuses == [method == "GET" ? 200 : 405])
        }

        /// These have one meaning, and the next request is answered.
        @Test(arguments: [
            "X:y", "X:", "X: \u{80}\u{FF}", "X: a\tb", "Content-Length: 0", "Content-Length: 00", "Content-Length:\t0",
            "Content_Length: 5", "X!#$%&'*+-.^_`|~09: y", "Connection: Host", "TE: trailers",
        ])
        func rightFields(_ field: String) async throws { #expect(try await statuses(get(field + "\r\n")) == [200, 400]) }

        /// RFC 9112 §3.2.2, RFC 9110 §4.2.
        @Test(arguments: [
            ("http://a/health", 200), ("HTTP://b:80/health", 200), ("https://[::1]/health", 200), ("http:///health", 400),
            ("http://:80/health", 400), ("http://user@a/health", 400), ("http://user:pass@a/health", 400),
            ("ftp://a/health", 400),
            ("http://a?/health", 400), ("http://a?x=/health", 400), ("http://a", 400), ("http://a b/health", 400),
            ("http://a:x/health", 400), ("*", 400), ("/health#a", 400), ("//health", 400), ("/%00", 400),
        ])
        func formsOfTheTarget(_ target: String, _ status: Int) async throws {
            #expect(try await statuses("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n").first == status)
        }

        @Test(arguments: ["CONNECT a:80", "CONNECT /health", "OPTIONS *", "OPTIONS /health", "TRACE /health", "DELETE /health"])
        func otherMethods(_ line: String) async throws {
            #expect(try await statuses("\(line) HTTP/1.1\r\nHost: a\r\n\r\n") == [405])
        }

        /// RFC 9112 §3: of a target that is longer than any address, the status is 414, however long it is.
        @Test(arguments: [8192, 8193, 16_000, 20_000, 100_000]) func longTargets(_ count: Int) async throws {
            let target = "/" + String(repeating: "a", count: count - 1)
            let statuses = try await statuses("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(statuses == [count > 8192 ? 414 : 400])
        }

        @Test(arguments: [
            "X: " + String(repeating: "y", count: 200_000), String(repeating: "X", count: 200_000) + ": y",
            Array(repeating: "X: y", count: 40_000).joined(separator: "\r\n"),
        ])
        func headsWithoutEnd(_ fields: String) async throws { #expect(try await statuses(get(fields + "\r\n")) == [400]) }
    }
#endif
