import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetCache

/// A disk that hangs holds up neither those who give up nor other disks.
@Suite(.timeLimit(.minutes(2))) struct DiskCacheCancelTests {
    private let folder = CacheFolder()

    /// The cache writes one entry, and does not get on before `goesOn`.
    private func hanging(_ goesOn: Flag) async throws -> DiskCache {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        try await cache.store(folder.entry([1]), for: CacheKey("old"))
        try await cache.flush()
        let arrived = AsyncGate()
        faults.setRule { call, path, _, _ in
            guard call == .write, path.hasSuffix(".tmp") else { return nil }
            arrived.open()
            goesOn.wait()
            return nil
        }
        try await cache.store(folder.entry([2]), for: CacheKey("new"))
        await arrived.wait()
        return cache
    }

    @Test(arguments: 0..<6) func `Whoever waits for a disk that hangs may give up`(_ call: Int) async throws {
        let goesOn = Flag()
        let cache = try await hanging(goesOn)
        let ended = Mutex<ImageError.Code??>(nil)
        let task = Task { @Sendable in
            let code = await failureCode {
                switch call {
                case 0: try await cache.flush()
                case 1: try await cache.remove(CacheKey("new"))
                case 2: try await cache.removeAll(prefix: "new")
                case 3: try await cache.removeAll()
                case 4: _ = try await cache.usage()
                default: try await cache.removeExpired()
                }
            }
            ended.withLock { $0 = .some(code) }
        }
        #expect(await eventually { cache.state.withLock { $0.waiterCount == 1 } })
        task.cancel()
        #expect(await eventually { ended.withLock { $0 } == .some(.cancelled) }, "it waits although it was cancelled")
        // One that is cancelled already does not begin to wait.
        goesOn.set()
        await task.value
        try await cache.flush()
        try await cache.store(folder.entry([3]), for: CacheKey("later"))
        try await cache.flush()
        #expect(try await cache.entry(for: CacheKey("later"))?.bytes.count == 1)
        #expect(cache.state.withLock { $0.waiterCount == 0 })
    }

    @Test func `Caches have threads of their own`() async throws {
        let goesOn = Flag()
        defer { goesOn.set() }
        let arrived = AsyncGate()
        let files = FaultyFileSystem(folder.files) { call, _, _, _ in
            guard call == .readParts else { return nil }
            arrived.open()
            goesOn.wait()
            return nil
        }
        // All of its threads hang; the other one's do not.
        let hung = DiskCache(DiskCacheConfiguration(directory: folder.path), files: files)
        let reads = (0..<64).map { index in Task { try? await hung.entry(for: CacheKey("\(index)")) } }
        await arrived.wait()
        let other = CacheFolder()
        let cache = DiskCache(DiskCacheConfiguration(directory: other.path), files: other.files)
        let entries = Mutex(0)
        let task = Task { @Sendable in
            try await cache.store(other.entry([1]), for: CacheKey("a"))
            try await cache.flush()
            entries.withLock { $0 = 1 }
        }
        #expect(await eventually { entries.withLock { $0 } == 1 })
        goesOn.set()
        try await task.value
        for read in reads { _ = await read.value }
    }
}
