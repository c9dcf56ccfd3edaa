#if HTTP
    import Dispatch
    import FoundationEssentials
    import GannetCore
    import GannetHTTP
    import GannetTesting
    import Testing

    /// Bytes left on a connection between two responses, and the state left by a connection that broke.
    @Suite struct KeptConnectionTests {
        static let smuggled = "HTTP/1.1 302 Found\r\nLocation: http://evil.invalid/\r\nX-Tail: "

        static let answers = [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\nContent-Length: 5\r\n\r\nhello",
        ]

        static func transport() throws -> CURLTransport {
            var options = CURLTransport.Options()
            options.maximumConnectionsPerHost = 1
            return try CURLTransport(options: options)
        }

        static func load(_ url: String, method: String = "GET", over transport: CURLTransport) async throws -> String {
            var request = HTTPRequest(url: try #require(URL(string: url)), deadlines: Rig.patient)
            request.method = method
            if method == "POST" { request.body = [1] }
            let response = try await transport.send(request)
            var bytes: [UInt8] = []
            while let piece = try await response.body.next() { bytes += piece }
            return "\(response.head.status) \(String(decoding: bytes, as: UTF8.self))"
        }

        /// In one write with the answer, or when the answer has been read: RFC 9112 §9.2.
        @Test(arguments: answers, [true, false])
        func `What comes behind an answer is not the beginning of the next`(_ answer: String, _ isTogether: Bool) async throws {
            let isRead = DispatchSemaphore(value: 0)
            let (isSent, isGone) = (AsyncGate(), AsyncGate())
            let server = RawServer { connection in
                guard connection.readHead() != nil else { return }
                guard connection.count == 1 else {
                    connection.write(answer)
                    return
                }
                connection.write(isTogether ? answer + Self.smuggled : answer)
                if !isTogether {
                    isRead.wait()
                    connection.write(Self.smuggled)
                    isSent.open()
                }
                // The client hangs up, or has dropped what it read together with the answer.
                if connection.readHead() != nil {
                    #expect(isTogether)
                    connection.write(answer)
                }
                isGone.open()
            }
            let transport = try Self.transport()
            #expect(try await Self.load(server.url(), over: transport) == "200 hello")
            isRead.signal()
            if !isTogether { await isSent.wait() }
            #expect(try await Self.load(server.url(), over: transport) == "200 hello")
            await isGone.wait()
            #expect(isTogether ? server.connectionCount <= 2 : server.connectionCount == 2)
        }

        /// libcurl up to 8.0 would append it to the last field of the first answer, whose memory is free.
        @Test func `A folded line at the start of a second answer belongs to no field of the first`() async throws {
            let server = RawServer { connection in
                while let head = connection.readHead() {
                    connection.write(
                        head.hasPrefix("GET /folded")
                            ? "HTTP/1.1 200 OK\r\n a: b\r\nContent-Length: 5\r\n\r\nhello" : AuthenticationTests.ok)
                }
            }
            let transport = try Self.transport()
            for _ in 0..<20 {
                #expect(try await Self.load(server.url("/"), over: transport) == "200 hello")
                let error = await #expect(throws: ImageError.self) {
                    try await Self.load(server.url("/folded"), over: transport)
                }
                #expect(error?.code == .protocolViolation)
            }
        }

        /// However long the first one took.
        @Test func `A second attempt has the whole time for its connection`() async throws {
            let server = RawServer { connection in
                guard connection.readHead() != nil else { return }
                connection.write(Self.answers[0])
                guard connection.readHead() != nil else { return }
                if connection.count == 1 { _ = connection.dawdle(milliseconds: 2500) } else { connection.write(Self.answers[0]) }
            }
            let transport = try Self.transport()
            #expect(try await Self.load(server.url(), over: transport) == "200 hello")
            let deadlines = LoadDeadlines(connect: .seconds(2), idle: .seconds(20), total: .seconds(60))
            let response = try await transport.send(
                HTTPRequest(url: try #require(URL(string: server.url())), deadlines: deadlines))
            #expect(response.head.status == 200 && server.connectionCount == 2)
            while try await response.body.next() != nil {}
        }

        /// Waiting requests get the connection at the moment when the response ends.
        @Test(arguments: ["GET", "POST"])
        func `Whoever waits for such a connection gets another one`(_ method: String) async throws {
            let server = RawServer { connection in
                guard connection.readHead() != nil else { return }
                if method == "POST" { _ = connection.read(1) }
                connection.write(Self.answers[0] + Self.smuggled)
                _ = connection.readHead()
            }
            let transport = try Self.transport()
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try await Self.load(server.url(), method: method, over: transport) } }
                for try await answer in group { #expect(answer == "200 hello") }
            }
            #expect(server.connectionCount == 8)
        }

        @Test(arguments: answers)
        func `What ends where it says is kept`(_ answer: String) async throws {
            let server = RawServer { connection in
                while connection.readHead() != nil { connection.write(answer) }
            }
            let transport = try Self.transport()
            for _ in 0..<5 { #expect(try await Self.load(server.url(), over: transport) == "200 hello") }
            #expect(server.connectionCount == 1)
        }

        /// RFC 9112 §6.1
        @Test func `Chunks from a server of HTTP 1.0 are the last on their connection`() async throws {
            let server = RawServer { connection in
                while connection.readHead() != nil {
                    connection.write(
                        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
                }
            }
            let transport = try Self.transport()
            for _ in 0..<3 { #expect(try await Self.load(server.url(), over: transport) == "200 hello") }
            #expect(server.connectionCount == 3)
        }

        /// It can be continued (`Range`), however much the reader was waiting for.
        @Test func `What came before the connection broke is handed over`() async throws {
            let count = 100_000
            let server = RawServer { connection in
                guard connection.readHead() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(2 * count)\r\n\r\n")
                connection.write([UInt8](repeating: 7, count: count))
            }
            let request = HTTPRequest(url: try #require(URL(string: server.url())), deadlines: Rig.patient)
            let body = try await Self.transport().send(request).body
            var bytes: [UInt8] = []
            let error = await #expect(throws: ImageError.self) {
                while try await body.next(into: &bytes, patience: 1 << 20) {}
            }
            #expect(error?.code == .network, "\(String(describing: error))")
            #expect(bytes == [UInt8](repeating: 7, count: count))
        }
    }
#endif
