import FoundationEssentials
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Synchronization
import Testing

/// Loaders without HTTP behind the same store.
@Suite struct CachedLoaderTests {
    private final class Source: ImageLoader {
        let identifier = "source"
        private let asked = Mutex<[LoadRequest]>([])
        private let answer: @Sendable (Int) throws(ImageError) -> LoadResponse

        init(_ answer: @escaping @Sendable (Int) throws(ImageError) -> LoadResponse) { self.answer = answer }

        var requests: [LoadRequest] { asked.withLock { $0 } }
        func canLoad(_ source: ImageSource) -> Bool { true }
        func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
            let number = asked.withLock { asked in
                asked.append(request)
                return asked.count
            }
            return try answer(number)
        }
    }

    private let time = ManualTimeSource()
    private let store = DictionaryCache()
    private let request = LoadRequest(source: "https://example.org/a.png", download: ResolvedDownloadOptions())

    private func bytes(_ load: CachedLoad) async throws -> [UInt8]? {
        switch load.response.body {
        case .bytes(let rope): return rope.contiguous()
        case .stream(let stream):
            var bytes: [UInt8] = []
            while try await stream.next(into: &bytes) {}
            return bytes
        case .image, .notModified: return nil
        }
    }

    private func fresh(_ seconds: Int, etag: String? = "v1") -> Freshness {
        Freshness(freshUntil: time.now + .seconds(seconds), etag: etag)
    }

    @Test func `Bytes are stored when they are whole, and serve until they are no longer fresh`() async throws {
        let freshness = fresh(60)
        let source = Source { number throws(ImageError) in
            LoadResponse(
                body: number == 1 ? .stream(.chunks([[1], [2]])) : .bytes(ByteRope([3])), origin: .network, freshness: freshness)
        }
        let loader = CachedLoader(source, store: store, time: time)
        let first = try await loader.load(request, CacheUse())
        #expect(first.status.description == "fwd=uri-miss; stored; ttl=60" && first.identity == nil)
        #expect(try await bytes(first) == [1, 2])
        let hit = try await loader.load(request, CacheUse())
        #expect(hit.status.description == "hit; ttl=60" && hit.response.origin == .disk)
        #expect(try await bytes(hit) == [1, 2])
        #expect(hit.identity != nil && hit.identity == first.identity)
        time.advance(by: .seconds(61))
        let second = try await loader.load(request, CacheUse())
        #expect(try await bytes(second) == [3])
        #expect(second.identity != first.identity)
        #expect(source.requests[1].stored?.freshness.etag == "v1")
    }

    @Test func `A source that confirms what is stored sends no bytes; what it does not repeat stays valid`() async throws {
        let (first, later) = (fresh(60), time.now + .seconds(200))
        let source = Source { number throws(ImageError) in
            number == 1
                ? LoadResponse(body: .bytes(ByteRope([1])), origin: .network, freshness: first)
                : LoadResponse(body: .notModified, origin: .revalidated, freshness: Freshness(freshUntil: later))
        }
        let loader = CachedLoader(source, store: store, time: time)
        let identity = try await loader.load(request, CacheUse()).identity
        time.advance(by: .seconds(100))
        let renewed = try await loader.load(request, CacheUse())
        #expect(try await bytes(renewed) == [1])
        #expect(renewed.status.description == "fwd=stale; stored; ttl=100" && renewed.response.origin == .revalidated)
        #expect(renewed.identity == identity && renewed.response.freshness.etag == "v1")
        #expect(try await loader.load(request, CacheUse()).status.description == "hit; ttl=100")
    }

    @Test func `A caller that has the bytes gets none, also when they are stored no more`() async throws {
        let (first, later) = (fresh(60), time.now + .seconds(200))
        let source = Source { number throws(ImageError) in
            number == 1
                ? LoadResponse(body: .bytes(ByteRope([1])), origin: .network, freshness: first)
                : LoadResponse(body: .notModified, origin: .revalidated, freshness: Freshness(freshUntil: later))
        }
        let loader = CachedLoader(source, store: store, time: time)
        let identity = try #require(try await loader.load(request, CacheUse()).identity)
        var use = CacheUse()
        use.known = KnownResponse(identity: identity, freshness: first)
        #expect(try await bytes(loader.load(request, use)) == nil)
        try await store.removeAll()
        let same = try await loader.load(request, use)
        #expect(try await bytes(same) == nil)
        #expect(same.identity == identity && same.response.freshness.freshUntil == later)
        #expect(source.requests[1].stored?.freshness.etag == "v1")
    }

    @Test func `Stored bytes replace an unreachable source, and nothing else`() async throws {
        let freshness = fresh(60)
        let source = Source { number throws(ImageError) in
            if number == 1 { return LoadResponse(body: .bytes(ByteRope([1])), origin: .network, freshness: freshness) }
            throw ImageError(number == 2 ? .network : .corrupt, "failed")
        }
        let loader = CachedLoader(source, store: store, time: time)
        _ = try await loader.load(request, CacheUse())
        time.advance(by: .seconds(61))
        let copy = try await loader.load(request, CacheUse())
        #expect(try await bytes(copy) == [1])
        #expect(copy.isStale && copy.status.description == "fwd=stale; ttl=-1")
        await #expect(throws: ImageError.self) { try await loader.load(request, CacheUse()) }
    }

    /// Empties the store before it is read.
    private struct Emptying: CacheCaller {
        let store: DictionaryCache

        func willAsk() async throws(ImageError) {}
        func metered(_ body: ByteStream) -> ByteStream { body }
        func read(_ body: () async -> CacheEntry?) async throws(ImageError) -> CacheEntry? {
            try await store.removeAll()
            return await body()
        }
        func invalidated(_ sourceText: String) async {}
    }

    @Test func `An entry that is removed while its source confirms it is loaded anew, and stored only if that is allowed`()
        async throws
    {
        let freshness = fresh(60)
        let source = Source { number throws(ImageError) in
            switch number {
            case 1: LoadResponse(body: .bytes(ByteRope([1])), origin: .network, freshness: freshness)
            case 2: LoadResponse(body: .notModified, origin: .revalidated, freshness: freshness)
            default: LoadResponse(body: .bytes(ByteRope([2])), origin: .network, freshness: Freshness(forbidsStoring: true))
            }
        }
        let loader = CachedLoader(source, store: store, time: time)
        _ = try await loader.load(request, CacheUse())
        time.advance(by: .seconds(61))
        var use = CacheUse()
        use.caller = Emptying(store: store)
        let other = try await loader.load(request, use)
        #expect(try await bytes(other) == [2])
        #expect(other.status.description == "fwd=stale" && source.requests.last?.stored == nil)
        #expect(store.keys.isEmpty)
    }

    @Test func `What must not be stored is not`() async throws {
        let source = Source { _ throws(ImageError) in
            LoadResponse(body: .bytes(ByteRope([1])), origin: .network, freshness: Freshness(forbidsStoring: true))
        }
        let loader = CachedLoader(source, store: store, time: time)
        #expect(try await loader.load(request, CacheUse()).status.description == "fwd=uri-miss")
        #expect(store.keys.isEmpty)
        var use = CacheUse()
        use.lookup = .cacheOnly
        let error = await #expect(throws: ImageError.self) { try await loader.load(request, use) }
        #expect(error?.code == .cacheMiss && source.requests.count == 1)
    }
}
