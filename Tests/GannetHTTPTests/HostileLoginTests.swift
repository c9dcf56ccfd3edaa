#if HTTP
    import GannetCore
    import GannetHTTP
    import GannetFetch
    import GannetTesting
    import Synchronization
    import Testing

    /// Servers that demand credentials again and again, and floods of cookies, over real sockets. DL-11, U-31
    @Suite struct HostileLoginTests {
        typealias Places = HostileRedirectTests.Places

        static func refusal(_ challenge: String, status: String = "401 No") -> String {
            "HTTP/1.1 \(status)\r\n\(challenge)\r\nContent-Length: 0\r\n\r\n"
        }

        /// Always brings another one.
        final class Eager: CredentialProvider {
            let count = Mutex(0)

            func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return .basic(user: "user", password: "\(number)")
            }
        }

        static let challenges = [
            "WWW-Authenticate: Basic realm=\"x\"", "WWW-Authenticate: Digest realm=\"x\", nonce=\"n\", stale=true",
            "WWW-Authenticate: Digest realm=\"x\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256, stale=true",
            "WWW-Authenticate: Digest realm=\"x\", nonce=\"n\", qop=\"auth-int\"",
            "WWW-Authenticate: Digest realm=\"x\", nonce=\"n\", algorithm=ROT13", "WWW-Authenticate: Digest realm=\"",
            "WWW-Authenticate: Digest", "WWW-Authenticate: , ,=,\"", "WWW-Authenticate: Bearer, Basic, Digest nonce=\"\"",
            "WWW-Authenticate: Negotiate\r\nWWW-Authenticate: NTLM TlRMTVNTUAAC", "X-Nothing: here",
            "WWW-Authenticate: Basic realm=\"\(String(repeating: "x", count: 60_000))\"",
        ]

        @Test(
            arguments: challenges, [Credential.basic(user: "a", password: "b"), .digest(user: "a", password: "b"), .bearer("t")])
        func `401 for ever ends, whoever asks`(_ challenge: String, _ credential: Credential) async throws {
            let server = Places { _, _ in Self.refusal(challenge) }
            let provider = Eager()
            let rig = try Rig { $0.credentials = provider }
            let result = await rig.fetch(server.url("/a.png")) { $0.download.credential = credential }
            guard case .failure(let error) = result else {
                Issue.record("it was let in")
                return
            }
            #expect(error.httpStatus == 401, "\(error)")
            #expect(server.heads.count <= 5 && provider.count.withLock { $0 } <= 1 && rig.cache.keys.isEmpty)
        }

        @Test func `Challenges of changing kinds end`() async throws {
            let kinds = ["Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"n\", stale=true", "Bearer"]
            let server = Places { _, count in Self.refusal("WWW-Authenticate: " + kinds[count % kinds.count]) }
            let result = await (try Rig { $0.credentials = Eager() }).fetch(server.url("/a.png")) {
                $0.download.credential = .basic(user: "a", password: "b")
            }
            guard case .failure(let error) = result else {
                Issue.record("it was let in")
                return
            }
            #expect(error.httpStatus == 401)
            #expect(server.heads.count <= 6)
        }

        @Test func `Challenges and redirects in turn end`() async throws {
            let server = Places { _, count in
                count.isMultiple(of: 2)
                    ? HostileRedirectTests.redirect("/\(count)") : Self.refusal("WWW-Authenticate: Basic realm=\"\(count)\"")
            }
            let result = await (try Rig { $0.credentials = Eager() }).fetch(server.url("/a.png"))
            guard case .failure(let error) = result else {
                Issue.record("it was let in")
                return
            }
            #expect(error.httpStatus == 401 || error.code == .tooManyRedirects)
            #expect(server.heads.count <= 45)
        }

        /// Only a proxy may send 407, and there is none.
        @Test func `407 from a server is no question`() async throws {
            let server = Places { _, _ in Self.refusal("Proxy-Authenticate: Basic realm=\"x\"", status: "407 Proxy") }
            let result = await (try Rig { $0.credentials = Eager() }).fetch(server.url("/a.png")) {
                $0.download.credential = .basic(user: "a", password: "b")
            }
            guard case .failure(let error) = result else {
                Issue.record("it was let in")
                return
            }
            #expect(error.httpStatus == 407)
            #expect(server.heads.map { AuthenticationTests.field("Proxy-Authorization", $0) } == [nil])
        }

        @Test func `A flood of cookies stays a small one`() async throws {
            let server = Places { _, count in
                let cookies = (0..<15).map { "Set-Cookie: c\(count)-\($0)=\(String(repeating: "x", count: 4000)); Path=/\r\n" }
                    .joined()
                return HostileCase.ok + cookies + "Cache-Control: no-store\r\nContent-Length: 5\r\n\r\nhello"
            }
            let jar = MemoryCookieJar()
            let rig = try Rig { $0.cookies = jar }
            for _ in 0..<20 {
                #expect(try await rig.fetch(server.url("/a.png")) { $0.download.cookies = true }.get().encoded?.bytes.count == 5)
            }
            #expect(jar.count <= 50)
            let longest = server.heads.map(\.utf8.count).max() ?? 0
            #expect(longest < 10_000, "a request of \(longest) bytes")
        }
    }
#endif
