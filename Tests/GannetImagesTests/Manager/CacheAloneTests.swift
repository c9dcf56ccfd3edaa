import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetImages

/// A manager's caches without loads: how an image read from disk gets into memory. // DC-22
@Suite(.timeLimit(.minutes(10))) struct CacheAloneTests {
    private let disk = WrappedCache()
    private let key = "a key"
    private let bytes = ByteRope(FakeImageCoder.bytes(width: 10, height: 10, red: 7))

    @Test func itComesWithItsEndAndItsData() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        try await fixture.manager.cache.storeData(bytes, forKey: key, expiration: .after(.seconds(10)), extended: [7])
        #expect(try await fixture.manager.cache.image(forKey: key)?.origin == .disk)
        let picture = try #require(fixture.memory.image(for: CacheKey(key)))
        #expect(picture.expiration == .after(.seconds(10)) && picture.extended == [7])
    }

    @Test func whatIsRemovedMeanwhileStaysRemoved() async throws {
        let fixture = ManagerFixture(diskCache: disk)
        let cache = fixture.manager.cache
        try await cache.storeData(bytes, forKey: key)
        disk.afterRead.withLock { [key] in $0 = { try? await cache.remove(forKey: key) } }
        #expect(try await cache.image(forKey: key) != nil)
        #expect(cache.memoryImage(forKey: key) == nil)
        #expect(try await cache.image(forKey: key) == nil)
    }

    @Test func itWaitsForRoom() async throws {
        let fixture = ManagerFixture(diskCache: disk) { $0.decodeBudget = 1000 }
        let (manager, key) = (fixture.manager, key)
        try await manager.cache.storeData(bytes, forKey: key)
        var others: ResourceBudget.Reservation? = try manager.budget.reserve(900)
        #expect(others != nil)
        let hasEnded = Mutex(false)
        let reading = Task {
            defer { hasEnded.withLock { $0 = true } }
            return try await manager.cache.image(forKey: key).map { red($0) }
        }
        #expect(await eventually { manager.budget.waitingCount == 1 || hasEnded.withLock { $0 } })
        others = nil
        #expect(try await reading.value == 7)
    }
}
