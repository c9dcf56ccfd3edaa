import GannetCore
import GannetPipeline
import GannetTesting
import Testing

/// Two processes on one folder: what one of them uses, the other does not throw away as unused. // DC-37
@Suite struct DiskCacheSharedUseTests {
    let folder = CacheFolder()
    let used = CacheKey("used by the other one")

    private func day(_ count: Int) { folder.time.advance(by: .seconds(count * 86_400)) }

    private func use(_ cache: DiskCache) async throws {
        #expect(try await cache.entry(for: used) != nil)
        try await cache.flush()
    }

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
