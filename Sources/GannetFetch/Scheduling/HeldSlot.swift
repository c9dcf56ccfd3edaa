import GannetCore
import Synchronization

/// A slot of a gate that its holder can give back for a while, or keep beyond its end.
final class HeldSlot: LoadSlot {
    private enum State {
        case held, down, kept, over
        /// The load continues, and others have the slot.
        case aside
    }

    private let gate: PriorityGate
    private let origin: HTTPOrigin?
    private let priority: LivePriority
    private let state = Mutex(State.held)
    private let received = Atomic(0)

    /// The caller has already entered the gate.
    init(_ gate: PriorityGate, _ origin: HTTPOrigin?, _ priority: LivePriority) {
        (self.gate, self.origin, self.priority) = (gate, origin, priority)
    }

    func putDown<R: Sendable>(
        during body: () async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        // The slot was given back already, or the load has ended: nothing to give to others.
        guard change(from: .held, to: .down) else { return try await body() }
        gate.leave(origin)
        let answer = try await body()
        try await gate.enter(priority, origin)
        if !change(from: .down, to: .held) { gate.leave(origin) }
        return answer
    }

    /// Ends the holder's use of the slot; one that is kept stays taken.
    func end() {
        let last = state.withLock { state in
            defer { if state != .kept { state = .over } }
            return state
        }
        switch last {
        case .held: gate.leave(origin)
        case .aside: gate.leave(origin, fromAside: true)
        case .down, .kept, .over: break
        }
    }

    func progressed(by count: Int) { received.add(count, ordering: .relaxed) }

    /// Bytes of the load that have arrived.
    var receivedBytes: Int { received.load(ordering: .relaxed) }

    /// Leaves the slot to others while the load continues. False: it holds none, or as many loads as are allowed do so already.
    func stepAside() -> Bool {
        guard gate.allowsAside, change(from: .held, to: .aside) else { return false }
        gate.stepAside()
        return true
    }

    /// The slot stays taken until ``giveUp()``. False: it is not held.
    func keep() -> Bool { change(from: .held, to: .kept) }

    /// Ends the keeping of the slot.
    func giveUp() { if change(from: .kept, to: .over) { gate.leave(origin) } }

    private func change(from old: State, to new: State) -> Bool {
        state.withLock { state in
            guard state == old else { return false }
            state = new
            return true
        }
    }
}

extension PriorityGate {
    /// Runs `body` in a slot that it can give back for a while.
    func withHeldSlot<R>(
        of origin: HTTPOrigin?, priority: LivePriority, _ body: (HeldSlot) async throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await enter(priority, origin)
        let slot = HeldSlot(self, origin, priority)
        defer { slot.end() }
        return try await body(slot)
    }
}
