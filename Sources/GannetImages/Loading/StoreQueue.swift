import GannetCore
import GannetFetch
import Synchronization

/// Storing behind the results. Stores of one entry run one after the other, so that the newest is what stays; between the one that
/// runs and the newest, older ones are left out.
final class StoreQueue: Sendable {
    typealias Work = @Sendable () async throws(ImageError) -> Void

    private struct Line {
        /// The job that works for it.
        var job: CacheKey
        var next: Work?
    }

    private struct State {
        var lines: [CacheKey: Line] = [:]
        var number: UInt64 = 0
        var failure: ImageError?
    }

    private let state = Mutex(State())
    private let jobs = JobTable<Never, Void>()

    var jobCount: Int { jobs.jobCount }

    /// `key` names the entry and its cache. What `work` throws is kept for ``takeFailure()``.
    func launch(_ key: CacheKey, _ work: @escaping Work) {
        state.withLock { state in
            if state.lines[key] != nil {
                state.lines[key]?.next = work
                return
            }
            // The job gets a unique name: an earlier job that has just found nothing more to do may not have ended yet.
            state.number += 1
            let job = CacheKey("\(state.number)\u{1}" + key.text)
            state.lines[key] = Line(job: job)
            // Under the lock: a caller that finds the line waits for its job, which must exist by then.
            jobs.launch(job, priority: .low) { [self] _ throws(ImageError) in
                await carryOut(work)
                while let next = next(of: key) { await carryOut(next) }
            }
        }
    }

    private func carryOut(_ work: Work) async {
        do throws(ImageError) { try await work() } catch { note(error) }
    }

    /// Something could not be stored. Of several only the newest is remembered.
    func note(_ failure: ImageError) {
        if failure.code != .cancelled { state.withLock { $0.failure = failure } }
    }

    /// The newest failure since the last call.
    func takeFailure() -> ImageError? { state.withLock { $0.failure.take() } }

    private func next(of key: CacheKey) -> Work? {
        state.withLock { state in
            guard let work = state.lines[key]?.next else {
                state.lines[key] = nil
                return nil
            }
            state.lines[key]?.next = nil
            return work
        }
    }

    /// Waits until everything that was to be stored under `key` is; also returns when the caller's task is cancelled.
    func wait(for key: CacheKey) async {
        guard let job = state.withLock({ $0.lines[key]?.job }) else { return }
        await jobs.wait(for: job)
    }

    /// Waits until nothing is being stored.
    func drain() async { await jobs.drain() }
}
