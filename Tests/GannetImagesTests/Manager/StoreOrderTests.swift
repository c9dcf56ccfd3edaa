import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Stores that run after the results are delivered: the newest stays, and a removed entry does not come back.
@Suite struct StoreOrderTests {
    private let disk = InMemoryImageCache()
    private let originals = InMemoryImageCache(identifier: "originals")

    private var fixture: ManagerFixture { ManagerFixture(diskCache: disk) { $0.originalCache = originals } }

    private func thumbnail(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(ImageSource(ManagerFixture.url), .fit(4, 4))
        change(&request)
        return request
    }

    @Test func theNewerPictureStays() async throws {
        let fixture = fixture
        fixture.serve(red: 1)
        disk.storeGate.close()
        _ = try await fixture.manager.image(for: thumbnail())
        await disk.storeGate.waitForArrivals(1)
        for red: UInt8 in [2, 3] {
            fixture.serve(red: red)
            _ = try await fixture.manager.image(for: thumbnail { $0.cache.lookup = .loaderOnly })
        }
        disk.storeGate.open()
        try await fixture.manager.waitForStores()
        #expect(disk.storeCount == 2, "the second was overtaken by the third")
        fixture.memory.removeAll()
        let stored = try await fixture.manager.image(for: thumbnail { $0.cache.lookup = .cacheOnly })
        #expect(stored.origin == .disk && red(stored) == 3)
    }

    @Test func whoWaitsForTheStoreWaitsForTheNewer() async throws {
        let fixture = fixture
        fixture.serve(red: 1)
        disk.storeGate.close()
        _ = try await fixture.manager.image(for: thumbnail())
        await disk.storeGate.waitForArrivals(1)
        fixture.serve(red: 2)
        let task = fixture.manager.task(
            for: thumbnail {
                $0.cache.lookup = .loaderOnly
                $0.schedule.waitsForStore = true
            })
        #expect(await eventually { fixture.loader.loadCount >= 2 })
        disk.storeGate.open()
        _ = try await task.value
        #expect(disk.storeCount == 2)
    }

    /// A slow disk must not hold the pixels of all that was loaded.
    @Test func aStoreThatWaitsHoldsNoOriginal() async throws {
        let memory = MemoryCache(limits: MemoryCacheLimits(bytes: 1 << 20, entryBytes: 1 << 10))
        let fixture = ManagerFixture(diskCache: disk) {
            $0.originalCache = originals
            $0.memoryCache = memory
        }
        fixture.serve(width: 100, height: 100)
        disk.storeGate.close()
        let request = thumbnail {
            $0.decode.target = nil
            $0.transform.transformers = [ResizeTransformer(.fit(4, 4))]
            $0.cache.writeOriginal = .all
        }
        let key = try fixture.manager.pipeline.blockingPrepare(request).keys.decode
        #expect(try await fixture.manager.image(for: request).size == PixelSize(clamping: 4, 4))
        await disk.storeGate.waitForArrivals(1)
        // Too large to be kept: found only as long as a caller holds it.
        #expect(await eventually { memory.image(for: key) == nil })
        disk.storeGate.open()
        try await fixture.manager.waitForStores()
        #expect(disk.keys.count == 1)
    }

    @Test func everythingIsRemovedFromAllCaches() async throws {
        let fixture = fixture
        fixture.serve()
        _ = try await fixture.manager.image(for: thumbnail { $0.schedule.waitsForStore = true })
        #expect(disk.keys.count == 1 && originals.keys == [ManagerFixture.url])
        try await fixture.manager.cache.remove(ManagerFixture.url)
        #expect(disk.keys.isEmpty && originals.keys.isEmpty)
        _ = try await fixture.manager.fetchBytes(for: thumbnail())
        #expect(originals.keys.count == 1)
        try await fixture.manager.cache.removeAll()
        #expect(disk.keys.isEmpty && originals.keys.isEmpty && fixture.memory.usage.count == 0)
    }

    @Test(arguments: [false, true])
    func aStoreThatRunsBringsNothingBack(_ isOne: Bool) async throws {
        let fixture = fixture
        fixture.serve()
        disk.storeGate.close()
        _ = try await fixture.manager.image(for: thumbnail())
        await disk.storeGate.waitForArrivals(1)
        if isOne {
            try await fixture.manager.cache.remove(forKey: fixture.manager.cacheKey(for: thumbnail()))
        } else {
            try await fixture.manager.cache.removeAll()
        }
        disk.storeGate.open()
        try await fixture.manager.waitForStores()
        #expect(disk.keys.isEmpty && fixture.memory.usage.count == 0 && originals.keys.count == (isOne ? 1 : 0))
    }

    @Test(arguments: [CacheTier.all, .memory, .disk])
    func aLoadThatRunsBringsNothingBack(_ tier: CacheTier) async throws {
        let fixture = fixture
        fixture.serve()
        fixture.loader.gate.close()
        let task = fixture.manager.task(for: thumbnail { $0.schedule.waitsForStore = true })
        await fixture.loader.gate.waitForArrivals(1)
        try await fixture.manager.cache.removeAll(tier: tier)
        fixture.loader.gate.open()
        #expect(try await task.value.size.width == 4)
        #expect(disk.keys.isEmpty == tier.contains(.disk) && originals.keys.isEmpty == tier.contains(.disk))
        #expect((fixture.memory.usage.count == 0) == tier.contains(.memory))
        // The next load does.
        fixture.memory.removeAll()
        _ = try await fixture.manager.image(for: thumbnail { $0.schedule.waitsForStore = true })
        fixture.memory.removeAll()
        #expect(try await fixture.manager.image(for: thumbnail()).origin == .disk)
    }
}
