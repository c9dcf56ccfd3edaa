#if HTTP
    import GannetFetch
    import GannetCore
    import GannetHTTP
    import GannetImages
    import GannetTesting
    import Testing

    /// Everything a server may do to us, each with its one outcome: bytes that are whole, or a typed error. U-13, U-14, U-29, DL-42
    @Suite struct HostileServerTests {
        typealias Case = HostileCase
        static let ok = HostileCase.ok
        static let cut: [ImageError.Code] = [.network]
        static let invented: HostileCase.Outcome =
            CURLTransport.refusesInventedTransferCodings ? .fails([.protocolViolation]) : .bytes(5)

        static func answer(_ connection: RawConnection, _ text: String) { HostileCase.answer(connection, text) }
        static func once(_ connection: RawConnection, _ text: String) { HostileCase.once(connection, text) }

        static func cookies(_ count: Int) -> String {
            ok + (0..<count).map { "Set-Cookie: c\($0)=v; Path=/\r\n" }.joined() + "Content-Length: 5\r\n\r\nhello"
        }

        static let bodies: [Case] = [
            Case(name: "whole body", outcome: .bytes(5)) { answer($0, ok + "Content-Length: 5\r\n\r\nhello") },
            Case(name: "short body", outcome: .fails(cut)) { once($0, ok + "Content-Length: 50\r\n\r\nhello") },
            Case(name: "long body: what is beyond the length is not ours", outcome: .bytes(5)) {
                once($0, ok + "Content-Length: 5\r\n\r\nhello and more")
            },
            Case(name: "no length, proper end", outcome: .bytes(5)) { once($0, ok + "Connection: close\r\n\r\nhello") },
            Case(name: "chunks", outcome: .bytes(5)) {
                once($0, ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n")
            },
            Case(name: "cut chunk", outcome: .fails(cut)) { once($0, ok + "Transfer-Encoding: chunked\r\n\r\n9\r\nhel") },
            Case(name: "chunks without their end", outcome: .fails(cut)) {
                once($0, ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            },
            Case(name: "garbage chunks", outcome: .fails([.protocolViolation])) {
                once($0, ok + "Transfer-Encoding: chunked\r\n\r\nzzzz\r\nhello\r\n0\r\n\r\n")
            },
            Case(name: "two different lengths", outcome: .fails([.protocolViolation])) {
                once($0, ok + "Content-Length: 5\r\nContent-Length: 9\r\n\r\nhello and")
            },
            Case(name: "one length, twice", outcome: .bytes(5)) {
                once($0, ok + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello and")
            },
            Case(name: "a length beside chunks: they know better", outcome: .bytes(5)) {
                answer($0, ok + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
            },
            Case(name: "length that is no number", outcome: .fails([.protocolViolation])) {
                once($0, ok + "Content-Length: many\r\n\r\nhello")
            },
            Case(name: "negative length", outcome: .fails([.protocolViolation])) {
                once($0, ok + "Content-Length: -5\r\n\r\nhello")
            },
            Case(name: "empty 200", outcome: .fails([.empty])) { answer($0, ok + "Content-Length: 0\r\n\r\n") },
            Case(name: "announces too much", outcome: .fails([.limitExceeded])) {
                once($0, ok + "Content-Length: 99999999\r\n\r\nhello")
            },
            Case(name: "infinite body", outcome: .fails([.limitExceeded])) { connection in
                guard connection.readHead() != nil else { return }
                connection.write(ok + "\r\n")
                let block = [UInt8](repeating: 7, count: 65_536)
                while connection.write(block) {}
            },
            Case(name: "a byte too many, then silence", outcome: .fails([.limitExceeded]), maximumBytes: 4) { connection in
                once(connection, ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
                connection.waitForClose()
            },
            Case(name: "chunks, said with an empty member", outcome: .bytes(5)) {
                once($0, ok + "Transfer-Encoding: chunked,\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
            },
            Case(name: "chunks in chunks", outcome: .fails([.protocolViolation])) {
                once($0, ok + "Transfer-Encoding: chunked, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
            },
            // More of them than may be buffered, whatever they weigh.
            Case(name: "thousands of tiny chunks", outcome: .bytes(20_000)) { connection in
                once(connection, ok + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: "1\r\nx\r\n", count: 20_000))
                connection.write("0\r\n\r\n")
            },
            Case(name: "infinite chunks", outcome: .fails([.limitExceeded])) { connection in
                guard connection.readHead() != nil else { return }
                connection.write(ok + "Transfer-Encoding: chunked\r\n\r\n")
                while connection.write("1000\r\n" + String(repeating: "x", count: 4096) + "\r\n") {}
            },
            Case(name: "type that lies: content decides later", outcome: .bytes(5)) {
                answer($0, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello")
            },
        ]

        static let heads: [Case] = [
            Case(name: "no HTTP at all", outcome: .fails([.protocolViolation])) {
                once($0, "hello, I am a telnet server\r\n\r\n")
            },
            Case(name: "flood of fields", outcome: .fails([.protocolViolation])) { connection in
                guard connection.readHead() != nil else { return }
                connection.write(ok)
                var number = 0
                while connection.write("X-\(number): 0123456789012345678901234567890123456789\r\n") { number += 1 }
            },
            Case(name: "giant field", outcome: .fails([.protocolViolation])) { connection in
                guard connection.readHead() != nil else { return }
                connection.write(ok + "X-Giant: ")
                let block = String(repeating: "x", count: 65_536)
                while connection.write(block) {}
            },
            Case(name: "early hints come first", outcome: .bytes(5)) {
                once(
                    $0,
                    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + ok
                        + "Content-Length: 5\r\n\r\nhello")
            },
            Case(name: "folded lines", outcome: .bytes(5)) {
                answer($0, ok + "Set-Cookie: a=b;\r\n\tPath=/\r\nContent-Length: 5\r\n\r\nhello")
            },
            Case(name: "a first field with a space in front", outcome: .fails([.protocolViolation])) {
                once($0, "HTTP/1.1 200 OK\r\n X-Moved: here\r\nContent-Length: 5\r\n\r\nhello")
            },
            Case(name: "another protocol's greeting, and silence", outcome: .fails([.protocolViolation])) { connection in
                once(connection, "SSH-2.0-OpenSSH_9.2")
                connection.waitForClose()
            },
            Case(name: "many cookies", outcome: .bytes(5)) { once($0, cookies(200)) },
            Case(name: "cookie flood: more than 256 fields", outcome: .fails([.protocolViolation])) { once($0, cookies(400)) },
            Case(name: "bare line feeds", outcome: .bytes(5)) {
                once($0, "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello")
            },
            Case(name: "interim response with a body", outcome: .fails([.protocolViolation])) {
                once($0, "HTTP/1.1 103 Early Hints\r\nContent-Length: 3\r\n\r\nabc" + ok + "Content-Length: 5\r\n\r\nhello")
            },
            Case(name: "interim response in chunks", outcome: .fails([.protocolViolation])) {
                once($0, "HTTP/1.1 100 Continue\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
            },
            Case(name: "flood of interim responses", outcome: .fails([.protocolViolation])) { connection in
                guard connection.readHead() != nil else { return }
                while connection.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") {}
            },
            Case(name: "status 000", outcome: .fails([.protocolViolation])) {
                once($0, "HTTP/1.1 000 Nothing\r\nContent-Length: 5\r\n\r\nhello")
            },
            Case(name: "status 099", outcome: .fails([.protocolViolation])) {
                once($0, "HTTP/1.1 099 Nothing\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
            },
            Case(name: "another protocol that nobody asked for", outcome: .fails([.protocolViolation])) {
                once($0, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello")
            },
            Case(name: "transfer coding that nobody asked for", outcome: .fails([.protocolViolation])) {
                once($0, ok + "Transfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
            },
            Case(name: "an invented transfer coding", outcome: invented) {
                once($0, ok + "Transfer-Encoding: rot13\r\n\r\nhello")
            },
            Case(name: "an invented transfer coding beside a length, on a kept connection", outcome: invented) {
                answer($0, ok + "Transfer-Encoding: rot13\r\nContent-Length: 5\r\n\r\nhello, and more")
            },
            Case(name: "an invented transfer coding, and chunks", outcome: .fails([.protocolViolation])) {
                once($0, ok + "Transfer-Encoding: rot13, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
            },
            Case(name: "a transfer coding that is none, beside a length", outcome: .bytes(5)) {
                once($0, ok + "Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nhello")
            },
            Case(name: "a transfer coding that is none, and less than the length", outcome: .fails(cut)) {
                once($0, ok + "Content-Length: 50\r\nTransfer-Encoding: identity\r\n\r\nhello")
            },
            Case(name: "redirect to a port that does not exist", outcome: .fails([.protocolViolation])) {
                answer($0, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:99999/\r\nContent-Length: 0\r\n\r\n")
            },
            Case(name: "redirect to a bracket", outcome: .fails([.protocolViolation])) {
                answer($0, "HTTP/1.1 302 Found\r\nLocation: //[\r\nContent-Length: 0\r\n\r\n")
            },
            Case(name: "white space around a field", outcome: .bytes(5)) { connection in
                guard let head = connection.readHead() else { return }
                guard !head.contains(" /b.png HTTP") else {
                    _ = connection.write(ok + "Content-Length: 5\r\n\r\nhello")
                    return
                }
                connection.write(
                    "HTTP/1.1 302 Found\r\nLocation: \t /b.png \t \r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            },
            Case(name: "206 unasked", outcome: .fails([.protocolViolation])) {
                answer($0, "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/9\r\nContent-Length: 5\r\n\r\nhello")
            },
            Case(name: "304 without a copy", outcome: .fails([.protocolViolation])) {
                answer($0, "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n")
            },
            Case(name: "404", outcome: .fails([.httpStatus])) {
                answer($0, "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno")
            },
            Case(name: "401 for ever", outcome: .fails([.httpStatus])) {
                answer($0, "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
            },
            Case(name: "digests for ever", outcome: .fails([.httpStatus])) {
                answer(
                    $0,
                    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"n\", stale=true\r\n"
                        + "Content-Length: 0\r\n\r\n")
            },
            Case(name: "407 for ever", outcome: .fails([.httpStatus])) {
                answer($0, "HTTP/1.1 407 Proxy\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n")
            },
            Case(name: "redirect loop", outcome: .fails([.tooManyRedirects])) {
                answer($0, "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
            },
            Case(name: "redirect to a file", outcome: .fails([.hookRefused])) {
                answer($0, "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n")
            },
            Case(name: "redirect to data", outcome: .fails([.hookRefused])) {
                answer($0, "HTTP/1.1 302 Found\r\nLocation: data:image/png;base64,AAAA\r\nContent-Length: 0\r\n\r\n")
            },
        ]

        static let encodings: [Case] = [
            Case(name: "says gzip, is not", outcome: .fails([.protocolViolation])) {
                answer($0, ok + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")
            },
            Case(name: "an invented encoding", outcome: .fails([.unsupported])) {
                answer($0, ok + "Content-Encoding: rot13\r\nContent-Length: 5\r\n\r\nhello")
            },
            Case(name: "an encoding that nobody asked for", outcome: .fails([.unsupported])) {
                answer($0, ok + "Content-Encoding: compress\r\nContent-Length: 5\r\n\r\nhello")
            },
            Case(name: "encodings three deep", outcome: .fails([.limitExceeded])) {
                answer($0, ok + "Content-Encoding: gzip, gzip, gzip\r\nContent-Length: 5\r\n\r\nhello")
            },
        ]

        static let silences: [Case] = [
            Case(name: "hangs before the head", outcome: .fails([.timedOut]), isHasty: true) { connection in
                guard connection.readHead() != nil else { return }
                connection.waitForClose()
            },
            Case(name: "hangs inside the head", outcome: .fails([.timedOut]), isHasty: true) { connection in
                guard connection.readHead() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-")
                connection.waitForClose()
            },
            Case(name: "hangs after the head", outcome: .fails([.timedOut]), isHasty: true) { connection in
                guard connection.readHead() != nil else { return }
                connection.write(ok + "Content-Length: 5\r\n\r\n")
                connection.waitForClose()
            },
            Case(name: "hangs inside the body", outcome: .fails([.timedOut]), isHasty: true) { connection in
                guard connection.readHead() != nil else { return }
                connection.write(ok + "Content-Length: 5\r\n\r\nhel")
                connection.waitForClose()
            },
            Case(name: "drips the head", outcome: .fails([.timedOut]), isHasty: true) { connection in
                guard connection.readHead() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nX: ")
                while connection.dawdle(milliseconds: 50), connection.write("x") {}
            },
            Case(name: "drips the body", outcome: .fails([.timedOut]), isHasty: true) { connection in
                guard connection.readHead() != nil else { return }
                connection.write(ok + "Content-Length: 100000\r\n\r\n")
                while connection.dawdle(milliseconds: 50), connection.write("x") {}
            },
            Case(name: "interim responses without end", outcome: .fails([.timedOut]), isHasty: true) { connection in
                guard connection.readHead() != nil else { return }
                while connection.dawdle(milliseconds: 20), connection.write("HTTP/1.1 103 Early Hints\r\n\r\n") {}
            },
        ]

        static let resets: [Case] = [
            Case(name: "resets before reading", outcome: .fails([.network, .connectionFailed])) { $0.reset() },
            Case(name: "closes before answering", outcome: .fails([.network])) { _ = $0.readHead() },
            Case(name: "resets before answering", outcome: .fails([.network])) { connection in
                _ = connection.readHead()
                connection.reset()
            },
            Case(name: "closes inside the head", outcome: .fails([.network, .protocolViolation])) { once($0, "HTTP/1.1 200 O") },
            Case(name: "resets inside the body", outcome: .fails([.network])) { connection in
                once(connection, ok + "Content-Length: 50\r\n\r\nhello")
                connection.reset()
            },
            Case(name: "resets a body without length", outcome: .fails([.network])) { connection in
                once(connection, ok + "\r\nhello")
                // Only after the client has the bytes: a reset discards bytes that are still in flight.
                _ = connection.dawdle(milliseconds: 100)
                connection.reset()
            },
        ]

        // DL-02, U-05
        @Test(arguments: bodies + heads + encodings + silences + resets)
        func `A server does its worst`(_ example: Case) async throws { try await example.check() }

        @Test func `A closed port is known at once`() async throws {
            let port = RawServer { _ in }.port
            let result = await (try Rig()).fetch("http://127.0.0.1:\(port)/a.png")
            #expect(throws: ImageError.self) { try result.get() }
            if case .failure(let error) = result { #expect(error.code == .connectionFailed, "\(error)") }
        }

        @Test(arguments: [65_536, 99_999, Int.max])
        func `A port that does not exist`(_ port: Int) async throws {
            let result = await (try Rig()).fetch("http://127.0.0.1:\(port)/a.png")
            if case .failure(let error) = result { #expect(error.code == .misuse, "\(error)") } else { Issue.record("it exists") }
            var options = CURLTransport.Options()
            options.proxies = .init(CURLTransport.Proxy(host: "127.0.0.1", port: port))
            let error = #expect(throws: ImageError.self) { try CURLTransport(options: options) }
            #expect(error?.code == .misuse)
        }

        @Test func `A host that does not exist`() async throws {
            if case .failure(let error) = await (try Rig()).fetch("http://no-such-host.invalid/a.png") {
                #expect(error.code == .hostNotFound, "\(error)")
            } else {
                Issue.record("it exists")
            }
        }

        @Test func `Cancelling ends the transfer and the connection`() async throws {
            let gate = AsyncGate()
            let server = RawServer { connection in
                guard connection.readHead() != nil else { return }
                connection.write(Self.ok + "Content-Length: 5\r\n\r\nhel")
                connection.waitForClose()
                gate.open()
            }
            let rig = try Rig()
            let request = rig.request(server.url())
            let (started, told) = AsyncStream.makeStream(of: Void.self)
            let task = Task { () -> ImageError? in
                do throws(ImageError) {
                    _ = try await rig.fetcher.fetch(request) { _ in told.yield() }
                    return nil
                } catch { return error }
            }
            for await _ in started { break }
            task.cancel()
            #expect(await task.value?.code == .cancelled)
            await gate.wait()
        }
    }
#endif
