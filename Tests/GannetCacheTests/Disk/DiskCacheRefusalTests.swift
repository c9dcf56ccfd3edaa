import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Synchronization
import Testing

@testable import GannetCache

/// Entries that could not be replaced or removed: which must not be served, and which may nevertheless. // DC-33
@Suite struct DiskCacheRefusalTests {
    let folder = CacheFolder()
    let key = CacheKey("https://example.org/a.png")

    private func text(_ entry: CacheEntry?) -> String? { entry.map { String(decoding: $0.bytes.contiguous(), as: UTF8.self) } }

    private func metadata(_ change: (inout CacheEntryMetadata) -> Void = { _ in }) -> CacheEntryMetadata {
        var metadata = CacheEntryMetadata(storedAt: folder.time.now)
        change(&metadata)
        return metadata
    }

    /// From here on nothing can be written.
    private func unwritable(holding text: String) async throws -> (DiskCache, FaultyFileSystem) {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        try await cache.store(folder.entry(text), for: key)
        try await cache.flush()
        faults.setRule { call, _, _, _ in call == .write ? EACCES : nil }
        return (cache, faults)
    }

    @Test func newerMetadataThatCannotBeWrittenLeavesTheEntry() async throws {
        let (cache, _) = try await unwritable(holding: "good")
        try await cache.update(metadata { $0.freshness.etag = "new" }, for: key)
        await #expect(throws: ImageError.self) { try await cache.flush() }
        #expect(text(try await cache.entry(for: key)) == "good")
        // Larger than there is place for: a fault of the caller's.
        try await cache.update(metadata { $0.extended = [UInt8](repeating: 1, count: 5 << 20) }, for: key)
        await #expect(throws: ImageError.self) { try await cache.flush() }
        #expect(text(try await cache.entry(for: key)) == "good")
    }

    @Test func whatCouldNotBeReplacedIsNotServedAndNotWrittenAnew() async throws {
        let (cache, faults) = try await unwritable(holding: "old")
        try await cache.store(folder.entry("new"), for: key)
        await #expect(throws: ImageError.self) { try await cache.flush() }
        #expect(try await cache.entry(for: key) == nil)
        faults.setRule(nil)
        folder.time.advance(by: .seconds(120))
        try await cache.update(metadata { $0.freshness.etag = "new" }, for: key)
        try await cache.flush()
        #expect(try await cache.entry(for: key) == nil)
    }

    @Test func afterClearingNothingIsRefused() async throws {
        let (cache, faults) = try await unwritable(holding: "old")
        try await cache.store(folder.entry("new"), for: key)
        await #expect(throws: ImageError.self) { try await cache.flush() }
        faults.setRule(nil)
        try await cache.removeAll()
        let other = folder.cache()
        try await other.store(folder.entry("another's"), for: key)
        try await other.flush()
        #expect(text(try await cache.entry(for: key)) == "another's")
    }

    @Test func whatIsNotThereNeedsNoRefusal() async throws {
        let (cache, _) = try await unwritable(holding: "old")
        for number in 0..<50 { try await cache.store(folder.entry("bytes"), for: CacheKey("\(number)")) }
        try await cache.store(folder.entry("new"), for: key)
        await #expect(throws: ImageError.self) { try await cache.flush() }
        #expect(cache.state.withLock { $0.refused } == [key.digest])
        var state = DiskCacheState()
        for number in 0..<(DiskCacheState.maximumRefused + 10) { state.refuse(Digest128(high: 0, low: UInt64(number))) }
        #expect(state.refused.count == DiskCacheState.maximumRefused)
    }

    /// A caller that reads metadata, changes it and writes it back may be late.
    @Test(arguments: [false, true]) func metadataOfOlderBytesIsNotGivenToNewerOnes(isWritten: Bool) async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry("old"), for: key)
        try await cache.flush()
        var old = try #require(try await cache.metadata(for: key))
        old.freshness.etag = "old"
        folder.time.advance(by: .seconds(1))
        try await cache.store(folder.entry("new"), for: key)
        if isWritten { try await cache.flush() }
        try await cache.update(old, for: key)
        if isWritten { try await cache.flush() }
        #expect(text(try await cache.entry(for: key)) == "new")
        #expect(try await cache.metadata(for: key)?.freshness.etag == nil)
    }

    @Test func noEntriesAtAll() async throws {
        let cache = folder.cache(change: { $0.countLimit = 0 })
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        #expect(try await cache.entry(for: key) == nil)
        #expect(try folder.entryFiles().isEmpty)
    }
}
