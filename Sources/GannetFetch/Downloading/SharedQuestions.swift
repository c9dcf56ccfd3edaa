import GannetCore
import Synchronization

/// Questions that several callers may ask at once: each is asked once, and all get its answer.
///
/// A question belongs to all who wait for it. It is cancelled when the last of them leaves, and a later caller asks anew.
final class SharedQuestions<Answer: Sendable>: Sendable {
    typealias Outcome = Result<Answer, ImageError>

    private struct Question {
        let number: UInt64
        var task: Task<Void, Never>?
        var waiters: [ObjectIdentifier: Waiter] = [:]
    }

    private struct State {
        var questions: [CacheKey: Question] = [:]
        var newest: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Callers that wait for any answer.
    var waiterCount: Int { state.withLock { $0.questions.values.reduce(0) { $0 + $1.waiters.count } } }

    /// The answer of the question that runs, or of `work`, which is started if none does. Cancelling the caller's task throws
    /// `cancelled` at once.
    func ask(_ key: CacheKey, _ work: @escaping @Sendable () async throws(ImageError) -> Answer) async throws(ImageError)
        -> Answer
    {
        try ImageError.checkCancellation()
        let waiter = Waiter()
        let (number, isNew) = state.withLock { state in
            let isNew = state.questions[key] == nil
            if isNew { state.newest += 1 }
            state.questions[key, default: Question(number: state.newest)].waiters[ObjectIdentifier(waiter)] = waiter
            return (state.questions[key]?.number ?? 0, isNew)
        }
        return try await outcome(of: waiter, key, number) { if isNew { start(key, number, work) } }.get()
    }

    /// Waits until the question that runs is answered or given up; also returns when the caller's task is cancelled. False: none runs.
    func wait(for key: CacheKey) async -> Bool {
        let waiter = Waiter()
        let number = state.withLock { state -> UInt64? in
            state.questions[key]?.waiters[ObjectIdentifier(waiter)] = waiter
            return state.questions[key]?.number
        }
        guard let number else { return false }
        _ = await outcome(of: waiter, key, number) {}
        return true
    }

    /// `begin` is called once leaving is possible.
    private func outcome(of waiter: Waiter, _ key: CacheKey, _ number: UInt64, begin: () -> Void) async -> Outcome {
        await withTaskCancellationHandler {
            begin()
            return await waiter.outcome()
        } onCancel: {
            let givenUp = state.withLock { state -> Question? in
                guard state.questions[key]?.number == number else { return nil }
                state.questions[key]?.waiters[ObjectIdentifier(waiter)] = nil
                return state.questions[key]?.waiters.isEmpty == true ? state.questions.removeValue(forKey: key) : nil
            }
            waiter.end(.failure(.cancelled()))
            givenUp?.task?.cancel()
        }
    }

    private func start(_ key: CacheKey, _ number: UInt64, _ work: @escaping @Sendable () async throws(ImageError) -> Answer) {
        // Ends with the answer; cancelled when the last waiter leaves.
        let task = Task(priority: LoadPriority.high.taskPriority) {
            let outcome: Outcome
            do throws(ImageError) { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            let answered = self.state.withLock { state in
                state.questions[key]?.number == number ? state.questions.removeValue(forKey: key) : nil
            }
            for waiter in (answered?.waiters ?? [:]).values { waiter.end(outcome) }
        }
        let isAsked = state.withLock { state in
            state.questions[key]?.number == number
                ? {
                    state.questions[key]?.task = task
                    return true
                }() : false
        }
        // Given up before its task was known, or answered already, which a cancellation cannot change any more.
        if !isAsked { task.cancel() }
    }

    /// One caller: gets the first outcome, whether it comes before or after the caller waits.
    private final class Waiter: Sendable {
        private let state = Mutex<(outcome: Outcome?, wake: CheckedContinuation<Outcome, Never>?)>((nil, nil))

        func outcome() async -> Outcome {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Outcome? in
                    if state.outcome == nil { state.wake = continuation }
                    return state.outcome
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        }

        func end(_ outcome: Outcome) {
            let wake = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
                guard state.outcome == nil else { return nil }
                state.outcome = outcome
                return state.wake.take()
            }
            wake?.resume(returning: outcome)
        }
    }
}
