import GannetCore
import GannetFetch

/// One waiter of a job. Mutable state is read and written under the graph's lock.
final class JobWaiter<Progress: Sendable, Value: Sendable>: @unchecked Sendable {
    typealias Wake = CheckedContinuation<Signal, Never>

    indirect enum Signal: Sendable {
        case progress(Progress)
        case end(Result<Value, ImageError>)
    }

    let job: RunningJob<Progress, Value>
    /// It waits on behalf of this job.
    let owner: AnyJob?
    /// As the job counts it.
    var listens: Bool
    /// As the job counts it.
    var level: LoadPriority
    /// Among the job's waiters.
    var position = 0
    /// Progress that the waiter has not received yet.
    var newest: Progress?
    private var outcome: Result<Value, ImageError>?
    private var wake: Wake?

    init(_ job: RunningJob<Progress, Value>, _ level: LoadPriority, listens: Bool, owner: AnyJob? = nil) {
        (self.job, self.level, self.listens, self.owner) = (job, level, listens, owner)
    }

    var hasEnded: Bool { outcome != nil }

    /// Returns the continuation if the waiter is suspended; the caller resumes it with this progress.
    func tell(_ progress: Progress) -> Wake? {
        if let wake = wake.take() { return wake }
        newest = progress
        return nil
    }

    func end(with outcome: Result<Value, ImageError>) -> Wake? {
        self.outcome = outcome
        if case .failure(let error) = outcome, error.code == .cancelled { newest = nil }
        return wake.take()
    }

    /// The newest progress that it has not received, or the end; one at a time.
    func next() async -> Signal {
        await withCheckedContinuation { continuation in
            let signal = job.graph.withLock { () -> Signal? in
                // Progress it has not received comes first: a stale image must be shown even if its source answered at once.
                if let progress = newest.take() { return .progress(progress) }
                if let outcome { return .end(outcome) }
                wake = continuation
                return nil
            }
            if let signal { continuation.resume(returning: signal) }
        }
    }
}
