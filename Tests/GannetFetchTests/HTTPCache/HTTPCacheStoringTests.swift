import FoundationEssentials
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Testing

/// Which responses are stored, and which later responses change them.
@Suite struct HTTPCacheStoringTests {
    private static let fresh = [("Cache-Control", "max-age=60")]

    @Test(arguments: [301, 302, 303, 307, 308]) func `Redirects are stored as their own responses`(status: Int) async throws {
        let rig = HTTPCacheRig((status, Self.fresh + [("Location", "/b.png")], "moved"))
        #expect(try await rig.get().status == "fwd=uri-miss; stored; ttl=60")
        let hit = try await rig.get()
        #expect(hit.status == "hit; ttl=60" && hit.text == "moved")
        #expect(hit.answer.head.status == status && hit.answer.head.headers["Location"] == "/b.png")
    }

    @Test func `A redirect without freshness serves only those who ignore freshness, and replaces no stored image`() async throws
    {
        let rig = HTTPCacheRig((302, [("Location", "/b.png")], ""))
        _ = try await rig.get()
        _ = try await rig.get()
        #expect(rig.count == 2)
        #expect(try await rig.get(HTTPCacheRig.url, []) { $0.lookup = .cacheFirst }.answer.head.status == 302)
        #expect(rig.count == 2)

        let other = HTTPCacheRig((200, [("ETag", "\"1\"")], "one"), (302, [("Location", "/portal")], ""))
        _ = try await other.get()
        #expect(try await other.get().status == "fwd=stale; ttl=0")
        #expect(try await other.get(HTTPCacheRig.url, []) { $0.lookup = .cacheFirst }.text == "one")
    }

    @Test(arguments: ["file:///etc/passwd", "data:,a", "http:", "http://[::1", "https://u:p@example.org/"])
    func `A redirect that HTTP cannot follow is not stored`(_ location: String) async throws {
        let rig = HTTPCacheRig((301, Self.fresh + [("Location", location)], "moved"))
        #expect(try await rig.get().answer.head.status == 301)
        #expect(rig.store.keys.isEmpty)
    }

    @Test func `A permanent redirect without freshness information lasts`() async throws {
        let rig = HTTPCacheRig((308, [("Location", "/b.png")], ""))
        _ = try await rig.get()
        rig.time.advance(by: .seconds(86_400))
        #expect(try await rig.get().answer.status.isHit)
    }

    // NW-06
    @Test(arguments: [404, 410, 503]) func `A failure with freshness is stored while it is fresh`(status: Int) async throws {
        let rig = HTTPCacheRig((status, Self.fresh, "none"), (200, Self.fresh, "one"))
        #expect(try await rig.get().status == "fwd=uri-miss; stored; ttl=60")
        let hit = try await rig.get()
        #expect(hit.answer.head.status == status && hit.text == "none" && hit.answer.status.isHit)
        rig.time.advance(by: .seconds(61))
        #expect(try await rig.get(HTTPCacheRig.url, []) { $0.lookup = .cacheFirst }.text == "one")
    }

    @Test func `The lifetime for sources without one is not that of failures`() async throws {
        let policy = HTTPCachePolicy(defaultLifetime: .seconds(3600))
        let rig = HTTPCacheRig(HTTPCacheConfiguration(policy: policy)) { request, number in
            .fixed(request, status: number == 1 ? 404 : 200, body: [1])
        }
        #expect(try await rig.get().answer.head.status == 404)
        #expect(rig.store.keys.isEmpty)
        #expect(try await rig.get().status == "fwd=uri-miss; stored; ttl=3600")
    }

    @Test func `A failure without freshness is not stored, and leaves what is stored alone`() async throws {
        let rig = HTTPCacheRig((200, [("ETag", "\"1\"")], "one"), (404, [], ""))
        _ = try await rig.get()
        #expect(try await rig.get().answer.head.status == 404)
        #expect(rig.store.keys.count == 1)
        #expect(try await rig.get(HTTPCacheRig.url, []) { $0.lookup = .cacheOnly }.text == "one")
    }

    @Test(arguments: [(410, 410), (404, 404), (503, 200), (403, 200)])
    func `Of failures, only those that say that the resource is gone replace it`(status: Int, kept: Int) async throws {
        let rig = HTTPCacheRig((200, [("ETag", "\"1\"")], "one"), (status, Self.fresh, ""))
        _ = try await rig.get()
        #expect(try await rig.get().answer.head.status == status)
        #expect(try await rig.get(HTTPCacheRig.url, []) { $0.lookup = .cacheOnly }.answer.head.status == kept)
    }

    @Test func `A long or broken body of a failure is passed on and not stored`() async throws {
        let long = [UInt8](repeating: 1, count: 70_000)
        let rig = HTTPCacheRig { request, number in
            let fields = HTTPHeaders(Self.fresh + [("Content-Length", "70000")])
            let broken = ImageError(.network, "The connection broke.")
            return HTTPResponse(
                head: HTTPResponseHead(status: 404, headers: fields, url: request.url),
                body: number == 1
                    ? .chunks([Array(long[..<30_000]), Array(long[30_000...])]) : .chunks([[1, 2]], failure: broken))
        }
        let first = try await rig.get()
        #expect(first.text?.utf8.count == 70_000 && first.status == "fwd=uri-miss; ttl=60")
        await #expect(throws: ImageError.self) { try await rig.get() }
        #expect(rig.store.keys.isEmpty)
    }

    @Test func `no-store removes what an earlier response left`() async throws {
        let rig = HTTPCacheRig((200, [("ETag", "\"1\"")], "one"), (200, [("Cache-Control", "no-store")], "two"))
        _ = try await rig.get()
        let second = try await rig.get()
        #expect(second.text == "two" && second.answer.freshness.forbidsStoring && second.answer.identity == nil)
        #expect(rig.store.keys.isEmpty)
    }

    // MARK: Other methods

    @Test(arguments: ["POST", "PUT", "DELETE"])
    func `An unsafe method removes its URL and the ones that its answer names`(method: String) async throws {
        let rig = HTTPCacheRig { request, _ in
            .fixed(request, headers: request.method == "GET" ? Self.fresh : [("Location", "/b.png")])
        }
        for name in ["a", "b", "c"] { _ = try await rig.get("https://example.org/\(name).png") }
        #expect(try await rig.get(method: method).status == "fwd=method")
        #expect(rig.store.keys == ["https://example.org/c.png"])
    }

    @Test(arguments: [(ImageError.Code.timedOut, true), (.connectionFailed, false)])
    func `An unsafe method without an answer removes its URL unless it was never sent`(
        code: ImageError.Code, wasSent: Bool
    ) async throws {
        let rig = HTTPCacheRig { request, _ throws(ImageError) in
            if request.method == "POST" { throw ImageError(code, "no answer") }
            return .fixed(request, headers: Self.fresh)
        }
        _ = try await rig.get()
        await #expect(throws: ImageError.self) { try await rig.get(method: "POST") }
        #expect(rig.store.keys.isEmpty == wasSent)
    }

    @Test func `What was requested before a change is not stored after it`() async throws {
        let gate = AsyncGate()
        let rig = HTTPCacheRig { request, _ in
            if request.method == "GET" { await gate.wait() }
            return .fixed(request, headers: Self.fresh, body: [1])
        }
        let running = Task { try await rig.get() }
        await gate.waitForArrivals(1)
        _ = try await rig.get(method: "POST")
        gate.open()
        _ = try await running.value
        #expect(rig.store.keys.isEmpty)
    }

    @Test func `HEAD renews the stored response, or removes it`() async throws {
        let rig = HTTPCacheRig(
            (200, [("ETag", "\"1\"")], "one"),
            (200, [("ETag", "\"1\""), ("Cache-Control", "max-age=60"), ("Content-Length", "3")], ""),
            (200, [("ETag", "\"2\"")], ""))
        _ = try await rig.get()
        #expect(try await rig.get(method: "HEAD").status == "fwd=method")
        #expect(try await rig.get().status == "hit; ttl=60")
        _ = try await rig.get(method: "HEAD")
        #expect(rig.store.keys.isEmpty)
    }

    // MARK: Keys

    @Test func `Users are kept apart by their keys, and a change of the source concerns all of them`() async throws {
        let rig = HTTPCacheRig { request, _ in
            .fixed(request, headers: Self.fresh, body: Array((request.headers["Authorization"] ?? "none").utf8))
        }
        func get(_ user: String) async throws -> String? {
            try await rig.get(HTTPCacheRig.url, [("Authorization", user)]) {
                $0.key = CacheKey(HTTPCacheRig.url + "\u{1}scope=" + user)
            }.text
        }
        for _ in 0..<2 {
            #expect(try await get("a") == "a")
            #expect(try await get("b") == "b")
        }
        #expect(rig.count == 2)
        _ = try await rig.get(method: "PUT")
        #expect(rig.store.keys.isEmpty)
    }

    @Test func `A response that was stored behind redirects is not taken for one of its own URL`() async throws {
        let rig = HTTPCacheRig((200, Self.fresh, "new"))
        let now = rig.time.now
        let old = StoredHTTPResponse(
            status: 200, headers: HTTPHeaders(Self.fresh + [(HTTPCachePolicy.redirectField, "\(now.milliseconds + 60_000)")]),
            varying: HTTPHeaders(), requestTime: now, responseTime: now, url: "https://example.org/b.png")
        try await rig.store.store(
            CacheEntry(bytes: ByteRope([1]), metadata: CacheEntryMetadata(storedAt: now, http: old)),
            for: CacheKey(HTTPCacheRig.url))
        #expect(try await rig.get().text == "new")
    }
}
