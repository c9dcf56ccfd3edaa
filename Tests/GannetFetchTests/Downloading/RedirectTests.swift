import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// DL-23, KF-09: every redirect goes through one policy.
@Suite struct RedirectTests {
    /// Answers the path `/n` with a redirect to `locations[n]`, everything else with the picture.
    static func hops(_ status: Int = 302, _ locations: [String]) -> ScriptedTransport.Answer {
        { request, number in
            number <= locations.count
                ? .fixed(request, status: status, headers: [("Location", locations[number - 1])])
                : .fixed(request, body: DownloadRig.picture)
        }
    }

    @Test(arguments: [
        ("https://example.org/x/b.png", "https://example.org/x/b.png"), ("/b.png", "https://example.org/b.png"),
        ("b.png", "https://example.org/p/b.png"), ("//cdn.example/b.png", "https://cdn.example/b.png"),
        ("/ä%20b[].png?c[]=%2F", "https://example.org/%C3%A4%20b%5B%5D.png?c%5B%5D=%2F"),
        ("?size=2", "https://example.org/p/a.png?size=2"), ("https://user:secret@example.org/b.png", "https://example.org/b.png"),
    ])
    func `Locations are resolved against the URL that sent them`(_ location: String, _ expected: String) async throws {
        let rig = DownloadRig(answer: Self.hops(302, [location]))
        #expect(try await rig.text("https://example.org/p/a.png") == "picture")
        #expect(rig.sent(1).url.absoluteString == expected)
        #expect(rig.sent(1).headers["Authorization"] == nil)
    }

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"), (308, "POST", "POST"),
        (303, "PUT", "GET"), (302, "PUT", "PUT"), (303, "HEAD", "HEAD"), (301, "HEAD", "HEAD"),
    ])
    func `The method follows the browsers`(_ status: Int, _ method: String, _ expected: String) async {
        let rig = DownloadRig(answer: Self.hops(status, ["/b.png"]))
        _ = await rig.fetch { request in
            request.download.requestModifier = ClosureRequestModifier(
                method: method, headers: HTTPHeaders([("Content-Type", "text/plain")]), body: method == "HEAD" ? nil : [1])
        }
        #expect(rig.sent(1).method == expected)
        if expected == "GET" { #expect(rig.sent(1).body == nil && !rig.sent(1).headers.contains("Content-Type")) }
        if expected == method, method != "HEAD" { #expect(rig.sent(1).body == [1]) }
    }

    // DL-23
    @Test func `Secrets stay with their origin`() async throws {
        let rig = DownloadRig(
            change: { configuration in
                configuration.redirects.fieldsOfOrigin = ["x-api-key"]
                configuration.hostsTrustedBlindly = ["example.org"]
            }, answer: Self.hops(302, ["/same.png", "https://evil.example/b.png"]))
        _ = try await rig.text { request in
            request.download.credential = .bearer("secret")
            request.download.headers = HTTPHeaders([("X-Api-Key", "k"), ("X-Plain", "p"), ("Cookie", "own=1")])
        }
        #expect(rig.sent(1).headers["Authorization"] == "Bearer secret")
        #expect(rig.sent(1).headers["X-Api-Key"] == "k" && rig.sent(1).trustsAnyCertificate)
        let foreign = rig.sent(2)
        #expect(foreign.headers["Authorization"] == nil && foreign.headers["X-Api-Key"] == nil)
        #expect(foreign.headers["Cookie"] == nil && foreign.headers["X-Plain"] == "p")
        #expect(!foreign.trustsAnyCertificate)
    }

    @Test(arguments: ["file:///etc/passwd", "data:image/png;base64,AAAA", "ftp://example.org/a.png", "javascript:alert(1)"])
    func `Other schemes are refused`(_ location: String) async {
        let rig = DownloadRig(answer: Self.hops(302, [location]))
        #expect(await rig.fetch().failureCode == .hookRefused)
        #expect(rig.transport.requests.count == 1)
    }

    @Test(arguments: [
        "http://[/", "//[", "//]/", "//%5B/", "//%5B%5D/", "//[@]/", "//[]/", "http://", "//a:65536/",
        "//a:99999999999999999999/",
    ])
    func `Places that there are not are refused`(_ location: String) async {
        let rig = DownloadRig(answer: Self.hops(302, [location]))
        #expect(await rig.fetch("http://example.org/a.png").failureCode == .protocolViolation)
        #expect(rig.transport.requests.count == 1)
    }

    @Test func `From https to http only by permission`() async throws {
        let rig = DownloadRig(answer: Self.hops(302, ["http://example.org/b.png", "http://example.org/b.png"]))
        #expect(await rig.fetch().failureCode == .hookRefused)
        rig.loader.configuration.redirects.allowsDowngrade = true
        #expect(try await rig.text() == "picture")
    }

    /// DL-02: ten seconds are not ten for each of twenty servers.
    @Test func `All requests of a load share its time`() async throws {
        let time = ManualTimeSource()
        let transport = ScriptedTransport { request, _ in
            time.advance(by: .seconds(3))
            return .fixed(request, status: 302, headers: [("Location", "/again")])
        }
        let error = await #expect(throws: ImageError.self) { try await Self.load(over: transport, time) }
        #expect(error?.code == .timedOut)
        #expect(transport.requests.map(\.deadlines.total) == [10, 7, 4, 1].map { .seconds($0) })
        #expect(transport.requests.map(\.deadlines.idle) == [Duration](repeating: .seconds(15), count: 4))
    }

    @Test func `Whoever is asked for a password may take his time`() async throws {
        struct Person: CredentialProvider {
            let time: ManualTimeSource
            func credential(for realm: AuthenticationRealm, rejected: Credential?) async -> Credential? {
                time.advance(by: .seconds(100))
                return .basic(user: "a", password: "b")
            }
        }
        let time = ManualTimeSource()
        let transport = ScriptedTransport { request, _ in
            time.advance(by: .seconds(3))
            if request.headers.contains("Authorization") { return .fixed(request, body: DownloadRig.picture) }
            return .fixed(request, status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        let response = try await Self.load(over: transport, time) { $0.credentials = Person(time: time) }
        #expect(response.http?.status == 200)
        #expect(transport.requests.map(\.deadlines.total) == [.seconds(10), .seconds(7)])
    }

    private static func load(
        over transport: ScriptedTransport, _ time: ManualTimeSource, _ change: (inout DownloaderConfiguration) -> Void = { _ in }
    ) async throws(ImageError) -> LoadResponse {
        var configuration = DownloaderConfiguration()
        configuration.deadlines.total = .seconds(10)
        change(&configuration)
        let loader = HTTPLoader(transport: transport, configuration: configuration, time: time)
        let source = ImageSource(DownloadRig.url)
        return try await loader.load(
            LoadRequest(source: source, download: ResolvedRequest(ImageRequest(source: source)).download))
    }

    // DL-23
    @Test func `A loop ends at the bound`() async {
        let rig = DownloadRig(
            change: { $0.redirects.maximumCount = 3 },
            answer: { request, _ in
                .fixed(request, status: 302, headers: [("Location", "/again")])
            })
        #expect(await rig.fetch().failureCode == .tooManyRedirects)
        #expect(rig.transport.requests.count == 4)
    }

    @Test func `Exactly as many as allowed`() async throws {
        let rig = DownloadRig(change: { $0.redirects.maximumCount = 2 }, answer: Self.hops(302, ["/b", "/c"]))
        let fetched = try await rig.fetch().get()
        #expect(fetched.encoded?.bytes.contiguous() == DownloadRig.picture)
        #expect(fetched.metrics?.redirects == 2)
    }

    @Test func `Not followed, it is the answer`() async {
        let rig = DownloadRig(change: { $0.redirects.follows = false }, answer: Self.hops(302, ["/b"]))
        guard case .failure(let error) = await rig.fetch() else {
            Issue.record("it was followed")
            return
        }
        #expect(error.httpStatus == 302)
    }

    @Test func `A redirect without a place is the answer, one to nowhere is a violation`() async {
        let bare = DownloadRig(answer: DownloadRig.always(status: 302))
        #expect(await bare.fetch().failureCode == .httpStatus)
        let nowhere = DownloadRig(answer: Self.hops(302, ["https:///b.png"]))
        #expect(await nowhere.fetch().failureCode == .protocolViolation)
    }

    /// Kingfisher's handler decides, may change the request, and may stop.
    // KF-09
    @Test func `A handler changes or stops a redirect`() async throws {
        struct Handler: RedirectHandler {
            var stops = false
            var identifier: String? { "handler-\(stops)" }
            func redirect(from head: HTTPResponseHead, to request: HTTPRequest) async -> HTTPRequest? {
                var request = request
                request.headers.set("X-Hop", "1")
                return stops ? nil : request
            }
        }
        let rig = DownloadRig(answer: Self.hops(302, ["/b.png"]))
        _ = try await rig.text { $0.download.redirectHandler = Handler() }
        #expect(rig.sent(1).headers["X-Hop"] == "1")
        #expect(
            rig.observer.count { if case .redirected(_, let to) = $0 { to == "https://example.org/b.png" } else { false } } == 1)
        let stopped = DownloadRig(answer: Self.hops(302, ["/b.png"]))
        let failure = await stopped.fetch { $0.download.redirectHandler = Handler(stops: true) }
        #expect(failure.failureCode == .httpStatus)
        #expect(stopped.transport.requests.count == 1)
    }

    // KF-09
    @Test func `A closure changes or stops a redirect`() async throws {
        let rig = DownloadRig(answer: Self.hops(302, ["/b.png"]))
        _ = try await rig.text {
            $0 = $0.with(
                .redirectHandler { head, request in
                    var request = request
                    request.headers.set("X-Hop", "\(head.status)")
                    return request
                })
        }
        #expect(rig.sent(1).headers["X-Hop"] == "302")
        let stopped = DownloadRig(answer: Self.hops(302, ["/b.png"]))
        let failure = await stopped.fetch { $0 = $0.with(.redirectHandler("stop") { _, _ in nil }) }
        #expect(failure.failureCode == .httpStatus && stopped.transport.requests.count == 1)
    }

    @Test func `What was reached over a redirect is asked again as soon as the redirect must be`() async throws {
        let lasting = Self.cached(301)
        _ = try await lasting.text()
        _ = try await lasting.text()
        #expect(lasting.transport.requests.count == 2)
        let passing = Self.cached(302)
        _ = try await passing.text()
        _ = try await passing.text()
        #expect(passing.transport.requests.count > 2)
    }

    private static func cached(_ status: Int) -> DownloadRig {
        DownloadRig { request, _ in
            request.url.path == "/a.png"
                ? .fixed(request, status: status, headers: [("Location", "/b.png")])
                : .fixed(request, headers: [("Cache-Control", "max-age=60")], body: DownloadRig.picture)
        }
    }
}
