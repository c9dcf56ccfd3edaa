import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Stored images after methods other than GET: RFC 9111 §4.3.5 and §4.4.
@Suite struct UnsafeMethodTests {
    private static let fresh = [("Cache-Control", "max-age=3600")]

    /// Answers GET with a fresh picture, and everything else with `answer`.
    private static func rig(failedAge: Duration = .zero, _ answer: @escaping ScriptedTransport.Answer) -> DownloadRig {
        DownloadRig(failedAge: failedAge) { request, number throws(ImageError) in
            if request.method == "GET" { return .fixed(request, headers: fresh, body: DownloadRig.picture) }
            return try await answer(request, number)
        }
    }

    @Test(arguments: [("DELETE", 204), ("PUT", 204), ("PUT", 201), ("DELETE", 200), ("POST", 204), ("PUT", 304), ("POST", 302)])
    func `An answer without a body makes void what is stored`(_ method: String, _ status: Int) async throws {
        let rig = Self.rig(failedAge: .seconds(300)) { request, _ in .fixed(request, status: status) }
        _ = try await rig.text()
        let result = await rig.fetch { $0.download.method = method }
        #expect((result.failureCode == nil) == (200..<300).contains(status))
        #expect(rig.cache.keys.isEmpty)
    }

    @Test(arguments: [400, 404, 412, 500])
    func `A refusal makes nothing void`(_ status: Int) async throws {
        let rig = Self.rig { request, _ in .fixed(request, status: status) }
        _ = try await rig.text()
        #expect(await rig.fetch { $0.download.method = "PUT" }.failureCode == .httpStatus)
        #expect(rig.cache.keys == [DownloadRig.url])
    }

    /// Any successful response invalidates, whatever its content.
    @Test func `An answer that is of no use makes void what is stored`() async throws {
        let answers: [ScriptedTransport.Answer] = [
            { request, _ in .fixed(request, headers: [("Content-Type", "text/html")], body: [1]) },
            { request, _ in .fixed(request, headers: [("Content-Length", "1000000000000")]) },
            { request, _ in
                HTTPResponse(
                    head: HTTPResponseHead(status: 200, headers: HTTPHeaders(), url: request.url),
                    body: .chunks([[1]], failure: DownloadRig.broken))
            },
            { request, _ in .fixed(request, status: 302, headers: [("Location", "ftp://example.org/")]) },
        ]
        for answer in answers {
            let rig = Self.rig(answer)
            rig.loader.configuration.acceptedContentTypes = ["image/*"]
            _ = try await rig.text()
            #expect(await rig.fetch { $0.download.method = "PUT" }.failureCode != nil)
            #expect(rig.cache.keys.isEmpty)
        }
        let unreachable = Self.rig { _, _ throws(ImageError) in throw ImageError(.connectionFailed, stage: .load, "off") }
        _ = try await unreachable.text()
        #expect(await unreachable.fetch { $0.download.method = "PUT" }.failureCode == .connectionFailed)
        #expect(unreachable.cache.keys == [DownloadRig.url])
    }

    @Test func `HEAD has no body, and renews`() async throws {
        let rig = DownloadRig { request, _ in
            let rules = request.method == "HEAD" ? "max-age=1000" : "max-age=1"
            return .fixed(
                request, headers: [("ETag", "\"v1\""), ("Cache-Control", rules), ("Content-Length", "7")],
                body: request.method == "HEAD" ? [] : DownloadRig.picture)
        }
        _ = try await rig.text()
        rig.time.advance(by: .seconds(2))
        #expect(try await rig.fetch { $0.download.method = "HEAD" }.get().encoded?.bytes.count == 0)
        #expect(try await rig.fetch().get().origin == .disk)
    }

    /// Content that was decompressed, or came in chunks, has no length that could differ.
    @Test(arguments: [[("ETag", "\"v1\"")], []])
    func `HEAD renews what was stored without a length`(_ validator: [(String, String)]) async throws {
        let rig = DownloadRig { request, number in
            let rules = request.method == "HEAD" ? "max-age=1000" : "max-age=1"
            var response = HTTPResponse.fixed(
                request, headers: validator + [("Cache-Control", rules)],
                body: request.method == "HEAD" ? [] : DownloadRig.picture)
            response.head.headers.remove("Content-Length")
            if request.method == "HEAD" { response.head.headers.add("Content-Length", "900") }
            return response
        }
        _ = try await rig.text()
        rig.time.advance(by: .seconds(2))
        _ = try await rig.fetch { $0.download.method = "HEAD" }.get()
        // A length alone proves nothing if there is none to compare it with.
        #expect(try await rig.fetch().get().origin == (validator.isEmpty ? .network : .disk))
    }

    @Test func `What an unsafe method was redirected to is void too`() async throws {
        let rig = Self.rig { request, _ in
            switch request.url.path {
            case "/a": .fixed(request, status: 307, headers: [("Location", "/b")])
            case "/b": .fixed(request, status: 308, headers: [("Location", "https://cdn.example/c")])
            default: .fixed(request, body: Array("ok".utf8))
            }
        }
        let places = ["https://example.org/a", "https://example.org/b", "https://cdn.example/c", "https://example.org/d"]
        for place in places { _ = try await rig.text(place) }
        #expect(try await rig.text(places[0]) { $0.download.method = "PUT" } == "ok")
        #expect(rig.cache.keys == [places[3]])
    }

    @Test func `The page after a form is not void`() async throws {
        let rig = Self.rig { request, _ in .fixed(request, status: 303, headers: [("Location", "/b")]) }
        for path in ["a", "b"] { _ = try await rig.text("https://example.org/" + path) }
        _ = try await rig.text("https://example.org/a") { $0.download.method = "POST" }
        #expect(rig.cache.keys == ["https://example.org/b"])
    }

    /// RFC 9111 §4.4: a redirect is no error, wherever it leads.
    @Test func `A redirect that ends in an error has made void what answered it`() async throws {
        let missing = Self.rig { request, _ in .fixed(request, status: 303, headers: [("Location", "/none")]) }
        let form = DownloadRig { request, _ in
            switch (request.method, request.url.path) {
            case ("POST", _): .fixed(request, status: 303, headers: [("Location", "/b")])
            case (_, "/b"): .fixed(request, status: 404)
            default: .fixed(request, headers: Self.fresh, body: DownloadRig.picture)
            }
        }
        _ = try await missing.text()
        _ = try await form.text("https://example.org/a")
        #expect(try await missing.text { $0.download.method = "POST" } == "picture")
        // The response behind the redirect is an entry of its own.
        #expect(missing.cache.keys == ["https://example.org/none"])
        #expect(await form.fetch("https://example.org/a") { $0.download.method = "POST" }.failureCode == .httpStatus)
        #expect(form.cache.keys.isEmpty)
        let useless = Self.rig { request, _ in
            request.url.path == "/a"
                ? .fixed(request, status: 307, headers: [("Location", "/b")])
                : .fixed(request, headers: [("Content-Type", "text/html"), ("Content-Location", "/c")], body: [1])
        }
        useless.loader.configuration.acceptedContentTypes = ["image/*"]
        for path in ["a", "b", "c", "d"] { _ = try await useless.text("https://example.org/" + path) }
        #expect(await useless.fetch("https://example.org/a") { $0.download.method = "PUT" }.failureCode == .contentType)
        #expect(useless.cache.keys == ["https://example.org/d"])
    }

    @Test(arguments: [ImageError.Code.network, .timedOut], [404, nil])
    func `An earlier attempt may have been carried out`(_ code: ImageError.Code, _ status: Int?) async throws {
        let rig = DownloadRig(retry: DelayRetryStrategy(maximumCount: 1, interval: .seconds(0))) {
            request, number throws(ImageError) in
            if number == 1 { return .fixed(request, headers: Self.fresh, body: DownloadRig.picture) }
            if number == 2 { throw ImageError(code, stage: .load, "broken") }
            guard let status else { throw ImageError(.connectionFailed, stage: .load, "off") }
            return .fixed(request, status: status)
        }
        _ = try await rig.text()
        let result = await rig.fetch { $0.download.method = "DELETE" }
        #expect(result.failureCode == (status == nil ? .connectionFailed : .httpStatus))
        #expect(rig.transport.requests.count == 3 && rig.cache.keys.isEmpty)
    }

    @Test func `What was never sent makes nothing void`() async throws {
        struct Refusal: RequestModifier {
            var identifier: String? { "refusal" }
            func modify(_ request: HTTPRequest) async throws -> HTTPRequest? { nil }
        }
        let rig = Self.rig { request, _ in .fixed(request, status: 204) }
        _ = try await rig.text()
        let result = await rig.fetch {
            $0.download.method = "PUT"
            $0.download.requestModifier = Refusal()
        }
        #expect(result.failureCode == .hookRefused && rig.cache.keys == [DownloadRig.url])
    }

    @Test func `What was missing before it was put there is asked for`() async throws {
        let isThere = Mutex(false)
        let rig = DownloadRig(failedAge: .seconds(300)) { request, _ in
            if request.method == "PUT" { isThere.withLock { $0 = true } }
            return .fixed(request, status: isThere.withLock { $0 } ? 200 : 404, body: DownloadRig.picture)
        }
        #expect(await rig.fetch().failureCode == .httpStatus)
        #expect(await rig.fetch().failureCode == .blocked)
        _ = try await rig.fetch { $0.download.method = "PUT" }.get()
        #expect(try await rig.text() == "picture")
    }

    @Test func `Memory is void too where the answer is of no use`() async throws {
        let transport = ScriptedTransport { request, number in
            request.method == "GET"
                ? .fixed(request, headers: Self.fresh, body: FakeImageCoder.bytes(width: 8, height: 8, red: UInt8(number)))
                : .fixed(request, status: request.method == "DELETE" ? 302 : 204)
        }
        let loader = HTTPLoader(transport: transport, time: ManualTimeSource())
        let fixture = ManagerFixture(diskCache: InMemoryImageCache()) { $0.loaders = LoadersManager([loader]) }
        var get = ImageRequest(source: ImageSource(DownloadRig.url))
        get.schedule.waitsForStore = true
        for (method, expected) in [("PUT", 3), ("DELETE", 5)] {
            _ = try await fixture.manager.image(for: get)
            var other = ImageRequest(source: ImageSource(DownloadRig.url))
            other.download.method = method
            _ = try? await fixture.manager.fetchBytes(for: other)
            #expect(fixture.memory.usage.count == 0)
            #expect(red(try await fixture.manager.image(for: get)) == expected)
        }
    }

    /// RFC 9110 §9.2.2: the request may have taken effect although no response came.
    @Test(arguments: [
        ("POST", ImageError.Code.network, 1), ("POST", .timedOut, 1), ("PATCH", .network, 1), ("POST", .connectionFailed, 2),
        ("GET", .network, 2), ("HEAD", .timedOut, 2), ("PUT", .network, 2), ("DELETE", .network, 2),
    ])
    func `What may have been done is not asked for again`(_ method: String, _ code: ImageError.Code, _ count: Int) async {
        let rig = DownloadRig(
            retry: DelayRetryStrategy(interval: .seconds(0)),
            answer: DownloadRig.failing(1, ImageError(code, stage: .load, "broken")))
        let result = await rig.fetch { $0.download.method = method }
        #expect(result.failureCode == (count == 1 ? code : nil))
        #expect(rig.transport.requests.count == count)
    }
}
