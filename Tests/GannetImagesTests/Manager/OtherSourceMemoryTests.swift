import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetFetch
@testable import GannetImages

/// Pictures of a request's other sources in memory. // KF-06, KF-08, DL-43
@Suite struct OtherSourceMemoryTests {
    private let url = ManagerFixture.url
    private let other = "https://example.org/other.fake"

    private func fixture() -> ManagerFixture {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve(other, width: 8, height: 8, red: 2)
        return fixture
    }

    private func small(_ source: String, _ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(ImageSource(source), .fit(2, 2))
        change(&request)
        return request
    }

    // DL-43, KF-08
    @Test func theOneForSavingDataIsShownAtOnce() async throws {
        let fixture = fixture()
        let other = ImageSource(other)
        let wish = small(url) { $0.download.lowDataSource = other }
        fixture.manager.fetcher.savesData = true
        #expect(red(try await fixture.manager.image(for: wish)) == 2)
        #expect(fixture.manager.cachedImage(for: wish).map(red) == 2)
        #expect(try await fixture.manager.image(for: wish).origin == .memory)
        #expect(fixture.coder.decodeCount == 1)
        // A request for the fallback alone shows it; a request for the source never does.
        #expect(fixture.manager.cachedImage(for: small(self.other)).map(red) == 2)
        #expect(fixture.manager.cachedImage(for: small(url)) == nil)
        fixture.manager.fetcher.savesData = false
        #expect(fixture.manager.cachedImage(for: wish) == nil)
        fixture.serve(width: 8, height: 8, red: 7)
        #expect(red(try await fixture.manager.image(for: wish)) == 7)
        fixture.manager.fetcher.savesData = true
        #expect(fixture.manager.cachedImage(for: wish).map(red) == 7, "the better one is there")
    }

    @Test func whatIsStoredOfTheSourceItselfCostsNoData() async throws {
        let fixture = fixture()
        fixture.serve(width: 8, height: 8, red: 7)
        _ = try await fixture.manager.image(for: small(url))
        let other = ImageSource(other)
        let wish = small(url) { $0.download.lowDataSource = other }
        fixture.memory.removeAll()
        fixture.manager.fetcher.savesData = true
        var larger = wish
        larger.decode.target = .size(.fit(4, 4))
        #expect(red(try await fixture.manager.image(for: larger)) == 7)
        let bytes = try await fixture.manager.fetchBytes(for: wish)
        #expect(bytes.origin == .disk && bytes.source?.keyText == url)
        #expect(fixture.loader.loadCount == 1)
        #expect(try await hasStoredBytes(wish, fixture.manager))
        // A source of which nothing is stored, or whose stored image may only be used after revalidation, gives the smaller
        // image.
        for (source, change) in [("https://example.org/new.fake", { _ in }), (url, { $0.cache.lookup = .loaderOnly })]
            as [(String, (inout ImageRequest) -> Void)]
        {
            let request = small(source) {
                $0.download.lowDataSource = other
                change(&$0)
            }
            #expect(red(try await fixture.manager.image(for: request)) == 2)
        }
        #expect(Set(fixture.loader.loads.map(\.source)) == [ImageSource(url), other])
        // That one is stored now, so no server would be contacted.
        let stored = small("https://example.org/new.fake") { $0.download.lowDataSource = other }
        #expect(try await hasStoredBytes(stored, fixture.manager))
    }

    private func hasStoredBytes(_ request: ImageRequest, _ manager: ImageManager) async throws -> Bool {
        await manager.hasStoredBytes(
            await manager.pipeline.prepare(try manager.pipeline.begin(request)), priority: LivePriority(.low))
    }

    @Test func whatIsStoredAndTooLargeGivesWayToTheSmallerOne() async throws {
        let fixture = fixture()
        fixture.serve(width: 80, height: 80, red: 7)
        _ = try await fixture.manager.fetchBytes(for: ImageRequest(url))
        fixture.manager.fetcher.savesData = true
        let wish = small(url) {
            $0.download.lowDataSource = ImageSource(other)
            $0.decode.limits = DecodeLimits(maximumPixels: 100)
        }
        #expect(red(try await fixture.manager.image(for: wish)) == 2)
        #expect(fixture.loader.loadCount == 2)
    }

    // KF-06
    @Test func anAlternativeIsShownAtOnceAsLongAsTheFailureLasts() async throws {
        let fixture = fixture()
        let gone = "https://example.org/gone.fake"
        for source in [url, gone] {
            fixture.loader.answer(source, with: .failure(ImageError(.httpStatus, stage: .load, "gone", httpStatus: 404)))
        }
        let wish = small(url) { $0.download.alternatives = [ImageSource(gone), ImageSource(other)] }
        #expect(red(try await fixture.manager.image(for: wish)) == 2)
        #expect(fixture.loader.loadCount == 3)
        #expect(fixture.manager.cachedImage(for: wish).map(red) == 2)
        #expect(fixture.manager.cachedImage(for: wish.with(.retryingFailed)) == nil)
        #expect(fixture.manager.cachedImage(for: wish.with(.lookup(.revalidate))) == nil)
        #expect(fixture.manager.cachedImage(for: small(url)) == nil)
        // The source may be there again.
        fixture.time.advance(by: .seconds(301))
        #expect(fixture.manager.cachedImage(for: wish) == nil)
        fixture.serve(width: 8, height: 8, red: 7)
        #expect(red(try await fixture.manager.image(for: wish)) == 7)
    }

    @Test func filesAreNotKept() async throws {
        let fixture = fixture()
        fixture.loader.answer("file:///other.fake", with: .bytes(FakeImageCoder.bytes(width: 8, height: 8, red: 3)))
        let wish = small(url) { $0.download.alternatives = [.file("/other.fake")] }
        #expect(red(try await fixture.manager.image(for: wish)) == 3)
        #expect(fixture.memory.usage.count == 0, "its key would say nothing of the file's state")
    }

    @Test func whatWasRemovedMeanwhileStaysRemoved() async throws {
        let fixture = fixture()
        fixture.loader.gate.close()
        let wish = small(url) { $0.download.alternatives = [ImageSource(other)] }
        let task = fixture.manager.task(for: wish)
        await fixture.loader.gate.waitForArrivals(1)
        try await fixture.manager.cache.remove(other)
        fixture.loader.gate.open()
        #expect(red(try await task.value) == 2)
        #expect(fixture.memory.usage.count == 0)
    }
}
