import GannetCore
import GannetPlatform
import Synchronization

/// Requests that are on their way to the server. A later, equal request waits for the first, and then looks up what the first has stored.
///
/// The first does not wait for the others, and they wait for no longer than for a silent server.
final class ForwardLine: Sendable {
    /// The parts in which equal requests are equal.
    struct Question: Hashable, Sendable {
        var key: CacheKey
        var headers: HTTPHeaders
        /// Of a cache that the request brought along.
        var store: String?
    }

    /// The right to go first. Leaves at the latest when the last reference goes.
    final class Place: Sendable {
        private let line: ForwardLine
        private let question: Question
        private let hasLeft = Atomic(false)

        fileprivate init(_ line: ForwardLine, _ question: Question) {
            self.line = line
            self.question = question
        }

        deinit { leave() }

        /// The requests that wait continue.
        func leave() {
            guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
            line.leave(question)
        }
    }

    private struct State {
        var next: UInt64 = 0
        var waiting: [Question: [UInt64: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// The number of questions that are asked.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Nil: an equal request went first, and has ended or taken longer than `patience`. Throws only `cancelled`.
    func enter(_ question: Question, patience: Duration, time: any TimeSource) async throws(ImageError) -> Place? {
        if isFirst(question) { return Place(self, question) }
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let number = state.withLock { state -> UInt64? in
            guard state.waiting[question] != nil else { return nil }
            state.next += 1
            state.waiting[question]?[state.next] = continuation
            return state.next
        }
        // Without a number the first has just left, and what it has stored is there.
        guard let number else { return nil }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stream {} }
            group.addTask { try? await time.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
        state.withLock { _ = $0.waiting[question]?.removeValue(forKey: number) }
        try ImageError.checkCancellation(stage: .load)
        return nil
    }

    private func isFirst(_ question: Question) -> Bool {
        state.withLock { state in
            guard state.waiting[question] == nil else { return false }
            state.waiting[question] = [:]
            return true
        }
    }

    private func leave(_ question: Question) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: question) }
        for continuation in (waiting ?? [:]).values { continuation.finish() }
    }
}
