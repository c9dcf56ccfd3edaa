import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import Glibc
import Testing

/// Which folder the path of a configuration means. // DC-01
@Suite struct DiskCacheFolderTests {
    let folder = CacheFolder()
    let key = CacheKey("https://example.org/a.png")

    /// From the folder that this process works in up to `/`, and down again: no test may change the folder for all others.
    private var relativePath: String {
        get throws {
            let here = try #require(getcwd(nil, 0))
            defer { free(here) }
            let depth = String(cString: here).split(separator: "/").count
            return String(repeating: "../", count: depth) + folder.path.dropFirst()
        }
    }

    @Test func relativePathBeginsAtTheWorkingFolder() async throws {
        let path = try relativePath
        #expect(!path.hasPrefix("/"))
        let cache = folder.cache(change: { $0.directory = path + "/inner" })
        try await cache.store(folder.entry("bytes"), for: key)
        try await cache.flush()
        #expect(try folder.entryFiles().count == 1)
        let other = folder.cache(change: { $0.directory = folder.path + "/inner/" })
        #expect(try await other.entry(for: key)?.bytes.contiguous() == Array("bytes".utf8))
        #expect(cache.path(for: key).hasPrefix("/"))
    }

    @Test func emptyPathIsRefused() async throws {
        let cache = folder.cache(change: { $0.directory = "" })
        try await cache.store(folder.entry("bytes"), for: key)
        await #expect(throws: ImageError.self) { try await cache.flush() }
        #expect(try await cache.entry(for: key) == nil)
        #expect(throws: ImageError.self) { try folder.files.status("/entries-1") }
    }
}
