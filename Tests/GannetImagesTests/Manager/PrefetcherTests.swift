import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@Suite struct PrefetcherTests {
    private func requests(_ count: Int, prefix: String = "p") -> [ImageRequest] {
        (0..<count).map { ImageRequest(ImageSource("https://example.org/\(prefix)\($0).fake")) }
    }

    private func fixture(_ count: Int, prefixes: [String] = ["p"]) -> ManagerFixture {
        let fixture = ManagerFixture()
        for prefix in prefixes { for index in 0..<count { fixture.serve("https://example.org/\(prefix)\(index).fake") } }
        return fixture
    }

    @Test func prefetchesEveryRequestOnceAndSkipsWhatIsCached() async {  // PF-01, PF-05, PF-07, PF-09, PF-10, NK-13
        let fixture = fixture(10)
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        #expect(await prefetcher.prefetch(requests(10)).wait().loaded == 10)
        let again = await prefetcher.prefetch(requests(10)).wait()
        #expect(again.skipped == 10 && again.loaded == 0)
        #expect(fixture.loader.loadCount == 10)
    }

    /// PF-07
    @Test func whatIsOnDiskIsNotReadToSaySo() async throws {
        let disk = WrappedCache()
        let fixture = ManagerFixture(diskCache: disk)
        let fresh = Freshness(freshUntil: fixture.time.now + .seconds(10))
        fixture.serve("https://example.org/p0.fake", freshness: fresh)
        fixture.serve("https://example.org/p1.fake")
        let prefetcher = ImagePrefetcher(manager: fixture.manager, destination: .disk)
        #expect(await prefetcher.prefetch(requests(2)).wait().loaded == 2)
        #expect(await prefetcher.prefetch(requests(2)).wait().skipped == 2)
        #expect(disk.touches.withLock { $0 }.isEmpty && disk.uses.withLock { $0.sorted() } == requests(2).map(\.source.keyText))
        #expect(fixture.observer.count { if case .diskHit = $0 { true } else { false } } == 2)
        fixture.time.advance(by: .seconds(11))
        let late = await prefetcher.prefetch(requests(2)).wait()
        #expect(late.loaded == 1 && late.skipped == 1, "what is no longer fresh is asked for")
        #expect(fixture.loader.loadCount == 3)
    }

    @Test func aLaterBatchNeverCancelsAnEarlierOne() async {  // PF-03
        let fixture = fixture(4, prefixes: ["a", "b"])
        fixture.loader.gate.close()
        let prefetcher = ImagePrefetcher(manager: fixture.manager, concurrency: 2)
        let first = prefetcher.prefetch(requests(4, prefix: "a"))
        let second = prefetcher.prefetch(requests(4, prefix: "b"))
        fixture.loader.gate.open()
        #expect(await first.wait().loaded == 4)
        #expect(await second.wait().loaded == 4)
    }

    // PF-05
    @Test func cancellingOneBatchLeavesTheOther() async {
        let fixture = fixture(3, prefixes: ["a", "b"])
        fixture.loader.gate.close()
        let prefetcher = ImagePrefetcher(manager: fixture.manager, concurrency: 6)
        let first = prefetcher.prefetch(requests(3, prefix: "a"))
        let second = prefetcher.prefetch(requests(3, prefix: "b"))
        await fixture.loader.gate.waitForArrivals(6)
        first.cancel()
        let cancelled = await first.wait()
        #expect(cancelled.failed == 3)
        #expect(first.failures.values.allSatisfy { $0.code == .cancelled })
        fixture.loader.gate.open()
        #expect(await second.wait().loaded == 3)
    }

    // PF-01, PF-06
    @Test func neverMoreAtOnceThanItsConcurrency() async {
        let fixture = fixture(8)
        fixture.loader.gate.close()
        let prefetcher = ImagePrefetcher(manager: fixture.manager, concurrency: 2)
        let batch = prefetcher.prefetch(requests(8))
        await fixture.loader.gate.waitForArrivals(2)
        #expect(fixture.loader.loadCount == 2)
        fixture.loader.gate.open()
        #expect(await batch.wait().loaded == 8)
    }

    @Test(.timeLimit(.minutes(10))) func moreAtOnceBeginWhileOthersRun() async {
        let fixture = fixture(8)
        fixture.loader.gate.close()
        let prefetcher = ImagePrefetcher(manager: fixture.manager, concurrency: 1)
        let batch = prefetcher.prefetch(requests(8))
        await fixture.loader.gate.waitForArrivals(1)
        for limit in [2, 4] {
            prefetcher.concurrency = limit
            await fixture.loader.gate.waitForArrivals(limit)
        }
        #expect(fixture.loader.loadCount == 4)
        fixture.loader.gate.open()
        #expect(await batch.wait().loaded == 8)
    }

    // PF-04
    @Test func failuresAreCountedAndNamed() async {
        let fixture = fixture(1)
        let batch = ImagePrefetcher(manager: fixture.manager).prefetch(requests(2))
        let progress = await batch.wait()
        #expect(progress.loaded == 1 && progress.failed == 1 && progress.fraction == 1)
        #expect(batch.failures[1]?.code == .notFound)
    }

    // PF-11
    @Test func anEmptyBatchIsOverAtOnce() async {
        let fixture = fixture(0)
        #expect(await ImagePrefetcher(manager: fixture.manager).prefetch([]).wait().fraction == 1)
    }

    @Test func aVisibleRequestRaisesWhatIsPrefetched() async throws {  // U-17, OP-01, PF-02, PF-12, S3-13
        let fixture = fixture(1)
        fixture.loader.gate.close()
        let batch = ImagePrefetcher(manager: fixture.manager).prefetch(requests(1))
        await fixture.loader.gate.waitForArrivals(1)
        let visible = fixture.manager.task(for: requests(1)[0].with(.priority(.veryHigh)))
        // A new waiter is counted a moment before its priority is applied.
        #expect(await eventually { fixture.manager.runningPriorities == [.veryHigh] })
        fixture.loader.gate.open()
        _ = try await visible.value
        _ = await batch.wait()
        #expect(fixture.loader.loadCount == 1)
    }
}
