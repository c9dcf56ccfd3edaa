import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Prefetching for lists while they are scrolled.
@Suite struct PrefetchPlanTests {
    private func request(_ index: Int) -> ImageRequest { ImageRequest(ImageSource("https://example.org/\(index).fake")) }

    private func requests(_ indices: Range<Int>) -> [ImageRequest] { indices.map(request) }

    /// Carries a plan out, as a list does.
    private func move(
        _ plan: inout PrefetchPlan, _ wanted: Range<Int>, seen: Range<Int>, _ start: (ImageRequest) -> @Sendable () -> Void
    ) {
        for new in plan.move(to: requests(wanted), keeping: requests(seen)) {
            plan.began(new.key, cancel: start(new.request))
        }
    }

    @Test("what two plans both want goes on; what was left is given up")
    func overlap() async {  // CG-18
        let fixture = ManagerFixture()
        for index in 0..<8 { fixture.serve("https://example.org/\(index).fake") }
        fixture.loader.gate.close()
        let prefetcher = ImagePrefetcher(manager: fixture.manager, concurrency: 16)
        var batches: [PrefetchBatch] = []
        var plan = PrefetchPlan()
        func start(_ request: ImageRequest) -> @Sendable () -> Void {
            let batch = prefetcher.prefetch([request])
            batches.append(batch)
            return { batch.cancel() }
        }
        move(&plan, 2..<6, seen: 0..<2, start)
        #expect(batches.count == 4)
        await fixture.loader.gate.waitForArrivals(4)
        // Further on: 2 was passed, 3 and 4 are seen now.
        move(&plan, 5..<8, seen: 3..<5, start)
        #expect(batches.count == 6, "only 6 and 7 are new")
        await fixture.loader.gate.waitForArrivals(6)
        fixture.loader.gate.open()
        var loaded: [Bool] = []
        for batch in batches { loaded.append(await batch.wait().loaded == 1) }
        #expect(loaded == [false, true, true, true, true, true])
        #expect(fixture.loader.loadCount == 6, "each was asked for once")
        #expect(await eventually { fixture.loader.cancelledCount == 1 })
    }

    @Test("positions are no names: what stands elsewhere now is the same; another size is another; equal ones are counted")
    func names() {
        var plan = PrefetchPlan()
        let cancelled = CallCount()
        func began(_ wanted: [ImageRequest]) -> Int {
            let new = plan.move(to: wanted, keeping: [])
            for item in new { plan.began(item.key) { cancelled.add() } }
            return new.count
        }
        #expect(began(requests(0..<4)) == 4)
        #expect(began([request(9)] + requests(0..<3)) == 1 && cancelled.count == 1)
        #expect(began([request(0).with(.fit(10, 10)), request(0)]) == 1 && cancelled.count == 4)
        #expect(began([request(0), request(0)]) == 1 && cancelled.count == 5)
        plan.cancelAll()
        #expect(cancelled.count == 7)
        #expect(began([request(0)]) == 1)
    }

    @Test func windows() {  // CG-18
        var window = PrefetchWindow()
        #expect(window.move(to: 0..<10, ahead: 4, in: 0..<100) == [10, 11, 12, 13])
        #expect(window.move(to: 1..<11, ahead: 4, in: 0..<100) == nil, "the plan still reaches far enough")
        #expect(window.move(to: 3..<13, ahead: 4, in: 0..<100) == [13, 14, 15, 16])
        #expect(window.move(to: 2..<12, ahead: 4, in: 0..<100) == [1, 0])
        #expect(window.move(to: 0..<10, ahead: 4, in: 0..<100) == nil)
        #expect(window.move(to: 90..<100, ahead: 4, in: 0..<100) == nil, "nothing comes after the end")
        #expect(window.move(to: 0..<10, ahead: 4, in: 0..<5) == nil)
    }
}
