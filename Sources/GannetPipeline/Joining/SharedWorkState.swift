package import GannetCore

/// Names one waiter of one table.
package struct WaiterID: Hashable, Sendable {
    package let value: UInt64
    package init(value: UInt64) { self.value = value }
}

/// Names one job. Jobs of one key that follow each other have different names, so that a late answer of the old one is
/// recognised and dropped.
package struct JobID: Hashable, Sendable {
    package let value: UInt64
    package init(value: UInt64) { self.value = value }
}

/// What the owner of the state has to carry out.
package enum JobAction: Hashable, Sendable {
    case none
    case start(JobID)
    /// The highest priority of the waiters has changed.
    case prioritise(JobID, LoadPriority)
    /// The last waiter has left.
    case cancel(JobID)
}

/// Who waits for which job: a pure machine without tasks, clocks or locks. `SharedWork` carries out what it decides.
///
/// Joining and leaving cost O(1), whatever the number of waiters: waiters are counted per priority step.
package struct SharedWorkState<Progress: Sendable> {
    private struct Job {
        var id: JobID
        var key: CacheKey
        var waiters: Set<WaiterID> = []
        var perPriority = [Int](repeating: 0, count: LoadPriority.allCases.count)
        var newest: Progress?

        var priority: LoadPriority {
            LoadPriority(rawValue: perPriority.lastIndex { $0 > 0 } ?? 0) ?? .veryLow
        }
    }

    private var jobs: [JobID: Job] = [:]
    private var current: [CacheKey: JobID] = [:]
    private var waiters: [WaiterID: (job: JobID, priority: LoadPriority)] = [:]
    private var nextJob: UInt64 = 0

    package init() {}

    /// Jobs that somebody waits for.
    package var jobCount: Int { jobs.count }
    package var waiterCount: Int { waiters.count }

    /// A late joiner gets the newest progress at once.
    package mutating func join(
        _ key: CacheKey, as waiter: WaiterID, priority: LoadPriority
    ) -> (job: JobID, action: JobAction, replay: Progress?) {
        precondition(waiters[waiter] == nil, "a waiter joins once")
        if let id = current[key], var job = jobs[id] {
            let before = job.priority
            job.waiters.insert(waiter)
            job.perPriority[priority.rawValue] += 1
            jobs[id] = job
            waiters[waiter] = (id, priority)
            return (id, job.priority == before ? .none : .prioritise(id, job.priority), job.newest)
        }
        nextJob += 1
        let id = JobID(value: nextJob)
        var job = Job(id: id, key: key)
        job.waiters.insert(waiter)
        job.perPriority[priority.rawValue] = 1
        jobs[id] = job
        current[key] = id
        waiters[waiter] = (id, priority)
        return (id, .start(id), nil)
    }

    /// Adds a waiter to a job by its name, which may be retired. False if the job is over.
    package mutating func join(_ id: JobID, as waiter: WaiterID, priority: LoadPriority) -> Bool {
        precondition(waiters[waiter] == nil, "a waiter joins once")
        guard jobs[id] != nil else { return false }
        jobs[id]?.waiters.insert(waiter)
        jobs[id]?.perPriority[priority.rawValue] += 1
        waiters[waiter] = (id, priority)
        return true
    }

    /// The last one out cancels the job; from then on the key is free for a new one.
    package mutating func leave(_ waiter: WaiterID) -> JobAction {
        guard let (id, priority) = waiters.removeValue(forKey: waiter), var job = jobs[id] else { return .none }
        let before = job.priority
        job.waiters.remove(waiter)
        job.perPriority[priority.rawValue] -= 1
        if job.waiters.isEmpty {
            forget(job)
            return .cancel(id)
        }
        jobs[id] = job
        return job.priority == before ? .none : .prioritise(id, job.priority)
    }

    package mutating func setPriority(_ priority: LoadPriority, of waiter: WaiterID) -> JobAction {
        guard let (id, old) = waiters[waiter], old != priority, var job = jobs[id] else { return .none }
        let before = job.priority
        job.perPriority[old.rawValue] -= 1
        job.perPriority[priority.rawValue] += 1
        jobs[id] = job
        waiters[waiter] = (id, priority)
        return job.priority == before ? .none : .prioritise(id, job.priority)
    }

    /// Who is to be told; nobody if the job is not running any more.
    package mutating func publish(_ progress: Progress, from id: JobID) -> Set<WaiterID> {
        guard var job = jobs[id] else { return [] }
        // Out of the table while it changes, so that the set of waiters is not copied.
        job.newest = progress
        jobs[id] = job
        return job.waiters
    }

    /// Who is to be told of the result. The job is over.
    package mutating func finish(_ id: JobID) -> Set<WaiterID> {
        guard let job = jobs[id] else { return [] }
        forget(job)
        for waiter in job.waiters { waiters[waiter] = nil }
        return job.waiters
    }

    /// Ends a job for all its waiters, as when its source is cancelled by name.
    package mutating func abandon(_ key: CacheKey) -> (job: JobID, waiters: Set<WaiterID>)? {
        guard let id = current[key] else { return nil }
        return (id, finish(id))
    }

    /// Who comes later starts anew; who waits for these jobs already still gets their results.
    package mutating func retire(where isVoid: (CacheKey) -> Bool) {
        for key in current.keys.filter(isVoid) { current[key] = nil }
    }

    /// Ends every job whose key is meant, also of keys that are free already.
    package mutating func abandonAll(
        where isMeant: (CacheKey) -> Bool = { _ in true }
    ) -> [(job: JobID, waiters: Set<WaiterID>)] {
        let ended = jobs.values.filter { isMeant($0.key) }.map(\.id)
        return ended.sorted { $0.value < $1.value }.map { ($0, finish($0)) }
    }

    package func priority(of id: JobID) -> LoadPriority? { jobs[id]?.priority }
    package func isRunning(_ key: CacheKey) -> Bool { current[key] != nil }
    /// The job that a new waiter of this key would join.
    package func job(of key: CacheKey) -> JobID? { current[key] }
    /// The job that has run longest, retired ones included.
    package var oldestJob: JobID? { jobs.keys.min { $0.value < $1.value } }

    private mutating func forget(_ job: Job) {
        jobs[job.id] = nil
        if current[job.key] == job.id { current[job.key] = nil }
    }
}
