import CGannetKernels
public import GannetCore
import Glibc

/// Dedicated threads for blocking work: decoding and files. The cooperative pool stays free.
///
/// Entered only through ``run(_:)``, so the work stays a structured child of the caller's task and is cancelled with it. A hop
/// there and back costs 15 to 35 µs: hop once per decode, never per row. The executor lives as long as its owner.
public final class BlockingExecutor: TaskExecutor, Sendable {
    private let queue: JobQueue
    private let hand: (@Sendable (UnownedJob, UnownedTaskExecutor) -> Void)?
    /// The number of threads, at least 1.
    public let threadCount: Int

    /// Starts each thread when work waits for one; they end when the executor does.
    public init(name: String, threads: Int) {
        threadCount = max(threads, 1)
        queue = JobQueue(name: name, maximumThreads: threadCount)
        hand = nil
    }

    /// An executor without threads: `hand` runs each job when and where it likes, for tests that control the order.
    package init(handingJobsTo hand: @escaping @Sendable (UnownedJob, UnownedTaskExecutor) -> Void) {
        threadCount = 1
        queue = JobQueue(name: "", maximumThreads: 0)
        self.hand = hand
    }

    /// For decoding, transforms and encoding. Has two threads more than processors, so that previews do not wait for decodes.
    /// Work on pixels waits for a slot before it comes here (`concurrentDecodes`).
    public static let decoding = BlockingExecutor(name: "gannet-decode", threads: processorCount + 2)
    /// For files, pipes and other work that blocks. Caches and the loader of files have their own threads.
    public static let files = BlockingExecutor(name: "gannet-files", threads: max(4, processorCount))

    /// More work waits than threads do. Whoever has one thing after the other to do then lets it pass.
    package var hasWaitingJobs: Bool { queue.hasWaitingJobs }

    /// Processors that this process might use when this was first asked, at least 1: those of its affinity, or fewer where the quota of a
    /// control group, rounded up, allows fewer.
    public static var processorCount: Int { knownProcessorCount }
    /// Asked once: it reads files.
    private static let knownProcessorCount = Processors().count

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let hand { hand(job, asUnownedTaskExecutor()) } else { queue.add(job, self) }
    }

    /// Runs `body` on one of the threads, from any caller, including the main actor.
    @concurrent
    public func run<R: Sendable>(_ body: @Sendable @escaping () throws(ImageError) -> R) async throws(ImageError) -> R {
        let result = await withTaskExecutorPreference(self) { await Self.onExecutor(body) }
        return try result.get()
    }

    @concurrent
    private static func onExecutor<R: Sendable>(_ body: @Sendable () throws(ImageError) -> R) async -> Result<R, ImageError> {
        Result { () throws(ImageError) -> R in try body() }
    }

    deinit { queue.shutDown() }
}

/// A queue of jobs and its waiting threads. Guarded by one pthread mutex, because a `Mutex` has no condition to wait on. Held
/// for a few instructions and never while a job runs.
private final class JobQueue: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var jobs: [UnownedJob] = []
    private var next = 0
    private var isShutDown = false
    /// Threads that wait for a job.
    private var sleepers = 0
    private var threads = 0
    private let maximumThreads: Int
    private let name: String

    init(name: String, maximumThreads: Int) {
        (self.name, self.maximumThreads) = (name, maximumThreads)
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func add(_ job: UnownedJob, _ executor: BlockingExecutor) {
        pthread_mutex_lock(mutex)
        precondition(!isShutDown, "work for an executor that has ended")
        jobs.append(job)
        let wakes = sleepers > 0
        // Those who sleep may have been woken for earlier jobs.
        let starts = jobs.count - next > sleepers && threads < maximumThreads
        let number = threads
        if starts { threads += 1 }
        pthread_mutex_unlock(mutex)
        // Not under the mutex, which the woken thread needs first.
        if wakes { pthread_cond_signal(condition) }
        guard starts, let failure = startThread(named: "\(name)-\(number)", executor: executor) else { return }
        pthread_mutex_lock(mutex)
        threads -= 1
        let isAlone = threads == 0
        pthread_mutex_unlock(mutex)
        // The other threads do the work, later.
        precondition(!isAlone, "no thread could be started: \(failure)")
    }

    /// More jobs than threads that were or will be woken for them.
    var hasWaitingJobs: Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return jobs.count - next > sleepers
    }

    func shutDown() {
        pthread_mutex_lock(mutex)
        isShutDown = true
        pthread_mutex_unlock(mutex)
        pthread_cond_broadcast(condition)
    }

    /// Nil when the queue has been shut down and is empty.
    private func take() -> UnownedJob? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while next == jobs.count {
            if isShutDown { return nil }
            sleepers += 1
            pthread_cond_wait(condition, mutex)
            sleepers -= 1
        }
        let job = jobs[next]
        next += 1
        if next == jobs.count || next > 1024 {
            jobs.removeFirst(next)
            next = 0
        }
        return job
    }

    /// The error number if the system has no thread.
    private func startThread(named name: String, executor: BlockingExecutor) -> Int32? {
        // The thread holds the queue and an unowned view of the executor: a running job keeps its executor alive. Released by the thread,
        // or below where there is none.
        let start = Unmanaged.passRetained(
            ThreadStart(queue: self, executor: executor.asUnownedTaskExecutor(), name: name))
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 4 << 20)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        let failure = pthread_create(
            &thread, &attributes,
            { raw in
                guard let raw else { return nil }
                let start = Unmanaged<ThreadStart>.fromOpaque(raw).takeRetainedValue()
                gannet_name_thread(start.name)
                while let job = start.queue.take() { job.runSynchronously(on: start.executor) }
                return nil
            }, start.toOpaque())
        if failure == 0 { return nil }
        start.release()
        return failure
    }
}

/// The argument of a new thread.
private final class ThreadStart: Sendable {
    let queue: JobQueue
    let executor: UnownedTaskExecutor
    let name: String

    init(queue: JobQueue, executor: UnownedTaskExecutor, name: String) {
        self.queue = queue
        self.executor = executor
        self.name = name
    }
}
