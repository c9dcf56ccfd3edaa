import GannetCore
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetCache
@testable import GannetPlatform

/// Entries that need no waiting are read on the caller's thread, with all checks of a normal read. // DC-21, DC-22
@Suite struct DiskCacheAtOnceTests {
    private let folder = CacheFolder()
    private let key = CacheKey("https://example.org/a.png")

    private func cache(holding bytes: [UInt8], expiration: CacheExpiration = .standard) async throws -> DiskCache {
        let cache = folder.cache()
        try await cache.store(folder.entry(bytes, expiration: expiration), for: key)
        try await cache.flush()
        return cache
    }

    /// A cache, and how many jobs it gave to the executor for files.
    private func counted() -> (Counter, DiskCache) {
        let jobs = Counter()
        let executor = BlockingExecutor { job, executor in
            jobs.count.add(1, ordering: .relaxed)
            Task(executorPreference: BlockingExecutor.files) { job.runSynchronously(on: executor) }
        }
        return (jobs, DiskCache(DiskCacheConfiguration(directory: folder.path), time: folder.time, executor: executor))
    }

    @Test(.enabled(if: Kernel.tells, Comment(rawValue: Kernel.comment)), arguments: [0, 1, 9000, 200_000]) func readsTakeNoThread(
        count: Int
    )
        async throws
    {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        _ = try await cache(holding: bytes)
        let (jobs, cache) = counted()
        _ = try await cache.usage()
        let before = jobs.count.load(ordering: .relaxed)
        for _ in 0..<100 {
            #expect(try await cache.entry(for: key)?.bytes.contiguous() == bytes)
            #expect(await cache.contains(key))
        }
        // The kernel may say at any time that it would have to wait.
        #expect(jobs.count.load(ordering: .relaxed) < before + 100)
        try await cache.flush()
    }

    /// Also where another process stored it in between.
    @Test(.enabled(if: Kernel.tellsOfMisses, Comment(rawValue: Kernel.comment))) func missesTakeNoThread() async throws {
        let (jobs, cache) = counted()
        _ = try await cache.usage()
        #expect(try await cache.entry(for: key) == nil)
        let before = jobs.count.load(ordering: .relaxed)
        for _ in 0..<100 {
            #expect(try await cache.entry(for: key) == nil)
            #expect(await !cache.contains(key))
        }
        #expect(jobs.count.load(ordering: .relaxed) < before + 100)
        _ = try await self.cache(holding: [1, 2, 3])
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == [1, 2, 3])
        try folder.files.remove(cache.path(for: key))
        #expect(try await cache.entry(for: key) == nil)
        #expect(try await cache.usage().count == 0)
    }

    /// The writers set the file's time, later; `flush` waits for it.
    @Test func useIsWritten() async throws {
        let cache = try await cache(holding: [1, 2, 3])
        let path = cache.path(for: key)
        let before = try folder.files.status(path).modified
        folder.time.advance(by: .seconds(59))
        #expect(try await cache.entry(for: key)?.metadata.lastUsed == folder.time.now)
        try await cache.flush()
        #expect(try folder.files.status(path).modified == before)
        folder.time.advance(by: .seconds(60))
        #expect(try await cache.entry(for: key)?.metadata.lastUsed == folder.time.now)
        try await cache.flush()
        #expect(try folder.files.status(path).modified == folder.time.now)
    }

    /// A use that waits to be written gives way to whatever else is to be done to the file, in each order.
    @Test func usesAndWritesOfOneKey() async throws {
        var queue = WriteQueue()
        let (entry, use) = (folder.entry([1, 2, 3]), DiskOperation.use(folder.time.now))
        for (first, second) in [(use, DiskOperation.store(entry)), (.store(entry), use)] {
            _ = queue.add(first, for: key)
            _ = queue.add(second, for: key)
            #expect(queue.bytes == 3)
            guard case .store(let found)? = queue.take(busy: [], onlyRemovals: false)?.1 else {
                Issue.record("the store is lost")
                return
            }
            #expect(found.bytes.count == 3)
            queue.finish(key)
            #expect(queue.isEmpty && queue.bytes == 0)
        }
        for other in [DiskOperation.remove(.removed), .removeDamaged, .update(entry.metadata)] {
            for (first, second) in [(use, other), (other, use)] {
                _ = queue.add(first, for: key)
                _ = queue.add(second, for: key)
                if case .use? = queue.take(busy: [], onlyRemovals: false)?.1 { Issue.record("\(other) is lost") }
                queue.finish(key)
            }
        }
        #expect(queue.isEmpty && queue.bytes == 0)
    }

    @Test func endedEntryIsAMiss() async throws {
        let cache = try await cache(holding: [1, 2, 3], expiration: .after(.seconds(5)))
        folder.time.advance(by: .seconds(6))
        #expect(try await cache.entry(for: key) == nil)
        try await cache.flush()
        #expect(try folder.entryFiles() == [])
    }

    /// A payload that differs from the stored one is a miss here too, is reported once, and is removed by the writers.
    @Test(arguments: [9000, 200_000]) func damagedPayload(count: Int) async throws {
        let cache = try await cache(holding: [UInt8](repeating: 1, count: count))
        let path = cache.path(for: key)
        var bytes = try folder.files.read(path, maximumBytes: .max, nofollow: true)
        bytes[bytes.count - 1] ^= 1
        try folder.files.remove(path)
        try folder.files.write([bytes], toNew: path, sync: false)
        #expect(try await cache.entry(for: key) == nil)
        #expect(folder.observer.count("corrupt") == 1)
        try await cache.flush()
        #expect(try folder.entryFiles() == [])
    }

    /// When the queue is full, no entry is lost: the waiting stores are let in together, and all are written.
    @Test func crowdIsLetInTogether() async throws {
        let cache = folder.cache(change: { $0.stagingBytes = 4000 })
        let folder = folder
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    try? await cache.store(folder.entry([UInt8](repeating: 1, count: 900)), for: CacheKey("\(number)"))
                    #expect(cache.state.withLock { $0.queue.bytes } <= 4000)
                }
            }
        }
        try await cache.flush()
        #expect(try await cache.usage().count == 64)
        #expect(cache.state.withLock { $0.line.crowd } == 0)
    }
}

private final class Counter: Sendable {
    let count = Atomic(0)
}
