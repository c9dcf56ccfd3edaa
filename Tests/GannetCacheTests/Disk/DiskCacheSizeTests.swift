import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// The folder, measured by walking it, stays within the limit while the cache is used. // DC-13, DC-14, U-06
@Suite struct DiskCacheSizeTests {
    @Test(arguments: 1...12) func folderStaysWithinTheLimit(seed: UInt64) async throws {
        let folder = CacheFolder()
        var chance = SeededGenerator(seed: seed)
        let limit = Int.random(in: 2000...60_000, using: &chance)
        let largest = 9000
        var cache = folder.cache(byteLimit: limit)
        for step in 0..<150 {
            let key = CacheKey("k\(UInt64.random(in: 0..<40, using: &chance))")
            switch UInt64.random(in: 0..<20, using: &chance) {
            case 0..<13:
                try await cache.store(
                    folder.entry([UInt8](repeating: 1, count: Int.random(in: 0...largest, using: &chance))), for: key)
            case 13..<16: _ = try await cache.entry(for: key)
            case 16: try await cache.remove(key)
            case 17: try await cache.trim(toBytes: limit / 2)
            case 18:
                folder.time.advance(by: .seconds(3600 * 24))
                try await cache.removeExpired()
            default:
                try await cache.flush()
                // A new run over the same files.
                cache = folder.cache(byteLimit: limit)
            }
            // Two threads write at most, each one file.
            #expect(try folder.sizeOnDisk() <= limit + 2 * (largest + 200), "step \(step)")
        }
        let usage = try await cache.usage()
        #expect(try folder.sizeOnDisk() <= limit)
        #expect(usage.bytes == (try folder.entryFiles().reduce(0) { $0 + (try folder.files.status($1).size) }))
        #expect(usage.count == (try folder.entryFiles().count))
    }

    // S3-09
    @Test func concurrentWritersStayWithinTheLimit() async throws {
        let folder = CacheFolder()
        let cache = folder.cache(byteLimit: 50_000)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<60 {
                        let key = CacheKey("k\((round * 5 + worker) % 37)")
                        let bytes = [UInt8](repeating: UInt8(worker), count: 100 + round * 40)
                        try? await cache.store(folder.entry(bytes), for: key)
                        let found = try? await cache.entry(for: CacheKey("k\(round % 37)"))?.bytes.contiguous()
                        if let found { #expect(Set(found).count == 1) }
                        let size = (try? folder.sizeOnDisk()) ?? 0
                        #expect(size <= 50_000 + 2 * 2700)
                    }
                }
            }
        }
        try await cache.flush()
        #expect(try folder.sizeOnDisk() <= 50_000)
    }

    /// Two caches, as two processes would be, on one folder: safe, and together within the limit once both are quiet. // DC-37, U-32
    // S3-29
    @Test(arguments: 1...4) func twoCachesShareAFolder(seed: UInt64) async throws {
        let folder = CacheFolder()
        let limit = 40_000
        let caches = [folder.cache(byteLimit: limit), folder.cache(byteLimit: limit)]
        for cache in caches { _ = try await cache.usage() }
        folder.time.advance(by: .seconds(2))
        await withTaskGroup(of: Void.self) { group in
            for (number, cache) in caches.enumerated() {
                group.addTask {
                    var chance = SeededGenerator(seed: seed * 10 + UInt64(number))
                    for _ in 0..<80 {
                        let name = UInt64.random(in: 0..<30, using: &chance)
                        let key = CacheKey("k\(name)")
                        switch UInt64.random(in: 0..<6, using: &chance) {
                        case 0..<3:
                            let count = Int.random(in: 1...4000, using: &chance)
                            try? await cache.store(folder.entry([UInt8](repeating: UInt8(name), count: count)), for: key)
                        case 3..<5:
                            if let found = try? await cache.entry(for: key)?.bytes.contiguous() {
                                #expect(found.allSatisfy { $0 == UInt8(name) })
                            }
                        default: try? await cache.remove(key)
                        }
                    }
                }
            }
        }
        for cache in caches {
            try await cache.store(folder.entry("end"), for: CacheKey("end"))
            try await cache.flush()
        }
        #expect(try folder.sizeOnDisk() <= limit)
        #expect(folder.observer.count("corrupt") == 0)
        #expect(try await caches[0].entry(for: CacheKey("end")) != nil)
        #expect(try await caches[1].entry(for: CacheKey("end")) != nil)
    }

    /// A cache that opens removes unfinished files of an owner that is gone, and leaves a live owner's files alone.
    @Test func litterOfDeadOwnersIsSwept() async throws {
        let folder = CacheFolder()
        let living = folder.cache()
        _ = try await living.usage()
        let files = folder.files
        let tmp = folder.path + "/tmp/"
        try files.write([[]], toNew: tmp + "00000000deadbeef.lock", sync: false)
        try files.write([[1, 2]], toNew: tmp + "00000000deadbeef-1.tmp", sync: false)
        try files.write([[1, 2]], toNew: tmp + "11111111deadbeef-7.tmp", sync: false)
        let owner = try #require(try files.list(folder.path + "/tmp").first { $0.hasSuffix(".lock") && !$0.contains("dead") })
        let ofTheLiving = tmp + owner.dropLast(".lock".count) + "-99.tmp"
        try files.write([[1, 2]], toNew: ofTheLiving, sync: false)
        let other = folder.cache()
        _ = try await other.usage()
        #expect(try folder.temporaryFiles() == [ofTheLiving])
        #expect(try files.list(folder.path + "/tmp").filter { $0.contains("deadbeef") } == [])
    }

    /// Another folder full of entries replaces the one that was opened: its limit holds from the next write on.
    @Test func folderReplacedWhileOpen() async throws {
        let (folder, other) = (CacheFolder(), CacheFolder())
        let limit = 20_000
        let cache = folder.cache(byteLimit: limit)
        try await cache.store(folder.entry("mine"), for: CacheKey("mine"))
        try await cache.flush()
        do {
            let foreign = other.cache(byteLimit: 100_000)
            for number in 0..<40 {
                try await foreign.store(other.entry([UInt8](repeating: 1, count: 1000)), for: CacheKey("other \(number)"))
            }
            try await foreign.flush()
        }
        let files = folder.files
        try files.rename(folder.path, to: folder.path + "-moved")
        defer { try? CacheFolder.removeTree(folder.path + "-moved") }
        try files.rename(other.path, to: folder.path)
        folder.time.advance(by: .seconds(2))
        for number in 0..<3 {
            try await cache.store(folder.entry("new \(number)"), for: CacheKey("new \(number)"))
            try await cache.flush()
        }
        #expect(try folder.sizeOnDisk() <= limit)
        #expect(try await cache.entry(for: CacheKey("new 2")) != nil)
        let usage = try await cache.usage()
        #expect(usage.count == (try folder.entryFiles().count))
        #expect(usage.bytes == (try folder.entryFiles().reduce(0) { $0 + (try files.status($1).size) }))
    }

    /// The calendar jumps, before or after the entries were stored: right bytes or a miss, and the cache stays usable.
    @Test(arguments: [Int64(10), -10], CacheAgeRule.allCases) func clockJumpsByYears(years: Int64, rule: CacheAgeRule)
        async throws
    {
        let folder = CacheFolder()
        let cache = folder.cache(change: { $0.ageRule = rule })
        let start = folder.time.now
        try await cache.store(folder.entry("before"), for: CacheKey("before"))
        try await cache.flush()
        folder.time.setCalendar(start + .seconds(years * 365 * 86_400))
        let jumped = folder.cache(change: { $0.ageRule = rule })
        for one in [cache, jumped] {
            if let found = try await one.entry(for: CacheKey("before")) {
                #expect(found.bytes.contiguous() == Array("before".utf8))
            }
            try await one.store(folder.entry("after"), for: CacheKey("after"))
            try await one.flush()
            #expect(try await one.entry(for: CacheKey("after")) != nil)
        }
        // Back again: an entry stored in the wrong year is still found, and expires in time.
        folder.time.setCalendar(start)
        let back = folder.cache(change: { $0.ageRule = rule })
        #expect(try await back.usage().count >= 1)
        if years < 0 {
            folder.time.setCalendar(start + .seconds(8 * 86_400))
            #expect(try await back.entry(for: CacheKey("after")) == nil)
        } else {
            #expect(try await back.entry(for: CacheKey("after")) != nil)
        }
    }
}
