import GannetCore
import Glibc
import Testing

@testable import GannetPlatform

/// The threads of an executor, and the work that waits for them.
@Suite struct ExecutorThreadsTests {
    @Test func `Work waits where no thread is free for it`() async throws {
        let executor = BlockingExecutor(name: "one", threads: 1)
        #expect(!executor.hasWaitingJobs)
        let (before, work) = try await executor.run { [unowned executor] () throws(ImageError) in
            let before = executor.hasWaitingJobs
            return (before, Task(executorPreference: executor) { executor.hasWaitingJobs })
        }
        #expect(!before)
        // It was the only one.
        #expect(await !work.value)
        let waits = try await executor.run { [unowned executor] () throws(ImageError) in
            let work = Task(executorPreference: executor) {}
            defer { withExtendedLifetime(work) {} }
            return executor.hasWaitingJobs
        }
        #expect(waits)
    }

    @Test func `Where the system has no more threads, those that are there do all of the work`() async {
        await #expect(processExitsWith: .success) {
            let executor = BlockingExecutor(name: "few", threads: 4)
            // On its first thread, which is busy until all of the work waits.
            let work = try await executor.run { [unowned executor] () throws(ImageError) in
                let kind = __rlimit_resource_t(RLIMIT_AS.rawValue)
                var limit = rlimit()
                guard getrlimit(kind, &limit) == 0,
                    let pages = SystemMemory().text("/proc/self/statm").flatMap({ Int($0.prefix { $0 != " " }) })
                else { exit(2) }
                // Less than a thread's stack of 4 MiB is left.
                var narrow = limit
                narrow.rlim_cur = rlim_t(pages * sysconf(Int32(_SC_PAGESIZE)) + 2 << 20)
                guard setrlimit(kind, &narrow) == 0 else { exit(3) }
                let work = (0..<8).map { number in Task(executorPreference: executor) { (number, UInt(pthread_self())) } }
                guard setrlimit(kind, &limit) == 0 else { exit(4) }
                return work
            }
            var (numbers, threads): ([Int], Set<UInt>) = ([], [])
            for task in work {
                let (number, thread) = await task.value
                numbers.append(number)
                threads.insert(thread)
            }
            guard numbers == Array(0..<8) else { exit(5) }
            // The stack of a thread that has ended may serve one more.
            guard threads.count < 4 else { exit(6) }
        }
    }
}
