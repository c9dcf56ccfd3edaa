import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetCache

/// A slow reader sees an old state, and must not restore it. // DC-14, DC-22, DC-30
@Suite struct DiskCachePastTests {
    let folder = CacheFolder()
    let files = HookedFileSystem()
    let key = CacheKey("https://example.org/a.png")

    /// The next read waits, after it has read, until `meanwhile` is done.
    private func reading<Result: Sendable>(
        _ read: @escaping @Sendable () async throws -> Result, meanwhile: () async throws -> Void
    ) async throws -> Result {
        let (arrived, mayGoOn) = (AsyncGate(), Flag())
        files.afterNextRead { _ in
            arrived.open()
            mayGoOn.wait()
        }
        async let result = read()
        await arrived.wait()
        defer { mayGoOn.set() }
        try await meanwhile()
        mayGoOn.set()
        return try await result
    }

    private func bytes(_ count: Int) -> CacheEntry { folder.entry([UInt8](repeating: 1, count: count)) }

    /// Checks that the index agrees with the files.
    private func expectAgreement(_ cache: DiskCache) async throws {
        let (usage, files) = (try await cache.usage(), try folder.entryFiles())
        #expect(usage.count == files.count)
        #expect(usage.bytes == (try files.reduce(0) { $0 + (try folder.files.status($1).size) }))
        #expect(cache.mightContain(key) == !files.isEmpty)
    }

    enum Change: CaseIterable { case store, remove, trim, clear }

    @Test(arguments: Change.allCases, [true, false]) func changesWhileAReaderIsSlow(_ change: Change, isWhole: Bool)
        async throws
    {
        let cache = folder.cache(files: files)
        try await cache.store(bytes(10), for: key)
        try await cache.flush()
        let key = key
        let found = try await reading {
            isWhole ? try await cache.entry(for: key)?.metadata : try await cache.metadata(for: key)
        } meanwhile: {
            switch change {
            case .store:
                try await cache.store(bytes(5000), for: key)
                try await cache.flush()
            case .remove: try await cache.remove(key)
            case .trim: try await cache.trim(toBytes: 0)
            case .clear: try await cache.removeAll()
            }
        }
        #expect(found != nil)
        try await expectAgreement(cache)
    }

    @Test func storingWhileAReaderFindsNothing() async throws {
        let cache = folder.cache(files: files)
        _ = try await cache.usage()
        let key = key
        let found = try await reading {
            try await cache.entry(for: key)
        } meanwhile: {
            try await cache.store(bytes(10), for: key)
            try await cache.flush()
        }
        #expect(found == nil)
        try await expectAgreement(cache)
    }

    /// The entry has left the index, and its file goes when the reader has read it.
    @Test func aReaderBetweenTheIndexAndTheFile() async throws {
        let faults = FaultyFileSystem(files)
        let cache = folder.cache(files: faults)
        try await cache.store(bytes(10), for: key)
        try await cache.flush()
        let (removing, mayRemove) = (AsyncGate(), Flag())
        faults.setRule { call, _, _, _ in
            if call == .remove {
                removing.open()
                mayRemove.wait()
            }
            return nil
        }
        let trimming = Task { try await cache.trim(toBytes: 0) }
        await removing.wait()
        defer { mayRemove.set() }
        let key = key
        let found = try await reading {
            try await cache.entry(for: key)
        } meanwhile: {
            mayRemove.set()
            try await trimming.value
        }
        #expect(found != nil)
        try await expectAgreement(cache)
    }

    /// The expiry of the entry that was read does not apply to its replacement of the same length.
    @Test(arguments: [true, false]) func anEndIsNotHandedOn(isSoleOwner: Bool) async throws {
        let cache = folder.cache(files: files, change: { $0.isSoleOwner = isSoleOwner })
        try await cache.store(folder.entry("old", expiration: .after(.seconds(5))), for: key)
        try await cache.flush()
        let key = key
        _ = try await reading {
            try await cache.entry(for: key)
        } meanwhile: {
            try await cache.store(folder.entry("new", expiration: .never), for: key)
            try await cache.flush()
        }
        folder.time.advance(by: .seconds(10))
        try await cache.removeExpired()
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("new".utf8))
    }

    /// An entry that was found expired or damaged, and was stored again before its removal, stays.
    @Test(arguments: [true, false]) func storingWhileTheOldEntryIsJudged(isDamaged: Bool) async throws {
        let cache = folder.cache(files: files)
        try await cache.store(folder.entry("old", expiration: .after(.seconds(5))), for: key)
        try await cache.flush()
        folder.time.advance(by: .seconds(10))
        if isDamaged {
            let path = cache.path(for: key)
            let count = try folder.files.status(path).size
            try folder.files.remove(path)
            try folder.files.write([[UInt8](repeating: 7, count: count)], toNew: path, sync: false)
        }
        try await reading {
            if isDamaged { _ = try await cache.verify() } else { try await cache.removeExpired() }
        } meanwhile: {
            try await cache.store(folder.entry("new", expiration: .after(.seconds(5))), for: key)
            try await cache.flush()
        }
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("new".utf8))
        try await expectAgreement(cache)
    }

    /// A guess stays a guess where the file could not be read.
    @Test(arguments: [true, false]) func whatCannotBeReadIsNotKnown(isSoleOwner: Bool) async throws {
        let first = folder.cache()
        try await first.store(folder.entry("for ever", expiration: .never), for: key)
        try await first.flush()
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults, change: { $0.isSoleOwner = isSoleOwner })
        _ = try await cache.usage()
        folder.time.advance(by: .seconds(8 * 86_400))
        faults.setRule { call, _, _, _ in call == .readParts ? 24 : nil }
        try await cache.removeExpired()
        faults.setRule(nil)
        try await cache.removeExpired()
        #expect(try await cache.entry(for: key) != nil)
    }

    /// The same for one that ends before the guess says so.
    @Test func anEarlyEndIsFoundLater() async throws {
        let first = folder.cache()
        try await first.store(folder.entry("an hour", expiration: .after(.seconds(3600))), for: key)
        try await first.flush()
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        _ = try await cache.usage()
        folder.time.advance(by: .seconds(7200))
        faults.setRule { call, _, _, _ in call == .readParts ? 24 : nil }
        try await cache.removeExpired()
        #expect(try folder.entryFiles().count == 1)
        faults.setRule(nil)
        try await cache.removeExpired()
        #expect(try folder.entryFiles().isEmpty)
    }
}
