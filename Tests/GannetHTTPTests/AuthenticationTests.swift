#if HTTP
    import GannetCore
    import GannetHTTP
    import GannetFetch
    import GannetTesting
    import Synchronization
    import Testing

    /// Authentication over real sockets: servers that want digests, and proxies. DL-11, U-31
    @Suite struct AuthenticationTests {
        static let ok = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 5\r\n\r\nhello"

        /// A header field of a request as it was sent.
        static func field(_ name: String, _ head: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }

        // DL-11
        @Test(arguments: ["MD5", "SHA-256", "MD5-sess", "SHA-256-sess"])
        func `A server that wants digests`(_ algorithm: String) async throws {
            let challenge = "Digest realm=\"pictures\", qop=\"auth\", algorithm=\(algorithm), nonce=\"abc\", opaque=\"xyz\""
            let server = RawServer { connection in
                while let head = connection.readHead() {
                    let answer = Self.field("Authorization", head).flatMap { AuthenticationChallenge.parse([$0]).first }
                    let expected = AuthenticationChallenge.parse([challenge]).first.flatMap { DigestChallenge($0) }?.answer(
                        user: "user", password: "pass", method: "GET", target: "/a.png?size=1", count: 1,
                        random: answer?.parameters["cnonce"] ?? "")
                    if let expected, AuthenticationChallenge.parse([expected]).first == answer {
                        connection.write(Self.ok)
                    } else {
                        connection.write("HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno")
                    }
                }
            }
            let rig = try Rig()
            let right = await rig.fetch(server.url("/a.png?size=1")) {
                $0.download.credential = .digest(user: "user", password: "pass")
            }
            #expect(try right.get().encoded?.bytes.count == 5)
            let wrong = await (try Rig()).fetch(server.url("/a.png?size=1")) {
                $0.download.credential = .digest(user: "user", password: "other")
            }
            if case .failure(let error) = wrong { #expect(error.httpStatus == 401) } else { Issue.record("let in") }
            withExtendedLifetime(server) {}
        }

        @Test func `Digests for ever, always with a fresh nonce, end`() async throws {
            let count = Mutex(0)
            let server = RawServer { connection in
                while connection.readHead() != nil {
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    connection.write(
                        "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"\(number)\", stale=true\r\n"
                            + "Content-Length: 0\r\n\r\n")
                }
            }
            let result = await (try Rig()).fetch(server.url()) { $0.download.credential = .digest(user: "a", password: "b") }
            if case .failure(let error) = result { #expect(error.httpStatus == 401) } else { Issue.record("let in") }
            #expect(count.withLock { $0 } == 3)
            withExtendedLifetime(server) {}
        }

        /// Accepts clients with the right secret, and opens tunnels that lead nowhere.
        static func proxy(_ secret: String?, heads: HeadList) -> RawServer {
            RawServer { connection in
                while let head = connection.readHead() {
                    heads.append(head)
                    guard secret == nil || field("Proxy-Authorization", head) == secret else {
                        connection.write("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n")
                        return
                    }
                    guard !head.hasPrefix("CONNECT ") else {
                        connection.write("HTTP/1.1 200 Connected\r\n\r\n")
                        // A first word of TLS.
                        if connection.read(1) == [22] { heads.append("TLS") }
                        return
                    }
                    connection.write(ok)
                }
            }
        }

        final class HeadList: Sendable {
            private let heads = Mutex<[String]>([])
            func append(_ head: String) { heads.withLock { $0.append(head) } }
            var all: [String] { heads.withLock { $0 } }
        }

        static func transport(_ port: Int, _ credential: Credential?) throws -> CURLTransport {
            var options = CURLTransport.Options()
            options.proxies = .init(CURLTransport.Proxy(host: "127.0.0.1", port: port, credential: credential))
            return try CURLTransport(options: options)
        }

        private static let shown: [(Credential?, String?)] = [
            (.basic(user: "user", password: "pass"), "Basic dXNlcjpwYXNz"), (.bearer("token"), "Bearer token"), (nil, nil),
        ]

        @Test(arguments: shown)
        func `A proxy is asked for plain pictures by their whole address`(_ credential: Credential?, _ secret: String?)
            async throws
        {
            let heads = HeadList()
            let server = Self.proxy(secret, heads: heads)
            let rig = try Rig(Self.transport(server.port, credential))
            #expect(try await rig.bytes("http://pictures.invalid/a.png?b=%20c#d") == Array("hello".utf8))
            #expect(try await rig.bytes("http://[2001:db8::1]:8080") == Array("hello".utf8))
            #expect(
                heads.all.map { $0.prefix { $0 != "\r\n" } } == [
                    "GET http://pictures.invalid/a.png?b=%20c HTTP/1.1", "GET http://[2001:db8::1]:8080/ HTTP/1.1",
                ])
            #expect(heads.all.map { Self.field("Host", $0) } == ["pictures.invalid", "[2001:db8::1]:8080"])
            #expect(heads.all.allSatisfy { Self.field("Proxy-Authorization", $0) == secret && !$0.contains("gannet-") })
            // The hosts behind the proxy share its connection.
            #expect(server.connectionCount == 1)
        }

        @Test(arguments: shown)
        func `A proxy is asked for a tunnel to secure servers, who are shown nothing`(
            _ credential: Credential?, _ secret: String?
        )
            async throws
        {
            let heads = HeadList()
            let server = Self.proxy(secret, heads: heads)
            let result = await (try Rig(Self.transport(server.port, credential))).fetch("https://pictures.invalid/a.png")
            #expect(throws: ImageError.self) { try result.get() }
            #expect(heads.all.count == 2)
            #expect(heads.all.first?.hasPrefix("CONNECT pictures.invalid:443 ") == true)
            #expect(heads.all.first.flatMap { Self.field("Proxy-Authorization", $0) } == secret)
            #expect(heads.all.last == "TLS")
            withExtendedLifetime(server) {}
        }

        // DL-11
        @Test(arguments: ["http", "https"])
        func `A proxy that refuses says so as 407`(_ scheme: String) async throws {
            let server = Self.proxy("Basic dXNlcjpwYXNz", heads: HeadList())
            for credential in [nil, Credential.basic(user: "user", password: "wrong")] {
                let result = await (try Rig(Self.transport(server.port, credential))).fetch("\(scheme)://pictures.invalid/a.png")
                guard case .failure(let error) = result else {
                    Issue.record("let through")
                    continue
                }
                #expect(error.code == .httpStatus && error.httpStatus == 407, "\(error)")
                #expect(error.message.contains("transport's proxy"))
            }
            withExtendedLifetime(server) {}
        }

        @Test func `A credential that a proxy cannot be shown`() {
            #expect(throws: ImageError.self) { try Self.transport(1, .digest(user: "a", password: "b")) }
        }
    }
#endif
