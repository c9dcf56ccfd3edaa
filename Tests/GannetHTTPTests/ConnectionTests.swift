#if HTTP
    import FoundationEssentials
    import GannetFetch
    import GannetCore
    import GannetHTTP
    import GannetImages
    import GannetTesting
    import Glibc
    import Synchronization
    import Testing

    /// Which connections requests go over.
    struct ConnectionTests {
        /// Answers every request of a connection.
        static func server() -> RawServer {
            RawServer { connection in
                while connection.readHead() != nil { connection.write(AuthenticationTests.ok) }
            }
        }

        /// DL-01: however many event loops share them.
        @Test(arguments: [1, 2, 3, 7])
        func `No more connections to a host than allowed, and each is used again`(_ limit: Int) async throws {
            let server = Self.server()
            var options = CURLTransport.Options()
            options.maximumConnectionsPerHost = limit
            let rig = try Rig(CURLTransport(options: options)) { $0.maximumConcurrentDownloads = 12 }
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number in 0..<60 { group.addTask { try await rig.bytes(server.url("/\(number)")) } }
                for try await bytes in group { #expect(bytes == Array("hello".utf8)) }
            }
            #expect((1...limit).contains(server.connectionCount))
        }

        /// Threads that wait for each other.
        private final class Crowd: Sendable {
            private let size: Int
            private let arrived = Atomic(0)
            private let ends: [Int32]

            init(_ size: Int) {
                self.size = size
                var ends: [Int32] = [-1, -1]
                precondition(pipe(&ends) == 0, "no pipe")
                self.ends = ends
            }

            deinit { for end in ends { close(end) } }

            /// Returns when all are here.
            func wait() {
                if arrived.add(1, ordering: .relaxed).newValue == size {
                    _ = Glibc.write(ends[1], [UInt8](repeating: 0, count: size), size)
                }
                var byte: UInt8 = 0
                _ = Glibc.read(ends[0], &byte, 1)
            }
        }

        /// DL-01: the downloader's slots are the bound. Nobody is answered before all have asked.
        @Test func `As many as there are slots are asked for at once`() async throws {
            let count = 40
            let crowd = Crowd(count)
            let server = RawServer { connection in
                guard connection.readHead() != nil else { return }
                crowd.wait()
                connection.write(AuthenticationTests.ok)
                connection.waitForClose()
            }
            let rig = try Rig(CURLTransport()) { $0.maximumConcurrentDownloads = count }
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number in 0..<count { group.addTask { try await rig.bytes(server.url("/\(number)")) } }
                for try await bytes in group { #expect(bytes == Array("hello".utf8)) }
            }
            #expect(server.connectionCount == count)
        }

        // DL-38, NW-07
        @Test func `The times of connecting are those of a connection that was made`() async throws {
            let server = Self.server()
            let rig = try Rig(CURLTransport())
            let first = try #require(try await rig.fetch(server.url("/a")).get().metrics)
            #expect(first.connecting > .zero && first.securing == .zero && first.connecting <= first.total)
            let second = try #require(try await rig.fetch(server.url("/b")).get().metrics)
            #expect(second.nameLookup == .zero && second.connecting == .zero && second.firstByte > .zero)
            #expect(server.connectionCount == 1)
        }

        /// Somebody reads it, and the transport was only a way to it.
        @Test(.timeLimit(.minutes(10))) func `A body goes on when nobody holds the transport any more`() async throws {
            // Far more than waits for a reader.
            let count = 32 << 20
            let server = RawServer { connection in
                guard connection.readHead() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
                connection.write([UInt8](repeating: 7, count: count))
            }
            func body() async throws -> ByteStream {
                try await CURLTransport().send(HTTPRequest(url: try #require(URL(string: server.url("/a"))))).body
            }
            let stream = try await body()
            var received = 0
            while let chunk = try await stream.next() { received += chunk.count }
            #expect(received == count)
        }

        /// The system's buffers hold a small part of the body, and Gannet's as well.
        @Test(.timeLimit(.minutes(10))) func `A body that nobody reads holds its server back`() async throws {
            let isSent = Mutex(false)
            let count = 64 << 20
            let server = RawServer { connection in
                guard let head = connection.readHead() else { return }
                guard head.hasPrefix("GET /large") else {
                    connection.write(AuthenticationTests.ok)
                    return
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
                let piece = [UInt8](repeating: 7, count: 1 << 20)
                for _ in 0..<count / piece.count { guard connection.write(piece) else { return } }
                isSent.withLock { $0 = true }
            }
            let transport = try CURLTransport()
            let large = try await transport.send(HTTPRequest(url: try #require(URL(string: server.url("/large")))))
            let rig = try Rig(transport)
            // Time enough for all of it.
            for number in 0..<300 { #expect(try await rig.bytes(server.url("/\(number)")) == Array("hello".utf8)) }
            #expect(!isSent.withLock { $0 })
            var received = 0
            while let piece = try await large.body.next() { received += piece.count }
            #expect(received == count)
        }

        /// Serves one request of each connection, and closes it when there is another.
        static func forgetful(_ asked: Asked) -> RawServer {
            RawServer { connection in
                guard let first = connection.readHead() else { return }
                asked.note(first.prefix { $0 != "\r\n" }.description)
                connection.write(AuthenticationTests.ok)
                if let second = connection.readHead() { asked.note("closed at " + second.prefix { $0 != "\r\n" }.description) }
            }
        }

        @Test func `A kept connection that the server closes instead of answering is not the end`() async throws {
            let asked = Asked()
            let server = Self.forgetful(asked)
            var options = CURLTransport.Options()
            options.maximumConnectionsPerHost = 1
            let rig = try Rig(CURLTransport(options: options))
            for number in 0..<4 { #expect(try await rig.bytes(server.url("/\(number)")) == Array("hello".utf8)) }
            #expect(server.connectionCount == 4)
            #expect(asked.all.filter { $0 == "GET /3 HTTP/1.1" }.count == 1)
        }

        /// It goes over a connection of its own, because libcurl would send it again when a kept one ends.
        @Test func `What may have been done already is not sent twice`() async throws {
            let asked = Asked()
            let server = RawServer { connection in
                while let head = connection.readHead() {
                    asked.note(head.prefix { $0 != "\r\n" }.description)
                    guard head.hasPrefix("GET") else { return }
                    connection.write(AuthenticationTests.ok)
                }
            }
            let transport = try CURLTransport()
            let url = try #require(URL(string: server.url("/a")))
            let first = try await transport.send(HTTPRequest(url: url))
            while try await first.body.next() != nil {}
            let post = HTTPRequest(method: "POST", url: url, body: [1])
            let error = await #expect(throws: ImageError.self) { try await transport.send(post) }
            #expect(error?.code == .network)
            #expect(asked.all == ["GET /a HTTP/1.1", "POST /a HTTP/1.1"] && server.connectionCount == 2)
        }

        /// Accepts every client as a SOCKS 5 proxy, and then answers as the requested server.
        static func socks(answer: UInt8, asked: Asked) -> RawServer {
            RawServer { connection in
                guard let greeting = connection.read(2), connection.read(Int(greeting[1])) != nil else { return }
                connection.write([5, 0])
                guard let start = connection.read(5), start[0] == 5, start[3] == 3,
                    let name = connection.read(Int(start[4])), let port = connection.read(2)
                else { return }
                asked.note("\(String(decoding: name, as: UTF8.self)):\(Int(port[0]) << 8 | Int(port[1]))")
                connection.write([5, answer, 0, 1, 0, 0, 0, 0, 0, 0])
                guard answer == 0 else { return connection.waitForClose() }
                while let head = connection.readHead() {
                    asked.note(head.prefix { $0 != "\r\n" }.description)
                    connection.write(AuthenticationTests.ok)
                }
            }
        }

        final class Asked: Sendable {
            private let lines = Mutex<[String]>([])
            func note(_ line: String) { lines.withLock { $0.append(line) } }
            var all: [String] { lines.withLock { $0 } }
        }

        static func rig(through proxy: RawServer) throws -> Rig {
            var options = CURLTransport.Options()
            options.proxies = .init(CURLTransport.Proxy(kind: .socks, host: "127.0.0.1", port: proxy.port))
            return try Rig(CURLTransport(options: options))
        }

        // NW-09
        @Test func `A SOCKS proxy is given the name, not an address, and the request goes through it`() async throws {
            let asked = Asked()
            let proxy = Self.socks(answer: 0, asked: asked)
            #expect(try await Self.rig(through: proxy).bytes("http://pictures.invalid:8081/a.png") == Array("hello".utf8))
            #expect(asked.all == ["pictures.invalid:8081", "GET /a.png HTTP/1.1"])
            withExtendedLifetime(proxy) {}
        }

        @Test(arguments: [
            ("bücher", "xn--bcher-kva"), ("MÜNCHEN", "xn--mnchen-3ya"), ("straße", "xn--strae-oqa"), ("例え", "xn--r8jz45g"),
            ("☃", "xn--n3h"), ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"), ("пример", "xn--e1afmkfd"),
            ("bild。bücher", "bild.xn--bcher-kva"), ("plain-name", "plain-name"),
        ])
        func `Hosts are asked for by the names that the domain name system knows`(_ name: String, _ ascii: String) async throws {
            let asked = Asked()
            let proxy = Self.socks(answer: 0, asked: asked)
            #expect(try await Self.rig(through: proxy).bytes("http://\(name).invalid:8081/ü.png") == Array("hello".utf8))
            #expect(asked.all == ["\(ascii).invalid:8081", "GET /%C3%BC.png HTTP/1.1"])
            withExtendedLifetime(proxy) {}
        }

        /// Not allowed by its rules, and host unreachable.
        @Test(arguments: [UInt8(2), 4])
        func `A SOCKS proxy that refuses is a connection that failed`(_ answer: UInt8) async throws {
            let proxy = Self.socks(answer: answer, asked: Asked())
            let result = await (try Self.rig(through: proxy)).fetch("http://pictures.invalid/a.png")
            guard case .failure(let error) = result else {
                Issue.record("let through")
                return
            }
            #expect(error.code == .connectionFailed, "\(error)")
            withExtendedLifetime(proxy) {}
        }
    }
#endif
