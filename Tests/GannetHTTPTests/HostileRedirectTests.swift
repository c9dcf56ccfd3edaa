#if HTTP
    import FoundationEssentials
    import GannetFetch
    import GannetCore
    import GannetHTTP
    import GannetImages
    import GannetTesting
    import Synchronization
    import Testing

    /// Redirects over real sockets: only to http and https, never to a less safe scheme, and without secrets for other servers.
    /// DL-23, KF-09
    @Suite struct HostileRedirectTests {
        static let ok = HostileCase.ok + "Content-Length: 5\r\n\r\nhello"

        static func redirect(_ place: String, status: Int = 302) -> String {
            "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n"
        }

        /// Answers by path, and records the requests.
        final class Places: Sendable {
            private final class Log: Sendable {
                let heads = Mutex<[String]>([])
            }

            private let log = Log()
            private let server: RawServer

            init(_ answer: @escaping @Sendable (_ path: String, _ count: Int) -> String) {
                server = RawServer { [log] connection in
                    while let head = connection.readHead() {
                        let count = log.heads.withLock { heads in
                            heads.append(head)
                            return heads.count
                        }
                        let path = head.split(separator: " ").dropFirst().first.map { String($0) } ?? ""
                        guard connection.write(answer(path, count)) else { return }
                    }
                }
            }

            var heads: [String] { log.heads.withLock { $0 } }
            var authority: String { "127.0.0.1:\(server.port)" }
            func url(_ path: String) -> String { server.url(path) }
        }

        @Test(
            arguments: [
                "file:///etc/passwd", "FILE:///etc/passwd", "data:image/png;base64,AAAA", "javascript:alert(1)",
                "ftp://127.0.0.1/a",
                "about:blank", "blob:http://127.0.0.1/a", "gopher://127.0.0.1:70/_GET", "ws://127.0.0.1/", "mailto:a@b",
                "unix:/run/a",
                "view-source:http://127.0.0.1/", "http+unix://%2Frun%2Fa/",
            ], [301, 302, 303, 307, 308])
        func `Other schemes are not followed`(_ place: String, _ status: Int) async throws {
            let server = Places { _, _ in Self.redirect(place, status: status) }
            let rig = try Rig()
            let error = await #expect(throws: ImageError.self) { try await rig.fetch(server.url("/a.png")).get() }
            #expect(error?.code == .hookRefused, "\(String(describing: error))")
            #expect(server.heads.count == 1 && rig.cache.keys.isEmpty)
        }

        @Test(arguments: [
            "http:", "http://", "https:///a", "http://:80/", "http://a b/", "http://[::1/", "http://127.0.0.1:0/", "//",
            "http://\u{1}/",
        ])
        func `Places that are none`(_ place: String) async throws {
            let server = Places { path, _ in path == "/a.png" ? Self.redirect(place) : Self.ok }
            let error = await #expect(throws: ImageError.self) { try await Rig().fetch(server.url("/a.png")).get() }
            #expect([.protocolViolation, .connectionFailed, .hostNotFound].contains(error?.code), "\(String(describing: error))")
        }

        @Test func `A place that is another one each time`() async throws {
            let server = Places { _, count in Self.redirect("/a.png?\(count)") }
            let error = await #expect(throws: ImageError.self) { try await Rig().fetch(server.url("/a.png")).get() }
            #expect(error?.code == .tooManyRedirects)
            #expect(server.heads.count == 21)
        }

        @Test(arguments: ["", "#part", "?", "a.png", "./a.png", "."])
        func `Places that lead back`(_ place: String) async throws {
            let server = Places { _, _ in Self.redirect(place) }
            let error = await #expect(throws: ImageError.self) { try await Rig().fetch(server.url("/a.png")).get() }
            #expect([.tooManyRedirects, .protocolViolation].contains(error?.code), "\(String(describing: error))")
            #expect(server.heads.count <= 21)
        }

        /// Its body is not waited for.
        @Test(arguments: ["Content-Length: 1000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "\r\n"])
        func `A redirect whose body never ends`(_ rest: String) async throws {
            let server = RawServer { connection in
                guard let head = connection.readHead() else { return }
                if head.contains(" /b.png ") {
                    _ = connection.write(Self.ok)
                    return
                }
                connection.write("HTTP/1.1 302 Elsewhere\r\nLocation: /b.png\r\n" + rest)
                connection.waitForClose()
            }
            #expect(try await Rig().bytes(server.url("/a.png")) == Array("hello".utf8))
        }

        /// Credentials go to no other server, and a server cannot choose the ones that another server gets.
        @Test(arguments: [301, 302, 303, 307, 308])
        func `What one server may know goes to no other`(_ status: Int) async throws {
            let other = Places { _, _ in Self.ok }
            let server = Places { path, _ in
                path == "/a.png"
                    ? Self.redirect("/b.png", status: status)
                    : Self.redirect("http://chosen:secret@\(other.authority)/c.png", status: status)
            }
            let fetched = try await Rig().fetch(server.url("/a.png")) { request in
                request.download.credential = .basic(user: "user", password: "pass")
                request.download.headers = HTTPHeaders([
                    ("Cookie", "a=b"), ("Proxy-Authorization", "Basic eA=="), ("X-Else", "1"),
                ])
            }.get()
            #expect(fetched.encoded?.bytes.count == 5)
            for head in server.heads {
                #expect(AuthenticationTests.field("Authorization", head) == "Basic dXNlcjpwYXNz")
                #expect(AuthenticationTests.field("Cookie", head) == "a=b")
            }
            let head = try #require(other.heads.first)
            #expect(server.heads.count == 2 && other.heads.count == 1)
            for name in ["Authorization", "Cookie", "Proxy-Authorization", "Referer"] {
                #expect(AuthenticationTests.field(name, head) == nil)
            }
            #expect(AuthenticationTests.field("X-Else", head) == "1")
            #expect(AuthenticationTests.field("Host", head) == other.authority)
            #expect(head.hasPrefix("GET /c.png HTTP/1.1\r\n") && !head.contains("secret"))
            #expect(fetched.head?.url.absoluteString == other.url("/c.png"))
        }

        @Test func `The way back does not bring a credential back`() async throws {
            let first = Mutex("")
            let other = Places { _, _ in Self.redirect(first.withLock { $0 }) }
            let server = Places { path, _ in path == "/a.png" ? Self.redirect(other.url("/b.png")) : Self.ok }
            first.withLock { $0 = server.url("/c.png") }
            let fetched = try await Rig().fetch("http://user:pass@\(server.authority)/a.png").get()
            #expect(fetched.encoded?.bytes.count == 5)
            #expect(server.heads.map { AuthenticationTests.field("Authorization", $0) } == ["Basic dXNlcjpwYXNz", nil])
            #expect(other.heads.map { AuthenticationTests.field("Authorization", $0) } == [nil])
        }

        /// A server that asks for credentials does not get those of another server.
        @Test func `A redirect to a server that asks for a password`() async throws {
            let other = Places { _, _ in
                "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"pictures\"\r\nContent-Length: 0\r\n\r\n"
            }
            let server = Places { _, _ in Self.redirect(other.url("/b.png")) }
            let error = await #expect(throws: ImageError.self) {
                try await Rig().fetch(server.url("/a.png")) { $0.download.credential = .basic(user: "user", password: "pass") }
                    .get()
            }
            #expect(error?.httpStatus == 401)
            #expect(other.heads.map { AuthenticationTests.field("Authorization", $0) } == [nil])
        }

        #if Server
            @Test(.enabled(if: Certificates.isAvailable, "there is no /usr/bin/openssl"), arguments: [false, true])
            func `From http to https and back`(_ isAllowed: Bool) async throws {
                let plain = Mutex("")
                let tls = try await TLSServer("good") { FixedReply(Array(Self.redirect(plain.withLock { $0 }).utf8)) }
                let server = Places { path, _ in path == "/a.png" ? Self.redirect(tls.url()) : Self.ok }
                plain.withLock { $0 = server.url("/b.png") }
                let rig = try Rig(try TLSTests.transport()) { $0.redirects.allowsDowngrade = isAllowed }
                let result = await rig.fetch(server.url("/a.png"))
                switch result {
                case .success(let fetched): #expect(isAllowed && fetched.encoded?.bytes.count == 5)
                case .failure(let error): #expect(!isAllowed && error.code == .hookRefused, "\(error)")
                }
                #expect(server.heads.count == (isAllowed ? 2 : 1))
            }
        #endif
    }
#endif
