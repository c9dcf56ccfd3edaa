import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// URL, String and ImageSource are sources alike, also in variables. // MG-01, KF-01
@Suite struct SourceTypesTests: ManagerSuite {
    @Test func urlsAndTextsAreSources() async throws {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve(width: 8, height: 8)
        let text = ManagerFixture.url
        let url = try #require(URL(string: text))
        let manager = fixture.manager
        #expect(try await manager.image(for: url).size == PixelSize(width: 8, height: 8))
        #expect(try await manager.image(for: text, .fit(2, 2)).size == PixelSize(width: 2, height: 2))
        #expect(try await manager.task(for: url, .fit(2, 2)).value.origin == .memory)
        #expect(try await manager.task(for: text).value.origin == .memory)
        #expect(manager.cachedImage(for: url, .fit(2, 2)) != nil)
        #expect(try await manager.image(for: ImageRequest(text, .fit(2, 2))).origin == .memory)
        #expect(await ImagePrefetcher(manager: manager).prefetch([url], .fit(2, 2)).wait().skipped == 1)
        #expect(fixture.loader.loadCount == 1)
        try await manager.cache.remove(url)
        #expect(manager.cachedImage(for: url) == nil && manager.cachedImage(for: url, .fit(2, 2)) == nil)
    }

    @Test func filesAreRemovedHoweverTheyAreWritten() async throws {
        let fixture = ManagerFixture()
        fixture.loader.answer("file:///pictures/a.fake", with: .bytes(FakeImageCoder.bytes(width: 8, height: 8)))
        for remove in [
            { (cache: ManagerCache) in try await cache.remove(ImageSource.file("/pictures/a.fake")) },
            { cache in try await cache.remove(URL(filePath: "/pictures/a.fake")) },
            { cache in try await cache.remove("/pictures/a.fake") },
        ] as [@Sendable (ManagerCache) async throws -> Void] {
            let source = ImageSource(URL(filePath: "/pictures/a.fake"))
            _ = try await fixture.manager.image(for: source)
            try await remove(fixture.manager.cache)
            #expect(fixture.manager.cachedImage(for: ImageRequest(source: source)) == nil)
        }
    }
}
