import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// One table: who joins, who leaves, who is told.
@Suite struct JobTableTests {
    private let table = JobTable<Int, Int>()
    private let key = CacheKey("key")

    /// Waits in a task of its own; returns once it is among the waiters.
    private func waiter(
        _ key: CacheKey? = nil, _ priority: LivePriority = LivePriority(.normal),
        onProgress: (@Sendable (Int) -> Void)? = nil, work: @escaping JobTable<Int, Int>.Work
    ) async -> Task<Result<Int, ImageError>, Never> {
        let joined = AsyncGate()
        let task = Task { [table, key = key ?? self.key] () async -> Result<Int, ImageError> in
            do throws(ImageError) {
                let (value, _) = try await table.join(
                    key, priority: priority,
                    isWanted: {
                        joined.open()
                        return true
                    }, onProgress: onProgress.map { tell in { tell($0) } }, work: work)
                return .success(value)
            } catch { return .failure(error) }
        }
        await joined.wait()
        return task
    }

    @Test func `A retired job continues for those who wait, and later ones begin anew`() async throws {
        let gate = AsyncGate()
        let old = await waiter { _ throws(ImageError) in
            await gate.wait()
            return 1
        }
        await gate.waitForArrivals(1)
        table.retire { $0 == key }
        let new = await waiter { _ throws(ImageError) in
            await gate.wait()
            return 2
        }
        await gate.waitForArrivals(2)
        let same = await waiter { _ throws(ImageError) in 3 }
        #expect(table.jobCount == 2 && table.waiterCount == 3)
        gate.open()
        #expect(try await old.value.get() == 1)
        #expect(try await new.value.get() == 2)
        #expect(try await same.value.get() == 2)
    }

    @Test func `Abandoned jobs end for all who wait, retired ones included, and others continue`() async {
        let gate = AsyncGate()
        let work: JobTable<Int, Int>.Work = { _ throws(ImageError) in
            await gate.wait()
            try ImageError.checkCancellation()
            return 1
        }
        let retired = await waiter(work: work)
        await gate.waitForArrivals(1)
        table.retire { _ in true }
        let current = await waiter(work: work)
        let other = await waiter(CacheKey("other"), work: work)
        await gate.waitForArrivals(3)
        table.abandon { $0 == key }
        #expect(await failureCode { try await retired.value.get() } == .cancelled)
        #expect(await failureCode { try await current.value.get() } == .cancelled)
        #expect(table.jobCount == 1)
        gate.open()
        #expect(await failureCode { try await other.value.get() } == nil)
    }

    @Test func aJoinAfterTheLastWaiterLeftStartsANewJob() async throws {
        let (first, second) = (AsyncGate(), AsyncGate())
        let left = await waiter { _ throws(ImageError) in
            await first.wait()
            return 1
        }
        await first.waitForArrivals(1)
        left.cancel()
        #expect(await failureCode { try await left.value.get() } == .cancelled)
        #expect(!table.isRunning(key))
        let next = await waiter { _ throws(ImageError) in
            await second.wait()
            return 2
        }
        first.open()
        second.open()
        #expect(try await next.value.get() == 2, "the result of the old job reached the new waiter")
    }

    @Test func aLateJoinerGetsTheNewestProgress() async {
        let (published, gate) = (AsyncGate(), AsyncGate())
        let first = await waiter { job throws(ImageError) in
            job.publish(1)
            job.publish(2)
            published.open()
            await gate.wait()
            return 0
        }
        await published.wait()
        let heard = Mutex<[Int]>([])
        let told = AsyncGate()
        let late = Task { [table, key] in
            _ = try? await table.join(
                key, priority: LivePriority(.normal),
                onProgress: { step in
                    heard.withLock { $0.append(step) }
                    told.open()
                }, work: { _ throws(ImageError) in 9 })
        }
        await told.wait()
        gate.open()
        await late.value
        _ = await first.value
        #expect(heard.withLock { $0 } == [2])
    }

    @Test func `Work that nobody listens to knows it, until somebody does`() async {
        let (asked, gate) = (AsyncGate(), AsyncGate())
        let watched = Mutex<[Bool]>([])
        let first = await waiter { job throws(ImageError) in
            watched.withLock { $0.append(job.isWatched) }
            asked.open()
            await gate.wait()
            watched.withLock { $0.append(job.isWatched) }
            return 0
        }
        await asked.wait()
        let second = await waiter(onProgress: { _ in }, work: { _ throws(ImageError) in 1 })
        gate.open()
        _ = await (first.value, second.value)
        #expect(watched.withLock { $0 } == [false, true])
    }

    @Test func `What is launched runs for nobody, and can be waited for`() async {
        let gate = AsyncGate()
        let ended = Mutex(false)
        table.launch(key, priority: .low) { _ throws(ImageError) in
            await gate.wait()
            ended.withLock { $0 = true }
            return 1
        }
        await gate.waitForArrivals(1)
        let drained = Task { [table] in await table.drain() }
        gate.open()
        await drained.value
        #expect(ended.withLock { $0 } && table.jobCount == 0)
    }

    private static func join(
        _ table: JobTable<Int, String>, _ index: Int, _ priority: LivePriority, _ number: Int, _ gate: AsyncGate
    ) async -> Result<String, ImageError> {
        do throws(ImageError) {
            let (value, _) = try await table.join(CacheKey("\(index)"), priority: priority) { job throws(ImageError) in
                job.publish(number)
                await gate.wait()
                try ImageError.checkCancellation()
                return "\(index)"
            }
            return .success(value)
        } catch { return .failure(error) }
    }

    /// Tasks that join, leave, hurry and finish at random: each hears once, of the job that it joined. (MG-22, KF-22)
    // U-10
    @Test(arguments: 0..<40) func randomSequencesDeliverExactlyOnceToEachWaiter(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        for round in 0..<20 {
            let table = JobTable<Int, String>()
            let gates = (0..<3).map { _ in AsyncGate() }
            let heard = Mutex<[Int: [Result<String, ImageError>]]>([:])
            var tasks: [(task: Task<Void, Never>, priority: LivePriority, name: String)] = []
            var cancelled: Set<Int> = []
            for number in 0..<24 {
                switch random.next() % 6 {
                case 0, 1, 2:
                    let index = Int(random.next() % 3)
                    let priority = LivePriority(LoadPriority.allCases.randomElement(using: &random) ?? .normal)
                    let waiter = tasks.count
                    let task = Task { @Sendable in
                        let result = await Self.join(table, index, priority, number, gates[index])
                        heard.withLock { $0[waiter, default: []].append(result) }
                    }
                    tasks.append((task, priority, "\(index)"))
                case 3:
                    guard let index = tasks.indices.randomElement(using: &random) else { continue }
                    cancelled.insert(index)
                    tasks[index].task.cancel()
                case 4:
                    tasks.randomElement(using: &random)?.priority
                        .set(LoadPriority.allCases.randomElement(using: &random) ?? .normal)
                default: for _ in 0..<random.next() % 4 { await Task.yield() }
                }
            }
            for gate in gates { gate.open() }
            for (index, (task, _, name)) in tasks.enumerated() {
                await task.value
                let results = heard.withLock { $0[index] ?? [] }
                #expect(results.count == 1, "round \(round)")
                switch results.first {
                case .success(let value): #expect(value == name)
                case .failure(let error): #expect(error.code == .cancelled && cancelled.contains(index), "round \(round)")
                case nil: break
                }
            }
            await table.drain()
            #expect(table.jobCount == 0 && table.waiterCount == 0)
        }
    }
}
