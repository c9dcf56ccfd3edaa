import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Loaders that deliver finished images, and the metadata that they provide. // LD-01
@Suite struct LoaderImageTests {
    private let url = ManagerFixture.url
    private let disk = InMemoryImageCache()

    private func small() -> ImageRequest {
        var request = ImageRequest(ImageSource(url), .waitingForStore)
        request.transform.transformers = [AddTransformer(amount: 1)]
        request.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        return request
    }

    // LD-01, LD-03
    @Test func theEndOfTheirFreshnessIsObeyed() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        func serve(_ value: UInt8) throws {
            let freshness = Freshness(freshUntil: fixture.time.now + .seconds(10))
            fixture.loader.answer(url, with: .image(still(try solid(value, 0, 0)), freshness: freshness))
        }
        try serve(1)
        let wishes = [ImageRequest(ImageSource(url)), small()]
        for (wish, value) in zip(wishes, [1, 2] as [UInt8]) {
            let result = try await fixture.manager.image(for: wish)
            #expect(red(result) == value && result.freshness.freshUntil == fixture.time.now + .seconds(10))
        }
        #expect(fixture.loader.loadCount == 2 && disk.keys.count == 1)
        try serve(5)
        fixture.time.advance(by: .seconds(9))
        for wish in wishes { #expect(fixture.manager.cachedImage(for: wish) != nil) }
        fixture.time.advance(by: .seconds(2))
        try serve(5)
        for (wish, value) in zip(wishes, [5, 6] as [UInt8]) {
            #expect(fixture.manager.cachedImage(for: wish) == nil)
            #expect(red(try await fixture.manager.image(for: wish)) == value)
        }
        // The stored image is used when the loader fails.
        fixture.time.advance(by: .seconds(11))
        fixture.loader.answer(url, with: .failure(ImageError(.network, stage: .load, "no")))
        #expect(red(try await fixture.manager.image(for: wishes[0])) == 5)
    }

    @Test func whatMustNotBeKeptIsNot() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        let picture = still(try solid(1, 0, 0))
        fixture.loader.answer(url, with: .image(picture))
        for wish in [ImageRequest(ImageSource(url)), small()] {
            _ = try await fixture.manager.image(for: wish.with(.lookup(.loaderOnly)))
        }
        #expect(disk.keys.count == 1 && fixture.memory.usage.count == 2)
        fixture.loader.answer(url, with: .image(picture, freshness: Freshness(forbidsStoring: true)))
        for wish in [ImageRequest(ImageSource(url)), small()] {
            _ = try await fixture.manager.image(for: wish.with(.lookup(.loaderOnly)))
        }
        #expect(disk.keys.isEmpty && fixture.memory.usage.count == 0, "nor what was kept before")
    }
}
