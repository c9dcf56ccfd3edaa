import Foundation
import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// The folder fails under our feet: right bytes or a miss, one report, and recovery. // DC-32, DC-33, U-05
@Suite struct DiskCacheFaultTests {
    static let kinds: [FaultyFileSystem.Call] = [
        .readParts, .write, .rename, .remove, .makeDirectory, .list, .status, .setModified, .lock, .removeDirectory,
    ]

    /// A seeded mixture of everything, compared with a model after each step; then the fault ends, and all must be well.
    /// Returns how many calls failed.
    private func run(_ rule: @escaping FaultyFileSystem.Rule, steps: Int = 30) async throws -> Int {
        let folder = CacheFolder()
        let faults = FaultyFileSystem(folder.files, rule: rule)
        let cache = folder.cache(byteLimit: 40_000, files: faults)
        var chance = SeededGenerator(seed: 7)
        var model: [CacheKey: [UInt8]] = [:]
        for step in 0..<steps {
            let key = CacheKey("k\(UInt64.random(in: 0..<8, using: &chance))")
            switch UInt64.random(in: 0..<10, using: &chance) {
            case 0..<5:
                let count = Int.random(in: 1...9000, using: &chance)
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: step), count: count)
                try await cache.store(folder.entry(bytes), for: key)
                model[key] = bytes
                if step % 3 == 0 { try? await cache.flush() }
            case 5..<8: break
            case 8:
                try? await cache.remove(key)
                model[key] = nil
            default: try? await cache.trim(toBytes: 20_000)
            }
            for name in 0..<8 {
                let key = CacheKey("k\(name)")
                if let found = try await cache.entry(for: key)?.bytes.contiguous() {
                    #expect(found == model[key], "\(key) after step \(step)")
                }
            }
            #expect(try folder.sizeOnDisk() <= 40_000 + 2 * 9200)
        }
        // The cause is gone. Calls still running have seen it, and remember when: time only advances after that.
        faults.setRule(nil)
        // A scan of the folder that runs now belongs to no write: the count waits for it.
        _ = try? await cache.usage()
        try? await cache.flush()
        #expect(folder.observer.count("degraded") <= 1 + folder.observer.count("recovered"))
        folder.time.advance(by: .seconds(61))
        try await cache.store(folder.entry("well again"), for: CacheKey("last"))
        try await cache.flush()
        #expect(try await cache.entry(for: CacheKey("last"))?.bytes.contiguous() == Array("well again".utf8))
        #expect(folder.observer.count("degraded") == folder.observer.count("recovered"))
        let later = folder.cache(byteLimit: 40_000)
        #expect(try await later.entry(for: CacheKey("last")) != nil)
        #expect(try await later.usage().bytes <= 40_000)
        return faults.failureCount
    }

    // DC-09, CG-08, S3-08
    @Test(arguments: kinds) func theNthCallFails(kind: FaultyFileSystem.Call) async throws {
        var reached = 0
        for number in 1...200 {
            let errno: Int32 = [5, 28, 24, 30, 13, 12][number % 6]
            let failures = try await run(FaultyFileSystem.fail(kind, number: number, errno: errno))
            // The mixture makes fewer calls of this kind: higher numbers would not be reached either.
            if failures == 0 { break }
            reached += 1
        }
        #expect(reached > 0 || kind == .removeDirectory)
    }

    @Test(arguments: kinds, [5, 28, 24, 30] as [Int32]) func allCallsFailFromTheNthOn(kind: FaultyFileSystem.Call, errno: Int32)
        async throws
    {
        for number in [1, 2, 5, 12, 30] {
            _ = try await run(FaultyFileSystem.fail(kind, number: number, errno: errno, forever: true))
        }
    }

    @Test(arguments: 1...30) func randomCallsFail(seed: UInt64) async throws {
        _ = try await run { _, _, _, ofAll in
            var chance = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(ofAll))
            return UInt64.random(in: 0..<20, using: &chance) == 0 ? [5, 28, 24, 30][ofAll % 4] : nil
        }
    }

    /// A failed write is reported by every flush that waited for it, and by no later one.
    @Test func flushTellsFailuresOnce() async throws {
        let folder = CacheFolder()
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        _ = try await cache.usage()
        faults.setRule(FaultyFileSystem.fail(.rename, number: faults.count(of: .rename) + 1, errno: 5))
        try await cache.store(folder.entry("a"), for: CacheKey("a"))
        let failure = await #expect(throws: ImageError.self) { try await cache.flush() }
        #expect((failure?.underlying as? FileSystemFailure)?.errno == 5)
        try await cache.flush()
        #expect(try await cache.entry(for: CacheKey("a")) == nil)
    }

    /// Measures the folder inside every call: whatever is removed or written at this moment, the files are within the limit plus
    /// one entry for each running write. // DC-14
    // U-06, S3-09
    @Test(arguments: 1...3) func withinTheLimitDuringEveryCall(seed: UInt64) async throws {
        let folder = CacheFolder()
        let excess = Atomic(0)
        let limit = 12_000
        let faults = FaultyFileSystem(folder.files) { call, _, _, _ in
            guard call == .remove || call == .rename || call == .write else { return nil }
            let size = (try? folder.sizeOnDisk()) ?? 0
            excess.max(size - limit, ordering: .relaxed)
            return nil
        }
        let cache = folder.cache(byteLimit: limit, files: faults)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<3 {
                group.addTask {
                    var chance = SeededGenerator(seed: seed * 10 + UInt64(worker))
                    for _ in 0..<40 {
                        let key = CacheKey("k\(UInt64.random(in: 0..<20, using: &chance))")
                        let count = Int.random(in: 1...3000, using: &chance)
                        try? await cache.store(folder.entry([UInt8](repeating: 1, count: count)), for: key)
                    }
                }
            }
        }
        try await cache.flush()
        // Room is made first, so nothing exceeds the limit at all while one process writes.
        #expect(excess.load(ordering: .relaxed) <= 0)
    }

    /// Subfolders count as files do, and there are more of them than this disk has room for.
    @Test func aDiskWithFewFilesLeftGoesOnStoring() async throws {
        let folder = CacheFolder()
        let faults = FaultyFileSystem(folder.files) { [path = folder.path] call, _, _, _ in
            guard call == .makeDirectory || call == .write else { return nil }
            let inside = FileManager.default.enumerator(atPath: path)?.allObjects.count ?? 0
            return inside < 24 ? nil : 28
        }
        let cache = folder.cache(byteLimit: 1_000_000, files: faults)
        for number in 0..<100 {
            let key = CacheKey("https://example.org/\(number)")
            try await cache.store(folder.entry("\(number)"), for: key)
            try await cache.flush()
            #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("\(number)".utf8))
        }
        // It becomes smaller without end, so the operator is told, once.
        #expect(faults.failureCount > 10)
        #expect(folder.observer.count("degraded") == 1 && folder.observer.count("recovered") == 0)
        faults.setRule(nil)
        folder.time.advance(by: .seconds(59))
        try await cache.store(folder.entry("a"), for: CacheKey("a"))
        try await cache.flush()
        #expect(folder.observer.count("recovered") == 0)
        folder.time.advance(by: .seconds(1))
        try await cache.store(folder.entry("b"), for: CacheKey("b"))
        try await cache.flush()
        #expect(folder.observer.count("degraded") == 1 && folder.observer.count("recovered") == 1)
    }

    // DC-33
    @Test func everythingFails() async throws {
        _ = try await run { _, _, _, _ in 5 }
    }
}
