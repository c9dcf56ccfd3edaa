import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Further points of Nuke's prefetcher tests: priorities that change, and one item after the other. NK-13, PF-04.
@Suite struct PrefetchWatchingTests {
    private func requests(_ count: Int) -> [ImageRequest] {
        (0..<count).map { ImageRequest(ImageSource("https://example.org/w\($0).fake")) }
    }

    private func fixture(_ count: Int) -> ManagerFixture {
        let fixture = ManagerFixture()
        for index in 0..<count { fixture.serve("https://example.org/w\(index).fake") }
        return fixture
    }

    @Test func `The priority changes for what runs and for what comes`() async {  // PF-02, NK-03
        let fixture = fixture(2)
        fixture.loader.gate.close()
        let prefetcher = ImagePrefetcher(manager: fixture.manager)
        #expect(prefetcher.priority == .low)
        prefetcher.priority = .veryLow
        let batch = prefetcher.prefetch([requests(2)[0], requests(2)[1].with(.priority(.normal))])
        await fixture.loader.gate.waitForArrivals(2)
        #expect(await eventually { Set(fixture.manager.runningPriorities) == [.veryLow, .normal] })
        prefetcher.priority = .high
        // The request with its own priority keeps it.
        #expect(await eventually { Set(fixture.manager.runningPriorities) == [.high, .normal] })
        fixture.loader.gate.open()
        #expect(await batch.wait().loaded == 2)
    }

    @Test func `Each item is told as it finishes, to whoever asks whenever`() async throws {  // PF-04
        let fixture = fixture(3)
        _ = try await fixture.manager.image(for: requests(3)[1])
        let gone = ImageRequest("https://example.org/nobody.fake")
        let batch = ImagePrefetcher(manager: fixture.manager, concurrency: 1).prefetch(requests(3) + [gone])
        var seen: [Int: String] = [:]
        for await item in batch.items { seen[item.index] = Self.text(item.outcome) }
        #expect(seen == [0: "loaded", 1: "skipped", 2: "loaded", 3: "notFound"])
        var again: [Int] = []
        for await item in batch.items { again.append(item.index) }
        #expect(again.sorted() == [0, 1, 2, 3], "who comes late hears all of it too")
    }

    private static func text(_ outcome: PrefetchBatch.Outcome) -> String {
        switch outcome {
        case .loaded: "loaded"
        case .skipped: "skipped"
        case .failed(let error): error.code == .notFound ? "notFound" : "failed"
        }
    }

    // PF-04
    @Test(arguments: [false, true])
    func `Closures are told of progress, and exactly once of the end`(_ cancels: Bool) async {
        let fixture = fixture(3)
        if cancels { fixture.loader.gate.close() }
        let hops = CallCount()
        let steps = Mutex<[Int]>([])
        let end = await withCheckedContinuation { continuation in
            let batch = ImagePrefetcher(manager: fixture.manager).prefetch(
                requests(3), on: hops.executor, progress: { step in steps.withLock { $0.append(step.finished) } },
                completion: { continuation.resume(returning: $0) })
            if cancels { batch.cancel() }
        }
        #expect(end.finished == 3 && end.failed == (cancels ? 3 : 0))
        let told = steps.withLock { $0 }
        #expect(told == told.sorted() && told.last == 3)
        #expect(hops.count == told.count + 1)
    }

    // NK-13
    @Test func `Equal requests are loaded once, also in one batch`() async {
        let fixture = fixture(1)
        fixture.loader.gate.close()
        let batch = ImagePrefetcher(manager: fixture.manager).prefetch([requests(1)[0], requests(1)[0]])
        await fixture.loader.gate.waitForArrivals(1)
        #expect(await eventually { fixture.manager.waiterCount >= 2 })
        fixture.loader.gate.open()
        #expect(await batch.wait().finished == 2)
        #expect(fixture.loader.loadCount == 1 && fixture.coder.decodeCount == 1)
    }
}
