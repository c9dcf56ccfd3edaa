import GannetCore
import Synchronization

/// Keeps a lower cache's answer from overwriting newer data in the caches above.
///
/// If a key changes while a read runs, its answer is not promoted. A change waits for promotions of its key that have already
/// begun, and applies after them.
final class Promotions: Sendable {
    enum Extent: Sendable {
        case everything
        case prefix(String)
        case key(CacheKey)

        func contains(_ key: CacheKey) -> Bool {
            switch self {
            case .everything: true
            case .prefix(let text): key.text.hasPrefix(text)
            case .key(let other): key == other
            }
        }
    }

    private struct Question {
        let key: CacheKey
        var isVoid: Bool
        var isStoring = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private struct State {
        var questions: [UInt64: Question] = [:]
        var changes: [UInt64: Extent] = [:]
        var next: UInt64 = 0

        mutating func number() -> UInt64 {
            next += 1
            return next
        }
    }

    private let state = Mutex(State())

    /// Called before the caches are read.
    func ask(_ key: CacheKey) -> UInt64 {
        state.withLock { state in
            let number = state.number()
            state.questions[number] = Question(key: key, isVoid: state.changes.values.contains { $0.contains(key) })
            return number
        }
    }

    /// Whether the answer may be promoted; changes then wait until ``end(_:)``.
    func mayStore(_ number: UInt64) -> Bool {
        state.withLock { state in
            guard let question = state.questions[number], !question.isVoid else { return false }
            state.questions[number]?.isStoring = true
            return true
        }
    }

    /// Called at the end of every read.
    func end(_ number: UInt64) {
        let question = state.withLock { $0.questions.removeValue(forKey: number) }
        for change in question?.waiting ?? [] { change.resume() }
    }

    /// Invalidates running reads, and waits for running promotions. Ended by ``endChange(_:)``.
    func beginChange(of extent: Extent) async -> UInt64 {
        let (change, storing) = state.withLock { state in
            let change = state.number()
            state.changes[change] = extent
            var storing: [UInt64] = []
            for (number, question) in state.questions where extent.contains(question.key) {
                if question.isStoring { storing.append(number) } else { state.questions[number]?.isVoid = true }
            }
            return (change, storing)
        }
        for number in storing {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    state.questions[number]?.waiting.append(continuation)
                    return state.questions[number] == nil
                }
                if isOver { continuation.resume() }
            }
        }
        return change
    }

    func endChange(_ number: UInt64) { state.withLock { _ = $0.changes.removeValue(forKey: number) } }
}
