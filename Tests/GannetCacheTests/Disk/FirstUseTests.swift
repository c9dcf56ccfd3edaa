import GannetCache
import GannetCore
import GannetTestSupport
import GannetTesting
import Testing

/// The first store and the first request with a credential may come at once, from several threads.
@Suite struct FirstUseTests {
    @Test(arguments: 0..<40) func aNewFolderIsPreparedByAllWhoNeedIt(round: Int) async throws {
        let folder = CacheFolder()
        let cache = folder.cache()
        let seals = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<4 {
                group.addTask {
                    if number == 0 { try await cache.store(folder.entry("bytes"), for: CacheKey("a")) }
                    return cache.scopeKey.seal(["secret"])
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        // Throws if the folder could not be used.
        try await cache.flush()
        #expect(folder.observer.count("degraded") == 0 && seals.count == 1)
        let later = folder.cache()
        #expect(later.scopeKey.seal(["secret"]) == seals.first)
        #expect(try await later.entry(for: CacheKey("a")) != nil)
        #expect(try folder.temporaryFiles().isEmpty)
    }
}
