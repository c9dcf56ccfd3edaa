import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// A program encrypts its disk cache with a wrapper around it.
@Suite struct SealedCacheTests: ManagerSuite {
    /// Changes every byte on the way in and back on the way out, as a cipher would.
    private struct SealingCache: ImageCaching {
        let inner: InMemoryImageCache

        private func turned(_ entry: CacheEntry) -> CacheEntry {
            CacheEntry(bytes: ByteRope(entry.bytes.contiguous().map { $0 ^ 0x5A }), metadata: entry.metadata)
        }

        var identifier: String { "sealing" }
        func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
            try await inner.entry(for: key, touch: touch).map(turned)
        }
        func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
            try inner.blockingEntry(for: key, touch: touch).map(turned)
        }
        func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? { try await inner.metadata(for: key) }
        func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
            try await inner.store(turned(entry), for: key)
        }
        func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
            try await inner.update(metadata, for: key)
        }
        func remove(_ key: CacheKey) async throws(ImageError) { try await inner.remove(key) }
        func removeAll(prefix: String) async throws(ImageError) { try await inner.removeAll(prefix: prefix) }
        func removeAll() async throws(ImageError) { try await inner.removeAll() }
        func contains(_ key: CacheKey) async -> Bool { await inner.contains(key) }
        func usage() async throws(ImageError) -> CacheUsage { try await inner.usage() }
        func flush() async throws(ImageError) {}
    }

    // DC-38, S3-22
    @Test func originalsAndResultsAreSealedAndFoundAgain() async throws {
        let inner = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: SealingCache(inner: inner))
        fixture.serve(red: 10)
        let requests = [request(), request { $0.transform.transformers = [AddTransformer(amount: 1)] }]
        for request in requests { _ = try await fixture.manager.image(for: request) }
        #expect(inner.keys.count == 2)
        for key in inner.keys {
            let stored = try #require(try await inner.entry(for: CacheKey(key), touch: false))
            #expect(!stored.bytes.contiguous().starts(with: Array("FAKE".utf8)), "\(key)")
        }
        fixture.memory.removeAll()
        for (request, value) in zip(requests, [10, 11] as [UInt8]) {
            let found = try await fixture.manager.image(for: request)
            #expect(red(found) == value && found.origin == .disk)
        }
        #expect(fixture.loader.loadCount == 1)
    }
}
