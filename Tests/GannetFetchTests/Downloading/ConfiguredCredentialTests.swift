import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// DL-11: the configuration's credential only goes to servers that ask for it.
@Suite struct ConfiguredCredentialTests {
    private static let credential = Credential.basic(user: "user", password: "pass")
    private static let basic = "Basic dXNlcjpwYXNz"
    private static let picture = DownloadRig.picture

    /// Asks at `own.example` and nowhere else.
    private static func server(_ challenge: String, accepts: @escaping @Sendable (String) -> Bool) -> ScriptedTransport.Answer {
        { request, _ in
            if request.url.host != "own.example" || request.headers["Authorization"].map(accepts) == true {
                return .fixed(request, headers: [("Cache-Control", "no-store")], body: picture)
            }
            return .fixed(request, status: 401, headers: [("WWW-Authenticate", challenge)])
        }
    }

    private func sent(_ rig: DownloadRig) -> [String?] {
        rig.transport.requests.map { $0.headers["Authorization"].map { String($0.prefix { $0 != "," }) } }
    }

    // DL-11
    @Test func `It is sent to the origin that asked, once at the second attempt, then at once`() async throws {
        let rig = DownloadRig(
            change: { $0.credential = Self.credential }, answer: Self.server("Basic realm=\"x\"") { $0 == Self.basic })
        for url in ["https://own.example/a", "https://own.example/b", "https://other.example/c", "http://own.example:81/d"] {
            #expect(try await rig.text(url) == "picture")
        }
        #expect(sent(rig) == [nil, Self.basic, Self.basic, nil, nil, Self.basic])
    }

    @Test(arguments: [
        (Credential.bearer("t"), "Bearer realm=\"x\"", "Bearer t"),
        (.digest(user: "u", password: "p"), "Digest realm=\"x\", nonce=\"n\", qop=\"auth\"", "Digest "),
        (.basic(user: "u", password: "p"), "Digest realm=\"x\", nonce=\"n\", qop=\"auth\"", "Digest "),
    ])
    func `It answers the challenges of its kind`(_ credential: Credential, _ challenge: String, _ answer: String) async throws {
        let rig = DownloadRig(
            change: { $0.credential = credential }, answer: Self.server(challenge) { $0.hasPrefix(answer) })
        #expect(try await rig.text("https://own.example/a") == "picture")
        #expect(try await rig.text("https://own.example/b") == "picture")
        #expect(rig.transport.requests.map { $0.headers["Authorization"]?.hasPrefix(answer) } == [nil, true, true])
    }

    @Test(arguments: ["Bearer", "Digest realm=\"x\", nonce=\"n\", algorithm=MD17", "Negotiate", ""])
    func `Who asks for something else is not told a password`(_ challenge: String) async {
        let rig = DownloadRig(change: { $0.credential = Self.credential }, answer: Self.server(challenge) { _ in true })
        #expect(await rig.fetch("https://own.example/a").failureCode == .httpStatus)
        #expect(sent(rig) == [nil])
    }

    @Test func `Refused, it is not sent again without being asked for, and the provider is`() async throws {
        struct Provider: CredentialProvider {
            func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
                rejected == ConfiguredCredentialTests.credential ? .bearer("new") : nil
            }
        }
        let server = Self.server("Basic realm=\"x\"") { $0 == "Bearer new" }
        let rig = DownloadRig(change: { $0.credential = Self.credential }, answer: server)
        for _ in 0..<2 { #expect(await rig.fetch("https://own.example/a").failureCode == .httpStatus) }
        #expect(sent(rig) == [nil, Self.basic, nil, Self.basic])
        rig.loader.configuration.credentials = Provider()
        for _ in 0..<2 { #expect(try await rig.text("https://own.example/a") == "picture") }
        #expect(sent(rig).suffix(4) == [nil, Self.basic, "Bearer new", "Bearer new"])
    }

    @Test func `Whoever names his own is not taken for the configuration's`() async {
        let rig = DownloadRig(
            change: { $0.credential = Self.credential }, answer: Self.server("Basic, Bearer") { $0 == Self.basic })
        #expect(await rig.fetch("https://own.example/a") { $0.download.credential = .bearer("mine") }.failureCode == .httpStatus)
        #expect(await rig.fetch("https://me:mine@own.example/b").failureCode == .httpStatus)
        var field = HTTPHeaders()
        field.set("Authorization", "Own x")
        let headers = field
        #expect(await rig.fetch("https://own.example/c") { $0.download.headers = headers }.failureCode == .httpStatus)
        #expect(sent(rig) == ["Bearer mine", "Basic bWU6bWluZQ==", "Own x"])
    }

    @Test func `A redirect to a server that asks is answered where it was asked directly before`() async throws {
        let asking = Self.server("Basic realm=\"x\"") { $0 == Self.basic }
        let rig = DownloadRig(
            change: { $0.credential = Self.credential },
            answer: { request, number throws(ImageError) in
                request.url.host == "start.example"
                    ? .fixed(request, status: 302, headers: [("Location", "https://own.example/a")])
                    : try await asking(request, number)
            })
        #expect(await rig.fetch("https://start.example/a").failureCode == .httpStatus)
        #expect(sent(rig) == [nil, nil])
        #expect(try await rig.text("https://own.example/b") == "picture")
        #expect(try await rig.text("https://start.example/c") == "picture")
        #expect(sent(rig) == [nil, nil, nil, Self.basic, nil, nil, Self.basic])
    }

    @Test func `What was answered to a login is not for who has none, and is used again by who has`() async throws {
        let rig = DownloadRig(
            change: { $0.credential = Self.credential },
            answer: { request, _ in
                guard let sent = request.headers["Authorization"] else {
                    return .fixed(request, status: 401, headers: [("WWW-Authenticate", "Basic")])
                }
                let fields = [("Vary", "Authorization"), ("Cache-Control", "max-age=60")]
                return .fixed(request, headers: fields, body: Array(sent.utf8))
            })
        for _ in 0..<2 { #expect(try await rig.text() == Self.basic) }
        #expect(rig.transport.requests.count == 2)
        rig.loader.configuration.credential = nil
        #expect(await rig.fetch().failureCode == .httpStatus)
        rig.loader.configuration.credential = .basic(user: "a", password: "b")
        #expect(try await rig.text() == "Basic YTpi")
    }

    @Test func `A downloader that was invalidated loads nothing more`() async throws {  // DL-17
        let gate = AsyncGate()
        let rig = DownloadRig { request, _ in
            await gate.wait()
            return .fixed(request, headers: [("Cache-Control", "max-age=60")], body: DownloadRig.picture)
        }
        let running = Task { await rig.fetch() }
        await gate.waitForArrivals(1)
        rig.loader.invalidate()
        #expect(rig.loader.isInvalidated)
        #expect(await rig.fetch("https://example.org/b.png").failureCode == .misuse)
        gate.open()
        #expect(await running.value.failureCode == nil)
        // The cache is not the downloader's.
        #expect(try await rig.text() == "picture")
        #expect(rig.transport.requests.count == 1)
    }
}
