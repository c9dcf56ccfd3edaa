import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Synchronization
import Testing

@testable import GannetCache

/// A cache that finds its folder gone forgets the old entries, but not those stored since. // DC-22, DC-35
@Suite struct DiskCacheGoneTests {
    let folder = CacheFolder()
    let key = CacheKey("https://example.org/a.png")

    /// Trusts the index without looking at the folder.
    private func soleOwner(_ files: FaultyFileSystem) -> DiskCache {
        folder.cache(files: files, change: { $0.isSoleOwner = true })
    }

    private func expectStored(_ cache: DiskCache) async throws {
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("new".utf8))
        #expect(try await cache.usage().count == 1)
        #expect(try folder.entryFiles() == [cache.path(for: key)])
    }

    @Test func storingWhileUsageFindsNoFolder() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = soleOwner(faults)
        _ = try await cache.usage()
        let (arrived, mayGoOn) = (AsyncGate(), Flag())
        let isFirst = Atomic(true)
        faults.setRule { call, path, _, _ in
            guard call == .status, path.hasSuffix("/entries-1"), isFirst.exchange(false, ordering: .acquiringAndReleasing) else {
                return nil
            }
            arrived.open()
            mayGoOn.wait()
            return ENOENT
        }
        async let usage = cache.usage()
        await arrived.wait()
        try await cache.store(folder.entry("new"), for: key)
        try await cache.flush()
        mayGoOn.set()
        _ = try await usage
        try await expectStored(cache)
    }

    @Test func storingWhileTheFolderIsMadeAnew() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = soleOwner(faults)
        try await cache.store(folder.entry("old"), for: CacheKey("old"))
        try await cache.flush()
        let entries = folder.path + "/entries-1"
        try folder.files.rename(entries, to: folder.path + "/moved")
        #expect(symlink(folder.path + "/moved", entries) == 0)
        let (arrived, mayGoOn) = (AsyncGate(), Flag())
        let isFirst = Atomic(true)
        faults.setRule { call, _, _, _ in
            guard call == .lock, isFirst.exchange(false, ordering: .acquiringAndReleasing) else { return nil }
            arrived.open()
            mayGoOn.wait()
            return nil
        }
        async let cleaned: Void = cache.removeAll(unusedFor: .zero)
        await arrived.wait()
        try await cache.store(folder.entry("new"), for: key)
        try await cache.flush()
        mayGoOn.set()
        try await cleaned
        try await expectStored(cache)
    }
}
