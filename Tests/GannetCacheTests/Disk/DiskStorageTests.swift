import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Synchronization
import Testing

/// Kingfisher's "Disk storage" behaviours, by their names. // DC-01 … DC-38
@Suite struct DiskStorageTests {
    let folder = CacheFolder()
    let key = CacheKey("https://example.org/a.png")

    // DC-03, DC-35
    @Test func testStoreAndGet() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry("bytes"), for: key)
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("bytes".utf8))
        try await cache.flush()
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("bytes".utf8))
        let again = folder.cache()
        #expect(try again.blockingEntry(for: key)?.bytes.contiguous() == Array("bytes".utf8))
        #expect(try folder.temporaryFiles() == [])
    }

    @Test func testRemove() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.remove(key)
        #expect(try await cache.entry(for: key) == nil)
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        try await cache.remove(key)
        try await cache.remove(CacheKey("never there"))
        #expect(await !cache.contains(key))
        #expect(try folder.entryFiles() == [])
    }

    @Test func testRemoveAll() async throws {
        let cache = folder.cache()
        for index in 0..<20 { try await cache.store(folder.entry("bytes \(index)"), for: CacheKey("k\(index)")) }
        try await cache.flush()
        try await cache.removeAll()
        #expect(try await cache.usage() == CacheUsage(count: 0, bytes: 0))
        #expect(try folder.entryFiles() == [])
        try await cache.store(folder.entry("again"), for: key)
        #expect(try await cache.usage().count == 1)
    }

    // DC-16
    @Test func testTotalSize() async throws {
        let cache = folder.cache()
        for index in 0..<10 {
            try await cache.store(folder.entry([UInt8](repeating: 1, count: 1000)), for: CacheKey("k\(index)"))
        }
        let usage = try await cache.usage()
        #expect(usage.count == 10)
        #expect(usage.bytes == (try folder.entryFiles().reduce(0) { $0 + (try folder.files.status($1).size) }))
        // A second cache counts the files that it finds.
        #expect(try await folder.cache().usage() == usage)
    }

    // DC-12, KF-10
    @Test func testSetExpiration() async throws {
        let cache = folder.cache(maximumAge: .seconds(1000))
        try await cache.store(folder.entry("short", expiration: .after(.seconds(10))), for: key)
        try await cache.store(folder.entry("date", expiration: .at(folder.time.now + .seconds(20))), for: CacheKey("date"))
        try await cache.store(folder.entry("never", expiration: .never), for: CacheKey("never"))
        try await cache.store(folder.entry("at once", expiration: .expired), for: CacheKey("expired"))
        try await cache.flush()
        #expect(await !cache.contains(CacheKey("expired")))
        folder.time.advance(by: .seconds(10))
        #expect(try await cache.entry(for: key) == nil)
        #expect(await cache.contains(CacheKey("date")))
        folder.time.advance(by: .seconds(10))
        #expect(await !cache.contains(CacheKey("date")))
        folder.time.advance(by: .seconds(100_000))
        #expect(await cache.contains(CacheKey("never")))
        // The scan of a later run must not throw it away by its file's age.
        let later = folder.cache(maximumAge: .seconds(1000))
        #expect(try await later.usage().count == 1)
        #expect(await later.contains(CacheKey("never")))
    }

    // DC-11, DC-28
    @Test func testConfigExpiration() async throws {
        let cache = folder.cache(maximumAge: .seconds(60))
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        folder.time.advance(by: .seconds(60))
        #expect(try await cache.entry(for: key) == nil)
        try await cache.flush()
        #expect(try folder.entryFiles() == [])
        #expect(folder.observer.events.contains("cleaned expired 1"))
    }

    // DC-12
    @Test func testExtendExpirationByAccessing() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry("bytes", expiration: .after(.seconds(100))), for: key)
        try await cache.flush()
        for _ in 0..<4 {
            folder.time.advance(by: .seconds(90))
            #expect(try await cache.entry(for: key) != nil)
        }
        // The next run knows the uses too, because they are kept in the file's time.
        try await cache.flush()
        folder.time.advance(by: .seconds(90))
        #expect(try await folder.cache().entry(for: key) != nil)
        folder.time.advance(by: .seconds(100))
        #expect(try await cache.entry(for: key) == nil)
    }

    // DC-12
    @Test func testNotExtendExpirationByAccessing() async throws {
        let cache = folder.cache(change: { $0.accessExtension = .none })
        try await cache.store(folder.entry("bytes", expiration: .after(.seconds(100))), for: key)
        try await cache.flush()
        folder.time.advance(by: .seconds(90))
        #expect(try await cache.entry(for: key) != nil)
        folder.time.advance(by: .seconds(10))
        #expect(try await cache.entry(for: key) == nil)
    }

    // DC-29
    @Test func testRemoveExpired() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry("a", expiration: .after(.seconds(1))), for: key)
        try await cache.store(folder.entry("b"), for: CacheKey("b"))
        try await cache.flush()
        folder.time.advance(by: .seconds(2))
        // A new run knows nothing but names and times, and reads the headers.
        let later = folder.cache()
        try await later.removeExpired()
        #expect(try await later.usage().count == 1)
        #expect(try folder.entryFiles().count == 1)
    }

    /// Ours trims to the limit asked for, the least recently used first; see decision 0009.
    // DC-15, NK-05
    @Test func testRemoveSizeExceeded() async throws {
        let cache = folder.cache()
        for index in 0..<10 {
            try await cache.store(folder.entry([UInt8](repeating: 1, count: 1000)), for: CacheKey("k\(index)"))
            folder.time.advance(by: .seconds(1))
        }
        try await cache.flush()
        #expect(try await cache.entry(for: CacheKey("k0")) != nil)
        let half = try await cache.usage().bytes / 2
        try await cache.trim(toBytes: half)
        #expect(try await cache.usage().bytes <= half)
        var left: [Int] = []
        for index in 0..<10 where await cache.contains(CacheKey("k\(index)")) { left.append(index) }
        #expect(left == [0, 6, 7, 8, 9])
        #expect(folder.observer.events == ["cleaned limit 5"])
    }

    // DC-32
    @Test func testValueForFileRemovedBehindStorageIsMiss() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        try folder.files.remove(cache.path(for: key))
        #expect(try await cache.entry(for: key) == nil)
        #expect(await !cache.contains(key))
        #expect(try await cache.usage().count == 0)
        #expect(folder.observer.events == [])
    }

    /// A link is never followed; Kingfisher throws, our cache counts a miss, removes the link and notifies the observer.
    @Test func testValueForDanglingSymbolicLinkUsesLinkMetadataThenFailsToLoad() async throws {
        let cache = folder.cache()
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        let path = cache.path(for: key)
        try folder.files.remove(path)
        #expect(symlink("/nowhere/at/all", path) == 0)
        #expect(try await cache.entry(for: key) == nil)
        try await cache.flush()
        #expect(try folder.entryFiles() == [])
        #expect(folder.observer.count("corrupt") == 1)
    }

    // DC-31, KF-18
    @Test func testMissForUnknownKeyAfterInitialScanApplied() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults, change: { $0.isSoleOwner = true })
        try await cache.store(folder.entry("bytes"), for: key)
        _ = try await cache.usage()
        let before = faults.callCount
        #expect(try await cache.entry(for: CacheKey("unknown")) == nil)
        #expect(faults.callCount == before)
        #expect(try await cache.entry(for: key) != nil)
    }

    @Test("what the index knows nothing of is told without touching a file") func unknownKeys() async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        try await cache.store(folder.entry("bytes"), for: key)
        #expect(cache.mightContain(key))
        try await cache.flush()
        _ = try await cache.usage()
        let before = faults.callCount
        #expect(cache.mightContain(key))
        #expect(!cache.mightContain(CacheKey("unknown")))
        #expect(faults.callCount == before)
        try await cache.remove(key)
        try await cache.flush()
        #expect(!cache.mightContain(key))
        // By another process, or an earlier one.
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        let second = folder.cache()
        _ = try await second.usage()
        #expect(second.mightContain(key))
        // Through a manager, any of its caches may have it.
        #expect(CachesManager([second, cache]).mightContain(key))
        #expect(!CachesManager([second, cache]).mightContain(CacheKey("unknown")))
        #expect(CachesManager([second, InMemoryImageCache()]).mightContain(CacheKey("unknown")))
    }

    @Test func testFileMetaOrder() async throws {
        let cache = folder.cache()
        for name in ["a", "b", "c"] {
            try await cache.store(folder.entry(name), for: CacheKey(name))
            try await cache.flush()
            folder.time.advance(by: .seconds(100))
        }
        #expect(try await cache.entry(for: CacheKey("a")) != nil)
        #expect(try await cache.items().map(\.key.text) == ["a", "c", "b"])
        #expect(try await folder.cache().items().map(\.key.text) == ["a", "c", "b"])
    }

    // DC-02
    @Test func testDirectoryIsPreparedBeforeInitialCacheScan() async throws {
        let cache = folder.cache()
        #expect(try await cache.usage().count == 0)
        #expect(try folder.files.status(folder.path).kind == .directory)
        let tag = String(
            decoding: try folder.files.read(folder.path + "/CACHEDIR.TAG", maximumBytes: 1000, nofollow: true), as: UTF8.self)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55"))
        var status = stat()
        #expect(stat(folder.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    /// A stored entry is found from the first moment on; the scan, which is still running, does not lose it. // DC-13
    @Test func testStoreAndGetWhenInitialCacheScanFinishesAfterStore() async throws {
        do {
            let earlier = folder.cache()
            try await earlier.store(folder.entry("old"), for: CacheKey("old"))
            // Of the same cache: the file is there before the next one lists it.
            try await earlier.flush()
        }
        let gate = AsyncGate()
        let isOpen = Atomic(false)
        let faults = FaultyFileSystem(folder.files) { call, path, _, _ in
            guard call == .list, path.contains("/entries-1/") else { return nil }
            while !isOpen.load(ordering: .acquiring) { sched_yield() }
            gate.open()
            return nil
        }
        let cache = folder.cache(files: faults)
        try await cache.store(folder.entry("new"), for: key)
        #expect(try cache.blockingEntry(for: key)?.bytes.contiguous() == Array("new".utf8))
        isOpen.store(true, ordering: .releasing)
        await gate.wait()
        try await cache.flush()
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("new".utf8))
        #expect(try await cache.usage().count == 2)
        #expect(try await folder.cache().usage().count == 2)
    }

    /// Names are hashes of the whole key and carry no extension, because contents decide what a file is; the extension that a key
    /// suggests is available separately. // DC-05, DC-06
    @Test(
        """
        testConfigUsesHashedFileName, testConfigUsesHashedFileNameWithAutoExt, \
        testConfigUsesHashedFileNameWithAutoExtAndProcessor, testConfigUsesHashedFileNameWithAutoExtAndAtSignInPath, \
        testConfigUsesHashedFileNameWithAutoExtAndQueryString
        """,
        arguments: [
            ("https://a.org/a", nil), ("https://a.org/a.gif", "gif"), ("https://a.org/a.gif\u{1}processor.x", "gif"),
            ("https://a.org/a.gif@2x", "gif"), ("https://a.org/a.gif?b=c.png", "gif"),
        ] as [(String, String?)])
    func fileNames(text: String, suggested: String?) throws {
        let cache = folder.cache()
        let name = try #require(cache.path(for: CacheKey(text)).split(separator: "/").last)
        #expect(name.utf8.count == 49)
        #expect(name.utf8.allSatisfy { $0 == 45 || (48...57).contains($0) || (97...102).contains($0) })
        #expect(!text.contains(name))
        #expect(CacheKey(text).suggestedFileExtension == suggested)
    }

    /// An unreadable file is a miss, reported once; it is not removed, and is found again afterwards. // DC-33
    @Test(
        """
        testValueWithUnreadableDirectoryReportsMiss, testValueWithUnreadableFileDataThrows, \
        testValueWithUnreadableMetadataOnExistingFileThrows
        """, arguments: [13, 24, 5] as [Int32])
    func unreadable(errno: Int32) async throws {
        let faults = FaultyFileSystem(folder.files)
        let cache = folder.cache(files: faults)
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        faults.setRule(FaultyFileSystem.fail(.readParts, number: 1, errno: errno, forever: true))
        for _ in 0..<2 {
            #expect(try await cache.entry(for: key) == nil)
            #expect(try await cache.metadata(for: key) == nil)
            #expect(await !cache.contains(key))
        }
        #expect(folder.observer.events == ["degraded"])
        faults.setRule(nil)
        #expect(try await cache.entry(for: key)?.bytes.contiguous() == Array("bytes".utf8))
        #expect(folder.observer.events == ["degraded", "recovered"])
    }

    /// A folder that cannot be prepared: reads are misses, and stores report that the entry is lost. // DC-33
    @Test func testValueOnNotReadyStorageThrows() async throws {
        let faults = FaultyFileSystem(
            folder.files, rule: FaultyFileSystem.fail(.makeDirectory, number: 1, errno: 30, forever: true))
        let cache = folder.cache(files: faults)
        try await cache.store(folder.entry("bytes"), for: key)
        let failure = await #expect(throws: ImageError.self) { try await cache.flush() }
        #expect(failure?.code == .io)
        #expect(try await cache.entry(for: key) == nil)
        #expect(folder.observer.events == ["degraded"])
    }
}
