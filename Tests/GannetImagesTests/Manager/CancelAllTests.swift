import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// `cancelAll` between the call of a load and the moment when it joins its transfer. // MG-07
@Suite struct CancelAllTests: ManagerSuite {
    /// Something that happens once, in the middle of a load.
    private final class Once: LoadObserver {
        let body = Mutex<(@Sendable () -> Void)?>(nil)
        private let stage: LoadStage?

        /// `stage` nil: while the options are processed.
        init(at stage: LoadStage? = nil) { self.stage = stage }

        private func happen() { body.withLock { $0.take() }?() }

        func stageDidStart(_ id: LoadID, _ stage: LoadStage) { if stage == self.stage { happen() } }

        func process(_ request: ResolvedRequest) -> ResolvedRequest {
            if stage == nil { happen() }
            return request
        }
    }

    @Test func `Bytes that have not joined their transfer yet are cancelled`() async throws {
        let once = Once(at: .load)
        let fixture = ManagerFixture { $0.observers = [once] }
        fixture.serve()
        once.body.withLock { $0 = { fixture.manager.cancelAll() } }
        #expect(await failureCode { try await fixture.manager.fetchBytes(for: request()) } == .cancelled)
        #expect(await failureCode { try await fixture.manager.fetchBytes(for: request()) } == nil)
    }

    @Test func `A prefetch to the disk that still looks at the disk is cancelled`() async throws {
        let disk = WrappedCache()
        let fixture = ManagerFixture(diskCache: disk)
        fixture.serve()
        let stale = CacheEntryMetadata(storedAt: fixture.time.now, freshness: Freshness(freshUntil: .distantPast))
        try await disk.store(CacheEntry(bytes: ByteRope([1]), metadata: stale), for: CacheKey(ManagerFixture.url))
        disk.afterMetadata.withLock { $0 = { fixture.manager.cancelAll() } }
        let prefetcher = ImagePrefetcher(manager: fixture.manager, destination: .disk)
        let batch = prefetcher.prefetch([request()])
        _ = await batch.wait()
        #expect(batch.failures[0]?.code == .cancelled)
        #expect(await prefetcher.prefetch([request()]).wait().loaded == 1)
    }

    @Test func `A load, its bytes and a live photo that are still being prepared are cancelled`() async throws {
        let photo = [LivePhotoResource(url), LivePhotoResource(ImageSource(ManagerFixture.url + "?video"))]
        let calls: [@Sendable (ImageManager) async throws -> Void] = [
            { _ = try await $0.image(for: request()) }, { _ = try await $0.fetchBytes(for: request()) },
            { _ = try await $0.livePhoto(for: photo) }, { _ = try await $0.task(for: request()).value },
        ]
        for call in calls {
            let once = Once()
            let fixture = ManagerFixture { $0.optionsProcessor = once.process }
            fixture.serve()
            fixture.serve(ManagerFixture.url + "?video")
            once.body.withLock { $0 = { fixture.manager.cancelAll() } }
            #expect(await failureCode { try await call(fixture.manager) } == .cancelled)
            #expect(await failureCode { try await call(fixture.manager) } == nil)
        }
    }
}
