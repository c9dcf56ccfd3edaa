import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Synchronization
import Testing

@testable import GannetCache

/// A caller that waits for the disk cache continues, whatever others do meanwhile. // DC-22, DC-30, DC-35
@Suite struct DiskCacheWaitingTests {
    let folder = CacheFolder()

    /// The first temporary file is not written before `mayGoOn`.
    private func held(_ arrived: AsyncGate, _ mayGoOn: @escaping @Sendable () -> Bool) -> FaultyFileSystem {
        FaultyFileSystem(folder.files) { call, path, _, _ in
            guard call == .write, path.hasSuffix("-1.tmp") else { return nil }
            arrived.open()
            while !mayGoOn() { sched_yield() }
            return nil
        }
    }

    /// An entry stored during a removal of all entries waits until that is over, and is there then.
    @Test func storingWhileClearing() async throws {
        let arrived = AsyncGate()
        let isReleased = Atomic(false)
        let cache = folder.cache(files: held(arrived) { isReleased.load(ordering: .acquiring) })
        try await cache.store(folder.entry("running"), for: CacheKey("running"))
        await arrived.wait()
        try await cache.store(folder.entry("waiting"), for: CacheKey("waiting"))
        async let cleared: Void = cache.removeAll()
        // Clearing begins with what waits.
        #expect(await eventually { (try? cache.blockingEntry(for: CacheKey("waiting"))) == nil })
        try await cache.store(folder.entry("later"), for: CacheKey("later"))
        #expect(try cache.blockingEntry(for: CacheKey("later")) != nil)
        isReleased.store(true, ordering: .releasing)
        try await cleared
        try await cache.flush()
        #expect(try await cache.entry(for: CacheKey("later"))?.bytes.contiguous() == Array("later".utf8))
        #expect(try folder.entryFiles() == [cache.path(for: CacheKey("later"))])
        #expect(try await cache.usage().count == 1)
    }

    /// A read that finds an expired entry while it is stored again does not remove the new one. // DC-09
    @Test func storingWhileAReadFindsTheOldEntryOver() async throws {
        let key = CacheKey("key")
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        try await cache.store(folder.entry("old", expiration: .after(.seconds(10))), for: key)
        try await cache.flush()
        folder.time.advance(by: .seconds(11))
        let (reading, writing) = (AsyncGate(), AsyncGate())
        let (mayRead, mayWrite) = (Flag(), Flag())
        faults.setRule { call, path, _, _ in
            if call == .readParts, !mayRead.isSet {
                reading.open()
                mayRead.wait()
            }
            if call == .write, path.hasSuffix(".tmp") {
                writing.open()
                mayWrite.wait()
            }
            return nil
        }
        async let old = cache.entry(for: key)
        await reading.wait()
        try await cache.store(folder.entry("new"), for: key)
        await writing.wait()
        mayRead.set()
        #expect(try await old == nil)
        mayWrite.set()
        try await cache.flush()
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("new".utf8))
    }

    @Test func whatAReadFoundSaysNothingOfWhatWaits() throws {
        var queue = WriteQueue()
        _ = queue.add(.store(folder.entry("new")), for: CacheKey("key"))
        _ = queue.add(.removeExpired, for: CacheKey("key"))
        guard case .store(let entry) = queue.operations(for: CacheKey("key")).waiting else {
            Issue.record("the entry that waits was lost")
            return
        }
        #expect(entry.bytes.count == 3 && queue.bytes == 3)
    }

    /// The queue of entries to write stays within its limit, however many callers store at once: the others wait. // U-26
    // DC-35
    @Test func theQueueIsBounded() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults, change: { $0.stagingBytes = 1000 })
        _ = try await cache.usage()
        let counts = Counts()
        faults.setRule { call, path, _, _ in
            guard call == .write, path.hasSuffix(".tmp") else { return nil }
            // As many stores as there is room for have arrived: one is being written, two wait.
            while counts.stored.load(ordering: .acquiring) < 3 { sched_yield() }
            for _ in 0..<100 {
                counts.most.max(cache.state.withLock { $0.queue.bytes }, ordering: .relaxed)
                sched_yield()
            }
            return nil
        }
        let folder = folder
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try? await cache.store(folder.entry([UInt8](repeating: 1, count: 300)), for: CacheKey("\(number)"))
                    counts.stored.add(1, ordering: .acquiringAndReleasing)
                }
            }
        }
        try await cache.flush()
        #expect(counts.most.load(ordering: .relaxed) == 900)
        #expect(try await cache.usage().count == 40)
        // One that is larger than the bound is not refused; it goes alone.
        try await cache.store(folder.entry([UInt8](repeating: 1, count: 5000)), for: CacheKey("large"))
        #expect(await cache.contains(CacheKey("large")))
    }

    /// A large one needs the whole queue: small ones that come later do not keep it waiting for as long as they come.
    @Test func theFirstInLineIsLetInFirst() throws {
        var state = DiskCacheState()
        func admit(_ name: String, _ count: Int, at place: UInt64? = nil) -> Bool {
            let entry = folder.entry([UInt8](repeating: 1, count: count))
            return state.admit(entry, for: CacheKey(name), at: place, bytes: 1000, count: 100)
        }
        func write() throws {
            let next = state.queue.take(busy: [], onlyRemovals: false)
            state.queue.finish(try #require(next).0)
        }
        #expect(admit("a", 300) && admit("b", 300))
        #expect(!admit("large", 900))
        let first = state.line.join(at: .zero)
        #expect(!admit("small", 1))
        let second = state.line.join(at: .zero)
        #expect(state.line.crowd == 2)
        try write()
        #expect(!admit("small", 1, at: second) && !admit("large", 900, at: first) && !admit("newcomer", 1))
        try write()
        #expect(!admit("small", 1, at: second))
        #expect(admit("large", 900, at: first))
        #expect(!admit("small", 1, at: second))
        try write()
        #expect(admit("small", 1, at: second) && state.line.crowd == 0)
        #expect(admit("newcomer", 990))
    }

    @Test func severalClearAtOnce() async throws {
        let cache = folder.cache()
        let folder = folder
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for number in 0..<20 {
                        try? await cache.store(folder.entry("bytes"), for: CacheKey("\(worker) \(number)"))
                        if number % 5 == worker { try? await cache.removeAll() }
                    }
                }
            }
        }
        try await cache.flush()
        let usage = try await cache.usage()
        let files = try folder.entryFiles()
        #expect(usage.count == files.count)
        #expect(usage.bytes == (try files.reduce(0) { $0 + (try folder.files.status($1).size) }))
    }

    /// Queries about the whole cache wait for entries stored before, not for those that others continue to store: the queue is
    /// never empty here.
    // DC-30, U-25
    @Test(.serialized, arguments: Question.allCases) func askingWhileOthersStore(_ question: Question) async throws {
        let written = Atomic(0)
        let stored = Atomic(0)
        let isOpen = Atomic(false)
        let isAnswered = Atomic(false)
        let faults = FaultyFileSystem(folder.files) { call, path, _, _ in
            // Of an entry: the folder's tag is a temporary file first, too, and is written before anything was stored.
            guard isOpen.load(ordering: .acquiring), call == .write, path.hasSuffix(".tmp") else { return nil }
            let number = written.add(1, ordering: .acquiringAndReleasing).newValue
            while stored.load(ordering: .acquiring) <= number, !isAnswered.load(ordering: .acquiring) { sched_yield() }
            return nil
        }
        let (cache, folder) = (folder.cache(files: faults), folder)
        #expect(try await cache.usage().count == 0)
        isOpen.store(true, ordering: .releasing)
        async let storing: Void = {
            while !isAnswered.load(ordering: .acquiring) {
                let number = stored.load(ordering: .acquiring)
                // Not more than a few ahead.
                if number <= written.load(ordering: .acquiring) + 4 {
                    try await cache.store(folder.entry("bytes"), for: CacheKey("\(number)"))
                    stored.add(1, ordering: .acquiringAndReleasing)
                }
                await Task.yield()
            }
        }()
        // Storing has begun: the queue is not empty any more.
        #expect(await eventually { written.load(ordering: .acquiring) != 0 })
        let isRight = try await question.answer(of: cache)
        // Whether files or the index lack a stored entry.
        let known = try? folder.entryFiles().count
        let usage = isRight ? nil : try await cache.usage()
        #expect(isRight, "written: \(written.load(ordering: .acquiring)), files: \(known ?? -1), \(usage.map { "\($0)" } ?? "")")
        isAnswered.store(true, ordering: .releasing)
        try await storing
        try await cache.flush()
    }
}

/// Queries and changes that concern all entries.
enum Question: CaseIterable {
    case usage, items, verify, trim, removeExpired, removeUnused, removePrefix, flush

    func answer(of cache: DiskCache) async throws -> Bool {
        switch self {
        case .usage: return try await cache.usage().count > 0
        case .items: return try await !cache.items().isEmpty
        case .verify: return try await cache.checkAll().removed == 0
        case .trim: try await cache.trim(toBytes: 1)
        case .removeExpired: try await cache.removeExpired()
        case .removeUnused: try await cache.removeAll(unusedFor: .seconds(60))
        case .removePrefix: try await cache.removeAll(prefix: "none")
        case .flush: try await cache.flush()
        }
        return true
    }
}

private final class Counts: Sendable {
    /// The most bytes that were seen waiting.
    let most = Atomic(0)
    /// How many calls have returned.
    let stored = Atomic(0)
}
