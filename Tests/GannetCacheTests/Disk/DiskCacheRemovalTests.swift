import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetCache

/// Removed entries are never served again, whatever fails, and the remover learns of every failure. // DC-29, DC-33
@Suite struct DiskCacheRemovalTests {
    let folder = CacheFolder()

    private let source = "https://example.org/a.png"
    private var keys: [CacheKey] { [source, source + "\u{1}small", source + "\u{1}large"].map { CacheKey($0) } }

    private func text(_ cache: DiskCache, _ key: CacheKey) async throws -> String? {
        try await cache.entry(for: key).map { String(decoding: $0.bytes.contiguous(), as: UTF8.self) }
    }

    /// Fails every call in turn while everything made from a source is removed: either an error is reported, or nothing is
    /// served.
    @Test(arguments: [24, 5, 13] as [Int32], [false, true]) func removingASourceWhileCallsFail(errno: Int32, isSoleOwner: Bool)
        async throws
    {
        var number = 0
        while true {
            let folder = CacheFolder()
            let faults = FaultyFileSystem(folder.files)
            let cache = folder.cache(files: faults, change: { $0.isSoleOwner = isSoleOwner })
            for key in keys { try await cache.store(folder.entry("bytes"), for: key) }
            try await cache.store(folder.entry("other"), for: CacheKey("other"))
            try await cache.flush()
            let (first, failures) = (faults.callCount, faults.failureCount)
            faults.setRule { [number] _, _, _, ofAll in ofAll == first + number ? errno : nil }
            var isTold = false
            do { try await cache.removeAll(prefix: source + "\u{1}") } catch { isTold = true }
            faults.setRule(nil)
            if faults.failureCount == failures { break }
            for key in keys.dropFirst() { #expect(try await cache.entry(for: key) == nil, "call \(number)") }
            #expect(try isTold || folder.entryFiles().count == 2, "call \(number)")
            number += 1
        }
        #expect(number > 6)
    }

    @Test func removingASourceThatCannotBeRead() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        for key in keys { try await cache.store(folder.entry("bytes"), for: key) }
        try await cache.flush()
        for call in [FaultyFileSystem.Call.list, .readParts, .remove] {
            faults.setRule { found, path, _, _ in found == call && path.contains("/entries-1/") ? 24 : nil }
            await #expect(throws: ImageError.self, "\(call)") { try await cache.removeAll(prefix: source + "\u{1}") }
            faults.setRule(nil)
            _ = try? await cache.flush()
            for key in keys.dropFirst() { #expect(try await cache.entry(for: key) == nil) }
            folder.time.advance(by: .seconds(61))
            try await cache.store(folder.entry("bytes"), for: CacheKey("last"))
            for key in keys { try await cache.store(folder.entry("bytes"), for: key) }
            try await cache.flush()
        }
        try await cache.removeAll(prefix: source)
        #expect(try folder.entryFiles() == [cache.path(for: CacheKey("last"))])
        // Without a folder there is nothing to remove.
        try await cache.removeAll()
        try CacheFolder.removeTree(folder.path)
        try await cache.removeAll(prefix: source)
    }

    /// Waiting changes are not dropped when a removal of all entries starts, because it may fail.
    @Test func clearingThatFailsServesNothingThatWasRemovedOrReplaced() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        let (removed, replaced) = (CacheKey("removed"), CacheKey("replaced"))
        for key in [removed, replaced] { try await cache.store(folder.entry("old"), for: key) }
        try await cache.flush()
        let (arrived, mayGoOn) = (AsyncGate(), Flag())
        faults.setRule { call, path, _, _ in
            if call == .rename, path.hasSuffix(".tmp") { return 13 }
            if call == .write, !mayGoOn.isSet {
                arrived.open()
                mayGoOn.wait()
            }
            return nil
        }
        defer { mayGoOn.set() }
        try await cache.store(folder.entry("running"), for: CacheKey("running"))
        await arrived.wait()
        try await cache.store(folder.entry("new"), for: replaced)
        async let removing: Void = cache.remove(removed)
        #expect(await eventually { (try? cache.blockingEntry(for: removed)) == nil })
        let clearing = Task { try await cache.removeAll() }
        #expect(await eventually { cache.state.withLock({ $0.isClearing }) })
        mayGoOn.set()
        await #expect(throws: ImageError.self) { try await clearing.value }
        try await removing
        try await cache.flush()
        #expect(try await cache.entry(for: removed) == nil)
        #expect(try await cache.entry(for: replaced) == nil)
        #expect(try await text(cache, CacheKey("running")) == "running")
        #expect(try await cache.usage().count == 1)
    }

    /// One file that cannot be removed is no reason to store nothing any more.
    @Test func anEntryThatCannotBeRemovedLeavesRoomForOthers() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(byteLimit: 10_000, files: faults)
        func store(_ name: String) async throws {
            try await cache.store(folder.entry([UInt8](repeating: 1, count: 2000)), for: CacheKey(name))
            try await cache.flush()
            folder.time.advance(by: .seconds(2))
        }
        try await store("stuck")
        let path = cache.path(for: CacheKey("stuck"))
        faults.setRule { call, found, _, _ in call == .remove && found == path ? 1 : nil }
        for number in 0..<20 {
            try await store("\(number)")
            #expect(await cache.contains(CacheKey("\(number)")))
            #expect(try folder.sizeOnDisk() <= 10_000)
        }
        #expect(try folder.entryFiles().contains(path))
        await #expect(throws: ImageError.self) { try await cache.trim(toBytes: 0) }
        #expect(try folder.entryFiles() == [path])
        faults.setRule(nil)
        try await cache.trim(toBytes: 0)
        #expect(try folder.entryFiles().isEmpty)
    }

    /// An entry that a read found damaged is checked again before it is removed; a failure of that check says nothing about the
    /// file.
    @Test func aLookThatFailsIsNoProofOfDamage() async throws {
        let key = keys[0]
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        let path = cache.path(for: key)
        let whole = try folder.files.read(path, maximumBytes: 1 << 20, nofollow: true)
        var damaged = whole
        damaged[damaged.count - 1] ^= 1
        func put(_ bytes: [UInt8]) throws {
            try folder.files.remove(path)
            try folder.files.write([bytes], toNew: path, sync: false)
        }
        try put(damaged)
        let first = faults.count(of: .readParts)
        faults.setRule { call, _, ofKind, _ in call == .readParts && ofKind > first ? 24 : nil }
        #expect(try await cache.entry(for: key) == nil)
        try await cache.flush()
        // Another process has stored it again by now.
        try put(whole)
        faults.setRule(nil)
        #expect(try await text(cache, key) == "bytes")
        try put(damaged)
        #expect(try await cache.entry(for: key) == nil)
        try await cache.flush()
        #expect(try folder.entryFiles().isEmpty)
    }
}
