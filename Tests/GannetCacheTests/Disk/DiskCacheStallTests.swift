import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetCache

/// A disk that accepts nothing delays no image for longer than a moment. // DC-22, DC-35
@Suite struct DiskCacheStallTests {
    let folder = CacheFolder()
    let patience = StoreLine.patience

    private func entry(_ count: Int) -> CacheEntry { folder.entry([UInt8](repeating: 1, count: count)) }

    /// A cache whose disk stands still until `goesOn`.
    private struct Stalled {
        let cache: DiskCache
        let goesOn = Flag()
    }

    /// There is an old entry `c`; `a` is being written, `b` waits, and nothing else has room.
    private func stalled() async throws -> Stalled {
        let faults = FaultyFileSystem(folder.files)
        let stalled = Stalled(cache: folder.cache(files: faults, change: { $0.stagingBytes = 1000 }))
        try await stalled.cache.store(entry(10), for: CacheKey("c"))
        try await stalled.cache.flush()
        let arrived = AsyncGate()
        let goesOn = stalled.goesOn
        faults.setRule { call, path, _, _ in
            guard call == .write, path.hasSuffix(".tmp") else { return nil }
            arrived.open()
            goesOn.wait()
            return nil
        }
        try await stalled.cache.store(entry(300), for: CacheKey("a"))
        await arrived.wait()
        try await stalled.cache.store(entry(600), for: CacheKey("b"))
        return stalled
    }

    @Test func storesDoNotWaitForADiskThatStandsStill() async throws {
        let stalled = try await stalled()
        defer { stalled.goesOn.set() }
        let cache = stalled.cache
        async let waiting: Void = cache.store(entry(200), for: CacheKey("c"))
        async let behind: Void = cache.store(entry(300), for: CacheKey("d"))
        #expect(await eventually { cache.state.withLock({ $0.line.crowd }) >= 2 })
        await folder.time.waitForSleepers()
        folder.time.advance(by: patience - .milliseconds(1))
        await folder.time.waitForSleepers()
        #expect(folder.observer.events == [])
        #expect(cache.state.withLock { $0.line.crowd } == 2)
        folder.time.advance(by: .milliseconds(1))
        try await waiting
        try await behind
        // Nobody needs to find it out again.
        try await cache.store(entry(300), for: CacheKey("e"))
        #expect(folder.observer.events == ["degraded"])
        #expect(folder.time.sleeperCount == 0)
        for key in ["c", "d", "e"] { #expect(try await cache.entry(for: CacheKey(key)) == nil) }
        #expect(try await cache.entry(for: CacheKey("b"))?.bytes.count == 600)
        // An entry for which there is room is stored nevertheless.
        try await cache.store(entry(50), for: CacheKey("small"))

        stalled.goesOn.set()
        await #expect(throws: ImageError.self) { try await cache.flush() }
        #expect(folder.observer.events == ["degraded", "recovered"])
        let paths = ["a", "b", "small"].map { cache.path(for: CacheKey($0)) }
        #expect(try Set(folder.entryFiles()) == Set(paths))
        try await cache.store(entry(300), for: CacheKey("d"))
        try await cache.flush()
        #expect(try await cache.entry(for: CacheKey("d"))?.bytes.count == 300)
        #expect(try await cache.usage().count == 4)
    }

    @Test func whatMovesInTimeIsWaitedFor() async throws {
        let stalled = try await stalled()
        defer { stalled.goesOn.set() }
        let cache = stalled.cache
        async let waiting: Void = cache.store(entry(300), for: CacheKey("d"))
        await folder.time.waitForSleepers()
        folder.time.advance(by: patience - .milliseconds(1))
        stalled.goesOn.set()
        try await waiting
        try await cache.flush()
        #expect(try await cache.entry(for: CacheKey("d"))?.bytes.count == 300)
        // The task that watched ends automatically.
        await folder.time.waitForSleepers()
        folder.time.advance(by: .milliseconds(1))
        #expect(await eventually { !cache.state.withLock({ $0.line.isWatched }) })
        #expect(folder.observer.events == [])
    }

    @Test func patienceBeginsAnewWithEveryMove() {
        var line = StoreLine()
        func left(at seconds: Int, writing bytes: Int = 0) -> Duration? {
            line.patience(at: .seconds(seconds), writing: bytes)
        }
        #expect(left(at: 100) == nil)
        let first = line.join(at: .seconds(100))
        #expect(left(at: 104) == patience - .seconds(4))
        // A later arrival does not extend the wait.
        let second = line.join(at: .seconds(104))
        #expect(left(at: 104) == patience - .seconds(4))
        let hadStood = line.moved(at: .seconds(104))
        #expect(!hadStood && left(at: 104) == patience)
        // A large entry may take longer.
        #expect(left(at: 110, writing: 20_000_000) == patience + .seconds(14))
        #expect(line.isFirst(first) && !line.isFirst(second))
        line.letFirstIn()
        #expect(left(at: 110) == nil)
        #expect(line.isStalled && line.crowd == 0 && line.isTurnedAway(second))
        let stoodStill = line.moved(at: .seconds(111))
        #expect(stoodStill && !line.isStalled && line.isFirst(nil))
        let next = line.join(at: .seconds(111))
        #expect(line.isFirst(next) && !line.isTurnedAway(next))
    }
}
