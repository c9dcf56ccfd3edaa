import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// An older folder's entries move over. // DC-17
@Suite struct DiskCacheMigrationTests {
    let old = CacheFolder()
    let new = CacheFolder()

    private func fill(_ folder: CacheFolder, _ names: [String], count: Int = 1000) async throws {
        let cache = folder.cache()
        for name in names {
            let bytes = [UInt8](repeating: UInt8(name.utf8.last ?? 0), count: count)
            try await cache.store(folder.entry(bytes), for: CacheKey(name))
            try await cache.flush()
            folder.time.advance(by: .seconds(100))
        }
    }

    private func names(_ cache: DiskCache) async throws -> [String] { try await cache.items().map(\.key.text) }

    // DC-17
    @Test func test44DiskCacheMigrationFromOldVersion() async throws {
        try await fill(old, ["a", "b", "c"])
        new.time.advance(by: .seconds(300))
        let cache = new.cache()
        #expect(try await cache.migrate(from: old.path) == 3)
        #expect(try await names(cache) == ["c", "b", "a"])
        #expect(try await cache.entry(for: CacheKey("b"))?.bytes.contiguous() == [UInt8](repeating: 98, count: 1000))
        #expect(try new.entryFiles().count == 3)
        #expect(throws: ImageError.self) { try old.files.status(old.path) }
        #expect(try await cache.usage().count == 3)
        // The second time there is nothing to migrate, as for a folder that never existed.
        #expect(try await cache.migrate(from: old.path) == 0)
        // The next run finds the same, in the same order.
        #expect(try await new.cache().items().count == 3)
    }

    @Test func entriesThatAreThereAlreadyStay() async throws {
        try await fill(old, ["a", "b"])
        let cache = new.cache()
        try await cache.store(new.entry("newer"), for: CacheKey("a"))
        #expect(try await cache.migrate(from: old.path) == 1)
        #expect(try await cache.entry(for: CacheKey("a"))?.bytes.contiguous() == Array("newer".utf8))
    }

    @Test func theOldestThatDoNotFitAreLeftOut() async throws {
        try await fill(old, ["a", "b", "c", "d"])
        new.time.advance(by: .seconds(400))
        let cache = new.cache(byteLimit: 4000)
        try await cache.store(new.entry([UInt8](repeating: 1, count: 1000)), for: CacheKey("mine"))
        #expect(try await cache.migrate(from: old.path) == 2)
        #expect(try await names(cache) == ["mine", "d", "c"])
        #expect(try new.sizeOnDisk() <= 4000)
    }

    /// Migrated entries take their place in the order of use: the next eviction removes the entry that is really the oldest.
    @Test func theOrderOfUseIsRight() async throws {
        try await fill(old, ["a", "b"])
        let cache = new.cache(byteLimit: 4000)
        try await cache.store(new.entry([UInt8](repeating: 1, count: 1000)), for: CacheKey("between"))
        new.time.advance(by: .seconds(400))
        #expect(try await cache.migrate(from: old.path) == 2)
        try await cache.trim(toBytes: 2500)
        #expect(try await names(cache) == ["b", "a"])
    }

    @Test func damagedAndEndedEntriesAreNotTaken() async throws {
        try await fill(old, ["a", "b", "c"])
        let files = try old.entryFiles()
        try old.files.overwrite([0xFF, 0xFE], at: 200, of: files[0])
        new.time.advance(by: .seconds(300))
        let cache = new.cache()
        #expect(try await cache.migrate(from: old.path) == 2)
        new.time.advance(by: .seconds(30 * 86_400))
        try await fill(old, ["old"])
        let ended = new.cache(maximumAge: .seconds(60))
        #expect(try await ended.migrate(from: old.path) == 0)
    }

    @Test func theUsersOwnFilesStay() async throws {
        try await fill(old, ["a"])
        try old.files.write([[1, 2, 3]], toNew: old.path + "/notes.txt", sync: false)
        #expect(try await new.cache().migrate(from: old.path) == 1)
        #expect(try old.allFiles() == [old.path + "/notes.txt"])
    }

    @Test func theSameFolderIsNotEmptied() async throws {
        let cache = new.cache()
        try await cache.store(new.entry("a"), for: CacheKey("a"))
        try await cache.flush()
        #expect(try await cache.migrate(from: new.path + "/") == 0)
        #expect(try await cache.entry(for: CacheKey("a")) != nil)
    }

    /// Files on two file systems cannot be renamed across them (errno 18, EXDEV): they are copied.
    @Test func acrossFileSystemsFilesAreCopied() async throws {
        try await fill(old, ["a", "b"])
        // The first rename of each pair is the one between the folders.
        let faults = FaultyFileSystem(new.files) { call, _, ofKind, _ in call == .rename && ofKind % 2 == 0 ? 18 : nil }
        let cache = new.cache(files: faults)
        #expect(try await cache.migrate(from: old.path) == 2)
        #expect(faults.failureCount == 2)
        #expect(try await cache.entry(for: CacheKey("a"))?.bytes.contiguous() == [UInt8](repeating: 97, count: 1000))
        #expect(try new.entryFiles().count == 2)
        #expect(try new.temporaryFiles() == [])
        #expect(try old.allFiles() == [])
    }

    /// Whatever call fails: an entry is in one of the folders, right and whole, or in neither, and never wrong.
    @Test(arguments: 1...40) func anyCallFails(number: Int) async throws {
        try await fill(old, ["a", "b", "c"], count: 50)
        new.time.advance(by: .seconds(300))
        let faults = FaultyFileSystem(new.files)
        let cache = new.cache(files: faults)
        _ = try await cache.usage()
        let before = faults.callCount
        faults.setRule { _, _, _, ofAll in ofAll - before + 1 == number ? 5 : nil }
        let first = try? await cache.migrate(from: old.path)
        faults.setRule(nil)
        let second = try await cache.migrate(from: old.path)
        #expect((first ?? 0) + second <= 3)
        for name in ["a", "b", "c"] {
            if let entry = try await cache.entry(for: CacheKey(name)) {
                #expect(entry.bytes.contiguous() == [UInt8](repeating: UInt8(name.utf8.last ?? 0), count: 50))
            }
        }
        #expect(try await cache.usage().count == (try new.entryFiles().count))
    }
}
