import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Work whose caller has moved on is dropped at each step, is reported once, and leaves nothing behind. Kingfisher's "Stale
/// cache".
@Suite struct StaleBehaviourTests {
    private let url = ImageSource(ManagerFixture.url)

    /// A picture on disk and not in memory, behind a gate that is closed.
    private func stored(
        _ change: (inout ManagerConfiguration) -> Void = { _ in }
    ) async throws -> (fixture: ManagerFixture, gate: AsyncGate) {
        let gate = AsyncGate(isOpen: true)
        let fixture = ManagerFixture(diskCache: WrappedCache(readGate: gate), change: change)
        fixture.serve()
        _ = try await fixture.manager.image(for: ImageRequest(url, .waitingForStore))
        fixture.memory.removeAll()
        gate.close()
        return (fixture, gate)
    }

    private static func settle(_ fixture: ManagerFixture) async { #expect(await eventually { fixture.manager.isIdle }) }

    @Test func `testRetrieveImageInDiskCacheReturnsStaleWithoutCallingSerializerWhenCheckerIsAlreadyFalse`() async throws {
        struct Counting: CacheSerializer {
            let calls: CallCount
            func data(for image: DecodedImage, data: EncodedImage?) async throws(ImageError) -> [UInt8]? { nil }
            func image(from data: [UInt8]) async throws(ImageError) -> DecodedImage? {
                calls.add()
                return nil
            }
        }
        let (fixture, gate) = try await stored()
        let calls = CallCount()
        let reads = gate.arrivedCount
        let task = fixture.manager.task(for: ImageRequest(url, .serializer(Counting(calls: calls))))
        await gate.waitForArrivals(reads + 1)
        task.cancel()
        #expect(await failureCode { try await task.value } == .cancelled)
        await eventually { fixture.manager.isIdle }
        gate.open()
        await Self.settle(fixture)
        #expect(calls.count == 0 && fixture.memory.usage.count == 0)
    }

    @Test
    func `testRetrieveImageInDiskCacheReturnsImageWhenCheckerStaysTrue, testRetrieveImageWithoutCheckerKeepsExistingBehavior`()
        async throws
    {
        let (fixture, gate) = try await stored()
        let task = fixture.manager.task(for: url)
        gate.open()
        let loaded = try await task.value
        #expect(loaded.origin == .disk && red(loaded) == 10)
    }

    @Test
    func
        `testRetrieveImageInDiskCacheReturnsStaleWhenCheckerTurnsFalseAfterDiskReadBeforeDeserialize, testStaleDiskCacheRetrievalDoesNotPromoteToMemoryWhenSuperseded, testCancelDownloadTaskCancelsDiskCacheRetrieval`()
        async throws
    {
        let (fixture, gate) = try await stored()
        let decoded = fixture.coder.decodeCount
        let reads = gate.arrivedCount
        let task = fixture.manager.task(for: url)
        await gate.waitForArrivals(reads + 1)
        task.cancel()
        #expect(await failureCode { try await task.value } == .cancelled)
        await eventually { fixture.manager.isIdle }
        gate.open()
        await Self.settle(fixture)
        #expect(fixture.coder.decodeCount == decoded && fixture.memory.usage.count == 0 && fixture.loader.loadCount == 1)
    }

    @Test
    func
        `testRetrieveImageInDiskCacheSkipsBackgroundDecodeWhenCheckerTurnsFalseAfterDeserialize, testRetrieveImageFromOriginalCacheWithProcessorDoesNotDownloadWhenResultIsStale`()
        async throws
    {
        let (fixture, gate) = try await stored()
        let reads = gate.arrivedCount
        let task = fixture.manager.task(for: ImageRequest(url, .transform(AddTransformer(amount: 1))))
        await gate.waitForArrivals(reads + 1)
        task.cancel()
        #expect(await failureCode { try await task.value } == .cancelled)
        await eventually { fixture.manager.isIdle }
        gate.open()
        await Self.settle(fixture)
        #expect(fixture.loader.loadCount == 1 && fixture.observer.started(.transform) == 0)
    }

    @Test func testRetrieveImageFromOriginalCacheWithProcessorProcessesNormallyWhenCurrent() async throws {
        let (fixture, gate) = try await stored()
        let task = fixture.manager.task(for: ImageRequest(url, .transform(AddTransformer(amount: 1))))
        gate.open()
        #expect(red(try await task.value) == 11)
        #expect(fixture.loader.loadCount == 1)
    }

    @Test
    func
        `testKingfisherManagerDoesNotRetryWhenDiskCacheRetrievalBecomesStale, testKingfisherManagerStaleDiskCacheResultInvokesCompletionOnceEvenWithRetryStrategy`()
        async throws
    {
        struct Asked: RetryStrategy {
            let calls: CallCount
            func delay(before attempt: Int, after error: ImageError) async -> Duration? {
                calls.add()
                return .zero
            }
        }
        let (retries, ends) = (CallCount(), CallCount())
        let (fixture, gate) = try await stored { $0.retry = Asked(calls: retries) }
        let reads = gate.arrivedCount
        let code = await withCheckedContinuation { (continuation: CheckedContinuation<ImageError.Code?, Never>) in
            let task = fixture.manager.load(ImageRequest(url)) { result in
                ends.add()
                continuation.resume(returning: result.failureCode)
            }
            Task {
                await gate.waitForArrivals(reads + 1)
                task.cancel()
            }
        }
        gate.open()
        await Self.settle(fixture)
        #expect(code == .cancelled && ends.count == 1 && retries.count == 0)
    }

    @Test func testRetrieveImageFromCacheDoesNotUseAlternativeSourcesWhenResultIsStale() async throws {
        let (fixture, gate) = try await stored()
        let reads = gate.arrivedCount
        let task = fixture.manager.task(for: ImageRequest(url, .alternatives(["https://example.org/other.fake"])))
        await gate.waitForArrivals(reads + 1)
        task.cancel()
        #expect(await failureCode { try await task.value } == .cancelled)
        await eventually { fixture.manager.isIdle }
        gate.open()
        await Self.settle(fixture)
        #expect(fixture.loader.loadCount == 1)
    }
}
