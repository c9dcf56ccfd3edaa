import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Images that a provider composes from other images.
@Suite struct CollageTests {
    /// Asks the manager that asks it.
    private final class Collage: ImageDataProvider {
        let manager = Mutex<ImageManager?>(nil)
        let slots: DownloadSlots
        var cacheKey: String { "collage" }

        init(_ slots: DownloadSlots) { self.slots = slots }

        func data() async throws -> [UInt8] {
            // The part would wait for ever.
            guard slots.runningCount == 0 else { throw ImageError(.misuse, "The only slot is taken.") }
            guard let manager = manager.withLock({ $0 }) else { return [] }
            let part = try await manager.image(for: ImageSource(ManagerFixture.url))
            return FakeImageCoder.bytes(width: part.size.width * 2, height: part.size.height)
        }
    }

    @Test func `A provider that asks for other pictures holds no download slot meanwhile`() async throws {
        var limits = DownloaderConfiguration()
        limits.maximumConcurrentDownloads = 1
        let slots = DownloadSlots(limits)
        let fixture = ManagerFixture {
            $0.loaders.add(ProviderLoader())
            $0.slots = slots
        }
        fixture.serve(width: 8, height: 4)
        let collage = Collage(slots)
        collage.manager.withLock { $0 = fixture.manager }
        #expect(try await fixture.manager.image(for: .provider(collage)).size == PixelSize(clamping: 16, 4))
    }
}
