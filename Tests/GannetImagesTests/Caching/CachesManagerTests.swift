import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Several caches behind one. // CM-01 … CM-07
@Suite struct CachesManagerTests {
    let low = RecordingCache("low")
    let middle = RecordingCache("middle")
    let high = RecordingCache("high")
    let key = CacheKey("a")

    func manager(_ policies: CachesManager.Policies = .init(), promotes: Bool = true) -> CachesManager {
        CachesManager([low, middle, high], policies: policies, promotes: promotes)
    }

    func entry(_ text: String) -> CacheEntry {
        CacheEntry(bytes: ByteRope(Array(text.utf8)), metadata: CacheEntryMetadata(storedAt: Timestamp(milliseconds: 1)))
    }

    func text(_ entry: CacheEntry?) -> String? { entry.map { String(decoding: $0.bytes.contiguous(), as: UTF8.self) } }

    /// Each operation reaches exactly the caches that its policy names. // CM-02, CM-03
    @Test func test55SDImageCachesManagerOperationPolicySimple() async throws {
        #expect(CachesManager.Policies().query == .serial)
        #expect(CachesManager.Policies().store == .highestOnly)
        #expect(CachesManager.Policies().remove == .concurrent)
        #expect(CachesManager.Policies().contains == .serial)
        #expect(CachesManager.Policies().clear == .concurrent)

        let highest = manager(.init(query: .highestOnly, store: .highestOnly, contains: .highestOnly, clear: .highestOnly))
        try await highest.store(entry("h"), for: key)
        #expect([high.keys, middle.keys, low.keys] == [["a"], [], []])
        try await low.store(entry("l"), for: CacheKey("b"))
        #expect(try await highest.entry(for: CacheKey("b")) == nil)
        #expect(await !highest.contains(CacheKey("b")))

        let lowest = manager(
            .init(query: .lowestOnly, store: .lowestOnly, remove: .lowestOnly, contains: .lowestOnly, clear: .lowestOnly))
        #expect(text(try await lowest.entry(for: CacheKey("b"))) == "l")
        #expect(try await lowest.entry(for: key) == nil)
        #expect(try lowest.blockingEntry(for: key) == nil)
        #expect(high.keys == ["a"])
        try await lowest.remove(key)
        #expect(high.keys == ["a"])
        try await lowest.removeAll()
        #expect(low.keys == [] && high.keys == ["a"])
        try await highest.removeAll()
        #expect(high.keys == [])
    }

    /// All caches are queried at once; the first hit wins, and the slow query is cancelled. // CM-05, CM-06
    @Test func test56SDImageCachesManagerOperationPolicyConcurrent() async throws {
        let manager = manager(
            .init(query: .concurrent, store: .concurrent, remove: .concurrent, contains: .concurrent, clear: .concurrent),
            promotes: false)
        try await manager.store(entry("x"), for: key)
        #expect([high.keys, middle.keys, low.keys] == [["a"], ["a"], ["a"]])
        // The highest cache does not answer until its query is cancelled.
        high.waitsForCancel.store(true, ordering: .sequentiallyConsistent)
        #expect(text(try await manager.entry(for: key)) == "x")
        #expect(await manager.contains(key))
        high.waitsForCancel.store(false, ordering: .sequentiallyConsistent)
        try await manager.remove(key)
        #expect([high.keys, middle.keys, low.keys] == [[], [], []])
        #expect(try await manager.entry(for: key) == nil)
        #expect(await !manager.contains(key))
    }

    /// The faster cache has the older entry. // CM-05, CM-07
    @Test func whatIsStillAskedForIsNotReplaced() async throws {
        let manager = manager(
            .init(query: .concurrent, store: .highestOnly, remove: .concurrent, contains: .concurrent, clear: .concurrent),
            promotes: true)
        try await low.store(entry("old"), for: key)
        try await high.store(entry("new"), for: key)
        high.waitsForCancel.store(true, ordering: .sequentiallyConsistent)
        #expect(text(try await manager.entry(for: key)) == "old")
        high.waitsForCancel.store(false, ordering: .sequentiallyConsistent)
        #expect(text(try await high.entry(for: key, touch: false)) == "new")
    }

    /// From the highest down, and no further than the first hit. // CM-04
    @Test func test57SDImageCachesManagerOperationPolicySerial() async throws {
        let manager = manager(
            .init(query: .serial, store: .serial, remove: .serial, contains: .serial, clear: .serial), promotes: false)
        try await middle.store(entry("m"), for: key)
        #expect(text(try await manager.entry(for: key)) == "m")
        #expect([high.reads, middle.reads, low.reads] == [1, 1, 0])
        #expect(text(try manager.blockingEntry(for: key)) == "m")
        #expect([high.reads, middle.reads, low.reads] == [2, 2, 0])
        #expect(try await manager.metadata(for: key)?.storedAt == Timestamp(milliseconds: 1))
        try await manager.store(entry("s"), for: CacheKey("s"))
        #expect(high.keys == ["s"] && middle.keys == ["a", "s"] && low.keys == ["s"])
        #expect(try await manager.usage() == CacheUsage(count: 4, bytes: 4))
        try await manager.removeAll(prefix: "s")
        #expect(high.keys == [] && middle.keys == ["a"] && low.keys == [])
        try await manager.removeAll()
        #expect(middle.keys == [])
    }

    /// A hit further down fills what stands above it, and only that. // CM-07
    @Test(arguments: [CachesManager.Policy.serial, .concurrent]) func aLowerHitIsPromoted(policy: CachesManager.Policy)
        async throws
    {
        try await middle.store(entry("m"), for: key)
        let manager = manager(.init(query: policy))
        try await ask(manager, policy, "m") { high.keys == ["a"] }
        #expect(low.keys == [])
        #expect(text(try await high.entry(for: key, touch: false)) == "m")
    }

    /// In a concurrent query a lower cache may answer first. The upper cache then gets no copy, because its entry may be newer.
    private func ask(
        _ manager: CachesManager, _ policy: CachesManager.Policy, _ expected: String, until isPromoted: () async throws -> Bool
    ) async throws {
        for _ in 0..<(policy == .concurrent ? 10_000 : 1) {
            #expect(text(try await manager.entry(for: key)) == expected)
            if try await isPromoted() { return }
        }
        Issue.record("\(expected) was not promoted")
    }

    enum Change: CaseIterable {
        case remove, removePrefix, removeAll, store, update

        func carryOut(in manager: CachesManager, _ key: CacheKey, _ other: CacheEntry) async throws {
            switch self {
            case .remove: try await manager.remove(key)
            case .removePrefix: try await manager.removeAll(prefix: key.text)
            case .removeAll: try await manager.removeAll()
            case .store: try await manager.store(other, for: key)
            case .update: try await manager.update(other.metadata, for: key)
            }
        }
    }

    /// A lower cache's answer shows its state at the time of the query.
    @Test(arguments: [CachesManager.Policy.serial, .concurrent])
    func `What is removed or changed during a question is not brought back`(policy: CachesManager.Policy) async throws {
        for change in Change.allCases {
            let (lower, upper) = (WrappedCache(), InMemoryImageCache())
            let manager = CachesManager([lower, upper], policies: .init(query: policy))
            let (key, other) = (key, entry("new"))
            try await lower.store(entry("old"), for: key)
            lower.afterRead.withLock { $0 = { try? await change.carryOut(in: manager, key, other) } }
            #expect(text(try await manager.entry(for: key)) == "old")
            #expect(text(try await upper.entry(for: key, touch: false)) == (change == .store ? "new" : nil), "\(change)")
        }
        let (lower, upper) = (WrappedCache(), InMemoryImageCache())
        let manager = CachesManager([lower, upper], policies: .init(query: policy))
        try await lower.store(entry("old"), for: key)
        lower.afterRead.withLock { $0 = { try? await manager.remove(CacheKey("b")) } }
        // Another key is removed.
        try await ask(manager, policy, "old") { text(try await upper.entry(for: key, touch: false)) == "old" }
    }

    @Test(arguments: Change.allCases)
    func `Changes come after what is being promoted`(_ change: Change) async throws {
        let (lower, upper) = (InMemoryImageCache(), InMemoryImageCache(storeGate: AsyncGate()))
        let manager = CachesManager([lower, upper])
        try await lower.store(entry("old"), for: key)
        let question = Task { [key] in try await manager.entry(for: key) }
        await upper.storeGate.waitForArrivals(1)
        let changing = Task { [key, other = entry("new")] in try await change.carryOut(in: manager, key, other) }
        upper.storeGate.open()
        #expect(text(try await question.value) == "old")
        try await changing.value
        let result: String? = change == .store ? "new" : change == .update ? "old" : nil
        #expect(text(try await upper.entry(for: key, touch: false)) == result)
    }

    @Test func anEntryThatEndsEarlyIsNotPromoted() async throws {
        var partial = entry("begin")
        partial.metadata.isPartial = true
        try await low.store(partial, for: key)
        #expect(try await manager().entry(for: key)?.metadata.isPartial == true)
        #expect(high.keys == [] && middle.keys == [])
    }

    @Test(arguments: [CachesManager.Policy.serial, .concurrent]) func aCacheThatFailsIsPassedOver(policy: CachesManager.Policy)
        async throws
    {
        let manager = manager(.init(query: policy, store: policy, remove: policy, contains: policy, clear: policy))
        try await low.store(entry("l"), for: key)
        high.fails.store(true, ordering: .sequentiallyConsistent)
        #expect(text(try await manager.entry(for: key)) == "l")
        #expect(await manager.contains(key))
        try await manager.store(entry("n"), for: CacheKey("n"))
        #expect(low.keys == ["a", "n"])
        try await manager.update(CacheEntryMetadata(format: "png", storedAt: Timestamp(milliseconds: 2)), for: key)
        #expect(try await low.metadata(for: key)?.format == "png")
        #expect(try await manager.usage().count >= 2)
        for cache in [low, middle] { cache.fails.store(true, ordering: .sequentiallyConsistent) }
        await #expect(throws: ImageError.self) { try await manager.entry(for: key) }
        #expect(throws: ImageError.self) { try manager.blockingEntry(for: key) }
        await #expect(throws: ImageError.self) { try await manager.store(entry("n"), for: key) }
        await #expect(throws: ImageError.self) { try await manager.usage() }
        #expect(await !manager.contains(key))
    }

    /// An entry left in the cache that failed would be promoted by the next read.
    @Test(arguments: [CachesManager.Policy.serial, .concurrent], [0, 2])
    func `A removal that one cache refused is an error, and the other caches are emptied`(
        policy: CachesManager.Policy, failing: Int
    ) async throws {
        let manager = manager(.init(store: .concurrent, remove: policy, clear: policy))
        let caches = [low, middle, high]
        let others = [0, 1, 2].filter { $0 != failing }.map { caches[$0] }
        let removals: [@Sendable (CachesManager) async throws -> Void] = [
            { try await $0.remove(CacheKey("a")) }, { try await $0.removeAll(prefix: "a") }, { try await $0.removeAll() },
        ]
        for remove in removals {
            try await manager.store(entry("x"), for: key)
            caches[failing].fails.store(true, ordering: .sequentiallyConsistent)
            let error = await #expect(throws: ImageError.self) { try await remove(manager) }
            #expect(error?.message == "\(caches[failing].identifier) fails.")
            caches[failing].fails.store(false, ordering: .sequentiallyConsistent)
            #expect(others.map(\.keys) == [[], []] && caches[failing].keys == ["a"])
            // The error was right: the entry is still there. The second try succeeds for good.
            #expect(await manager.contains(key))
            try await remove(manager)
            #expect(try await manager.entry(for: key) == nil)
        }
        caches[failing].fails.store(true, ordering: .sequentiallyConsistent)
        await #expect(throws: ImageError.self) { try await manager.flush() }
        #expect(others.map(\.flushes) == [1, 1])
    }

    // DC-04, CM-01
    @Test func theLastOneAddedIsTheHighest() async throws {
        let manager = CachesManager()
        #expect(try await manager.entry(for: key) == nil)
        try await manager.store(entry("nowhere"), for: key)
        manager.add(low)
        manager.add(high)
        #expect(manager.identifier == "caches:high,low")
        try await manager.store(entry("x"), for: key)
        #expect(high.keys == ["a"] && low.keys == [])
        manager.removeCache(identifier: "high")
        #expect(manager.caches.map(\.identifier) == ["low"])
        try await manager.flush()
        #expect(try await manager.entry(for: key) == nil)
    }

    @Test func aUseIsNotedWhereTheEntryIsWithoutReadingIt() async throws {
        let time = ManualTimeSource()
        let (lower, upper) = (InMemoryImageCache(time: time), InMemoryImageCache(time: time))
        let manager = CachesManager([lower, upper])
        try await lower.store(entry("x"), for: key)
        time.advance(by: .seconds(5))
        await manager.noteUse(of: key)
        #expect(try await lower.metadata(for: key)?.lastUsed == time.now)
        #expect(lower.readCount == 0 && upper.keys.isEmpty)
    }

    /// The whole cache of a manager is another one: pictures are found in it again. // DC-27, MG-13
    // DC-26, PL-03
    @Test func test58CustomImageCache() async throws {
        let fixture = ManagerFixture(diskCache: manager())
        fixture.serve()
        var request = ImageRequest(source: ImageSource(ManagerFixture.url))
        request.schedule.waitsForStore = true
        _ = try await fixture.manager.image(for: request)
        #expect(high.keys.contains(ManagerFixture.url))
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: request).origin == .disk)
        #expect(fixture.loader.loadCount == 1)
    }
}

/// A cache in memory that counts, fails or waits on request.
final class RecordingCache: ImageCaching {
    let identifier: String
    let fails = Atomic(false)
    /// Reads end only when their task is cancelled.
    let waitsForCancel = Atomic(false)
    private let flushCount = Atomic(0)
    private let base = InMemoryImageCache()

    init(_ identifier: String) { self.identifier = identifier }

    var keys: Set<String> { base.keys }
    var reads: Int { base.readCount }
    var flushes: Int { flushCount.load(ordering: .sequentiallyConsistent) }

    private func check() throws(ImageError) {
        if fails.load(ordering: .sequentiallyConsistent) { throw ImageError(.io, stage: .cache, "\(identifier) fails.") }
    }

    func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
        try check()
        if waitsForCancel.load(ordering: .sequentiallyConsistent) {
            await untilCancelled()
            return nil
        }
        return try await base.entry(for: key, touch: touch)
    }

    func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? {
        try check()
        return try base.blockingEntry(for: key, touch: touch)
    }

    func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
        try check()
        return try await base.metadata(for: key)
    }

    func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
        try check()
        try await base.store(entry, for: key)
    }

    func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
        try check()
        try await base.update(metadata, for: key)
    }

    func remove(_ key: CacheKey) async throws(ImageError) {
        try check()
        try await base.remove(key)
    }

    func removeAll(prefix: String) async throws(ImageError) {
        try check()
        try await base.removeAll(prefix: prefix)
    }

    func removeAll() async throws(ImageError) {
        try check()
        try await base.removeAll()
    }

    func contains(_ key: CacheKey) async -> Bool {
        if waitsForCancel.load(ordering: .sequentiallyConsistent) { await untilCancelled() }
        if fails.load(ordering: .sequentiallyConsistent) { return false }
        return await base.contains(key)
    }

    func usage() async throws(ImageError) -> CacheUsage {
        try check()
        return try await base.usage()
    }

    func flush() async throws(ImageError) {
        try check()
        flushCount.add(1, ordering: .sequentiallyConsistent)
    }

    private func untilCancelled() async {
        await AsyncGate().wait()
    }
}
