import BenchmarkSupport
import Foundation
import GannetCache
import GannetCore
import GannetPlatform

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

/// One operation of one contender, many times in each round. `numbers`: names that no earlier round had, for stores; reads get those
/// that were stored in this round and the three before.
private struct Step {
    var name: String
    var work: (_ numbers: Range<Int>) async throws -> Void

    init(_ name: String, _ work: @escaping (_ numbers: Range<Int>) async throws -> Void) {
        self.name = name
        self.work = work
    }
}

/// One way of storing bytes, with a separate folder.
private struct Contender {
    var program: String
    var steps: [Step]
}

/// Stores and reads of 8 KB and 200 KB at equal durability: after the rename, or after the medium has answered. Times are for one
/// operation. Each key is new.
///
/// The contenders take turns, round by round, and each round starts with another one, because the file system's cost differs from
/// minute to minute and from place to place (ext4 does not reuse an inode that was freed in the last minutes, and passes over
/// each of them in its part of the disk whenever a file is made). So all choose a quiet place first, and nothing is removed
/// before the end.
func measureDisk(_ folder: String, sync: Bool) async throws {
    for (size, name, count) in [(8 << 10, "8 KB", sync ? 20 : 60), (200 << 10, "200 KB", sync ? 10 : 30)] {
        let bytes = payload(size, size)
        let root = folder + "/\(size)"
        let store = "store \(name) to the \(sync ? "medium" : "rename")"
        let read = "read \(name)"
        let cache = try await cacheInUse(quietPlace(root + "/gannet", "/tmp", bytes), sync: sync)
        var contenders = [
            gannet(cache, bytes, store, read, sync: sync),
            posix(try quietPlace(root + "/posix", "", bytes), bytes, store, read, sync: sync),
            try foundation(quietPlace(root + "/foundation", "", bytes), bytes, store, read, sync: sync),
        ]
        #if Peers
            try contenders.append(grdb(newFolder(root + "/grdb"), bytes, store, read, sync: sync))
        #endif
        try await takeTurns(contenders, count, rounds: sync ? 15 : 31)
    }
}

/// Medians of all rounds after two to warm up.
private func takeTurns(_ contenders: [Contender], _ count: Int, rounds: Int) async throws {
    var times: [String: [(processor: Double, wall: Double)]] = [:]
    for round in 0..<rounds + 2 {
        for turn in contenders.indices {
            let contender = contenders[(turn + round) % contenders.count]
            for step in contender.steps {
                let first = step.name.hasPrefix("read") ? max(round - 3, 0) : round
                let numbers = first * count..<(round + 1) * count
                let (start, wallStart) = (processorTime(), wallTime())
                try await step.work(numbers)
                if round < 2 { continue }
                times[contender.program + step.name, default: []].append(
                    ((processorTime() - start) / Double(numbers.count), (wallTime() - wallStart) / Double(numbers.count)))
            }
        }
    }
    for contender in contenders {
        for step in contender.steps {
            let all = times[contender.program + step.name] ?? []
            var (processor, wall) = (all.map(\.processor), all.map(\.wall))
            show(step.name, contender.program, &processor, &wall)
        }
    }
}

private func newFolder(_ path: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}

/// A folder in a part of the disk where creating files is cheapest, which is where few were removed lately: the file system's
/// cost would otherwise hide that of the contenders.
private func quietPlace(_ root: String, _ inside: String, _ bytes: [UInt8]) throws -> String {
    func cost(_ place: String) throws -> Double {
        let folder = try newFolder(place + inside)
        let start = processorTime()
        for number in 0..<30 { posixWrite(bytes, "\(folder)/probe-\(number)", sync: false) }
        return processorTime() - start
    }
    spreadFolders(of: try newFolder(root))
    let places = try (0..<32).map { number in (path: "\(root)/\(number)", cost: try cost("\(root)/\(number)")) }
    return places.min { $0.cost < $1.cost }?.path ?? root
}

/// Asks ext4 to make the folders inside in parts of the disk that are far from each other. Other file systems do as they like.
private func spreadFolders(of path: String) {
    let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(file) }
    let (getFlags, setFlags, topOfHierarchy) = (UInt(0x8008_6601), UInt(0x4008_6602), 0x20000)
    var flags = 0
    if ioctl(file, getFlags, &flags) == 0 {
        flags |= topOfHierarchy
        _ = ioctl(file, setFlags, &flags)
    }
}

private func posix(_ folder: String, _ bytes: [UInt8], _ store: String, _ read: String, sync: Bool) -> Contender {
    let storing = Step(store) { for number in $0 { posixWrite(bytes, folder + "/file-\(number)", sync: sync) } }
    let reading = Step(read) { for number in $0 { demand(posixRead(folder + "/file-\(number)").count == bytes.count) } }
    return Contender(program: "POSIX", steps: sync ? [storing] : [storing, reading])
}

/// Foundation's stores always wait for the medium: only where all do are they measured, elsewhere its reads.
private func foundation(_ folder: String, _ bytes: [UInt8], _ store: String, _ read: String, sync: Bool) throws -> Contender {
    let data = Data(bytes)
    func url(_ number: Int) -> URL { URL(fileURLWithPath: folder + "/file-\(number)") }
    if sync {
        return Contender(
            program: "Foundation", steps: [Step(store) { for number in $0 { try data.write(to: url(number), options: .atomic) } }]
        )
    }
    let count = 1000
    for number in 0..<count { posixWrite(bytes, folder + "/file-\(number)", sync: false) }
    return Contender(
        program: "Foundation",
        steps: [Step(read) { for number in $0 { try demand(Data(contentsOf: url(number % count)).count == bytes.count) } }])
}

/// A cache that is in use: its subfolders are there.
private func cacheInUse(_ directory: String, sync: Bool) async throws -> DiskCache {
    for shard in 0..<256 { _ = try newFolder("\(directory)/entries-1/\(String(shard + 256, radix: 16).dropFirst())") }
    let cache = DiskCache(
        DiskCacheConfiguration(directory: directory, byteLimit: 4 << 30, syncsFiles: sync))
    _ = try await cache.usage()
    return cache
}

private func key(_ number: Int) -> CacheKey { CacheKey("https://example.org/\(number)") }

private func gannet(_ cache: DiskCache, _ bytes: [UInt8], _ store: String, _ read: String, sync: Bool) -> Contender {
    let storing = [
        Step(store) {
            for number in $0 { try await cache.store(entry(bytes), for: key(number)) }
            try await cache.flush()
        },
        Step(store + ", one by one") {
            for number in $0 {
                try await cache.store(entry(bytes), for: key(-1 - number))
                try await cache.flush()
            }
        },
    ]
    let reading = [
        Step(read) {
            for number in $0 { try demand(cache.blockingEntry(for: key(number), touch: true)?.bytes.count == bytes.count) }
        },
        // Those that were stored one by one: others than the step before has read.
        Step(read + ", asynchronous") {
            for number in $0 { try await demand(cache.entry(for: key(-1 - number), touch: true)?.bytes.count == bytes.count) }
        },
    ]
    return Contender(program: "gannet", steps: sync ? storing : storing + reading)
}

#if Peers
    private func grdb(_ folder: String, _ bytes: [UInt8], _ store: String, _ read: String, sync: Bool) throws -> Contender {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = \(sync ? "FULL" : "NORMAL")") }
        let pool = try DatabasePool(path: folder + "/db", configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE entry (key TEXT PRIMARY KEY, bytes BLOB)") }
        let data = Data(bytes)
        // Separate functions, so that they call the blocking variants, which cost less.
        func insert(_ number: Int) throws {
            try pool.write {
                try $0.execute(sql: "INSERT INTO entry VALUES (?, ?)", arguments: [key(number).text, data])
            }
        }
        func find(_ number: Int) throws -> Data? {
            try pool.read {
                try Data.fetchOne($0, sql: "SELECT bytes FROM entry WHERE key = ?", arguments: [key(number).text])
            }
        }
        let storing = Step(store) { for number in $0 { try insert(number) } }
        let reading = Step(read) { for number in $0 { try demand(find(number)?.count == data.count) } }
        return Contender(program: "GRDB", steps: sync ? [storing] : [storing, reading])
    }
#endif

/// Opening, trimming and verifying with `count` entries of 100 bytes: once each, because filling takes long.
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
    try await once("verify all") { try await demand(cache.verify().count == count) }
    let half = try await cache.usage().bytes / 2
    try await once("trim to half") { try await cache.trim(toBytes: half) }
    try await once("remove the rest") { try await cache.removeAll() }
    try? FileManager.default.removeItem(atPath: folder)
}
