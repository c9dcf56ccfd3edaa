import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Other sources and other methods: whose entries they are, and which they make void.
@Suite struct ReplacedSourceTests {
    private static let other = "https://example.org/b.png"

    /// Counts its answers; `a.png` is not there.
    private static let counting: ScriptedTransport.Answer = { request, number in
        if request.url.path == "/a.png", request.method == "GET" { return .fixed(request, status: 503) }
        return .fixed(request, headers: [("Cache-Control", "max-age=1000")], body: Array("\(number)".utf8))
    }

    @Test func `An alternative behind a key filter is stored for its asker`() async throws {
        let rig = DownloadRig(answer: Self.counting)
        func text(_ scope: String) async throws -> String {
            try await rig.text(DownloadRig.url + "?x=1") {
                $0.cache.keyFilter = .droppingQuery
                $0.download.alternatives = [ImageSource(Self.other)]
                $0.download.credentialScope = scope
            }
        }
        #expect(try await text("a") == "2")
        #expect(try await text("b") == "4")
        #expect(try await text("a") == "2")
        #expect(rig.cache.keys.allSatisfy { $0.hasPrefix(Self.other) && $0.contains("scope=") })
    }

    @Test(arguments: [nil, "named"])
    func `An unsafe method makes void what is stored for GET, whatever its hooks`(_ identifier: String?) async throws {
        let rig = DownloadRig(answer: Self.counting)
        func get(_ scope: String) async throws -> String {
            try await rig.text(Self.other) { $0.download.credentialScope = scope }
        }
        #expect(try await get("") == "1")
        #expect(try await get("me") == "2")
        #expect(try await get("") == "1")
        _ = try await rig.text(Self.other) {
            $0.download.method = "POST"
            $0.download.requestModifier = ClosureRequestModifier(identifier: identifier) { request in
                var request = request
                request.body = [1]
                return request
            }
        }
        #expect(try await get("") == "4")
        #expect(try await get("me") == "5")
    }

    @Test func `Memory and thumbnails are void too`() async throws {
        let disk = InMemoryImageCache()
        let transport = ScriptedTransport { request, number in
            .fixed(
                request, headers: [("Cache-Control", "max-age=1000")],
                body: FakeImageCoder.bytes(width: 8, height: 8, red: UInt8(number)))
        }
        let loader = HTTPLoader(transport: transport, time: ManualTimeSource())
        // The originals' cache is another than that of thumbnails.
        let fixture = ManagerFixture(diskCache: disk) {
            $0.loaders = LoadersManager([loader])
            $0.originalCache = InMemoryImageCache()
        }
        var small = ImageRequest(ImageSource(Self.other), .fit(4, 4))
        small.schedule.waitsForStore = true
        #expect(red(try await fixture.manager.image(for: small)) == 1)
        #expect(red(try await fixture.manager.image(for: small)) == 1)
        var post = ImageRequest(source: ImageSource(Self.other))
        post.download.method = "POST"
        post.download.requestModifier = ClosureRequestModifier(body: [1])
        _ = try await fixture.manager.fetchBytes(for: post)
        #expect(disk.keys.isEmpty && fixture.memory.usage.count == 0)
        #expect(red(try await fixture.manager.image(for: small)) == 3)
    }

    private static let secrets = [
        ("Authorization", "Bearer a"), ("Cookie", "id=1"), ("Proxy-Authorization", "Basic eA=="), ("Host", "api.example"),
        ("X-Api-Key", "k"), ("X-Plain", "p"),
    ]

    @Test func `Secrets are for the source's own origin, not for those that stand in`() async throws {
        for usesCredential in [false, true] {
            let rig = DownloadRig(
                change: { $0.redirects.fieldsOfOrigin = ["x-api-key"] },
                answer: { request, _ in
                    .fixed(request, status: request.url.path == "/d" ? 200 : 404, body: DownloadRig.picture)
                })
            rig.fetcher.savesData = true
            _ = try await rig.fetch("https://api.example/a") { request in
                request.download.headers = HTTPHeaders(Self.secrets.filter { !usesCredential || $0.0 != "Authorization" })
                if usesCredential { request.download.credential = .bearer("a") }
                request.download.lowDataSource = "https://small.example/b"
                request.download.alternatives = ["https://api.example:443/c", "http://cdn.other/d"]
            }.get()
            let all = rig.transport.requests
            #expect(all.map(\.url.path) == ["/b", "/c", "/d"])
            #expect(Self.secrets.allSatisfy { all[1].headers[$0.0] == $0.1 })
            for foreign in [all[0], all[2]] {
                #expect(Self.secrets.filter { foreign.headers.contains($0.0) }.map(\.0) == ["X-Plain"])
            }
        }
    }

    @Test func `Secrets of a picture on this machine's disk are for those that stand in for it`() async throws {
        let rig = DownloadRig(answer: DownloadRig.always())
        _ = try await rig.fetch("file:///nowhere/a.png") { request in
            request.download.credential = .bearer("a")
            request.download.alternatives = ["https://api.example/a"]
        }.get()
        #expect(rig.sent().headers["Authorization"] == "Bearer a")
    }
}
