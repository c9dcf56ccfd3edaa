import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// The effect of later responses on a stored one: RFC 9110 and RFC 9111, point by point. DL-40, S3
@Suite struct StoredResponseTests {
    private static let stale = [("ETag", "\"v1\""), ("Cache-Control", "max-age=0")]

    /// The first answer, and then the others, the last of which is repeated.
    private static func answers(_ all: (status: Int, fields: [(String, String)], body: String)...) -> ScriptedTransport.Answer {
        { request, number in
            let answer = all[min(number, all.count) - 1]
            return .fixed(request, status: answer.status, headers: answer.fields, body: Array(answer.body.utf8))
        }
    }

    private static func speaking(_ language: String) -> (inout ImageRequest) -> Void {
        { $0.download.headers = HTTPHeaders([("Accept-Language", language)]) }
    }

    /// RFC 5861 §4, also where the error would be an answer like others.
    @Test func `A server error that is accepted does not stand before what may stand in for it`() async throws {
        let rig = DownloadRig(
            change: { $0.acceptedStatuses = [100..<1000] },
            answer: Self.answers(
                (200, [("ETag", "\"v1\""), ("Cache-Control", "max-age=0, stale-if-error=60")], "picture"),
                (503, [("Cache-Control", "max-age=100")], "out of order")))
        _ = try await rig.text()
        let fetched = try await rig.fetch().get()
        #expect(fetched.encoded?.bytes.contiguous() == DownloadRig.picture && fetched.isStale)
        #expect(try await rig.fetch().get().encoded?.bytes.contiguous() == DownloadRig.picture)
        rig.time.advance(by: .seconds(61))
        #expect(try await rig.text() == "out of order")
        #expect(rig.transport.requests.count == 4)
    }

    /// RFC 9111 §4.1, §5.2.2.5.
    @Test(arguments: [
        (302, [("Cache-Control", "max-age=3600"), ("Vary", "Accept-Language")]), (301, [("Vary", "Accept-Language")]),
        (308, [("Vary", "*")]), (302, [("Cache-Control", "no-store, max-age=3600")]),
    ])
    func `A redirect that others may not be given leads nobody else`(_ status: Int, _ fields: [(String, String)]) async throws {
        let rig = DownloadRig { request, _ in
            guard request.url.path == "/a.png" else {
                return .fixed(request, headers: [("Cache-Control", "max-age=3600")], body: Array(request.url.path.utf8))
            }
            let place = "/" + (request.headers["Accept-Language"] ?? "")
            return .fixed(request, status: status, headers: fields + [("Location", place)])
        }
        #expect(try await rig.text(DownloadRig.url, Self.speaking("en")) == "/en")
        #expect(try await rig.text(DownloadRig.url, Self.speaking("de")) == "/de")
    }

    @Test func `How the body of a redirect is compressed is nobody's concern`() async throws {
        let rig = DownloadRig { request, _ in
            request.url.path == "/a.png"
                ? .fixed(request, status: 301, headers: [("Location", "/b.png"), ("Vary", "Accept-Encoding")])
                : .fixed(request, headers: [("Cache-Control", "max-age=3600")], body: DownloadRig.picture)
        }
        _ = try await rig.text()
        #expect(try await rig.fetch().get().origin == .disk)
    }

    /// RFC 9111 §5.2.2.5: also if it is said later.
    @Test(arguments: ["GET", "HEAD"])
    func `What later forbids storing leaves nothing on disk`(_ method: String) async throws {
        let forbidding = [("ETag", "\"v1\""), ("Cache-Control", "no-store, max-age=100"), ("Content-Length", "7")]
        let rig = DownloadRig(
            answer: Self.answers((200, Self.stale, "picture"), (method == "GET" ? 304 : 200, forbidding, "")))
        _ = try await rig.text()
        var request = rig.request { $0.download.method = method }
        request.allowsEmptyBody = true
        let fetched = try await rig.fetcher.fetch(request)
        if method == "GET" { #expect(fetched.encoded?.bytes.contiguous() == DownloadRig.picture) }
        #expect(rig.cache.keys.isEmpty)
    }

    @Test func `What the source no longer wants stored goes, whatever the request wished to see`() async throws {
        let rig = DownloadRig(
            answer: Self.answers(
                (200, [("Cache-Control", "max-age=100")], "old"), (200, [("Cache-Control", "no-store")], "new")))
        _ = try await rig.text()
        #expect(try await rig.text { $0.cache.lookup = .loaderOnly } == "new")
        #expect(rig.cache.keys.isEmpty)
    }

    /// RFC 9110 §7.1, RFC 9111 §4.4.
    @Test func `A fragment names no other response`() async throws {
        let rig = DownloadRig(answer: Self.answers((200, Self.stale, "picture"), (304, [("Cache-Control", "max-age=60")], "")))
        _ = try await rig.text(DownloadRig.url + "#a")
        #expect(try await rig.text(DownloadRig.url + "#b") == "picture")
        #expect(rig.sent(1).headers["If-None-Match"] == "\"v1\"")
        #expect(try await rig.text() == "picture")
        #expect(rig.transport.requests.count == 2 && rig.cache.keys == [DownloadRig.url])
    }

    @Test func `An unsafe method makes it void whatever fragment it was asked for with`() async throws {
        let rig = DownloadRig(answer: DownloadRig.always(headers: [("Cache-Control", "max-age=60")]))
        _ = try await rig.text(DownloadRig.url + "#a")
        _ = try await rig.text { $0.download.method = "PUT" }
        #expect(rig.cache.keys.isEmpty)
    }

    /// RFC 9110 §9.3.3.
    @Test func `The page after a form is not the form`() async throws {
        let rig = DownloadRig { request, _ in
            if request.method == "POST" { return .fixed(request, status: 303, headers: [("Location", "/b.png")]) }
            let fields = [("Cache-Control", "max-age=1000"), ("Content-Location", request.url.path)]
            return .fixed(request, headers: fields, body: Array(request.url.path.utf8))
        }
        #expect(try await rig.text { $0.download.method = "POST" } == "/b.png")
        #expect(try await rig.text() == "/a.png")
    }

    /// RFC 9110 §15.4.5.
    @Test func `A 304 to a question without condition confirms nothing`() async throws {
        let rig = DownloadRig(answer: Self.answers((200, [("Cache-Control", "max-age=0")], "picture"), (304, [], "")))
        _ = try await rig.text()
        #expect(await rig.fetch().failureCode == .protocolViolation)
    }

    /// RFC 9110 §6.6.1.
    @Test func `A 304 without a date is of the moment at which it came`() async throws {
        let old = [("Date", "Wed, 31 Dec 2025 23:43:20 GMT"), ("ETag", "\"v1\""), ("Cache-Control", "max-age=500")]
        let rig = DownloadRig(answer: Self.answers((200, old, "picture"), (304, [], "")))
        _ = try await rig.text()
        #expect(try await rig.fetch().get().origin == .revalidated)
        #expect(try await rig.fetch().get().origin == .disk)
    }

    /// RFC 9111 §4.3.4.
    @Test func `A 304 with a strong tag that nothing stored has speaks of something else`() async throws {
        let rig = DownloadRig(
            answer: Self.answers(
                (200, [("Last-Modified", "Wed, 31 Dec 2025 23:43:20 GMT"), ("Cache-Control", "max-age=0")], "old"),
                (304, [("ETag", "\"other\"")], ""), (200, [], "new")))
        _ = try await rig.text()
        #expect(try await rig.text() == "new")
    }

    /// RFC 9111 §4.3.5.
    @Test func `HEAD renews only what GET would have been answered with`() async throws {
        let fields = [("Vary", "Accept-Language"), ("ETag", "\"v1\""), ("Content-Length", "7")]
        let rig = DownloadRig { request, _ in
            let rules = ("Cache-Control", request.method == "HEAD" ? "max-age=1000" : "max-age=1")
            return .fixed(request, headers: fields + [rules], body: request.method == "HEAD" ? [] : DownloadRig.picture)
        }
        func head(_ language: String) async throws {
            var request = rig.request { request in
                Self.speaking(language)(&request)
                request.download.method = "HEAD"
            }
            request.allowsEmptyBody = true
            _ = try await rig.fetcher.fetch(request)
        }
        _ = try await rig.text(DownloadRig.url, Self.speaking("en"))
        try await head("de")
        rig.time.advance(by: .seconds(2))
        #expect(try await rig.fetch(DownloadRig.url, Self.speaking("en")).get().origin == .network)
        try await head("en")
        rig.time.advance(by: .seconds(2))
        #expect(try await rig.fetch(DownloadRig.url, Self.speaking("en")).get().origin == .disk)
    }

    /// RFC 9111 §4.1.
    @Test func `A 304 that says who it is for says it of the stored response`() async throws {
        let rig = DownloadRig(
            answer: Self.answers(
                (200, Self.stale, "picture"), (304, [("Vary", "Accept-Language"), ("Cache-Control", "max-age=100")], ""),
                (200, [("Vary", "Accept-Language"), ("Cache-Control", "max-age=100")], "for all")))
        _ = try await rig.text(DownloadRig.url, Self.speaking("en"))
        _ = try await rig.text(DownloadRig.url, Self.speaking("en"))
        #expect(try await rig.text() == "for all")
        #expect(try await rig.text(DownloadRig.url, Self.speaking("en")) == "picture")
        #expect(rig.transport.requests.count == 3)
    }

    /// DC-12: an image in use is not evicted, even if it is revalidated each time.
    @Test func `What a 304 confirms has been used now`() async throws {
        let folder = CacheFolder()
        let disk = folder.cache()
        let transport = ScriptedTransport(Self.answers((200, Self.stale, "picture"), (304, [], "")))
        let loader = HTTPLoader(transport: transport, time: folder.time)
        let fetcher = ByteFetcher(
            loaders: LoadersManager([loader]), cache: disk, time: folder.time, slots: loader.slots,
            failedSources: FailedSources(age: .zero, time: folder.time))
        let request = DownloadRig(answer: DownloadRig.always()).request()
        _ = try await fetcher.fetch(request)
        try await disk.flush()
        for _ in 0..<2 {
            folder.time.advance(by: .seconds(5 * 86_400))
            #expect(try await fetcher.fetch(request).origin == .revalidated)
            try await disk.flush()
        }
    }

    /// RFC 9111 §5.2.1.7.
    @Test func `The bridge answers 504 where only what is stored was wanted`() async throws {
        let transport = ScriptedTransport(DownloadRig.always())
        let bridge = HTTPBridge(transport: transport, cache: DictionaryCache(), time: ManualTimeSource())
        let told = Mutex<[String]>([])
        let line = #"{"n":1,"url":"https://example.org/a.png","headers":[["Cache-Control","only-if-cached"]]}"#
        await bridge.respond(to: line) { answer in told.withLock { $0.append(answer) } }
        let answers = told.withLock { $0 }
        #expect(answers.count == 1 && answers[0].contains("\"status\":504") && !answers[0].contains("error"))
        #expect(transport.requests.isEmpty)
    }

    /// RFC 9111 §5.2.1: `max-stale` widens `max-age`, and does not lift it.
    @Test(arguments: [
        ("max-age=10, max-stale=5", false), ("max-age=10, max-stale=40", true), ("max-age=10, max-stale", true),
        ("max-age=10", false), ("max-age=60", true), ("max-stale=5", true),
    ])
    func `A response is not older than the request allows`(_ wish: String, _ isUsed: Bool) {
        let now = Timestamp(milliseconds: 1_767_225_600_000)
        let stored = StoredHTTPResponse(
            status: 200, headers: HTTPHeaders([("Cache-Control", "max-age=100")]), varying: HTTPHeaders(), requestTime: now,
            responseTime: now, url: DownloadRig.url)
        let wishes = HTTPHeaders([("Cache-Control", wish)])
        let decision = HTTPCachePolicy().decide(now: now + .seconds(50), request: wishes, stored: stored)
        #expect(decision == (isUsed ? .use : .fetch))
    }
}
