import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetCache

/// Files left by a failure are removed, and counts that it made wrong are corrected. // DC-14, DC-33, DC-37
@Suite struct DiskCacheLeftoverTests {
    let folder = CacheFolder()

    private func store(_ cache: DiskCache, _ name: String) async throws {
        try await cache.store(folder.entry([UInt8](repeating: 1, count: 1000)), for: CacheKey(name))
        try await cache.flush()
    }

    private func leftovers() throws -> [String] {
        try folder.allFiles().filter { $0.hasPrefix(folder.path + "/tmp/") && !$0.hasSuffix(".lock") }
    }

    /// Files in `tmp` are not counted.
    @Test func whatCouldNotBeRemovedIsSweptByItsOwner() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        for number in 0..<5 { try await store(cache, "\(number)") }
        faults.setRule { call, path, _, _ in
            call == .list && path.contains(".tmp/") ? 24 : call == .remove && path.hasSuffix(".tmp") ? 5 : nil
        }
        await #expect(throws: ImageError.self) { try await cache.removeAll() }
        #expect(try await cache.usage().count == 0)
        #expect(try leftovers().count == 5)
        faults.setRule { call, path, _, _ in
            call == .rename || (call == .remove && path.hasSuffix(".tmp")) ? 5 : nil
        }
        await #expect(throws: ImageError.self) { try await store(cache, "not renamed") }
        #expect(try folder.temporaryFiles().count == 1)
        faults.setRule(nil)
        folder.time.advance(by: .seconds(2))
        try await store(cache, "the next")
        #expect(try folder.files.list(folder.path + "/tmp").filter { !$0.hasSuffix(".lock") } == [])
        #expect(try folder.entryFiles().count == 1)
    }

    /// Of a tree in which one file cannot be removed, all others are.
    @Test func oneFileThatStaysKeepsNoOthers() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        for number in 0..<20 { try await store(cache, "\(number)") }
        let stuck = EntryName(CacheKey("7")).text
        faults.setRule { call, path, _, _ in call == .remove && path.hasSuffix(stuck) ? 1 : nil }
        await #expect(throws: ImageError.self) { try await cache.removeAll() }
        let left = try leftovers()
        #expect(left.count == 1 && left[0].hasSuffix(stuck))
    }

    /// A full disk accepts no records; once there is space again, the other owners learn of everything done meanwhile.
    @Test func whatWasNotRecordedIsToldLater() async throws {
        let files = HookedFileSystem()
        let cache = folder.cache(files: files)
        try await store(cache, "first")
        let other = folder.cache()
        #expect(try await other.usage().count == 1)
        files.losesRecords.store(true, ordering: .releasing)
        for number in 0..<10 { try await store(cache, "\(number)") }
        files.losesRecords.store(false, ordering: .releasing)
        try await store(cache, "last")
        try await store(other, "its own")
        #expect(try await other.usage().count == 13)
    }

    /// A scan of the folder starts afresh: files found by an earlier attempt may be gone.
    @Test func aLaterLookForgetsTheEarlierOne() async throws {
        let other = folder.cache()
        for number in 0..<4 { try await store(other, "\(number)") }
        let faults = FaultyFileSystem(folder.files) { call, _, _, _ in call == .lock ? 13 : nil }
        let cache = folder.cache(files: faults)
        #expect(try await cache.usage().count == 4)
        try await other.remove(CacheKey("0"))
        try await other.remove(CacheKey("1"))
        // Removed by this cache while it cannot write, and stored again by the other one.
        try await cache.remove(CacheKey("2"))
        try await store(other, "2")
        await #expect(throws: ImageError.self) { try await cache.flush() }
        faults.setRule(nil)
        folder.time.advance(by: .seconds(61))
        try await store(cache, "4")
        #expect(try await cache.usage().count == 3)
        #expect(try folder.entryFiles().count == 3)
    }

    /// A tag that has no effect for backups, because the disk was full when it was written.
    @Test(arguments: [FaultyFileSystem.Call.write, .rename]) func noHalfTag(call: FaultyFileSystem.Call) async throws {
        let faults = FaultyFileSystem(folder.files, rule: FaultyFileSystem.fail(call, number: 1, errno: 28))
        let cache = folder.cache(files: faults)
        await #expect(throws: ImageError.self) { try await store(cache, "lost") }
        folder.time.advance(by: .seconds(61))
        try await store(cache, "kept")
        #expect(try folder.files.status(folder.path + "/CACHEDIR.TAG").size == DiskFolder.tag.count)
        #expect(try folder.temporaryFiles() == [])
    }
}
