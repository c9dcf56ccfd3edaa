import GannetCore
import Synchronization

/// Bytes that were fetched and that nothing has been made of yet: they wait for a decode.
///
/// Downloads are quicker than decodes. When more than ``maximum`` bytes wait, a fetch that ends keeps its slot until its own
/// bytes are used, so that fetches go at the pace of decodes and memory follows the number of slots, not that of requests. No
/// decode waits for a slot, so this always progresses.
///
/// Fetches that have begun still grow. Where there is a ``hardMaximum``, one that would pass it is refused, unless it is the oldest of
/// them: so one always ends, and no more than that one's bytes are beyond the maximum.
final class UnusedBytes: Sendable {
    private struct State {
        var maximum: Int
        var hardMaximum: Int
        var count = 0
        var kept: [ObjectIdentifier: HeldSlot] = [:]
        /// The bytes of fetches that have not ended, which ``count`` has too, in the order of their first ones.
        var arriving: [(id: ObjectIdentifier, count: Int)] = []

        mutating func removeArriving(_ slot: HeldSlot) {
            guard let index = arriving.firstIndex(where: { $0.id == ObjectIdentifier(slot) }) else { return }
            count -= arriving.remove(at: index).count
        }
    }

    private let state: Mutex<State>

    init(maximum: Int, hardMaximum: Int = .max) {
        state = Mutex(State(maximum: max(maximum, 0), hardMaximum: hardMaximum))
    }

    var count: Int { state.withLock { $0.count } }

    var maximum: Int {
        get { state.withLock { $0.maximum } }
        set { give(back: change { $0.maximum = max(newValue, 0) }) }
    }

    var hardMaximum: Int {
        get { state.withLock { $0.hardMaximum } }
        set { state.withLock { $0.hardMaximum = newValue } }
    }

    /// Counts bytes of a fetch that has not ended. Throws `cancelled`, with a message for clients, if there is no room for them.
    func arrived(_ count: Int, in slot: HeldSlot) throws(ImageError) {
        let isRefused = state.withLock { state in
            let id = ObjectIdentifier(slot)
            let index = state.arriving.firstIndex { $0.id == id } ?? state.arriving.endIndex
            guard index == 0 || state.count + count <= state.hardMaximum else { return true }
            if index == state.arriving.endIndex { state.arriving.append((id, 0)) }
            state.arriving[index].count += count
            state.count += count
            return false
        }
        guard isRefused else { return }
        var error = ImageError(.cancelled, stage: .resolve, "There is no memory for this source now; try again.")
        error.retryAfter = .seconds(1)
        throw error
    }

    /// The fetch in this slot has ended, whatever became of it.
    func endArriving(in slot: HeldSlot) { give(back: change { $0.removeArriving(slot) }) }

    /// Counts the bytes that a fetch in this slot has brought.
    func begin(_ count: Int, in slot: HeldSlot) -> Part {
        state.withLock { state in
            state.removeArriving(slot)
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
