import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Facts that are part of the keys, so that no request gets a result made for a different one. // KS-04
@Suite struct KeySeparationTests {
    private let url = ImageSource(ManagerFixture.url)

    private func keys(_ source: ImageSource? = nil, _ change: (inout ImageRequest) -> Void = { _ in }) -> RequestKeys {
        var request = ImageRequest(source: source ?? url)
        change(&request)
        return RequestKeys(ResolvedRequest(request), nonce: 1)
    }

    private struct Hook: RequestModifier, ResponseModifier, DataDecryptor, RedirectHandler {
        var identifier: String? = "v1"
        func modify(_ request: HTTPRequest) async throws -> HTTPRequest? { request }
        func modify(_ head: HTTPResponseHead) async throws -> HTTPResponseHead? { head }
        func decrypt(_ data: [UInt8], response: HTTPResponseHead?) async throws -> [UInt8]? { data }
        func redirect(from head: HTTPResponseHead, to request: HTTPRequest) async -> HTTPRequest? { request }
    }

    @Test func `Each hook has its own place, though all have one name`() {
        let wishes: [(inout ImageRequest) -> Void] = [
            { _ in }, { $0.download.requestModifier = Hook() }, { $0.download.responseModifier = Hook() },
            { $0.download.decryptor = Hook() }, { $0.download.redirectHandler = Hook() },
            { $0.download.loader = FakeImageLoader(identifier: "v1") },
            {
                $0.download.requestModifier = Hook()
                $0.download.decryptor = Hook()
            },
            { $0.download.requestModifier = Hook(identifier: "v1,d=v1") },
            { $0.download.requestModifier = Hook(identifier: "v1\u{1}d=v1") },
            { $0.download.requestModifier = Hook(identifier: "v1\u{2}1\u{2}d=v1") },
        ]
        let all = wishes.map { keys(nil, $0) }
        #expect(Set(all.map(\.storage)).count == wishes.count)
        #expect(Set(all.map(\.join)).count == wishes.count)
    }

    private struct Named: ImageTransformer {
        var identifier: String?
        init(_ name: String) { identifier = name }
        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap { bitmap }
    }

    @Test func `No name looks like two, and none like another part of the key`() {
        let chains: [[any ImageTransformer]] = [
            [Named("a"), Named("b")], [Named("a|b")], [Named("a\u{2}7c\u{2}b")], [PipelineTransformer([Named("a"), Named("b")])],
            [PipelineTransformer([Named("a"), Named("b"), Named("c")])], [PipelineTransformer([Named("a"), Named("b1:c")])],
            [Named("a\u{1}to=1")], [Named("a")],
        ]
        #expect(Set(chains.map { chain in keys { $0.transform.transformers = chain }.variant }).count == chains.count)
        let scopes: [(inout ImageRequest) -> Void] = [
            { _ in }, { $0.download.credentialScope = "alice" }, { $0.download.cookies = true },
            {
                $0.download.credentialScope = "alice"
                $0.download.cookies = true
            }, { $0.download.credentialScope = "alice+cookies" }, { $0.download.credentialScope = "cookies" },
            { $0.download.credentialScope = "alice\u{1}uncached" }, { $0.download.credential = .basic(user: "a", password: "b") },
            { $0.download.headers = HTTPHeaders([("Authorization", "a")]) },
            { $0.download.headers = HTTPHeaders([("Cookie", "a")]) }, { $0.source = "https://a@example.org/a.fake" },
        ]
        let all = scopes.map { keys(nil, $0) }
        #expect(Set(all.map(\.storage)).count == scopes.count)
        #expect(Set(all.map(\.join)).count == scopes.count)
        let sources: [ImageSource] = [
            .file("/a"), .file("/a\u{1}scope=b"), .file("/a\u{2}1\u{2}scope=b"), .data([], identifier: "a"),
            .data([], identifier: "a\u{1}scope=b"),
        ]
        let scoped = sources.flatMap { source in
            [keys(source).storage, keys(source) { $0.download.credentialScope = "b" }.storage]
        }
        #expect(Set(scoped).count == scoped.count)
    }

    /// The transfer alone is shared.
    @Test func `No load joins a decode in another process, or with other previews`() async throws {
        let wishes: [(inout ImageRequest) -> Void] = [
            { _ in }, { $0.decode.isolation = .inProcess }, { $0.decode.isolation = .automatic },
            { $0.decode.previews = .incremental },
            { $0.decode.previews = PreviewPolicy(isEnabled: true, minimumInterval: .seconds(1)) },
            { $0.decode.previews = PreviewPolicy(isEnabled: true, transforms: false) },
        ]
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let tasks = wishes.map { change in
            var request = ImageRequest(source: url)
            change(&request)
            return fixture.manager.task(for: request)
        }
        #expect(await eventually { fixture.manager.waiterCount == wishes.count })
        #expect(fixture.manager.runningCount == wishes.count)
        // A load that comes to the transfer after its end would begin another one.
        #expect(await eventually { fixture.manager.transferWaiterCount == wishes.count })
        fixture.loader.gate.open()
        for task in tasks { _ = try await task.value }
        #expect(fixture.loader.loadCount == 1)
    }

    /// As another package would declare it.
    private enum VersionKey: ContextKey {
        static let defaultValue = 0
        static func cacheInfluence(of value: Int) -> CacheInfluence { .source("version=\(value)") }
    }

    // CG-14
    @Test func `A new version in the context is loaded anew, beside the old one`() async throws {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        for (version, isServed) in [(1, true), (2, true), (1, false), (2, false)] {
            let value = UInt8(version * 10)
            if isServed { fixture.serve(red: value) }
            let request = ImageRequest(url, .waitingForStore, .context(VersionKey.self, version))
            for inMemory in [true, false] {
                if !inMemory { fixture.memory.removeAll() }
                #expect(red(try await fixture.manager.image(for: request)) == value)
            }
        }
        #expect(fixture.loader.loadCount == 2)
    }

    @Test func `Every limit of a decode is in the key of what it decides about`() {
        let limits = [
            DecodeLimits.standard, DecodeLimits(maximumPixels: 7), DecodeLimits(maximumDecodedBytes: 7),
            DecodeLimits(maximumFrames: 7), DecodeLimits(maximumMetadataBytes: 7), DecodeLimits(maximumScans: 7),
            DecodeLimits(maximumDecodeTime: .seconds(7)), DecodeLimits(maximumAnimationPixels: 7),
        ]
        let all = limits.map { limits in keys { $0.decode.limits = limits } }
        #expect(Set(all.map(\.decode)).count == limits.count)
        #expect(Set(all.map(\.variant)).count == limits.count)
        #expect(Set(all.map(\.storage)).count == 1)
    }

    private struct Refusing: CacheKeyFilter { func key(for source: ImageSource) -> String? { nil } }

    @Test(arguments: [false, true])
    func `Who may touch no cache shares no load with those who may`(_ isPlainFirst: Bool) async throws {
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let plain = ImageRequest(source: url)
        var uncached = plain
        uncached.cache.keyFilter = Refusing()
        let order = isPlainFirst ? [plain, uncached] : [uncached, plain]
        let tasks = order.map { fixture.manager.task(for: $0) }
        #expect(await eventually { fixture.manager.waiterCount == 2 })
        fixture.loader.gate.open()
        for task in tasks { _ = try await task.value }
        #expect(fixture.loader.loadCount == 2)
        #expect(fixture.manager.cachedImage(for: plain) != nil)
        #expect(fixture.manager.cachedImage(for: uncached) == nil)
        _ = try await fixture.manager.image(for: uncached)
        #expect(fixture.loader.loadCount == 3)
    }

    @Test func `Pictures within their addresses keep short keys, and each its own`() {
        func source(_ end: String, _ scheme: String = "data") -> ImageSource {
            ImageSource(scheme + ":image/png;base64," + String(repeating: "A", count: 20_000) + end)
        }
        let text = keys(source("B")).storage.text
        #expect(text.utf8.count < 100 && text.hasPrefix("data:"))
        #expect(text == keys(source("B")).storage.text && text != keys(source("C")).storage.text)
        #expect(keys(source("B", "DATA")).storage.text.utf8.count < 100)
        #expect(source("B") == source("B") && source("B") != source("C"))
        let short = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
        #expect(keys(ImageSource(short)).storage.text == short)
        let long = "https://example.org/" + String(repeating: "d", count: 1000)
        #expect(keys(ImageSource(long)).storage.text == long)
    }

    @Test(arguments: [QueryKeyFilter.query, .tracking, .signatures, QueryKeyFilter(keeping: ["w"])])
    func `Filters leave pictures within their addresses alone`(_ filter: QueryKeyFilter) {
        func source(_ color: String) -> ImageSource {
            ImageSource("data:image/svg+xml,<?xml version=%221.0%22?><svg%20fill=%22" + color + "%22#a/>")
        }
        let stored = ["red", "blue"].map { color in keys(source(color)) { $0.cache.keyFilter = filter }.storage }
        #expect(stored[0] != stored[1] && stored[0].text.hasPrefix("data:"))
        #expect(stored == ["red", "blue"].map { keys(source($0)).storage })
    }
}
