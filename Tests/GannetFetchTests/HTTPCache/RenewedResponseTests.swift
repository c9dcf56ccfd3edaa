import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Which responses renew a stored response, which must leave it as it is, and for whom: RFC 9111 §3.5, §4.1, §4.3, §5.2.1.5.
@Suite struct RenewedResponseTests {
    private static let stale = [("ETag", "\"v1\""), ("Cache-Control", "max-age=0")]
    private static let renewed = [("ETag", "\"v1\""), ("Cache-Control", "max-age=3600")]

    private static func rig(
        rules: HTTPCachePolicy = HTTPCachePolicy(), _ answer: @escaping ScriptedTransport.Answer
    ) -> DownloadRig {
        DownloadRig(rules: rules, change: { $0.acceptedStatuses = [100..<1000] }, answer: answer)
    }

    private static func with(_ fields: (String, String)...) -> (inout ImageRequest) -> Void {
        { $0.download.headers = HTTPHeaders(fields) }
    }

    @discardableResult private static func fetch(
        _ rig: DownloadRig, _ method: String = "GET", _ change: (inout ImageRequest) -> Void = { _ in }
    ) async throws -> FetchedBytes {
        var request = rig.request { request in
            change(&request)
            request.download.method = method
        }
        request.allowsEmptyBody = true
        return try await rig.fetcher.fetch(request)
    }

    @Test(arguments: [304, 204]) func `HEAD says something of what is stored where it is answered as GET was`(_ status: Int)
        async throws
    {
        let rig = Self.rig { request, _ in
            request.method == "HEAD"
                ? .fixed(request, status: status, headers: [("ETag", "\"v1\"")])
                : .fixed(request, headers: Self.renewed, body: DownloadRig.picture)
        }
        try await Self.fetch(rig)
        try await Self.fetch(rig, "HEAD", Self.with(("If-None-Match", "\"v1\"")))
        #expect(try await Self.fetch(rig).origin == .disk)
    }

    @Test func `A weak tag in the answer to HEAD is the stored one's`() async throws {
        let rig = Self.rig { request, _ in
            let tag = request.method == "HEAD" ? "\"v1\"" : "W/\"v1\""
            return .fixed(
                request, headers: [("ETag", tag), ("Cache-Control", "max-age=3600"), ("Content-Length", "7")],
                body: request.method == "HEAD" ? [] : DownloadRig.picture)
        }
        try await Self.fetch(rig)
        try await Self.fetch(rig, "HEAD")
        #expect(try await Self.fetch(rig).origin == .disk)
    }

    @Test(arguments: ["GET", "HEAD"]) func `A request that forbids storing renews nothing`(_ method: String) async throws {
        let rig = Self.rig { request, number in
            let length = [("Content-Length", "7")]
            if number == 1 { return .fixed(request, headers: Self.stale + length, body: DownloadRig.picture) }
            return .fixed(request, status: method == "HEAD" && number == 2 ? 200 : 304, headers: Self.renewed + length)
        }
        try await Self.fetch(rig)
        try await Self.fetch(rig, method, Self.with(("Cache-Control", "no-store")))
        #expect(try await Self.fetch(rig).origin == .revalidated)
        #expect(rig.transport.requests.count == 3)
    }

    @Test func `A POST that forbids storing answers no later GET`() async throws {
        let rig = Self.rig { request, _ in
            .fixed(request, headers: Self.renewed + [("Content-Location", request.url.path)], body: DownloadRig.picture)
        }
        try await Self.fetch(rig, "POST", Self.with(("Cache-Control", "no-store")))
        #expect(rig.cache.keys.isEmpty)
        try await Self.fetch(rig, "POST")
        #expect(rig.cache.keys == [DownloadRig.url])
    }

    @Test func `What was answered to a login becomes nobody else's by another door`() async throws {
        let shared = HTTPCachePolicy(isShared: true)
        let form = Self.rig(rules: shared) { request, _ in
            .fixed(request, headers: Self.renewed + [("Content-Location", request.url.path)], body: DownloadRig.picture)
        }
        try await Self.fetch(form, "POST", Self.with(("Authorization", "Basic YTpi")))
        #expect(form.cache.keys.isEmpty)
        let confirmed = Self.rig(rules: shared) { request, number in
            number == 1
                ? .fixed(
                    request, headers: [("ETag", "\"v1\""), ("Cache-Control", "max-age=0, public")], body: DownloadRig.picture)
                : .fixed(request, status: 304, headers: Self.renewed)
        }
        try await Self.fetch(confirmed, "GET", Self.with(("Authorization", "Basic YTpi")))
        #expect(confirmed.cache.keys.count == 1)
        try await Self.fetch(confirmed, "GET", Self.with(("Authorization", "Basic YTpi")))
        #expect(confirmed.cache.keys.isEmpty)
    }

    @Test(arguments: [
        ("A", "\"x, y\"", "\"x,y\"", false), ("A", "x, y", "x,y", true), ("User-Agent", "M (K, like G)", "M (K,like G)", false),
    ])
    func `White space counts where commas part nothing`(_ name: String, _ old: String, _ new: String, _ isSame: Bool) async throws
    {
        let rig = Self.rig { request, _ in
            .fixed(request, headers: Self.renewed + [("Vary", name)], body: DownloadRig.picture)
        }
        try await Self.fetch(rig, "GET", Self.with((name, old)))
        #expect(try await Self.fetch(rig, "GET", Self.with((name, new))).origin == (isSame ? .disk : .network))
    }

    @Test func `What was stored for other fields before does not come back`() async throws {
        let rig = Self.rig { request, number in
            .fixed(
                request, headers: [("Cache-Control", "max-age=3600")] + (number == 3 ? [] : [("Vary", "A")]),
                body: Array("\(number)".utf8))
        }
        func text(_ value: String, _ lookup: LookupPolicy = .automatic) async throws -> String {
            try await rig.text {
                Self.with(("A", value))(&$0)
                $0.cache.lookup = lookup
            }
        }
        #expect(try await text("1") == "1")
        #expect(try await text("2") == "2")
        #expect(try await text("1") == "1")
        #expect(try await text("2", .loaderOnly) == "3")
        #expect(try await text("1", .loaderOnly) == "4")
        #expect(try await text("2") == "5")
    }

    @Test func `A 304 to the caller's own condition renews what is stored`() async throws {
        for (fields, isRenewed) in [(Self.renewed, true), ([("ETag", "\"v2\""), ("Cache-Control", "max-age=3600")], false)] {
            let rig = Self.rig { request, number in
                number == 1
                    ? .fixed(request, headers: Self.stale, body: DownloadRig.picture)
                    : .fixed(request, status: 304, headers: number == 2 ? fields : Self.renewed)
            }
            try await Self.fetch(rig)
            let answer = try await Self.fetch(rig, "GET", Self.with(("If-None-Match", "\"v1\"")))
            #expect(answer.metadata?.http?.status == 304 && answer.encoded?.bytes.isEmpty == true)
            #expect(try await Self.fetch(rig).origin == (isRenewed ? .disk : .revalidated))
        }
    }

    /// The caller's condition follows redirects, but a tag only applies to its own address.
    @Test func `A 304 of another address renews nothing`() async throws {
        let rig = Self.rig { request, number in
            if request.url.path == "/a.png" {
                return .fixed(request, status: 302, headers: [("Location", number < 3 ? "/1.png" : "/2.png")])
            }
            return number < 3
                ? .fixed(request, headers: Self.stale, body: DownloadRig.picture)
                : .fixed(request, status: 304, headers: Self.renewed)
        }
        try await Self.fetch(rig)
        try await Self.fetch(rig, "GET", Self.with(("If-None-Match", "\"v1\"")))
        let requests = rig.transport.requests.count
        _ = try? await Self.fetch(rig)
        #expect(requests == 4 && rig.transport.requests.count > 4)
    }

    /// RFC 5861 §3.
    @Test func `What is asked behind a stale answer is all of it`() async throws {
        let transport = ScriptedTransport { request, number in
            let rules = number == 1 ? "max-age=0, stale-while-revalidate=60" : "max-age=3600"
            return .fixed(
                request, headers: [("ETag", "\"v\(number)\""), ("Cache-Control", rules)], body: Array("picture \(number)".utf8))
        }
        let bridge = HTTPBridge(transport: transport, cache: DictionaryCache(), time: ManualTimeSource())
        let told = Mutex<[String]>([])
        for field in ["", #"["Range","bytes=0-1"]"#, ""] {
            await bridge.respond(to: #"{"n":1,"url":"https://example.org/a.png","headers":[\#(field)]}"#) { answer in
                told.withLock { $0.append(answer) }
            }
        }
        let answers = told.withLock { $0 }
        try #require(answers.count == 3 && transport.requests.count == 2)
        #expect(transport.requests[1].headers["Range"] == nil)
        #expect(answers[1].contains("\"status\":206") && answers[2].contains(Data("picture 2".utf8).base64EncodedString()))
    }

    @Test(arguments: [
        (200, ("Range", "bytes=2-3"), ("If-Range", "\"v1\""), 206), (200, ("Range", "bytes=2-3"), ("If-Range", "\"v0\""), 200),
        (203, ("If-None-Match", "\"v1\""), ("A", ""), 304), (203, ("Range", "bytes=2-3"), ("A", ""), 203),
    ])
    func `Conditions of the caller's own are judged by what is stored`(
        _ status: Int, _ field: (String, String), _ other: (String, String), _ expected: Int
    ) async throws {
        let rig = Self.rig { request, _ in
            .fixed(request, status: status, headers: Self.renewed, body: DownloadRig.picture)
        }
        try await Self.fetch(rig)
        #expect(try await Self.fetch(rig, "GET", Self.with(field, other)).metadata?.http?.status == expected)
        #expect(rig.transport.requests.count == 1)
    }

    @Test func `Any picture will do`() async throws {
        let rig = Self.rig { request, _ in .fixed(request, headers: [Self.renewed[1]], body: DownloadRig.picture) }
        try await Self.fetch(rig)
        #expect(try await Self.fetch(rig, "GET", Self.with(("If-None-Match", "*"))).metadata?.http?.status == 304)
    }

    /// RFC 9110 §4.2.3, RFC 9111 §4.4.
    @Test func `An unsafe method makes it void however its address is written`() async throws {
        for address in ["https://EXAMPLE.org/a.png", "HTTPS://example.org:443/a.png"] {
            let rig = Self.rig { request, _ in .fixed(request, headers: Self.renewed, body: DownloadRig.picture) }
            try await Self.fetch(rig)
            #expect(rig.cache.keys == [DownloadRig.url])
            _ = try await rig.text(address) { $0.download.method = "PUT" }
            #expect(rig.cache.keys.isEmpty)
        }
    }
}
