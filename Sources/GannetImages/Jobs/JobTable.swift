package import GannetCore
package import GannetFetch

/// Coalesces equal work: the running jobs of one kind, by the key of their result.
///
/// A job belongs to all its waiters and therefore to no caller's task. It is cancelled when its chain has no waiters left; see
/// ``JobGraph``.
package final class JobTable<Progress: Sendable, Value: Sendable>: Sendable {
    package typealias Outcome = Result<Value, ImageError>
    package typealias Work = @Sendable (Job<Progress>) async throws(ImageError) -> Value
    typealias Running = RunningJob<Progress, Value>

    let graph: JobGraph
    /// All of them are `Running`: see ``running(_:)``.
    let list = JobList()

    package init(_ graph: JobGraph = JobGraph()) { self.graph = graph }

    // MARK: Running jobs

    /// The number of jobs that are needed: by a waiter, by a job above them, or by themselves if they were launched.
    package var jobCount: Int { needed.count }
    /// The number of waiters of these jobs; the owner of a step counts as one while it is needed.
    package var waiterCount: Int {
        graph.withLock { all.reduce(0) { $0 + $1.waiterCount + ($1.owner?.isNeeded == true ? 1 : 0) } }
    }
    package var runningPriorities: [LoadPriority] { needed.map(\.priority.current) }
    /// The same of jobs that are not steps: those that callers began.
    var loadCount: Int { loads.count }
    var loadWaiterCount: Int { graph.withLock { all.reduce(0) { $0 + ($1.owner == nil ? $1.waiterCount : 0) } } }
    var loadPriorities: [LoadPriority] { loads.map(\.priority.current) }
    package func isRunning(_ key: CacheKey) -> Bool { graph.withLock { list.current[key] != nil } }
    package func isWatched(_ key: CacheKey) -> Bool { graph.withLock { list.current[key]?.hasListeners ?? false } }

    /// Under the lock.
    private var all: [Running] { list.current.values.map(running) + list.retired.map(running) }
    private var needed: [Running] { graph.withLock { all.filter { $0.isNeeded } } }
    private var loads: [Running] { graph.withLock { all.filter { $0.owner == nil && $0.isNeeded } } }

    /// Only this table adds to its list, and only jobs of this type.
    private func running(_ job: AnyJob) -> Running { unsafeDowncast(job, to: Running.self) }

    /// Under the lock.
    private func known(_ key: CacheKey) -> Running? { list.current[key].map(running) }

    // MARK: Waiting

    /// Waits for the job of `key`, which is started if there is none. `onProgress` runs on the caller, in order, never after
    /// the result; nil: the job need not report progress. A caller whose task is cancelled leaves with the error `cancelled`.
    /// `isWanted` is called once the caller is among the waiters; if it returns false, the caller leaves with `cancelled`.
    package func join(
        _ key: CacheKey, priority: LivePriority, isWanted: () -> Bool = { true },
        onProgress: ((Progress) async -> Void)? = nil, work: @escaping Work
    ) async throws(ImageError) -> (value: Value, wasJoined: Bool) {
        try ImageError.checkCancellation()
        let (waiter, isNew) = graph.withLock {
            let level = priority.current
            let known = known(key)
            let job = known ?? Running(self, key, level)
            if known == nil { list.current[key] = job }
            return (add(to: job, level, listens: onProgress != nil), known == nil)
        }
        guard isWanted() else {
            leave(waiter)
            // Others may have joined in the meantime, and wait for it to begin.
            if isNew { start(waiter.job, work) }
            throw .cancelled()
        }
        let outcome = await outcome(of: waiter, priority, onProgress) {
            if isNew {
                start(waiter.job, work)
            } else {
                waiter.job.passPriorityOn()
                if onProgress != nil { waiter.job.passListeningOn() }
            }
        }
        return (try outcome.get(), !isNew)
    }

    /// Carries out the work for `key` in the task of `owner`, as its step; waits where the job of `key` is running already.
    /// `onProgress` is called immediately.
    package func step(
        _ key: CacheKey, of owner: AnyJob, onProgress: (@Sendable (Progress) -> Void)? = nil,
        work: (Job<Progress>) async throws(ImageError) -> Value
    ) async throws(ImageError) -> (value: Value, wasJoined: Bool) {
        try ImageError.checkCancellation()
        let begun = graph.withLock { () -> (Running, JobWaiter<Progress, Value>?)? in
            // The last waiter may have left since the check above, and no waiter may join a step that ends as `cancelled`.
            if owner.isChainCancelled { return nil }
            if let known = known(key) {
                return (known, add(to: known, owner.priority.current, listens: owner.hasListeners, owner: owner))
            }
            let job = Running(self, key, owner.priority.current, owner: owner, tellOwner: onProgress)
            list.current[key] = job
            owner.begin(job)
            return (job, nil)
        }
        guard let (job, waiter) = begun else { throw .cancelled() }
        if let waiter {
            job.passPriorityOn()
            return (try await outcome(of: waiter, owner.priority) { onProgress?($0) }.get(), true)
        }
        let outcome: Outcome
        do throws(ImageError) { outcome = .success(try await work(job)) } catch { outcome = .failure(error) }
        finish(job, outcome)
        return (try outcome.get(), false)
    }

    /// Under the lock.
    private func add(
        to job: Running, _ level: LoadPriority, listens: Bool, owner: AnyJob? = nil
    ) -> JobWaiter<Progress, Value> {
        let waiter = JobWaiter(job, level, listens: listens, owner: owner)
        job.add(waiter)
        return waiter
    }

    /// `begin` is called once leaving is possible: a job that has begun never finds its only waiter unable to leave.
    private func outcome(
        of waiter: JobWaiter<Progress, Value>, _ priority: LivePriority, _ onProgress: ((Progress) async -> Void)?,
        begin: () -> Void = {}
    ) async -> Outcome {
        let token = priority.observe { [weak self] in self?.refresh(waiter, from: priority) }
        // Changed between joining and observing: look once more.
        refresh(waiter, from: priority)
        defer { priority.stopObserving(token) }
        return await withTaskCancellationHandler {
            begin()
            while true {
                switch await waiter.next() {
                case .progress(let progress): await onProgress?(progress)
                case .end(let outcome): return outcome
                }
            }
        } onCancel: {
            leave(waiter)
        }
    }

    private func refresh(_ waiter: JobWaiter<Progress, Value>, from priority: LivePriority) {
        let (isReordered, hears) = graph.withLock {
            let (level, listens) = (priority.current, waiter.owner.map { $0.hasListeners } ?? waiter.listens)
            let changes = (level != waiter.level, listens && !waiter.listens)
            guard !waiter.hasEnded, changes.0 || changes.1 else { return (false, false) }
            waiter.job.discount(waiter.level, listens: waiter.listens)
            waiter.job.count(level, listens: listens)
            (waiter.level, waiter.listens) = (level, listens)
            return changes
        }
        if isReordered { waiter.job.passPriorityOn() }
        if hears { waiter.job.passListeningOn() }
    }

    private func leave(_ waiter: JobWaiter<Progress, Value>) {
        let (effects, wake) = graph.withLock { () -> (JobEffects, JobWaiter<Progress, Value>.Wake?) in
            guard !waiter.hasEnded else { return (JobEffects(), nil) }
            waiter.job.remove(waiter)
            return (waiter.job.effectsOfLeaving(), waiter.end(with: .failure(.cancelled())))
        }
        wake?.resume(returning: .end(.failure(.cancelled())))
        effects.carryOut()
    }

    // MARK: Running

    private func start(_ job: Running, _ work: @escaping Work) {
        job.start {
            let outcome: Outcome
            do throws(ImageError) { outcome = .success(try await work(job)) } catch { outcome = .failure(error) }
            self.finish(job, outcome)
        }
    }

    private func finish(_ job: Running, _ outcome: Outcome) {
        let (effects, wakes) = graph.withLock { (job.end(), job.endWaiters(with: outcome)) }
        for wake in wakes { wake.resume(returning: .end(outcome)) }
        effects.carryOut()
    }

    /// Starts the job of `key` unless it runs already, and waits for nothing: work that continues after its caller has the result
    /// (storing, revalidating behind a stale image). It ends with its work or by ``abandon(where:)``.
    package func launch(_ key: CacheKey, priority: LoadPriority, work: @escaping Work) {
        let job = graph.withLock { () -> Running? in
            if list.current[key] != nil { return nil }
            let job = Running(self, key, priority)
            // It needs itself.
            job.count(priority, listens: false)
            list.current[key] = job
            return job
        }
        if let job { start(job, work) }
    }

    /// Waits until no job runs, retired ones included.
    package func drain() async {
        while !Task.isCancelled, await wait(for: { all.first }) {}
    }

    /// Waits for the job of `key`, if one runs; also returns when the caller's task is cancelled. False: none runs.
    @discardableResult package func wait(for key: CacheKey) async -> Bool { await wait { known(key) } }

    /// False: there is none. `job` is called under the lock.
    private func wait(for job: () -> Running?) async -> Bool {
        let waiter = graph.withLock { job().map { add(to: $0, .veryLow, listens: false) } }
        guard let waiter else { return false }
        _ = await outcome(of: waiter, LivePriority(.veryLow), nil)
        return true
    }

    // MARK: Ending

    /// Ends every job whose key is meant, retired ones included: all its waiters get the error `cancelled`. Its task continues if
    /// callers wait for another job of its chain.
    package func abandon(where isMeant: (CacheKey) -> Bool = { _ in true }) {
        let (wakes, effects) = graph.withLock { () -> ([JobWaiter<Progress, Value>.Wake], [JobEffects]) in
            var wakes: [JobWaiter<Progress, Value>.Wake] = []
            var effects: [JobEffects] = []
            for job in all where isMeant(job.key) {
                wakes += job.endWaiters(with: .failure(.cancelled()))
                job.forget()
                effects.append(job.effectsOfLeaving())
            }
            return (wakes, effects)
        }
        for wake in wakes { wake.resume(returning: .end(.failure(.cancelled()))) }
        for effect in effects { effect.carryOut() }
    }

    /// Makes later callers start new jobs; present waiters of these jobs still get their results.
    package func retire(where isVoid: (CacheKey) -> Bool) {
        graph.withLock {
            for (key, job) in list.current where isVoid(key) {
                list.current[key] = nil
                list.retired.append(job)
            }
        }
    }
}
