import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetCache

/// Several caches on one folder, as several processes would be. The clock stands still: nothing is noticed because time passes.
@Suite struct DiskCacheOwnersTests {  // DC-37, U-32
    let folder = CacheFolder()

    private func store(_ cache: DiskCache, _ name: String, count: Int) async throws {
        try await cache.store(folder.entry([UInt8](repeating: 1, count: count)), for: CacheKey(name))
        try await cache.flush()
    }

    /// Two caches store in turn, and the folder stays within the limit: each knows the other's writes before its next own write,
    /// even the one that was alone before.
    // DC-37, U-32, S3-29
    @Test(arguments: 1...4) func eachKnowsWhatTheOtherWrote(seed: UInt64) async throws {
        var chance = SeededGenerator(seed: seed)
        let limit = 30_000
        let first = folder.cache(byteLimit: limit)
        for number in 0..<20 { try await store(first, "before \(number)", count: 1000) }
        let second = folder.cache(byteLimit: limit)
        _ = try await second.usage()
        for number in 0..<120 {
            let isFirst = UInt64.random(in: 0..<2, using: &chance) == 0
            let count = Int.random(in: 1...1500, using: &chance)
            try await store(isFirst ? first : second, "after \(number)", count: count)
            #expect(try folder.sizeOnDisk() <= limit + 1700, "after \(number)")
        }
        #expect(try folder.sizeOnDisk() <= limit)
    }

    /// More entries than are compared at one write.
    @Test func manySmallEntries() async throws {
        let limit = 200_000
        let caches = [folder.cache(byteLimit: limit), folder.cache(byteLimit: limit)]
        for cache in caches { _ = try await cache.usage() }
        for round in 0..<30 {
            let cache = caches[round % 2]
            for number in 0..<50 { try await cache.store(folder.entry("b"), for: CacheKey("\(round) \(number)")) }
            try await cache.flush()
            #expect(try folder.sizeOnDisk() <= limit + 400)
        }
        #expect(try folder.entryFiles().count > 600)
    }

    /// The same where the one that does nothing was there first.
    @Test func whoWasThereFirstCostsNoListingEither() async throws {
        let first = folder.cache()
        for number in 0..<100 { try await store(first, "\(number)", count: 10) }
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        _ = try await cache.usage()
        let before = faults.count(of: .list)
        for number in 0..<50 { try await store(cache, "again \(number)", count: 10) }
        #expect(faults.count(of: .list) == before)
        // The cache has not written since the other one opened; its removal is known nevertheless.
        try await first.remove(CacheKey("0"))
        try await store(cache, "the next", count: 10)
        #expect(try await cache.usage().count == 150)
    }

    /// An idle owner causes no listing of subfolders; an active one causes the listing of one subfolder.
    // U-07
    @Test func onlyWhatChangedIsListed() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        for number in 0..<100 { try await store(cache, "\(number)", count: 10) }
        let other = folder.cache()
        _ = try await other.usage()
        // The newcomer was noticed: everything is scanned once.
        try await store(cache, "noticed", count: 10)
        let before = faults.count(of: .list)
        for number in 0..<50 { try await store(cache, "again \(number)", count: 10) }
        #expect(faults.count(of: .list) == before)
        try await store(other, "something", count: 10)
        try await store(cache, "the next", count: 10)
        #expect(faults.count(of: .list) == before + 1)
        #expect(try await cache.usage().count == 153)
    }

    /// The entries of an owner that is gone are known to those that remain.
    @Test func whatALostOneDidIsKnown() async throws {
        let cache = folder.cache()
        try await store(cache, "own", count: 10)
        do {
            let lost = folder.cache()
            for number in 0..<20 { try await store(lost, "\(number)", count: 10) }
        }
        folder.time.advance(by: .seconds(2))
        try await store(cache, "the next", count: 10)
        #expect(try await cache.usage().count == 22)
    }

    @Test func recordsTellWhatChanged() throws {
        func file(_ record: OwnerRecord) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: OwnerRecord.size)
            for piece in record.pieces {
                bytes.replaceSubrange(piece.offset..<piece.offset + piece.bytes.count, with: piece.bytes)
            }
            return bytes
        }
        var (theirs, owners) = (OwnerRecord(), FolderOwners())
        let alone = owners.update([], hasLostOne: false)
        let piecesAlone = owners.count([3])
        #expect(alone.isEmpty && piecesAlone.isEmpty && owners.bytes == 0)
        // Nothing was counted so far, so the other owner must scan everything.
        let before = owners.own
        let news = owners.update(["other"], hasLostOne: false)
        #expect(!news.isEmpty && owners.own.changes(since: before).count == 256)
        let pieces = owners.count([3])
        #expect(pieces.count == 1 && pieces[0].offset == 8 && pieces[0].bytes == [2, 0])
        #expect(owners.bytes == 2 * OwnerRecord.size)
        // Nothing written, only the newcomer byte, and a whole record.
        for bytes in [[], [0, 1], file(theirs)] {
            owners.note("other", OwnerRecord(bytes))
            #expect(owners.stale == [])
        }
        // Numbers wrap.
        for _ in 0...65_535 { _ = theirs.count(255) }
        _ = theirs.count(7)
        owners.note("other", OwnerRecord(file(theirs)))
        #expect(owners.stale == [7])
        #expect(file(theirs)[OwnerRecord.offset(ofShard: 7)] == 1)
        owners.validateAll()
        owners.note("unknown", nil)
        #expect(owners.stale == [])
        #expect(OwnerRecord([2] + file(theirs).dropFirst()) == nil)
        owners.note("other", nil)
        #expect(owners.stale.count == 256)
        owners.validateAll()
        let isAloneNews = owners.update([], hasLostOne: false)
        #expect(isAloneNews.isEmpty && owners.stale.count == 256)
        #expect(owners.bytes == OwnerRecord.size)
    }
}
