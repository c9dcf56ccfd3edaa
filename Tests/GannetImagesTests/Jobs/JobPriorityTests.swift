import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTesting
import Synchronization
import Testing

/// The priority of a job that many threads change at once ends at the highest of its waiters. // MG-23
@Suite struct JobPriorityTests {
    @Test func changesThatOvertakeEachOther() async throws {
        let work = JobTable<Int, Int>()
        let gate = AsyncGate()
        let key = CacheKey("key")
        let wishes = [LivePriority(.normal), LivePriority(.normal)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for wish in wishes {
                group.addTask {
                    _ = try await work.join(key, priority: wish) { _ throws(ImageError) in
                        await gate.wait()
                        return 1
                    }
                }
            }
            #expect(await eventually { work.waiterCount >= 2 })
            for round in 0..<300 {
                await withTaskGroup(of: Void.self) { changes in
                    for (number, wish) in wishes.enumerated() {
                        changes.addTask {
                            let all = LoadPriority.allCases
                            for step in 0..<50 { wish.set(all[(step * 7 + round * 3 + number) % all.count]) }
                        }
                    }
                }
                let highest = try #require(wishes.map(\.current).max { $0.rawValue < $1.rawValue })
                #expect(work.runningPriorities == [highest], "round \(round)")
            }
            gate.open()
            try await group.waitForAll()
        }
    }
}
