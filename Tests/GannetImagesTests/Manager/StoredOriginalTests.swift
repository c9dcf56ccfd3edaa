import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetCache

/// A stored thumbnail knows its original, and is never mistaken for the whole image.
@Suite struct StoredOriginalTests {
    private func request(_ side: Int) -> ImageRequest {
        var request = ImageRequest(ImageSource(ManagerFixture.url), .fit(side, side))
        request.schedule.waitsForStore = true
        return request
    }

    /// A thumbnail of 40 × 30 that is on disk alone, after memory had it.
    private func stored(_ disk: InMemoryImageCache) async throws -> ManagerFixture {
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve(width: 400, height: 300)
        #expect(try await fixture.manager.image(for: request(40)).size == PixelSize(clamping: 40, 30))
        fixture.memory.removeAll()
        return fixture
    }

    @Test(arguments: [false, true])
    func aThumbnailFromDiskIsNotTheLargePicture(_ isBlocking: Bool) async throws {
        let fixture = try await stored(InMemoryImageCache())
        let small =
            isBlocking
            ? try #require(try fixture.manager.blockingCachedImage(for: request(40)))
            : try await fixture.manager.image(for: request(40))
        #expect(small.origin == .disk && small.size == PixelSize(clamping: 40, 30))
        #expect(small.image.metadata.originalSize == PixelSize(clamping: 400, 300) && small.image.metadata.knowsOriginal)
        #expect(try await fixture.manager.image(for: request(100)).size == PixelSize(clamping: 100, 75))
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: request(100)).size == PixelSize(clamping: 100, 75))
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func aThumbnailOfAnOlderVersionServesItselfAlone() async throws {
        let disk = InMemoryImageCache()
        let fixture = try await stored(disk)
        let key = CacheKey(try fixture.manager.cacheKey(for: request(40)))
        var metadata = try #require(try await disk.metadata(for: key))
        #expect(metadata.original == OriginalImage(size: PixelSize(clamping: 400, 300), format: FakeImageCoder.format))
        metadata.original = nil
        try await disk.update(metadata, for: key)
        let small = try await fixture.manager.image(for: request(40))
        #expect(small.origin == .disk && !small.image.metadata.knowsOriginal)
        #expect(fixture.manager.smallerCachedImage(for: request(100)) == nil)
        #expect(try await fixture.manager.image(for: request(100)).size == PixelSize(clamping: 100, 75))
    }

    @Test func metadataOfAnOlderVersionIsRead() throws {
        let header = EntryHeader(
            keyCount: 0, metadataCount: 0, payloadCount: 0, storedAt: Timestamp(milliseconds: 5),
            writtenAt: Timestamp(milliseconds: 5), expiration: .standard, payloadChecksum: 0, textChecksum: 0)
        var metadata = CacheEntryMetadata(format: "png", storedAt: Timestamp(milliseconds: 5))
        metadata.original = OriginalImage(size: PixelSize(clamping: 4000, 3000), isVector: true)
        let bytes = MetadataCoding.encode(metadata)
        #expect(MetadataCoding.decode(bytes[...], header: header) == metadata)
        // The flag, two sizes and a byte: older versions ended before them, still older ones before the summary's flag.
        metadata.original = nil
        for missing in [10, 11] { #expect(MetadataCoding.decode(bytes.dropLast(missing), header: header) == metadata) }
    }
}
