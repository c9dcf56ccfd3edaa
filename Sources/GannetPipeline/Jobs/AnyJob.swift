package import GannetCore

/// One job of any table: who needs it, and which task works on it.
///
/// What changes is read and written under the graph's lock.
package class AnyJob: @unchecked Sendable {
    let graph: JobGraph
    package let key: CacheKey
    /// The highest of all who need it, live: for the gates that its work waits at.
    package let priority: LivePriority
    /// The job whose task carries this one out; nil: it has a task of its own, or is over.
    private(set) final var owner: AnyJob?
    /// The job that this one's task carries out now.
    private(set) final var step: AnyJob?
    /// Of the job at the top of a chain.
    private final var task: Task<Void, Never>?
    /// Nobody needs the chain: its task ends as soon as it is known.
    private final var isCancelled = false
    /// Waiters by their priority.
    private final var waiters = SIMD8<UInt32>()
    /// Of the waiters, those that are told of progress.
    private final var listeners: UInt32 = 0
    /// An owner is told of progress.
    private final let tellsOwner: Bool

    init(_ graph: JobGraph, _ key: CacheKey, _ priority: LoadPriority, owner: AnyJob? = nil, tellsOwner: Bool = false) {
        (self.graph, self.key, self.owner, self.tellsOwner) = (graph, key, owner, tellsOwner)
        self.priority = LivePriority(priority)
    }

    // MARK: Under the lock

    /// Takes it out of its table: whoever comes later begins anew.
    func forget() { preconditionFailure("each table's jobs know their table") }

    final var waiterCount: Int { Int(waiters.wrappedSum()) }
    /// Somebody waits for it, or for a job above it.
    final var isNeeded: Bool { waiterCount > 0 || owner?.isNeeded ?? false }
    /// Somebody who is told of progress does.
    final var hasListeners: Bool { listeners > 0 || tellsOwner && owner?.hasListeners ?? false }

    private final var top: AnyJob { owner?.top ?? self }

    /// Somebody waits for a job of its chain.
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
        for level in LoadPriority.allCases.reversed() where waiters[level.rawValue] > 0 {
            own = level
            break
        }
        return max(own, owner?.wanted ?? .veryLow)
    }

    final func count(_ priority: LoadPriority, listens: Bool) {
        waiters[priority.rawValue] += 1
        if listens { listeners += 1 }
    }

    final func discount(_ priority: LoadPriority, listens: Bool) {
        waiters[priority.rawValue] -= 1
        if listens { listeners -= 1 }
    }

    final func discountAll() { (waiters, listeners) = (.init(), 0) }

    /// This job's task carries out `step`.
    final func begin(_ step: AnyJob) { self.step = step }

    /// What follows once waiters have left.
    final func effectsOfLeaving() -> JobEffects {
        if isChainNeeded { return JobEffects(reordered: self) }
        return JobEffects(cancelled: cancelChain())
    }

    /// It is over. The job above it may have lost its own waiters meanwhile, while others waited for this one.
    final func end() -> JobEffects {
        forget()
        task = nil
        guard let owner else { return JobEffects() }
        owner.step = nil
        self.owner = nil
        return owner.isChainNeeded ? JobEffects() : JobEffects(cancelled: owner.cancelChain())
    }

    /// Ends the task that nobody needs. The keys of its jobs are free from now on.
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

    /// Nobody needs its chain any more.
    final var isGivenUp: Bool { graph.withLock { isCancelled } }

    /// Starts the task of a job that is no step. It may have been cancelled before the task was known.
    final func start(_ work: @escaping @Sendable @isolated(any) () async -> Void) {
        let priority = priority.current.taskPriority
        // Ends with the work; cancelled when nobody needs a job of its chain.
        let task =
            if let executor = graph.executor {
                Task(executorPreference: executor, priority: priority, operation: work)
            } else {
                Task(priority: priority, operation: work)
            }
        let isCancelled = graph.withLock {
            self.task = task
            return self.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Somebody who listens has joined: who waits for it on behalf of a job that nobody listened to before listens, too.
    final func passListeningOn() {
        priority.notify()
        graph.withLock { step }?.passListeningOn()
    }

    /// Tells the gates that this job and its steps wait at. Another thread may overtake with a newer priority: then that is told again.
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
