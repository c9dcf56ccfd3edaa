import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// A cache with the five requirements that have no default, below a manager.
@Suite struct SmallestCacheTests: ManagerSuite {
    private final class Table: ImageCaching {
        private let rows = Mutex<[CacheKey: [UInt8]]>([:])
        var identifier: String { "table" }
        var keys: [CacheKey] { rows.withLock { Array($0.keys) } }

        func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
            rows.withLock { $0[key] }.flatMap { try? CacheEntry(encoded: $0, for: key) }
        }
        func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
            let bytes = try entry.encoded(for: key, writtenAt: entry.metadata.storedAt)
            rows.withLock { $0[key] = bytes }
        }
        func remove(_ key: CacheKey) async throws(ImageError) { rows.withLock { $0[key] = nil } }
        func removeAll() async throws(ImageError) { rows.withLock { $0 = [:] } }
    }

    private let table = Table()

    @Test func imagesAndTheirOriginalsAreStoredFoundAndRemoved() async throws {
        let fixture = ManagerFixture(diskCache: table)
        fixture.serve()
        let small = request { $0.transform.transformers = [AddTransformer(amount: 1)] }
        #expect(red(try await fixture.manager.image(for: small)) == 11)
        #expect(table.keys.count == 2)
        fixture.memory.removeAll()
        let again = try await fixture.manager.image(for: small)
        #expect(again.origin == .disk && red(again) == 11 && fixture.loader.loadCount == 1)
        try await fixture.manager.cache.remove(url)
        #expect(table.keys.isEmpty)
        #expect(try await fixture.manager.image(for: small).origin == .network)
        #expect(fixture.loader.loadCount == 2)
    }

    @Test func metadataIsReadRenewedAndCounted() async throws {
        let key = CacheKey("a")
        var metadata = CacheEntryMetadata(storedAt: Timestamp(milliseconds: 1_000_000))
        try await table.store(CacheEntry(bytes: ByteRope([1, 2, 3]), metadata: metadata), for: key)
        #expect(await table.contains(key))
        #expect(await table.contains(CacheKey("b")) == false)
        #expect(try await table.metadata(for: key)?.storedAt == metadata.storedAt)
        metadata.extended = [9]
        try await table.update(metadata, for: key)
        try await table.update(metadata, for: CacheKey("b"))
        let entry = try #require(try await table.entry(for: key, touch: true))
        #expect(entry.bytes.contiguous() == [1, 2, 3] && entry.metadata.extended == [9] && table.keys == [key])
        #expect(try table.blockingEntry(for: key, touch: true) == nil)
        try await table.removeAll(prefix: "a")
        #expect(table.keys.isEmpty)
    }
}
