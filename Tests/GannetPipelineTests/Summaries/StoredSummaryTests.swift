import GannetCore
import GannetPipeline
import GannetTesting
import Testing

/// S3-23: what is stored with an entry, through the manager.
@Suite struct StoredSummaryTests {
    private let disk = InMemoryImageCache()
    private let source = ImageSource(ManagerFixture.url)

    @Test func anOriginalGetsItsSummaryAfterItIsDecoded() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(width: 8, height: 4, red: 200)
        var request = ImageRequest(source).summarized()
        request.schedule.waitsForStore = true
        _ = try await fixture.manager.image(for: request)
        let summary = try #require(await fixture.manager.summary(for: ImageRequest(source)))
        #expect(summary.size == PixelSize(clamping: 8, 4))
        #expect(ThumbHash.bitmap(summary.thumbHash) != nil)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func aTransformedPictureHasItsOwn() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(width: 8, height: 4)
        var request = ImageRequest(source, .transform(.resize(width: 3, height: 3))).summarized()
        request.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        request.schedule.waitsForStore = true
        _ = try await fixture.manager.image(for: request)
        #expect(await fixture.manager.summary(for: request)?.size == PixelSize(clamping: 3, 3))
    }

    @Test func nobodyPaysForWhatNobodyAsked() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        var request = ImageRequest(source)
        request.schedule.waitsForStore = true
        _ = try await fixture.manager.image(for: request)
        #expect(await fixture.manager.summary(for: request) == nil)
    }
}
