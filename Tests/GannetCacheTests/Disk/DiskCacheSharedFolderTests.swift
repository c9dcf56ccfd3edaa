import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Testing

/// The user names a home folder, `/var` or `/` as the cache's folder: existing files stay as they were. // DC-01
@Suite struct DiskCacheSharedFolderTests {
    let folder = CacheFolder()
    let key = CacheKey("https://example.org/a.png")

    /// Names of `tmp` that are not made by a cache, the last three almost.
    private let foreign = [
        "notes.txt", "letter-1.odt", "build.lock", "x.tmp", "0123456789abcdef", "0123456789abcdef-.tmp", "0123456789ABCDEF-1.tmp",
    ]

    private func makeForeign() throws {
        try folder.files.makeDirectory(folder.path)
        try folder.files.makeDirectory(folder.path + "/tmp")
        for name in foreign { try folder.files.write([[1]], toNew: folder.path + "/tmp/" + name, sync: false) }
        try folder.files.makeDirectory(folder.path + "/tmp/project")
        try folder.files.write([[1]], toNew: folder.path + "/tmp/project/main.swift", sync: false)
    }

    @Test func othersFilesInTmpStay() async throws {
        try makeForeign()
        let left = folder.path + "/tmp/00000000deadbeef"
        try folder.files.write([[1]], toNew: left + "-3.tmp", sync: false)
        try folder.files.write([[1]], toNew: left + ".lock", sync: false)
        let cache = folder.cache()
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        // Files of an owner that is gone are removed, which shows that the sweep has run.
        let names = try folder.files.list(folder.path + "/tmp").filter { !$0.hasSuffix(".lock") || $0 == "build.lock" }
        #expect(names.sorted() == (foreign + ["project"]).sorted())
        #expect(try !folder.files.list(folder.path + "/tmp").contains("00000000deadbeef.lock"))
        try await cache.removeAll()
        #expect(try folder.files.list(folder.path + "/tmp/project") == ["main.swift"])
    }

    /// Backups skip tagged folders with all their contents.
    @Test func onlyAFolderOfItsOwnIsTagged() async throws {
        try makeForeign()
        try folder.files.write([[1]], toNew: folder.path + "/thesis.tex", sync: false)
        try await folder.cache().store(folder.entry("bytes"), for: key)
        let cache = folder.cache()
        _ = try await cache.usage()
        #expect(try !folder.files.list(folder.path).contains("CACHEDIR.TAG"))
        let own = CacheFolder()
        try await own.cache().store(own.entry("bytes"), for: key)
        _ = try await own.cache().usage()
        #expect(try own.files.list(own.path).contains("CACHEDIR.TAG"))
    }

    @Test(arguments: ["file", "link"]) func somebodysTmpThatIsNoFolderStays(what: String) async throws {
        try folder.files.makeDirectory(folder.path)
        let tmp = folder.path + "/tmp"
        if what == "file" {
            try folder.files.write([[1]], toNew: tmp, sync: false)
        } else {
            #expect(symlink("/var/tmp", tmp) == 0)
        }
        let kind = try folder.files.status(tmp).kind
        let cache = folder.cache()
        try await cache.store(folder.entry("bytes"), for: key)
        await #expect(throws: ImageError.self) { try await cache.flush() }
        #expect(try folder.files.status(tmp).kind == kind)
        #expect(try await cache.entry(for: key) == nil)
    }
}
