import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Disk reads that no caller waits for any more. Kingfisher's "Buttons".
@Suite struct CancelledReadTests {
    /// A cache whose reads wait until they are let through.
    private struct GatedCache: ImageCaching {
        let inner = InMemoryImageCache()
        let gate = AsyncGate()
        let isRead = AsyncGate()
        var identifier: String { "gated" }
        func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
            await gate.wait()
            let entry = try await inner.entry(for: key, touch: touch)
            isRead.open()
            return entry
        }
        func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
            try inner.blockingEntry(for: key, touch: touch)
        }
        func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? { try await inner.metadata(for: key) }
        func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) { try await inner.store(entry, for: key) }
        func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
            try await inner.update(metadata, for: key)
        }
        func remove(_ key: CacheKey) async throws(ImageError) { try await inner.remove(key) }
        func removeAll(prefix: String) async throws(ImageError) { try await inner.removeAll(prefix: prefix) }
        func removeAll() async throws(ImageError) { try await inner.removeAll() }
        func contains(_ key: CacheKey) async -> Bool { await inner.contains(key) }
        func usage() async throws(ImageError) -> CacheUsage { try await inner.usage() }
        func flush() async throws(ImageError) { try await inner.flush() }
    }

    // DC-24
    @Test(
        "testCancelImageTaskCancelsDiskCacheRetrieval, testCancelBackgroundImageTaskCancelsDiskCacheRetrieval, testSupersededDiskCachedAlternateImageDoesNotPromoteToMemory, testSupersededDiskCachedImageDoesNotPromoteToMemory"
    )
    func cancelledReadsStayOutOfMemory() async throws {  // VW-13, CX-17
        let disk = GatedCache()
        let fixture = ManagerFixture(diskCache: disk)
        let bytes = FakeImageCoder.bytes(width: 8, height: 4, red: 10)
        let metadata = CacheEntryMetadata(storedAt: fixture.time.now)
        try await disk.inner.store(
            CacheEntry(bytes: ByteRope(bytes), metadata: metadata), for: CacheKey(ManagerFixture.url))
        var request = ImageRequest(source: ImageSource(ManagerFixture.url))
        request.cache.lookup = .cacheFirst
        let task = fixture.manager.task(for: request)
        await disk.gate.waitForArrivals(1)
        task.cancel()
        await #expect { try await task.value } throws: { ($0 as? ImageError)?.code == .cancelled }
        disk.gate.open()
        await disk.isRead.wait()
        // Another load after the read came back: by its end the first one could have stored its picture.
        let other = "https://example.org/b.fake"
        fixture.serve(other)
        _ = try await fixture.manager.image(for: ImageRequest(source: ImageSource(other)))
        #expect(fixture.manager.cachedImage(for: request) == nil)
        #expect(red(try await fixture.manager.image(for: request)) == 10)
        #expect(fixture.manager.cachedImage(for: request) != nil)
    }
}
