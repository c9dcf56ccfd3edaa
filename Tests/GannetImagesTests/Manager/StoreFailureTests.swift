import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Testing

/// A failure to store is reported by `waitForStores()`, once. // KF-19
@Suite struct StoreFailureTests {
    private struct Refusing: CacheSerializer {
        func data(for image: DecodedImage, data: EncodedImage?) async throws(ImageError) -> [UInt8]? {
            throw ImageError(.encodeFailed, stage: .encode, "Not this one.")
        }
    }

    private func request(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(ImageSource(ManagerFixture.url), .transform(AddTransformer(amount: 1)))
        change(&request)
        return request
    }

    // KF-19
    @Test(arguments: [false, true]) func aSerializersAndAnEncoders(_ waits: Bool) async throws {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        fixture.serve()
        let serialized = request {
            $0.cache.serializer = Refusing()
            $0.schedule.waitsForStore = waits
        }
        _ = try await fixture.manager.image(for: serialized)
        #expect(await failureCode { try await fixture.manager.waitForStores() } == .encodeFailed)
        try await fixture.manager.waitForStores()
        let encoded = request {
            $0.cache.encode = EncodeOptions(format: .png)
            $0.schedule.waitsForStore = waits
        }
        _ = try await fixture.manager.image(for: encoded)
        #expect(await failureCode { try await fixture.manager.waitForStores() } == .unsupported)
        try await fixture.manager.waitForStores()
    }

    @Test func aDisksAlsoWhereTheRequestWaited() async throws {
        let folder = CacheFolder()
        let files = FaultyFileSystem(folder.files) { call, _, _, _ in
            call == .write ? ENOSPC : nil
        }
        let fixture = ManagerFixture(diskCache: folder.cache(files: files))
        fixture.serve()
        _ = try await fixture.manager.image(for: ImageRequest(ImageSource(ManagerFixture.url), .waitingForStore))
        #expect(await failureCode { try await fixture.manager.waitForStores() } != nil)
        try await fixture.manager.waitForStores()
    }

    @Test func aFailureOfTheFirstCacheLeavesTheSecondNoLessWritten() async throws {
        final class Failing: ImageCaching {
            let inner = InMemoryImageCache()
            let flushes = CallCount()
            var identifier: String { "failing" }
            func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? { nil }
            func blockingEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> CacheEntry? { nil }
            func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? { nil }
            func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {}
            func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {}
            func remove(_ key: CacheKey) async throws(ImageError) {}
            func removeAll(prefix: String) async throws(ImageError) {}
            func removeAll() async throws(ImageError) {}
            func contains(_ key: CacheKey) async -> Bool { false }
            func usage() async throws(ImageError) -> CacheUsage { CacheUsage(count: 0, bytes: 0) }
            func flush() async throws(ImageError) {
                flushes.add()
                throw ImageError(.io, stage: .store, "no")
            }
        }
        let (disk, originals) = (Failing(), Failing())
        let fixture = ManagerFixture(diskCache: disk) { $0.originalCache = originals }
        #expect(await failureCode { try await fixture.manager.waitForStores() } == .io)
        #expect(disk.flushes.count == 1 && originals.flushes.count == 1)
    }
}
