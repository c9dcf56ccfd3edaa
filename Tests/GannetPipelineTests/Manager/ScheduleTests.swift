import GannetCore
import GannetPipeline
import GannetTesting
import Testing

/// Thousands of schedules: each waiter hears exactly once, nothing leaks, no work goes on for nobody.
@Suite struct ScheduleTests {
    // KF-22, testRetrieveImageRaceConditionSpecific
    @Test(arguments: 0..<20) func randomCancelsPrioritiesAndFailures(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let fixture = ManagerFixture()
            for index in 0..<3 {
                let url = "https://example.org/\(index).fake"
                if random.next() % 4 == 0 {
                    fixture.loader.answer(url, with: .failure(ImageError(.network, "down")))
                } else {
                    fixture.serve(url, width: 4, height: 4, red: UInt8(index))
                }
            }
            var tasks: [(index: UInt64, task: ImageTask)] = []
            if random.next() % 2 == 0 { fixture.loader.gate.close() }
            for _ in 0..<8 {
                let index = random.next() % 3
                let request = ImageRequest(ImageSource("https://example.org/\(index).fake"))
                tasks.append((index, fixture.manager.task(for: random.next() % 2 == 0 ? request : request.fit(2, 2))))
                if random.next() % 3 == 0, let (_, task) = tasks.randomElement(using: &random) { task.cancel() }
                if random.next() % 3 == 0, let (_, task) = tasks.randomElement(using: &random) {
                    task.priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                }
                if random.next() % 4 == 0 { await Task.yield() }
            }
            fixture.loader.gate.open()
            for (index, task) in tasks {
                var finished = 0
                for await event in task.events {
                    guard case .finished(let result) = event else { continue }
                    finished += 1
                    switch result {
                    case .success(let image): #expect(UInt64(red(image)) == index, "a picture of another source")
                    case .failure(let error): #expect(task.isCancelled || error.code == .network || error.code == .blocked)
                    }
                }
                #expect(finished == 1)
            }
            // A cancelled load ends for its waiter before its job has unwound.
            while !fixture.manager.isIdle { await Task.yield() }
            #expect(fixture.observer.isBalanced)
        }
    }

    @Test func nothingIsKeptAliveByAFinishedLoad() async throws {
        weak var manager: ImageManager?
        weak var task: ImageTask?
        do {
            let fixture = ManagerFixture()
            fixture.serve()
            let made = fixture.manager.task(for: ImageSource(ManagerFixture.url))
            _ = try await made.value
            while !fixture.manager.isIdle { await Task.yield() }
            manager = fixture.manager
            task = made
        }
        for _ in 0..<10_000 where manager != nil || task != nil { await Task.yield() }
        #expect(manager == nil)
        #expect(task == nil)
    }
}
