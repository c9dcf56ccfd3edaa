import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTesting
import Glibc
import Synchronization

/// Runs everything asynchronous of a process on one thread, in an order that a seed chooses: the same seed, the same order.
///
/// Needs a separate process (an exit test), because it replaces the concurrency runtime's global executor through its hook. If no
/// job is left to run and the body has not ended, a task waits for something that will never happen: that is detected at once,
/// without a time limit.
enum SeededSchedule {
    private typealias EnqueueOriginal = @convention(thin) (UnownedJob) -> Void
    private typealias EnqueueHook = @convention(thin) (UnownedJob, EnqueueOriginal) -> Void

    /// Nil where the runtime has no such hook.
    nonisolated(unsafe) private static let hook = dlsym(nil, "swift_task_enqueueGlobal_hook")?
        .assumingMemoryBound(to: EnqueueHook?.self)

    private struct Ready: Sendable {
        var job: UnownedJob
        var executor: UnownedTaskExecutor?
    }

    private struct State {
        var ready: [Ready] = []
        var settling: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Mutex(State())

    /// The executor reported to jobs that have no other. It has no queue or threads: its jobs join the schedule.
    private static let anywhere = BlockingExecutor { job, executor in add(job, executor) }

    static func add(_ job: UnownedJob, _ executor: UnownedTaskExecutor?) {
        state.withLock { $0.ready.append(Ready(job: job, executor: executor)) }
    }

    /// An executor whose jobs take part in the order.
    static var executor: BlockingExecutor { anywhere }

    /// From inside the body: returns when nothing else is left to run.
    static func settle() async {
        await withCheckedContinuation { continuation in state.withLock { $0.settling.append(continuation) } }
    }

    /// What `body` returns, nil if it can never end; and how many jobs ran.
    static func run<R: Sendable>(seed: UInt64, _ body: @escaping @Sendable () async -> R) -> (result: R?, steps: Int) {
        var random = SeededGenerator(seed: seed)
        let outcome = Outcome<R>()
        var steps = 0
        Task { outcome.set(await body()) }
        while true {
            if let next = take(&random) {
                steps += 1
                next.job.runSynchronously(on: next.executor ?? anywhere.asUnownedTaskExecutor())
            } else if let waiting = state.withLock({ $0.settling.popLast() }) {
                waiting.resume()
            } else {
                return (outcome.value, steps)
            }
        }
    }

    private static func take(_ random: inout SeededGenerator) -> Ready? {
        state.withLock { state in
            guard let index = state.ready.indices.randomElement(using: &random) else { return nil }
            return state.ready.remove(at: index)
        }
    }

    /// Runs `body` on a dedicated thread, where ``run(seed:_:)`` may be called.
    static func onOwnThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            let start: @Sendable () -> Void = {
                precondition(hook != nil, "the runtime has no hook for its global executor")
                fixHashing()
                hook?.pointee = { job, _ in SeededSchedule.add(job, nil) }
                let result = body()
                hook?.pointee = nil
                // Jobs that other code of this process enqueued meanwhile.
                while let next = state.withLock({ $0.ready.popLast() }) {
                    next.job.runSynchronously(on: next.executor ?? anywhere.asUnownedTaskExecutor())
                }
                continuation.resume(returning: result)
            }
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                { raw in
                    if let raw { Unmanaged<Start>.fromOpaque(raw).takeRetainedValue().body() }
                    return nil
                }, Unmanaged.passRetained(Start(start)).toOpaque())
            pthread_detach(thread)
        }
    }

    /// Makes the order of sets and dictionaries independent of their addresses from here on. Existing ones keep their seeds, so
    /// this may be switched on at any time. For the same order in every process: SWIFT_DETERMINISTIC_HASHING=1.
    private static func fixHashing() {
        struct Parameters {
            var seeds: (UInt64, UInt64)
            var isDeterministic: Bool
        }
        dlsym(nil, "_swift_stdlib_Hashing_parameters")?.assumingMemoryBound(to: Parameters.self).pointee.isDeterministic = true
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private final class Outcome<R: Sendable>: Sendable {
        private let state = Mutex<R?>(nil)
        var value: R? { state.withLock { $0 } }
        func set(_ value: R) { state.withLock { $0 = value } }
    }
}
