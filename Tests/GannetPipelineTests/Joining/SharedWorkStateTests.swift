import GannetCore
import GannetPipeline
import GannetTesting
import Testing

@Suite struct SharedWorkStateTests {
    @Test func `A retired job goes on for those who wait, and later ones begin anew`() {
        var machine = SharedWorkState<Int>()
        let waiters = (0..<4).map { WaiterID(value: $0) }
        let (old, _, _) = machine.join(CacheKey("a"), as: waiters[0], priority: .normal)
        let (other, _, _) = machine.join(CacheKey("b"), as: waiters[1], priority: .normal)
        machine.retire { $0.text == "a" }
        let (new, action, _) = machine.join(CacheKey("a"), as: waiters[2], priority: .normal)
        #expect(action == .start(new) && new != old)
        let (same, none, _) = machine.join(CacheKey("b"), as: waiters[3], priority: .normal)
        #expect(same == other && none == .none)
        #expect(machine.finish(old) == [waiters[0]])
        #expect(machine.isRunning(CacheKey("a")), "the end of the old one is not that of the new one")
        machine.retire { _ in true }
        let ended = machine.abandonAll()
        #expect(ended.map(\.job) == [other, new] && ended.map(\.waiters) == [[waiters[1], waiters[3]], [waiters[2]]])
        #expect(machine.jobCount == 0 && machine.waiterCount == 0)
    }

    /// A model that counts deliveries, driven by thousands of random sequences. (MG-22, KF-22)
    // U-10
    @Test(arguments: 0..<40) func randomSequencesDeliverExactlyOnceToEachWaiter(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var machine = SharedWorkState<Int>()
            var running: Set<JobID> = []
            var waiting: [WaiterID: (job: JobID, priority: LoadPriority)] = [:]
            var delivered: [WaiterID: Int] = [:]
            var left: Set<WaiterID> = []
            var next: UInt64 = 0
            for _ in 0..<60 {
                switch random.next() % 5 {
                case 0, 1:
                    next += 1
                    let waiter = WaiterID(value: next)
                    let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                    let (job, action, _) = machine.join(CacheKey("k\(random.next() % 3)"), as: waiter, priority: priority)
                    if case .start(let id) = action {
                        let isNew = running.insert(id).inserted
                        #expect(isNew)
                    }
                    #expect(running.contains(job), "joined a job that does not run")
                    waiting[waiter] = (job, priority)
                case 2:
                    guard let waiter = waiting.keys.sorted(by: { $0.value < $1.value }).randomElement(using: &random) else {
                        continue
                    }
                    let job = waiting.removeValue(forKey: waiter)?.job
                    left.insert(waiter)
                    let action = machine.leave(waiter)
                    let isLast = !waiting.values.contains { $0.job == job }
                    if case .cancel(let id) = action {
                        #expect(isLast && id == job, "cancelled although somebody waits")
                        running.remove(id)
                    } else {
                        #expect(!isLast, "the last waiter left and the job went on")
                    }
                case 3:
                    guard let id = running.sorted(by: { $0.value < $1.value }).randomElement(using: &random) else { continue }
                    for waiter in machine.finish(id) {
                        delivered[waiter, default: 0] += 1
                        let job = waiting.removeValue(forKey: waiter)?.job
                        #expect(job == id)
                    }
                    running.remove(id)
                    let again = machine.finish(id)
                    #expect(again.isEmpty, "a second result of one job reached somebody")
                default:
                    guard let waiter = waiting.keys.sorted(by: { $0.value < $1.value }).randomElement(using: &random),
                        let job = waiting[waiter]?.job
                    else { continue }
                    let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
                    _ = machine.setPriority(priority, of: waiter)
                    waiting[waiter] = (job, priority)
                    let highest = waiting.values.filter { $0.job == job }.map(\.priority).max()
                    #expect(machine.priority(of: job) == highest)
                }
            }
            for id in running { for waiter in machine.finish(id) { delivered[waiter, default: 0] += 1 } }
            #expect(delivered.values.allSatisfy { $0 == 1 })
            #expect(delivered.count + left.count == Int(next))
            #expect(Set(delivered.keys).isDisjoint(with: left))
            #expect(machine.jobCount == 0 && machine.waiterCount == 0)
        }
    }

    @Test func aJoinAfterTheLastWaiterLeftStartsANewJob() {
        var machine = SharedWorkState<Int>()
        let (first, _, _) = machine.join(CacheKey("k"), as: WaiterID(value: 1), priority: .normal)
        let left = machine.leave(WaiterID(value: 1))
        #expect(left == .cancel(first))
        let (second, action, _) = machine.join(CacheKey("k"), as: WaiterID(value: 2), priority: .normal)
        #expect(second != first && action == .start(second))
        let late = machine.finish(first)
        #expect(late.isEmpty, "the old job's result reached the new waiter")
        let told = machine.publish(7, from: first)
        #expect(told.isEmpty)
        let last = machine.finish(second)
        #expect(last == [WaiterID(value: 2)])
    }

    @Test func aLateJoinerGetsTheNewestProgress() {
        var machine = SharedWorkState<Int>()
        let (job, _, none) = machine.join(CacheKey("k"), as: WaiterID(value: 1), priority: .normal)
        #expect(none == nil)
        _ = machine.publish(1, from: job)
        _ = machine.publish(2, from: job)
        let (_, _, replay) = machine.join(CacheKey("k"), as: WaiterID(value: 2), priority: .normal)
        #expect(replay == 2)
    }
}
