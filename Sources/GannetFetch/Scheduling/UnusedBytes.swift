import Synchronization

/// Bytes that were fetched and that nothing has been made of yet: they wait for a decode.
///
/// Downloads are quicker than decodes. When more than ``maximum`` bytes wait, a fetch that ends keeps its slot until its own
/// bytes are used, so that fetches go at the pace of decodes and memory follows the number of slots, not that of requests. No
/// decode waits for a slot, so this always progresses.
final class UnusedBytes: Sendable {
    private struct State {
        var maximum: Int
        var count = 0
        var kept: [ObjectIdentifier: HeldSlot] = [:]
    }

    private let state: Mutex<State>

    init(maximum: Int) { state = Mutex(State(maximum: max(maximum, 0))) }

    var count: Int { state.withLock { $0.count } }

    var maximum: Int {
        get { state.withLock { $0.maximum } }
        set { give(back: change { $0.maximum = max(newValue, 0) }) }
    }

    /// Counts the bytes that a fetch in this slot has brought.
    func begin(_ count: Int, in slot: HeldSlot) -> Part {
        state.withLock { state in
            state.count += count
            if state.count > state.maximum, slot.keep() { state.kept[ObjectIdentifier(slot)] = slot }
        }
        return Part(of: self, count: count, slot: slot)
    }

    fileprivate func end(_ part: Part) {
        // Its own slot first: the others keep theirs.
        let own = state.withLock { $0.kept.removeValue(forKey: ObjectIdentifier(part.slot)) }
        own?.giveUp()
        give(back: change { $0.count -= part.count })
    }

    /// The slots that need not be kept after the change.
    private func change(_ body: (inout State) -> Void) -> [HeldSlot] {
        state.withLock { state in
            body(&state)
            guard state.count <= state.maximum else { return [] }
            defer { state.kept.removeAll() }
            return Array(state.kept.values)
        }
    }

    /// Outside of the lock.
    private func give(back slots: [HeldSlot]) { for slot in slots { slot.giveUp() } }

    /// The bytes of one fetch. They count until the last reference to this is gone, or until ``end()``.
    final class Part: Sendable {
        fileprivate let count: Int
        fileprivate let slot: HeldSlot
        private let all: UnusedBytes
        private let hasEnded = Atomic(false)

        fileprivate init(of all: UnusedBytes, count: Int, slot: HeldSlot) {
            (self.all, self.count, self.slot) = (all, count, slot)
        }

        deinit { end() }

        /// Before the holder fetches again: it must not keep the slot that it then waits for.
        func end() {
            if !hasEnded.exchange(true, ordering: .relaxed) { all.end(self) }
        }
    }
}
