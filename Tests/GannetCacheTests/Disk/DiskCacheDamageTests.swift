import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Testing

/// Whatever damage the files suffer: right bytes or a miss, never wrong bytes, and the cache continues. // U-05, DC-36
@Suite struct DiskCacheDamageTests {
    let folder = CacheFolder()
    let key = CacheKey("https://example.org/a.png")
    let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// Stores an entry, lets `damage` loose on its file, and expects a miss or the right bytes; then storing works again.
    private func check(_ name: String, _ damage: (_ path: String) throws -> Void) async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry(bytes), for: key)
        try await cache.flush()
        let path = cache.path(for: key)
        try damage(path)
        for reader in [cache, folder.cache()] {
            if let found = try await reader.entry(for: key)?.bytes.contiguous() { #expect(found == bytes, "\(name)") }
            if let metadata = try await reader.metadata(for: key) { #expect(metadata.storedAt == folder.time.now, "\(name)") }
            _ = try await reader.usage()
        }
        try await cache.store(folder.entry("new"), for: key)
        try await cache.flush()
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("new".utf8), "\(name)")
        #expect(try folder.temporaryFiles() == [])
        try await cache.removeAll()
    }

    private func rewrite(_ path: String, _ bytes: [UInt8]) throws {
        try folder.files.remove(path)
        try folder.files.write([bytes], toNew: path, sync: false)
    }

    private func contents(_ path: String) throws -> [UInt8] { try folder.files.read(path, maximumBytes: .max, nofollow: true) }

    // DC-36, U-05
    @Test func truncatedAnywhere() async throws {
        for cut in [0, 1, 4, 79, 80, 81, 100, 105, 150, 1500, 3000] {
            try await check("cut to \(cut)") { path in try rewrite(path, Array(try contents(path).prefix(cut))) }
        }
        try await check("one byte short") { path in try rewrite(path, Array(try contents(path).dropLast())) }
        try await check("one byte long") { path in try rewrite(path, try contents(path) + [0]) }
    }

    /// Each byte of the header, key and metadata, and some of the payload.
    // DC-08, DC-36, U-05, S3-08
    @Test func anyByteFlipped() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry(bytes), for: key)
        try await cache.flush()
        let path = cache.path(for: key)
        let good = try contents(path)
        for index in Array(0..<(good.count - bytes.count)) + stride(from: good.count - bytes.count, to: good.count, by: 301) {
            var bad = good
            bad[index] ^= 1 << UInt8(index % 8)
            try rewrite(path, bad)
            #expect(try await cache.entry(for: key) == nil, "byte \(index)")
            try await cache.flush()
            #expect(try folder.entryFiles() == [], "byte \(index)")
            try folder.files.write([good], toNew: path, sync: false)
        }
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == bytes)
        #expect(folder.observer.count("corrupt") >= good.count - bytes.count)
    }

    @Test func twoFilesSwapped() async throws {
        let cache = folder.cache()
        let other = CacheKey("https://example.org/b.png")
        try await cache.store(folder.entry("one"), for: key)
        try await cache.store(folder.entry("two"), for: other)
        try await cache.flush()
        let (a, b) = (cache.path(for: key), cache.path(for: other))
        try folder.files.rename(a, to: folder.path + "/aside")
        try folder.files.rename(b, to: a)
        try folder.files.rename(folder.path + "/aside", to: b)
        #expect(try await cache.entry(for: key) == nil)
        #expect(try await cache.entry(for: other) == nil)
        #expect(await !cache.contains(key))
    }

    @Test func replacedBySomethingElse() async throws {
        try await check("folder") { path in
            try folder.files.remove(path)
            try folder.files.makeDirectory(path)
            try folder.files.write([[1]], toNew: path + "/inside", sync: false)
        }
        try await check("link to a file") { path in
            try folder.files.remove(path)
            #expect(symlink("/etc/passwd", path) == 0)
        }
        try await check("FIFO") { path in
            try folder.files.remove(path)
            #expect(mkfifo(path, 0o600) == 0)
        }
        try await check("hard link to a file outside") { path in
            let outside = folder.path + "/outside"
            if (try? folder.files.status(outside)) == nil { try folder.files.write([bytes], toNew: outside, sync: false) }
            try folder.files.remove(path)
            #expect(link(outside, path) == 0)
        }
        #expect(try contents(folder.path + "/outside") == bytes)
        try await check("nothing") { path in try folder.files.remove(path) }
        try await check("empty file") { path in try rewrite(path, []) }
        try await check("modified in the future") { path in
            try folder.files.setModified(path, to: Timestamp(milliseconds: 4_000_000_000_000))
        }
        try await check("modified before 1970") { path in
            try folder.files.setModified(path, to: Timestamp(milliseconds: -1_000_000_001))
        }
        #expect(try folder.files.status("/etc/passwd").kind == .file)
    }

    /// The subfolder, or the folder of all entries, becomes a link: nothing beyond it is read, written or removed.
    @Test(arguments: ["shard", "entries", "tmp"]) func foldersReplacedByLinks(which: String) async throws {
        let outside = CacheFolder()
        try outside.files.makeDirectory(outside.path)
        let cache = folder.cache()
        try await cache.store(folder.entry(bytes), for: key)
        try await cache.flush()
        let file = cache.path(for: key)
        let shard = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        let link = which == "shard" ? shard : folder.path + (which == "entries" ? "/entries-1" : "/tmp")
        // The files outside have matching names, to show whether they are touched.
        try outside.files.makeDirectory(outside.path + "/" + shard.suffix(2))
        try folder.files.rename(link, to: folder.path + "/moved")
        #expect(symlink(outside.path, link) == 0)
        let before = try outside.allFiles()
        folder.time.advance(by: .seconds(5))
        try await cache.remove(key)
        try await cache.store(folder.entry("new"), for: key)
        try await cache.flush()
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("new".utf8))
        #expect(try outside.allFiles() == before)
        #expect(try folder.files.status(link).kind == .directory)
    }

    /// A file or a FIFO in place of one of the cache's own folders: nothing blocks, and the next stored entry is found.
    @Test(arguments: ["/entries-1", "/tmp", "shard"], [true, false]) func foldersReplacedByFiles(which: String, isFIFO: Bool)
        async throws
    {
        let cache = folder.cache()
        try await cache.store(folder.entry(bytes), for: key)
        try await cache.flush()
        let place = which == "shard" ? String(cache.path(for: key).dropLast(50)) : folder.path + which
        try folder.files.rename(place, to: folder.path + "/moved")
        if isFIFO {
            #expect(mkfifo(place, 0o600) == 0)
        } else {
            try folder.files.write([[1, 2, 3]], toNew: place, sync: false)
        }
        if let found = try await cache.entry(for: key)?.bytes.contiguous() { #expect(found == bytes) }
        folder.time.advance(by: .seconds(5))
        try await cache.store(folder.entry("new"), for: key)
        try await cache.flush()
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("new".utf8))
        #expect(try folder.files.status(place).kind == .directory)
    }

    /// Links, folders and FIFOs with the name of an owner's lock belong to no owner, and are removed.
    @Test func locksThatAreNoFiles() async throws {
        let outside = CacheFolder()
        try outside.files.makeDirectory(outside.path)
        try outside.files.write([[1]], toNew: outside.path + "/file", sync: false)
        let cache = folder.cache()
        try await cache.store(folder.entry(bytes), for: key)
        try await cache.flush()
        let tmp = folder.path + "/tmp/"
        try folder.files.makeDirectory(tmp + "00000000deadbeef.lock")
        #expect(symlink(outside.path + "/file", tmp + "11111111deadbeef.lock") == 0)
        #expect(mkfifo(tmp + "22222222deadbeef.lock", 0o600) == 0)
        folder.time.advance(by: .seconds(5))
        try await cache.store(folder.entry("new"), for: key)
        try await cache.flush()
        #expect(try folder.files.list(folder.path + "/tmp").filter { $0.contains("deadbeef") } == [])
        #expect(try contents(outside.path + "/file") == [1])
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("new".utf8))
    }

    /// The folder above may be a link: that is the user's choice.
    @Test func parentIsALink() async throws {
        let real = CacheFolder()
        try real.files.makeDirectory(real.path)
        #expect(symlink(real.path, folder.path) == 0)
        let cache = DiskCache(DiskCacheConfiguration(directory: folder.path + "/cache"), time: folder.time)
        try await cache.store(folder.entry(bytes), for: key)
        try await cache.flush()
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == bytes)
        try await cache.removeAll()
        #expect(try folder.files.status(folder.path).kind == .link)
    }

    /// A file larger than the whole limit is foreign, or from a cache with a larger limit: it is removed, and the others stay.
    @Test func giantDrivesNobodyOut() async throws {
        let cache = folder.cache()
        for index in 0..<5 { try await cache.store(folder.entry("bytes \(index)"), for: CacheKey("k\(index)")) }
        try await cache.flush()
        let path = cache.path(for: CacheKey("k3"))
        let file = open(path, O_WRONLY | O_CLOEXEC)
        #expect(ftruncate(file, 1 << 40) == 0)
        close(file)
        let again = folder.cache()
        #expect(try await again.usage().count == 4)
        #expect(folder.observer.events == ["cleaned tooLarge 1"])
        #expect(try await again.entry(for: CacheKey("k3")) == nil)
    }

    // DC-05, DC-17
    @Test func longNamesAndForeignFilesAreLitter() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry(bytes), for: key)
        try await cache.flush()
        let shard = cache.path(for: key).dropLast(50)
        try folder.files.write([[1, 2, 3]], toNew: shard + "/" + String(repeating: "x", count: 255), sync: false)
        try folder.files.write([[1, 2, 3]], toNew: shard + "/.hidden", sync: false)
        let again = folder.cache()
        #expect(try await again.usage().count == 1)
        #expect(try folder.entryFiles().count == 1)
        #expect(try await again.entry(for: key)?.bytes.contiguous() == bytes)
    }

    // DC-07
    @Test func metadataComesBackWhole() async throws {
        let now = folder.time.now
        let metadata = CacheEntryMetadata(
            format: "png", storedAt: now,
            freshness: Freshness(freshUntil: now + .seconds(9), etag: "\"é\"", lastModified: "x"),
            expiration: .after(.seconds(70)),
            http: StoredHTTPResponse(
                status: 200, headers: HTTPHeaders([("A", "1"), ("b", "")]), varying: HTTPHeaders([("Accept", "image/png")]),
                requestTime: now, responseTime: now + .seconds(1), url: "https://example.org/a.png"),
            isPartial: true, extended: Array(0...255))
        let cache = folder.cache()
        try await cache.store(CacheEntry(bytes: ByteRope(bytes), metadata: metadata), for: key)
        try await cache.flush()
        #expect(try await cache.metadata(for: key) == metadata)
        var changed = metadata
        changed.freshness.etag = "new"
        try await cache.update(changed, for: key)
        #expect(try await cache.metadata(for: key) == changed)
        try await cache.flush()
        let again = folder.cache()
        #expect(try await again.metadata(for: key) == changed)
        #expect(try await again.entry(for: key)?.bytes.contiguous() == bytes)
        try await cache.update(changed, for: CacheKey("never there"))
        try await cache.flush()
        #expect(await !cache.contains(CacheKey("never there")))
    }

    @Test func verifyRemovesWhatIsDamaged() async throws {
        let cache = folder.cache()
        for index in 0..<10 { try await cache.store(folder.entry("bytes \(index)"), for: CacheKey("k\(index)")) }
        try await cache.flush()
        let path = cache.path(for: CacheKey("k3"))
        var bad = try contents(path)
        bad[bad.count - 1] ^= 1
        try rewrite(path, bad)
        let report = try await cache.checkAll()
        #expect(report.intact == 9)
        #expect(report.removed == 1)
        #expect(try await cache.usage().count == 9)
        #expect(folder.observer.events == ["cleaned damaged 1"])
    }
}
