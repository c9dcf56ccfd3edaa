import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// S3-23: summaries stored with an entry, through the manager.
@Suite struct StoredSummaryTests {
    private let disk = InMemoryImageCache()
    private let source = ImageSource(ManagerFixture.url)

    // S3-23
    @Test func anOriginalGetsItsSummaryAfterItIsDecoded() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(width: 8, height: 4, red: 200)
        var request = ImageRequest(source, .summarized)
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
        var request = ImageRequest(source, .transform(.resize(width: 3, height: 3)), .summarized)
        request.cache.encode = EncodeOptions(format: FakeImageCoder.format)
        request.schedule.waitsForStore = true
        _ = try await fixture.manager.image(for: request)
        #expect(await fixture.manager.summary(for: request)?.size == PixelSize(clamping: 3, 3))
    }

    @Test func oneThatJoinsALoadWithoutGetsItsOwn() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        fixture.loader.gate.close()
        let plain = fixture.manager.task(for: ImageRequest(source))
        await fixture.loader.gate.waitForArrivals(1)
        var request = ImageRequest(source, .summarized)
        request.schedule.waitsForStore = true
        let summarized = fixture.manager.task(for: request)
        #expect(await eventually { fixture.manager.waiterCount >= 2 })
        fixture.loader.gate.open()
        _ = try await plain.value
        _ = try await summarized.value
        #expect(await fixture.manager.summary(for: request) != nil)
        #expect(fixture.loader.loadCount == 1)
    }

    /// The source is loaded again while the summary is made.
    @Test func newerBytesKeepTheirMetadata() async throws {
        let disk = WrappedCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(freshness: Freshness(etag: "old"))
        disk.afterMetadata.withLock { [time = fixture.time] in
            $0 = {
                time.advance(by: .seconds(1))
                let metadata = CacheEntryMetadata(storedAt: time.now, freshness: Freshness(etag: "new"))
                try? await disk.inner.store(
                    CacheEntry(bytes: ByteRope([1]), metadata: metadata), for: CacheKey(ManagerFixture.url))
            }
        }
        var request = ImageRequest(source, .summarized)
        request.schedule.waitsForStore = true
        _ = try await fixture.manager.image(for: request)
        let stored = try #require(try await disk.inner.metadata(for: CacheKey(ManagerFixture.url)))
        #expect(stored.freshness.etag == "new" && stored.summary == nil)
    }

    @Test func eachVariantOfAnAddressHasItsOwn() async throws {
        let transport = ScriptedTransport { request, _ in
            let height = (request.headers["X-Tenant"] ?? "").utf8.count
            return .fixed(
                request, headers: [("Vary", "X-Tenant"), ("Cache-Control", "max-age=1000")],
                body: FakeImageCoder.bytes(width: 8, height: height))
        }
        let loader = HTTPLoader(transport: transport, time: ManualTimeSource())
        let fixture = ManagerFixture(diskCache: disk) { $0.loaders = LoadersManager([loader]) }
        var request = ImageRequest(source)
        request.schedule.waitsForStore = true
        loader.configuration.headers.set("X-Tenant", "a")
        _ = try await fixture.manager.image(for: request)
        fixture.memory.removeAll()
        loader.configuration.headers.set("X-Tenant", "bbb")
        _ = try await fixture.manager.image(for: request.with(.summarized))
        #expect(await fixture.manager.summary(for: request) == nil, "what stands at the key is another one's")
        #expect(try await disk.metadata(for: CacheKey(ManagerFixture.url))?.summary == nil)
        let other = try #require(disk.keys.first { $0.contains("vary=") })
        #expect(try await disk.metadata(for: CacheKey(other))?.summary?.size == PixelSize(clamping: 8, 3))
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
