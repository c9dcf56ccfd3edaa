import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetCache

/// Two processes on one folder: an entry that one uses is not removed as unused by the other. // DC-37
@Suite struct DiskCacheSharedUseTests {
    let folder = CacheFolder()
    let used = CacheKey("used by the other one")

    private func day(_ count: Int) { folder.time.advance(by: .seconds(count * 86_400)) }

    private func use(_ cache: DiskCache) async throws {
        #expect(try await cache.entry(for: used) != nil)
        try await cache.flush()
    }

    // DC-37, S3-29
    @Test func roomIsMadeOfWhatNobodyUses() async throws {
        let cache = folder.cache(byteLimit: 10_000)
        for key in [used, CacheKey("unused")] {
            try await cache.store(folder.entry([UInt8](repeating: 1, count: 3000)), for: key)
            try await cache.flush()
            folder.time.advance(by: .seconds(100))
        }
        let other = folder.cache(byteLimit: 10_000)
        try await use(other)
        folder.time.advance(by: .seconds(100))
        try await cache.store(folder.entry([UInt8](repeating: 1, count: 5000)), for: CacheKey("large"))
        try await cache.flush()
        #expect(try await cache.entry(for: used) != nil)
        #expect(try await cache.entry(for: CacheKey("unused")) == nil)
    }

    /// The clock was wrong when the entries were written: their time is not a use, however often they are examined.
    private func storeInTheFuture(_ names: [String]) async throws {
        let first = folder.cache()
        for name in names {
            try await first.store(folder.entry([UInt8](repeating: 1, count: 3000)), for: CacheKey(name))
            try await first.flush()
            try folder.files.setModified(
                first.path(for: CacheKey(name)), to: folder.time.now + .seconds(10 * 365 * 86_400))
        }
    }

    @Test func whatWasWrittenInTheFutureLeavesFirst() async throws {
        try await storeInTheFuture(["future"])
        let cache = folder.cache(byteLimit: 10_000)
        _ = try await cache.usage()
        folder.time.advance(by: .seconds(100))
        try await cache.store(folder.entry([UInt8](repeating: 1, count: 3000)), for: used)
        try await cache.flush()
        folder.time.advance(by: .seconds(100))
        try await cache.store(folder.entry([UInt8](repeating: 1, count: 5000)), for: CacheKey("large"))
        try await cache.flush()
        #expect(try await cache.entry(for: used) != nil)
        #expect(await !cache.contains(CacheKey("future")))
    }

    /// Examining all of them takes longer than a second; room is made nevertheless.
    @Test func roomIsMadeOfTheFuture() async throws {
        try await storeInTheFuture(["1", "2", "3"])
        let time = folder.time
        let looks = Atomic(0)
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(byteLimit: 10_000, files: faults)
        _ = try await cache.usage()
        let name = cache.path(for: CacheKey("1")).dropLast(EntryName.length + 3)
        faults.setRule { call, path, _, _ in
            guard call == .status, path.hasPrefix(name), path.utf8.count > name.utf8.count + 3 else { return nil }
            if looks.add(1, ordering: .relaxed).newValue < 1000 { time.advance(by: .seconds(2)) }
            return nil
        }
        folder.time.advance(by: .seconds(100))
        try await cache.store(folder.entry([UInt8](repeating: 1, count: 3000)), for: used)
        try await cache.flush()
        #expect(looks.load(ordering: .relaxed) < 100)
        #expect(try folder.entryFiles().count == 3)
    }

    @Test func theFutureEndsToo() async throws {
        try await storeInTheFuture(["1", "2"])
        let cache = folder.cache()
        _ = try await cache.usage()
        day(6)
        #expect(try await cache.entry(for: CacheKey("1")) != nil)
        try await cache.flush()
        day(3)
        try await cache.removeExpired()
        #expect(try folder.entryFiles() == [cache.path(for: CacheKey("1"))])
        day(1)
        try await cache.removeAll(unusedFor: .seconds(3 * 86_400))
        #expect(try folder.entryFiles() == [])
    }

    @Test func itsTimeBeginsAnewForBoth() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry("bytes"), for: used)
        try await cache.flush()
        let other = folder.cache()
        _ = try await other.usage()
        day(5)
        try await use(other)
        day(5)
        // Ten days after this one last saw it used, five after it was.
        try await cache.removeExpired()
        try await cache.store(folder.entry("more"), for: CacheKey("cleans a little on the way"))
        try await cache.flush()
        try await cache.removeAll(unusedFor: .seconds(7 * 86_400))
        #expect(try await cache.entry(for: used) != nil)
        #expect(folder.observer.count("cleaned") == 0)
        day(10)
        try await cache.removeExpired()
        #expect(try await cache.entry(for: used) == nil)
    }

    @Test func aReadAsksTheFileBeforeItIsAMiss() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry("bytes"), for: used)
        try await cache.flush()
        try await use(cache)
        let other = folder.cache()
        day(5)
        try await use(other)
        day(5)
        #expect(try await cache.entry(for: used) != nil)
        #expect(try await other.metadata(for: used) != nil)
    }
}
