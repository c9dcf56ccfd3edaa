package import GannetCore
import Synchronization

/// Equal work done once for many waiters. Carries out what ``SharedWorkState`` decides.
///
/// A job is a task of its own: it belongs to all its waiters and therefore to no caller's task. It is cancelled when its last waiter
/// leaves.
package final class SharedWork<Progress: Sendable, Value: Sendable>: Sendable {
    package typealias Outcome = Result<Value, ImageError>

    /// What a job is handed.
    package struct Job: Sendable {
        package let id: JobID
        /// The highest priority of the waiters, live.
        package let priority: LivePriority
        /// Tells all waiters how far the work is; a slow one sees only the newest.
        package let publish: @Sendable (Progress) -> Void
    }

    private indirect enum Signal: Sendable {
        case progress(Progress)
        case result(Outcome)
    }

    private struct Running {
        var task: Task<Void, Never>?
        var priority: LivePriority
        var isCancelled = false
    }

    private struct State {
        var machine = SharedWorkState<Progress>()
        var running: [JobID: Running] = [:]
        var listeners: [WaiterID: AsyncStream<Signal>.Continuation] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var jobCount: Int { state.withLock { $0.machine.jobCount } }
    package var waiterCount: Int { state.withLock { $0.machine.waiterCount } }
    package func isRunning(_ key: CacheKey) -> Bool { state.withLock { $0.machine.isRunning(key) } }
    package var runningPriorities: [LoadPriority] { state.withLock { $0.running.values.map(\.priority.current) } }

    /// Waits for the job of `key`, which is started if there is none. `onProgress` runs on the caller, in order, never after
    /// the result. Cancelling the caller's task leaves; the error is then `cancelled`.
    /// `isWanted` is asked once the caller is among the waiters; if it says no, he leaves with `cancelled`.
    package func join(
        _ key: CacheKey, priority: LivePriority, isWanted: () -> Bool = { true },
        onProgress: (Progress) async -> Void = { _ in },
        work: @escaping @Sendable (Job) async throws(ImageError) -> Value
    ) async throws(ImageError) -> (value: Value, wasJoined: Bool) {
        try ImageError.checkCancellation()
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(1))
        let (waiter, wasJoined) = subscribe(key, continuation, priority, work)
        guard isWanted() else {
            leave(waiter)
            throw .cancelled()
        }
        let token = priority.observe { [weak self] in self?.refreshPriority(of: waiter, from: priority) }
        // Changed between subscribing and observing: look once more.
        refreshPriority(of: waiter, from: priority)
        defer { priority.stopObserving(token) }

        var outcome: Outcome?
        for await signal in stream {
            switch signal {
            case .progress(let progress): await onProgress(progress)
            case .result(let result): outcome = result
            }
        }
        if let outcome { return (try outcome.get(), wasJoined) }
        // The stream ends without a result only when the caller's task was cancelled.
        leave(waiter)
        throw .cancelled()
    }

    /// Starts the job of `key` unless it runs already, and waits for nothing: work that goes on after its caller has his result
    /// (storing, revalidating behind a stale picture). It ends by itself or by ``abandon(_:with:)``.
    package func launch(
        _ key: CacheKey, priority: LoadPriority, work: @escaping @Sendable (Job) async throws(ImageError) -> Value
    ) {
        let (_, continuation) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(1))
        _ = subscribe(key, continuation, LivePriority(priority), work)
    }

    /// Waits until no job runs, retired ones included.
    package func drain() async {
        while !Task.isCancelled, let job = state.withLock({ $0.machine.oldestJob }) { await wait { _ in job } }
    }

    /// Waits for the job of `key`, if one runs; also returns when the caller's task is cancelled. True if the job came to its end
    /// meanwhile.
    @discardableResult package func wait(for key: CacheKey) async -> Bool { await wait { $0.job(of: key) } }

    @discardableResult private func wait(for job: (SharedWorkState<Progress>) -> JobID?) async -> Bool {
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingNewest(1))
        guard let waiter = attach(job, continuation) else { return false }
        var hasEnded = false
        for await signal in stream { if case .result = signal { hasEnded = true } }
        leave(waiter)
        return hasEnded
    }

    /// Listens to a job that runs; nil if there is none.
    private func attach(
        _ job: (SharedWorkState<Progress>) -> JobID?, _ continuation: AsyncStream<Signal>.Continuation
    ) -> WaiterID? {
        state.withLock { state in
            let waiter = WaiterID(value: state.nextWaiter + 1)
            guard let job = job(state.machine), state.machine.join(job, as: waiter, priority: .veryLow) else { return nil }
            state.nextWaiter += 1
            state.listeners[waiter] = continuation
            return waiter
        }
    }

    /// Ends the job of `key` for everybody who waits for it, with `error`.
    package func abandon(_ key: CacheKey, with error: ImageError = .cancelled()) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard let (id, waiters) = state.machine.abandon(key) else { return nil }
            tell(waiters, .failure(error), &state)
            return cancelLocked(id, &state)
        }
        task?.cancel()
    }

    package func abandonAll(with error: ImageError = .cancelled(), where isMeant: (CacheKey) -> Bool = { _ in true }) {
        let tasks = state.withLock { state in
            state.machine.abandonAll(where: isMeant).map { job in
                tell(job.waiters, .failure(error), &state)
                return cancelLocked(job.job, &state)
            }
        }
        for task in tasks { task?.cancel() }
    }

    /// See ``SharedWorkState/retire(where:)``.
    package func retire(where isVoid: (CacheKey) -> Bool) { state.withLock { $0.machine.retire(where: isVoid) } }

    private func subscribe(
        _ key: CacheKey, _ continuation: AsyncStream<Signal>.Continuation, _ priority: LivePriority,
        _ work: @escaping @Sendable (Job) async throws(ImageError) -> Value
    ) -> (WaiterID, wasJoined: Bool) {
        let (waiter, job, action, jobPriority) = state.withLock { state in
            state.nextWaiter += 1
            let waiter = WaiterID(value: state.nextWaiter)
            let (job, action, replay) = state.machine.join(key, as: waiter, priority: priority.current)
            state.listeners[waiter] = continuation
            // Under the lock, so that a newer progress or the result cannot come before it.
            if let replay { continuation.yield(.progress(replay)) }
            if case .start = action {
                state.running[job] = Running(priority: LivePriority(state.machine.priority(of: job) ?? .normal))
            }
            return (waiter, job, action, state.running[job]?.priority)
        }
        switch action {
        case .start(let id):
            if let jobPriority { start(id, jobPriority, work) }
            return (waiter, false)
        default:
            carryOut(action)
            _ = job
            return (waiter, true)
        }
    }

    private func start(
        _ id: JobID, _ priority: LivePriority, _ work: @escaping @Sendable (Job) async throws(ImageError) -> Value
    ) {
        let job = Job(id: id, priority: priority) { [weak self] progress in self?.publish(progress, from: id) }
        // Cancelled by `leave` of the last waiter or by `abandon`.
        let task = Task(priority: priority.current.taskPriority) {
            let outcome: Outcome
            do throws(ImageError) { outcome = .success(try await work(job)) } catch { outcome = .failure(error) }
            self.finish(id, outcome)
        }
        let isCancelled = state.withLock { state in
            // Nil: it has finished already, or was cancelled before its task was known.
            guard state.running[id] != nil else { return true }
            state.running[id]?.task = task
            return state.running[id]?.isCancelled ?? true
        }
        if isCancelled { task.cancel() }
    }

    private func publish(_ progress: Progress, from id: JobID) {
        state.withLock { state in
            for waiter in state.machine.publish(progress, from: id) { state.listeners[waiter]?.yield(.progress(progress)) }
        }
    }

    private func finish(_ id: JobID, _ outcome: Outcome) {
        state.withLock { state in
            tell(state.machine.finish(id), outcome, &state)
            state.running[id] = nil
        }
    }

    private func tell(_ waiters: Set<WaiterID>, _ outcome: Outcome, _ state: inout State) {
        for waiter in waiters {
            guard let listener = state.listeners.removeValue(forKey: waiter) else { continue }
            listener.yield(.result(outcome))
            listener.finish()
        }
    }

    private func leave(_ waiter: WaiterID) {
        let (action, task) = state.withLock { state -> (JobAction, Task<Void, Never>?) in
            state.listeners[waiter] = nil
            let action = state.machine.leave(waiter)
            if case .cancel(let id) = action { return (.none, cancelLocked(id, &state)) }
            return (action, nil)
        }
        task?.cancel()
        carryOut(action)
    }

    private func cancelLocked(_ id: JobID, _ state: inout State) -> Task<Void, Never>? {
        guard let running = state.running.removeValue(forKey: id) else { return nil }
        if running.task == nil {
            // Its task is being made by another thread, which will see this mark and cancel it.
            state.running[id] = Running(task: nil, priority: running.priority, isCancelled: true)
        }
        return running.task
    }

    private func refreshPriority(of waiter: WaiterID, from priority: LivePriority) {
        carryOut(state.withLock { $0.machine.setPriority(priority.current, of: waiter) })
    }

    private func carryOut(_ action: JobAction) {
        guard case .prioritise(let id, _) = action else { return }
        var told: LoadPriority?
        while true {
            let (running, newest) = state.withLock { ($0.running[id], $0.machine.priority(of: id)) }
            guard let running, let newest, newest != told else { return }
            // Outside of the lock another thread may overtake with a newer one: then that is told once more.
            running.priority.set(newest)
            running.task?.escalatePriority(to: newest.taskPriority)
            told = newest
        }
    }
}
