import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Digest authentication, RFC 7616: challenges read, answers counted, passwords never sent. DL-11, U-31
@Suite struct DigestTests {
    static func challenge(_ text: String) -> AuthenticationChallenge? { AuthenticationChallenge.parse([text]).first }

    @Test func `MD5 of RFC 1321`() {
        let known = [
            "": "d41d8cd98f00b204e9800998ecf8427e", "abc": "900150983cd24fb0d6963f7d28e17f72",
            "abcdefghijklmnopqrstuvwxyz": "c3fcd3d76192e4007dfb496cca67e13b",
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890":
                "57edf4a22be3c955ac49da2e2107b67a",
        ]
        for (text, digest) in known { #expect(MD5.hex(Array(text.utf8)) == digest) }
    }

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `The answers of RFC 7616`(_ algorithm: String, _ response: String) throws {
        let text =
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), "
            + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
        let challenge = try #require(Self.challenge(text).flatMap { DigestChallenge($0) })
        let answer = challenge.answer(
            user: "Mufasa", password: "Circle of Life", method: "GET", target: "/dir/index.html", count: 1,
            random: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(
            answer
                == "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", "
                + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", uri=\"/dir/index.html\", algorithm=\(algorithm), "
                + "response=\"\(response)\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\", qop=auth, nc=00000001, "
                + "cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\"")
    }

    @Test func `The answer of RFC 2617, and a server that knows nothing newer than RFC 2069`() throws {
        let nonce = "dcd98b7102dd2f0e8b11d0f600bfb0c093"
        let newer = try #require(
            Self.challenge("Digest realm=\"testrealm@host.com\", qop=\"auth\", nonce=\"\(nonce)\"").flatMap {
                DigestChallenge($0)
            })
        let answer = newer.answer(
            user: "Mufasa", password: "Circle Of Life", method: "GET", target: "/dir/index.html", count: 1, random: "0a4f113b")
        #expect(answer.contains("response=\"6629fae49393a05397450978507c4ef1\""))
        #expect(!answer.contains("algorithm"))
        let old = try #require(
            Self.challenge("Digest realm=\"testrealm@host.com\", nonce=\"\(nonce)\"").flatMap { DigestChallenge($0) })
        let short = old.answer(
            user: "Mufasa", password: "Circle Of Life", method: "GET", target: "/dir/index.html", count: 1, random: "x")
        #expect(short.contains("response=\"670fd8c2df070c60b045671b8b24ff02\""))
        #expect(!short.contains("qop") && !short.contains("cnonce"))
    }

    @Test func `A server's text cannot leave its quotes, and names need not be ASCII`() throws {
        let challenge = try #require(
            Self.challenge("Digest realm=\"a\\\"b\", nonce=\"n\", qop=\"auth\"").flatMap { DigestChallenge($0) })
        #expect(challenge.realm == "a\"b")
        let answer = challenge.answer(user: "Jäsøn", password: "p", method: "GET", target: "/", count: 17, random: "r")
        #expect(answer.contains("realm=\"a\\\"b\""))
        #expect(answer.contains("username*=UTF-8''J%C3%A4s%C3%B8n"))
        #expect(answer.contains("nc=00000011"))
    }

    @Test func `Lists of challenges, whatever stands in them`() {
        let all = AuthenticationChallenge.parse([
            "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"", "Negotiate",
            "Bearer, NTLM TlRMTVNTUAAC==, Digest nonce = \"x\", nonce=y", "=, ,", "",
        ])
        #expect(all.map(\.scheme) == ["newauth", "basic", "negotiate", "bearer", "ntlm", "digest"])
        #expect(all[0].parameters == ["realm": "apps", "type": "1", "title": "Login to \"apps\""])
        #expect(all[1].parameters == ["realm": "simple"])
        #expect(all[5].parameters == ["nonce": "x"])
    }

    @Test(arguments: ["Digest realm=\"", "Digest realm=\"r", "Digest realm=\"r\\", "Digest realm=\"r\\\""])
    func `A text that is not closed ends with its field`(field: String) {
        let all = AuthenticationChallenge.parse([field, "Basic realm=\"b\""])
        #expect(all.map(\.scheme) == ["digest", "basic"] && all[1].parameters["realm"] == "b")
    }

    @Test(arguments: [
        "Digest realm=\"r\"", "Digest nonce=\"n\", algorithm=SHA-512-256", "Digest nonce=\"n\", qop=\"auth-int\"",
        "Basic nonce=\"n\"", "Digest nonce=\"\(String(repeating: "n", count: 5000))\"",
    ])
    func `What cannot be answered is none`(_ text: String) {
        #expect(Self.challenge(text).flatMap { DigestChallenge($0) } == nil)
    }

    @Test func `The strongest challenge is answered`() {
        let head = HTTPResponseHead(
            status: 401,
            headers: HTTPHeaders([
                ("WWW-Authenticate", "Basic realm=\"r\""), ("WWW-Authenticate", "Digest nonce=\"a\", algorithm=MD5"),
                ("WWW-Authenticate", "Digest nonce=\"b\", algorithm=sha-256"),
            ]), url: URL(filePath: "/"))
        #expect(DigestChallenge.best(of: head)?.nonce == "b")
    }

    @Test(arguments: [
        ("https://example.org", "/"), ("https://example.org/a.png", "/a.png"), ("https://example.org?q=1", "/?q=1"),
        ("https://example.org/a%20b.png?q=/x#part", "/a%20b.png?q=/x"),
    ])
    func `The target of a request`(_ url: String, _ target: String) throws {
        #expect(DigestChallenge.target(of: try #require(URL(string: url))) == target)
    }
}

/// The same through the downloader.
@Suite struct DigestLoginTests {
    static let secret = Credential.digest(user: "Mufasa", password: "Circle of Life")

    /// Asks for digests with this nonce; right answers get the picture.
    static func server(
        nonce: @escaping @Sendable (Int) -> String = { _ in "n1" }, accepts: @escaping @Sendable (HTTPRequest) -> Bool
    ) -> ScriptedTransport.Answer {
        { request, index in
            if accepts(request) { return .fixed(request, status: 200, headers: [], body: DownloadRig.picture) }
            let isStale = request.headers["Authorization"]?.contains("nonce=\"\(nonce(index))\"") == false
            let text = "Digest realm=\"r\", qop=\"auth\", nonce=\"\(nonce(index))\"" + (isStale ? ", stale=true" : "")
            return .fixed(request, status: 401, headers: [("WWW-Authenticate", text), ("Cache-Control", "no-store")], body: [])
        }
    }

    static func isRight(_ request: HTTPRequest, nonce: String = "n1") -> Bool {
        guard let text = request.headers["Authorization"],
            let answer = AuthenticationChallenge.parse([text]).first, answer.scheme == "digest",
            let challenge = DigestChallenge(answer), challenge.nonce == nonce,
            let random = answer.parameters["cnonce"], let count = answer.parameters["nc"].flatMap({ Int($0, radix: 16) })
        else { return false }
        return answer.parameters["uri"] == DigestChallenge.target(of: request.url)
            && text.contains(
                challenge.answer(
                    user: "Mufasa", password: "Circle of Life", method: request.method,
                    target: DigestChallenge.target(of: request.url), count: count, random: random
                ).split(separator: " ").first { $0.hasPrefix("response=") } ?? "nothing")
    }

    @Test func `A challenge is answered, and the next request comes with the answer`() async throws {
        let rig = DownloadRig(answer: Self.server { Self.isRight($0) })
        #expect(try await rig.text { $0.download.credential = Self.secret } == "picture")
        #expect(try await rig.text("https://example.org/b.png?q=1") { $0.download.credential = Self.secret } == "picture")
        let sent = rig.transport.requests.map { $0.headers["Authorization"] }
        #expect(sent.count == 3)
        #expect(sent[0] == nil)
        #expect(sent[1]?.contains("nc=00000001") == true)
        #expect(sent[2]?.contains("nc=00000002") == true)
        #expect(sent.allSatisfy { $0?.contains("Circle") != true })
    }

    @Test func `A name and a password meant for Basic do for digests too`() async throws {
        let rig = DownloadRig(answer: Self.server { Self.isRight($0) })
        #expect(try await rig.text { $0.download.credential = .basic(user: "Mufasa", password: "Circle of Life") } == "picture")
        #expect(rig.sent().headers["Authorization"]?.hasPrefix("Basic ") == true)
        #expect(rig.transport.requests.count == 2)
    }

    @Test func `A wrong password is tried once, then the provider is asked once`() async {
        struct Provider: CredentialProvider {
            func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
                .digest(user: "Mufasa", password: "wrong too")
            }
        }
        let rig = DownloadRig(change: { $0.credentials = Provider() }, answer: Self.server { Self.isRight($0) })
        let result = await rig.fetch { $0.download.credential = .digest(user: "Mufasa", password: "wrong") }
        #expect(result.failureCode == .httpStatus)
        #expect(rig.transport.requests.count == 3)
    }

    @Test func `A provider brings the password, and a stale nonce is answered anew`() async throws {
        struct Provider: CredentialProvider {
            func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
                realm.challenge.hasPrefix("Digest ") && rejected == nil ? DigestLoginTests.secret : nil
            }
        }
        // The nonce changes after two requests.
        let rig = DownloadRig(
            change: { $0.credentials = Provider() },
            answer: Self.server(nonce: { $0 < 3 ? "n1" : "n2" }) { request in
                let isLate = request.url.path.contains("late")
                return Self.isRight(request, nonce: isLate ? "n2" : "n1")
            })
        #expect(try await rig.text() == "picture")
        #expect(try await rig.text("https://example.org/late.png") == "picture")
        #expect(rig.transport.requests.count == 4)
        #expect(rig.sent(3).headers["Authorization"]?.contains("nonce=\"n2\"") == true)
        #expect(rig.sent(3).headers["Authorization"]?.contains("nc=00000001") == true)
    }

    @Test func `Challenges are kept where somebody can answer them, and not of all the world`() async {
        let rig = DownloadRig(answer: Self.server { _ in false })
        for number in 0..<3 { _ = await rig.fetch("https://example\(number).org/a.png") }
        #expect(rig.loader.challengeCount == 0)
        for number in 0..<1010 {
            _ = await rig.fetch("https://example\(number).org/a.png") { $0.download.credential = Self.secret }
        }
        #expect(rig.loader.challengeCount == 1000)
    }

    @Test func `What a provider brought is kept for so many servers, and not for all the world`() async throws {
        struct Provider: CredentialProvider {
            func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
                rejected == nil ? .basic(user: "u", password: "p") : nil
            }
        }
        let rig = DownloadRig(
            change: { $0.credentials = Provider() },
            answer: { request, _ throws(ImageError) in
                let isKnown = request.headers.contains("Authorization")
                return .fixed(
                    request, status: isKnown ? 200 : 401, headers: isKnown ? [] : [("WWW-Authenticate", "Basic realm=\"r\"")],
                    body: DownloadRig.picture)
            })
        for number in 0..<1010 { _ = try await rig.text("https://example\(number).org/a.png") }
        #expect(rig.loader.knownCredentialCount == 1000 && rig.transport.requests.count == 2020)
        // The newest are.
        _ = try await rig.text("https://example1009.org/b.png")
        #expect(rig.transport.requests.count == 2021)
    }

    @Test func `A redirect is answered with its own target, another origin with nothing`() async throws {
        let rig = DownloadRig { request, index throws(ImageError) in
            if request.url.host != "example.org" { return .fixed(request, status: 200, headers: [], body: DownloadRig.picture) }
            guard Self.isRight(request) else { return try await Self.server { _ in false }(request, index) }
            let next = request.url.path == "/a.png" ? "/b.png" : "https://other.example/c.png"
            return .fixed(request, status: 302, headers: [("Location", next)], body: [])
        }
        #expect(try await rig.text { $0.download.credential = Self.secret } == "picture")
        #expect(rig.transport.requests.map { $0.url.path } == ["/a.png", "/a.png", "/b.png", "/c.png"])
        #expect(rig.sent(3).headers["Authorization"] == nil)
    }
}
