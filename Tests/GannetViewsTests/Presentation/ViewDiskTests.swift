import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// Views that read the disk before their call returns.
@MainActor @Suite struct ViewDiskTests: ManagerSuite {
    @Test func testUIImageViewSetImageWithURLDiskSync() async throws {  // VW-10
        let disk = InMemoryImageCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        _ = try await fixture.manager.image(for: request())
        func show(_ readsDiskAtOnce: Bool) async -> (isSynchronous: Bool, origin: LoadedImage.Origin?) {
            fixture.memory.removeAll()
            let view = HeadlessView(width: 8, height: 4, loader: fixture.manager)
            var options = PresentationOptions()
            options.readsDiskAtOnce = readsDiskAtOnce
            var (isOver, origin) = (false, LoadedImage.Origin?.none)
            view.presenter.setImage(request(), options: options) { result in
                (isOver, origin) = (true, try? result.get().origin)
            }
            let isSynchronous = isOver && view.presenter.image != nil && !view.presenter.isLoading
            await eventually { isOver }
            return (isSynchronous, origin)
        }
        #expect(await show(true) == (true, .disk))
        #expect(await show(false) == (false, .disk))
        #expect(fixture.loader.loadCount == 1)
        // A miss is a load like others.
        try await disk.removeAll()
        #expect(await show(true) == (false, .network))
    }
}
