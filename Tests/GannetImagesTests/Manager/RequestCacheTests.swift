import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetImages

/// Requests that bring a cache along: pictures of one are not those of another, in memory either. // CX-04, MG-02
@Suite struct RequestCacheTests {
    private let url = ManagerFixture.url

    private func request(_ cache: (any ImageCaching)?, _ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(ImageSource(url), .waitingForStore)
        request.cache.store = cache
        request.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        change(&request)
        return request
    }

    // MG-02, CX-04
    @Test(arguments: [false, true]) func noneSeesThePicturesOfAnother(_ isSmall: Bool) async throws {
        let caches = (0..<2).map { _ in InMemoryImageCache() }
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        let wishes = [nil, caches[0], caches[1]].map { cache in
            request(cache) { if isSmall { $0.decode.target = .size(.fit(2, 2)) } }
        }
        for (number, wish) in wishes.enumerated() {
            fixture.serve(red: UInt8(number))
            #expect(fixture.manager.cachedImage(for: wish) == nil)
            #expect(red(try await fixture.manager.image(for: wish)) == UInt8(number))
        }
        #expect(fixture.loader.loadCount == 3 && caches.allSatisfy { !$0.keys.isEmpty })
        for (number, wish) in wishes.enumerated() {
            #expect(fixture.manager.cachedImage(for: wish).map(red) == UInt8(number), "each is in memory")
        }
        // A removal through the manager's cache applies to all caches.
        try await fixture.manager.cache.remove(url, tier: .memory)
        #expect(fixture.memory.usage.count == 0)
    }

    @Test func sizesAndBeginningsAreApartToo() async throws {
        let own = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve(width: 64, height: 64, red: 1)
        let chain = [AddTransformer(amount: 1), AddTransformer(amount: 2)]
        _ = try await fixture.manager.image(for: request(nil))
        _ = try await fixture.manager.image(for: request(nil) { $0.transform.transformers = [chain[0]] })
        fixture.serve(width: 64, height: 64, red: 50)
        #expect(red(try await fixture.manager.image(for: request(own) { $0.decode.target = .size(.fit(8, 8)) })) == 50)
        #expect(red(try await fixture.manager.image(for: request(own) { $0.transform.transformers = chain })) == 53)
        #expect(fixture.manager.smallerCachedImage(for: request(nil)) == nil)
        // Sizes of one cache serve each other.
        _ = try await fixture.manager.image(for: request(own))
        #expect(try await fixture.manager.image(for: request(own) { $0.decode.target = .size(.fit(4, 4)) }).origin == .memory)
    }

    @Test func theManagersOwnIsNoOther() async throws {
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: request(disk))
        #expect(fixture.manager.cachedImage(for: request(nil)) != nil)
    }

    /// Two managers may share a memory cache.
    @Test func namesAreTheSameForAllManagers() {
        let managers = (0..<2).map { _ in ManagerFixture(diskCache: InMemoryImageCache()).manager }
        let caches = (0..<2).map { _ in InMemoryImageCache() }
        let names = zip(managers, caches).map { $0.pipeline.requestCaches.name(of: $1, besides: nil) }
        #expect(names[0] != nil && names[0] != names[1])
    }

    @Test func aNameIsNeverUsedTwice() {
        let caches = RequestCaches()
        var names: Set<String?> = []
        // Often at the address of the one before.
        for _ in 0..<100 { names.insert(caches.name(of: InMemoryImageCache(), besides: nil)) }
        #expect(names.count == 100 && !names.contains(nil))
        let kept = InMemoryImageCache()
        #expect(caches.name(of: kept, besides: nil) == caches.name(of: kept, besides: InMemoryImageCache()))
        #expect(caches.name(of: kept, besides: kept) == nil && caches.name(of: nil, besides: kept) == nil)
    }
}
