package import GannetCore
package import GannetFetch
import GannetPlatform

/// The running jobs of one table, whatever they make: their look-up is compiled once.
///
/// Read and written under the graph's lock.
final class JobList: @unchecked Sendable {
    /// Jobs that new waiters join.
    var current: [CacheKey: AnyJob] = [:]
    /// Jobs that run only for the waiters they have: later callers start a new job.
    var retired: [AnyJob] = []

    func forget(_ job: AnyJob) {
        if let index = current.index(forKey: job.key), current[index].value === job {
            current.remove(at: index)
        } else if !retired.isEmpty {
            retired.removeAll { $0 === job }
        }
    }
}

/// One job of any table: its waiters, its owner, and the task that works on it.
///
/// Mutable state is read and written under the graph's lock.
package class AnyJob: @unchecked Sendable {
    let graph: JobGraph
    private let list: JobList
    package let key: CacheKey
    /// The highest priority among its waiters and its owner, kept up to date for the gates that its work waits at.
    package let priority: LivePriority
    /// The job whose task carries this one out; nil: this job has a separate task, or is over.
    private(set) final var owner: AnyJob?
    /// The job that this one's task carries out now.
    private(set) final var step: AnyJob?
    /// Set only for the job at the top of a chain.
    private final var task: Task<Void, Never>?
    /// Set only for the job at the top of a chain that has no waiters left: its task is cancelled, or will not start.
    private final var isCancelled = false
    /// The number of waiters of each priority.
    private final var counts = SIMD8<UInt32>()
    /// The number of waiters that listen to progress.
    private final var listeners: UInt32 = 0
    /// Whether progress is reported to the owner.
    private final let tellsOwner: Bool

    init(
        _ graph: JobGraph, _ list: JobList, _ key: CacheKey, _ priority: LoadPriority, owner: AnyJob? = nil,
        tellsOwner: Bool = false
    ) {
        (self.graph, self.list, self.key, self.owner, self.tellsOwner) = (graph, list, key, owner, tellsOwner)
        self.priority = LivePriority(priority)
    }

    // MARK: Under the lock

    /// Removes it from its table: later callers start a new job.
    final func forget() { list.forget(self) }

    final var waiterCount: Int { Int(counts.wrappedSum()) }
    /// Whether it, or a job above it, has a waiter; a launched job counts as its own waiter.
    final var isNeeded: Bool { waiterCount > 0 || owner?.isNeeded ?? false }
    /// Whether one of those waiters listens to progress.
    final var hasListeners: Bool { listeners > 0 || tellsOwner && owner?.hasListeners ?? false }

    private final var top: AnyJob { owner?.top ?? self }
    /// Whether the task of its chain ends for lack of waiters. The task itself learns that a little later.
    final var isChainCancelled: Bool { top.isCancelled }

    /// Whether a caller waits for any job of its chain.
    private final var isChainNeeded: Bool {
        var job: AnyJob? = top
        while let present = job {
            if present.waiterCount > 0 { return true }
            job = present.step
        }
        return false
    }

    private final var wanted: LoadPriority {
        var own = LoadPriority.veryLow
        for level in LoadPriority.allCases.reversed() where counts[level.rawValue] > 0 {
            own = level
            break
        }
        return max(own, owner?.wanted ?? .veryLow)
    }

    final func count(_ priority: LoadPriority, listens: Bool) {
        counts[priority.rawValue] += 1
        if listens { listeners += 1 }
    }

    final func discount(_ priority: LoadPriority, listens: Bool) {
        counts[priority.rawValue] -= 1
        if listens { listeners -= 1 }
    }

    final func discountAll() { (counts, listeners) = (.init(), 0) }

    /// This job's task carries out `step`.
    final func begin(_ step: AnyJob) { self.step = step }

    /// The effects of waiters having left: the chain is cancelled, or its priority may have changed.
    final func effectsOfLeaving() -> JobEffects {
        if isChainNeeded { return JobEffects(reordered: self) }
        return JobEffects(cancelled: cancelChain())
    }

    /// Marks it as over. The job above may have lost its own waiters while other callers still waited for this one.
    final func end() -> JobEffects {
        forget()
        task = nil
        guard let owner else { return JobEffects() }
        owner.step = nil
        self.owner = nil
        return owner.isChainNeeded ? JobEffects() : JobEffects(cancelled: owner.cancelChain())
    }

    /// Returns the task of a chain without waiters, to be cancelled. The keys of its jobs are free from now on.
    private final func cancelChain() -> Task<Void, Never>? {
        let top = top
        top.isCancelled = true
        var job: AnyJob? = top
        while let present = job {
            present.forget()
            job = present.step
        }
        return top.task
    }

    // MARK: Without the lock

    /// Starts the task of a job that is not a step; does nothing if all waiters have left already. The task is known before it
    /// can begin, so that the last waiter to leave always cancels it: no job continues because its task is not known yet.
    final func start(_ work: @escaping @Sendable @isolated(any) () async -> Void) {
        let priority = priority.current.taskPriority
        graph.withLock {
            if isCancelled { return }
            // Ends with the work; cancelled when no job of its chain has a waiter left.
            task = Task(priority: priority, operation: work)
        }
    }

    /// Called after a listener has joined: waiters on behalf of a job that had no listeners before now listen, too.
    final func passListeningOn() {
        priority.notify()
        graph.withLock { step }?.passListeningOn()
    }

    /// Passes the priority to the gates that this job and its steps wait at. If another thread sets a newer priority meanwhile,
    /// passes that on as well.
    final func passPriorityOn() {
        var told: LoadPriority?
        while true {
            let (wanted, task, step) = graph.withLock { (self.wanted, self.task, self.step) }
            guard wanted != told else { return }
            if wanted != priority.current || told != nil {
                priority.set(wanted)
                task?.escalatePriority(to: wanted.taskPriority)
            }
            step?.passPriorityOn()
            told = wanted
        }
    }
}
