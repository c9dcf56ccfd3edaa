import BenchmarkSupport
import Foundation
import GannetCore
import GannetPipeline

#if Peers
    import GRDB
#endif

private func payload(_ count: Int, _ seed: Int) -> [UInt8] {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}

private func entry(_ bytes: [UInt8]) -> CacheEntry {
    CacheEntry(bytes: ByteRope(bytes), metadata: CacheEntryMetadata(format: "jpeg", storedAt: SystemTimeSource().now))
}

/// The shortest honest way: temporary name, write, rename.
private func posixWrite(_ bytes: [UInt8], _ path: String, sync: Bool) {
    let file = open(path + ".tmp", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    demand(file >= 0 && write(file, bytes, bytes.count) == bytes.count)
    if sync { fsync(file) }
    close(file)
    demand(rename(path + ".tmp", path) == 0)
}

private func posixRead(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    fstat(file, &status)
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { target, count in
        count = max(0, read(file, target.baseAddress, target.count))
    }
}

/// Folders of their own for every run. Nothing is removed before the end: ext4 does not use an inode again that was freed in the
/// last minutes and looks at each of them whenever a file is made, so whoever comes after a removal would be slow.
struct FreshFolders {
    let root: String
    private var number = 0

    init(_ root: String) { self.root = root }

    mutating func next() throws -> String {
        number += 1
        let path = root + "/\(number)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}

/// Stores and reads of 8 KB and 200 KB at equal durability: after the rename, or after the medium answered. The times are those
/// of one operation. Each key is new.
func measureDisk(_ folder: String, sync: Bool) async throws {
    let kind = sync ? "to the medium" : "to the rename"
    var folders = FreshFolders(folder)
    for (size, name, count) in [(8 << 10, "8 KB", sync ? 100 : 1000), (200 << 10, "200 KB", sync ? 50 : 200)] {
        let bytes = payload(size, size)
        let store = "store \(name) \(kind)"
        var current = ""
        func path(_ number: Int) -> String { current + "/file-\(number)" }

        try report(store, "POSIX", count, prepare: { current = try folders.next() }) {
            for number in 0..<count { posixWrite(bytes, path(number), sync: sync) }
        }
        if !sync {
            try report("read \(name)", "POSIX", count) {
                for number in 0..<count { demand(posixRead(path(number)).count == size) }
            }
        }
        // Foundation always waits for the medium.
        if sync {
            let data = Data(bytes)
            try report(store, "Foundation", count, prepare: { current = try folders.next() }) {
                for number in 0..<count { try data.write(to: URL(fileURLWithPath: path(number)), options: .atomic) }
            }
        } else {
            try report("read \(name)", "Foundation", count) {
                for number in 0..<count {
                    try demand(Data(contentsOf: URL(fileURLWithPath: path(number))).count == size)
                }
            }
        }

        try await measureGannet(&folders, bytes, count, store: store, read: "read \(name)", sync: sync)
        #if Peers
            try measureGRDB(&folders, bytes, count, store: store, read: "read \(name)", sync: sync)
        #endif
    }
}

/// Reads of 8 KB by POSIX and by the cache in turn, round by round, and the quotient of their medians: for a busy machine, and for a
/// profiler.
func compareReads(_ folder: String) async throws {
    let (count, rounds) = (1000, 60)
    let bytes = payload(8 << 10, 8)
    var folders = FreshFolders(folder)
    let plain = try folders.next()
    for number in 0..<count { posixWrite(bytes, plain + "/file-\(number)", sync: false) }
    let cache = DiskCache(DiskCacheConfiguration(directory: try folders.next(), byteLimit: 4 << 30))
    let keys = (0..<count).map { CacheKey("https://example.org/\($0)") }
    for key in keys { try await cache.store(entry(bytes), for: key) }
    try await cache.flush()
    var times: [(posix: Double, gannet: Double)] = []
    for _ in 0..<rounds {
        let start = processorTime()
        for number in 0..<count { demand(posixRead(plain + "/file-\(number)").count == bytes.count) }
        let middle = processorTime()
        for key in keys { try demand(cache.blockingEntry(for: key, touch: true)?.bytes.count == bytes.count) }
        times.append((middle - start, processorTime() - middle))
    }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] * 1e6 / Double(count) }
    let (posix, gannet) = (median(times.map(\.posix)), median(times.map(\.gannet)))
    let ratio = times.map { $0.gannet / $0.posix }.sorted()[rounds / 2]
    print("read 8 KB: POSIX \(Int(posix)) ns, gannet \(Int(gannet)) ns, \(Double(Int(ratio * 100)) / 100) times")
}

private func measureGannet(
    _ folders: inout FreshFolders, _ bytes: [UInt8], _ count: Int, store: String, read: String, sync: Bool
) async throws {
    /// A cache that is in use: its subfolders are there.
    func fresh(_ directory: String) async throws -> DiskCache {
        for shard in 0..<256 {
            let name = String(shard + 256, radix: 16).dropFirst()
            try FileManager.default.createDirectory(atPath: "\(directory)/entries-1/\(name)", withIntermediateDirectories: true)
        }
        let cache = DiskCache(
            DiskCacheConfiguration(directory: directory, byteLimit: 4 << 30, durability: sync ? .sync : .rename))
        _ = try await cache.usage()
        return cache
    }
    var cache = try await fresh(folders.next())
    try await report(store, "gannet", count, prepare: { cache = try await fresh(folders.next()) }) {
        for number in 0..<count { try await cache.store(entry(bytes), for: CacheKey("https://example.org/\(number)")) }
        try await cache.flush()
    }
    try await report(store + ", one by one", "gannet", count, prepare: { cache = try await fresh(folders.next()) }) {
        for number in 0..<count {
            try await cache.store(entry(bytes), for: CacheKey("https://example.org/\(number)"))
            try await cache.flush()
        }
    }
    if sync { return }
    let keys = (0..<count).map { CacheKey("https://example.org/\($0)") }
    try report(read, "gannet", count) {
        for key in keys { try demand(cache.blockingEntry(for: key, touch: true)?.bytes.count == bytes.count) }
    }
    try await report(read + ", asynchronous", "gannet", count) {
        for key in keys { try await demand(cache.entry(for: key, touch: true)?.bytes.count == bytes.count) }
    }
}

#if Peers
    private func measureGRDB(
        _ folders: inout FreshFolders, _ bytes: [UInt8], _ count: Int, store: String, read: String, sync: Bool
    ) throws {
        var pool: DatabasePool?
        let data = Data(bytes)
        func prepare() throws {
            pool = nil
            let folder = try folders.next()
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = \(sync ? "FULL" : "NORMAL")") }
            pool = try DatabasePool(path: folder + "/db", configuration: configuration)
            try pool?.write { try $0.execute(sql: "CREATE TABLE entry (key TEXT PRIMARY KEY, bytes BLOB)") }
        }
        try report(store, "GRDB", count, prepare: prepare) {
            for number in 0..<count {
                try pool?.write {
                    try $0.execute(
                        sql: "INSERT INTO entry VALUES (?, ?)", arguments: ["https://example.org/\(number)", data])
                }
            }
        }
        if !sync {
            try report(read, "GRDB", count) {
                for number in 0..<count {
                    let found = try pool?.read {
                        try Data.fetchOne(
                            $0, sql: "SELECT bytes FROM entry WHERE key = ?", arguments: ["https://example.org/\(number)"])
                    }
                    demand(found?.count == data.count)
                }
            }
        }
    }
#endif

/// Opening, trimming and verifying with so many entries of 100 bytes: once each, because filling takes long.
func measureGrowth(_ folder: String, _ count: Int) async throws {
    try? FileManager.default.removeItem(atPath: folder)
    func once(_ name: String, _ divisor: Int = 1, _ work: () async throws -> Void) async rethrows {
        let (start, wallStart) = (processorTime(), wallTime())
        try await work()
        var result = Measurement(
            group: "caches", name: "\(name), \(count) entries", median: (processorTime() - start) / Double(divisor), best: 0,
            wall: (wallTime() - wallStart) / Double(divisor))
        result.best = result.median
        print(result.json)
        fflush(nil)
    }
    let configuration = DiskCacheConfiguration(directory: folder, byteLimit: .max)
    let bytes = payload(100, 1)
    do {
        let cache = DiskCache(configuration)
        try await once("fill, each", count) {
            for number in 0..<count { try await cache.store(entry(bytes), for: CacheKey("https://example.org/\(number)")) }
            try await cache.flush()
        }
    }
    try await once("open and find one") {
        let cache = DiskCache(configuration)
        try await demand(cache.entry(for: CacheKey("https://example.org/7"))?.bytes.count == 100)
    }
    let cache = DiskCache(configuration)
    try await once("open and count all") { try await demand(cache.usage().count == count) }
    try await once("count again") { try await demand(cache.usage().count == count) }
    try await once("verify all") { try await demand(cache.verify().intact == count) }
    let half = try await cache.usage().bytes / 2
    try await once("trim to half") { try await cache.trim(toBytes: half) }
    try await once("remove the rest") { try await cache.removeAll() }
    try? FileManager.default.removeItem(atPath: folder)
}
