import GannetCore
import Synchronization

/// A slot of a gate that can be put down for a while by the work that holds it.
final class HeldSlot: LoadSlot {
    private enum State { case held, down, over }

    private let gate: PriorityGate
    private let origin: HTTPOrigin?
    private let priority: LivePriority
    private let state = Mutex(State.held)

    /// It has been entered.
    init(_ gate: PriorityGate, _ origin: HTTPOrigin?, _ priority: LivePriority) {
        (self.gate, self.origin, self.priority) = (gate, origin, priority)
    }

    func putDown<R: Sendable>(
        during body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        // Put down already, or the load is over: then there is nothing to give to others.
        guard change(from: .held, to: .down) else { return try await body() }
        gate.leave(origin)
        let answer = try await body()
        try await gate.enter(priority, origin)
        if !change(from: .down, to: .held) { gate.leave(origin) }
        return answer
    }

    /// The work is over.
    func end() {
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        if last == .held { gate.leave(origin) }
    }

    private func change(from old: State, to new: State) -> Bool {
        state.withLock { state in
            guard state == old else { return false }
            state = new
            return true
        }
    }
}

extension PriorityGate {
    /// Runs `body` in a slot that it may put down.
    func withHeldSlot<R>(
        of origin: HTTPOrigin?, priority: LivePriority, _ body: (HeldSlot) async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await enter(priority, origin)
        let slot = HeldSlot(self, origin, priority)
        defer { slot.end() }
        return try await body(slot)
    }
}
