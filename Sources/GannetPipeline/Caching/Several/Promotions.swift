import GannetCore
import Synchronization

/// Keeps what a lower cache answered from taking the place of what was stored, changed or removed meanwhile.
///
/// A question notices every change of its key that runs or begins before its answer is passed upwards, and then passes nothing.
/// A change waits for answers of its key that are being passed upwards already, and comes after them.
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

    /// Before the caches are asked.
    func ask(_ key: CacheKey) -> UInt64 {
        state.withLock { state in
            let number = state.number()
            state.questions[number] = Question(key: key, isVoid: state.changes.values.contains { $0.contains(key) })
            return number
        }
    }

    /// Whether the answer may be passed upwards; changes then wait until ``end(_:)``.
    func mayStore(_ number: UInt64) -> Bool {
        state.withLock { state in
            guard let question = state.questions[number], !question.isVoid else { return false }
            state.questions[number]?.isStoring = true
            return true
        }
    }

    /// Of every question.
    func end(_ number: UInt64) {
        let question = state.withLock { $0.questions.removeValue(forKey: number) }
        for change in question?.waiting ?? [] { change.resume() }
    }

    /// Makes void what is being asked, and waits for what is being passed upwards. To be ended by ``endChange(_:)``.
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
