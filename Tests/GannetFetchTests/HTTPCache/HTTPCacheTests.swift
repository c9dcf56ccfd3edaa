import FoundationEssentials
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Testing

@Suite struct HTTPCacheTests {
    private static let tagged = [("ETag", "\"1\""), ("Cache-Control", "max-age=60")]

    // NW-10
    @Test func `A miss is stored, and the next request is a hit; both say so in the standard's words`() async throws {
        let rig = HTTPCacheRig((200, Self.tagged, "one"))
        #expect(try await rig.get().status == "fwd=uri-miss; stored; ttl=60")
        rig.time.advance(by: .seconds(10))
        let hit = try await rig.get()
        #expect(hit.status == "hit; ttl=50" && hit.text == "one" && hit.answer.head.headers["Age"] == "10")
        #expect(rig.count == 1)
        let response = try await rig.cache.send(HTTPCacheRig.request())
        #expect(response.head.headers.all("Cache-Status") == ["gannet; hit; ttl=50"])
    }

    @Test func `A 304 renews what is stored and keeps its identity`() async throws {
        let rig = HTTPCacheRig(
            (200, Self.tagged, "one"), (304, [("ETag", "\"1\""), ("Cache-Control", "max-age=30")], ""))
        let first = try await rig.get()
        rig.time.advance(by: .seconds(61))
        let second = try await rig.get()
        #expect(rig.transport.requests[1].headers["If-None-Match"] == "\"1\"")
        #expect(second.status == "fwd=stale; fwd-status=304; stored; ttl=30" && second.text == "one" && !second.answer.isStale)
        #expect(second.answer.head.status == 200)
        #expect(first.answer.identity != nil && first.answer.identity == second.answer.identity)
        #expect(try await rig.get().status == "hit; ttl=30")
    }

    @Test func `Other bytes and other strong validators have another identity; equal ones the same, also after a removal`()
        async throws
    {
        let rig = HTTPCacheRig(
            (200, Self.tagged, "one"), (200, [("ETag", "\"2\"")], "one"), (200, [("ETag", "W/\"2\"")], "one"),
            (200, [("ETag", "W/\"3\"")], "one"), (200, [("ETag", "W/\"3\"")], "two"), (200, Self.tagged, "one"))
        var identities: [Digest128?] = []
        for _ in 0..<6 {
            try await rig.store.removeAll()
            identities.append(try await rig.get().answer.identity)
        }
        #expect(!identities.contains(nil))
        #expect(identities[0] != identities[1] && identities[1] != identities[2] && identities[3] != identities[4])
        #expect(identities[2] == identities[3] && identities[0] == identities[5])
    }

    @Test func `A caller that has the response reads no body while it is the newest one`() async throws {
        let rig = HTTPCacheRig(
            (200, Self.tagged, "one"), (304, [("ETag", "\"1\""), ("Cache-Control", "max-age=60")], ""),
            (304, [("ETag", "\"1\""), ("Cache-Control", "max-age=90")], ""), (200, [("ETag", "\"2\"")], "two"))
        let first = try await rig.get()
        let identity = try #require(first.answer.identity)
        let known: (inout CacheUse) -> Void = { $0.known = KnownResponse(identity: identity, freshness: first.answer.freshness) }
        let hit = try await rig.get(HTTPCacheRig.url, [], known)
        #expect(hit.text == nil && hit.status == "hit; ttl=60" && hit.answer.identity == identity)
        rig.time.advance(by: .seconds(61))
        let renewed = try await rig.get(HTTPCacheRig.url, [], known)
        #expect(renewed.text == nil && renewed.status == "fwd=stale; fwd-status=304; stored; ttl=60")
        // Only the caller has it.
        try await rig.store.removeAll()
        let same = try await rig.get(HTTPCacheRig.url, [], known)
        #expect(rig.transport.requests[2].headers["If-None-Match"] == "\"1\"")
        #expect(same.text == nil && same.status == "fwd=uri-miss; fwd-status=304; ttl=90" && same.answer.identity == identity)
        #expect(same.answer.freshness.etag == "\"1\"" && same.answer.freshness.freshUntil == rig.time.now + .seconds(90))
        let changed = try await rig.get(HTTPCacheRig.url, [], known)
        #expect(changed.text == "two" && changed.answer.identity != identity)
    }

    @Test func `Another stored response than the caller's is delivered`() async throws {
        let rig = HTTPCacheRig((200, Self.tagged, "one"))
        let first = try await rig.get()
        let other = KnownResponse(identity: Digest128("other"), freshness: first.answer.freshness)
        #expect(try await rig.get(HTTPCacheRig.url, []) { $0.known = other }.text == "one")
    }

    @Test func `A stale response is served while one request revalidates it behind the caller`() async throws {
        let fields = [("ETag", "\"1\""), ("Cache-Control", "max-age=60, stale-while-revalidate=60")]
        let rig = HTTPCacheRig((200, fields, "one"), (200, [("Cache-Control", "max-age=60")], "two"))
        _ = try await rig.get()
        rig.time.advance(by: .seconds(70))
        let stale = try await rig.get()
        #expect(stale.text == "one" && stale.status == "hit; ttl=-10" && stale.answer.isStale)
        await rig.cache.waitForRevalidations()
        #expect(rig.count == 2 && rig.transport.requests[1].headers["If-None-Match"] == "\"1\"")
        #expect(try await rig.get().text == "two")
        #expect(rig.count == 2)
    }

    @Test(arguments: [503, 0]) func `A stored response replaces failures as far as it allows`(status: Int) async throws {
        let rig = HTTPCacheRig { request, number throws(ImageError) in
            if number == 1 {
                return .fixed(
                    request, headers: [("Cache-Control", "max-age=60, stale-if-error=60"), ("ETag", "\"1\"")],
                    body: Array("one".utf8))
            }
            guard status > 0 else { throw ImageError(.network, "The connection broke.") }
            return .fixed(request, status: status)
        }
        _ = try await rig.get()
        rig.time.advance(by: .seconds(70))
        let fallback = try await rig.get()
        #expect(fallback.text == "one" && fallback.answer.isStale)
        #expect(fallback.status == "fwd=stale; " + (status > 0 ? "fwd-status=503; " : "") + "ttl=-10")
        rig.time.advance(by: .seconds(60))
        if status > 0 {
            #expect(try await rig.get().answer.head.status == 503)
        } else {
            await #expect(throws: ImageError.self) { try await rig.get() }
        }
    }

    @Test func `Only stored responses are allowed: a status for HTTP, an error for callers with options`() async throws {
        let rig = HTTPCacheRig((200, Self.tagged, "one"))
        let only = try HTTPCacheRig.request(HTTPCacheRig.url, [("Cache-Control", "only-if-cached")])
        #expect(try await rig.cache.send(only).head.status == 504)
        let error = await #expect(throws: ImageError.self) { try await rig.get(HTTPCacheRig.url, []) { $0.lookup = .cacheOnly } }
        #expect(error?.code == .cacheMiss && rig.count == 0)
        _ = try await rig.get()
        #expect(try await rig.cache.send(only).head.status == 200)
        #expect(try await rig.get(HTTPCacheRig.url, []) { $0.lookup = .cacheOnly }.text == "one")
    }

    @Test func `The caller's own conditions and ranges are answered from the store`() async throws {
        let rig = HTTPCacheRig((200, Self.tagged, "0123456789"))
        _ = try await rig.get()
        let unchanged = try await rig.get(HTTPCacheRig.url, [("If-None-Match", "\"1\"")])
        #expect(unchanged.answer.head.status == 304 && unchanged.text == "")
        let part = try await rig.get(HTTPCacheRig.url, [("Range", "bytes=2-4")])
        #expect(part.answer.head.status == 206 && part.text == "234")
        #expect(rig.count == 1)
    }

    @Test func `Variants stand beside each other`() async throws {
        let rig = HTTPCacheRig { request, _ in
            .fixed(
                request, headers: [("Vary", "Accept"), ("Cache-Control", "max-age=60")],
                body: Array((request.headers["Accept"] ?? "").utf8))
        }
        #expect(try await rig.get(HTTPCacheRig.url, [("Accept", "a")]).status == "fwd=uri-miss; stored; ttl=60")
        #expect(try await rig.get(HTTPCacheRig.url, [("Accept", "b")]).status == "fwd=vary-miss; stored; ttl=60")
        for accept in ["a", "b"] {
            let hit = try await rig.get(HTTPCacheRig.url, [("Accept", accept)])
            #expect(hit.text == accept && hit.answer.status.isHit)
        }
        #expect(rig.count == 2)
    }

    @Test func `A cache without a store, and a use that reads and writes nothing, pass everything on`() async throws {
        let rig = HTTPCacheRig((200, Self.tagged, "one"))
        for _ in 0..<2 {
            let passed = try await rig.get(HTTPCacheRig.url, []) { ($0.reads, $0.writes) = (false, false) }
            #expect(passed.status == "fwd=bypass; ttl=60" && passed.answer.identity == nil)
        }
        #expect(rig.store.keys.isEmpty && rig.count == 2)
        let bare = HTTPCache(rig.transport, store: nil, time: rig.time)
        #expect(try await bare.exchange(HTTPCacheRig.request()).status.description == "fwd=bypass; ttl=60")
    }
}
