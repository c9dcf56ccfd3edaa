import GannetCore
import GannetPlatform
import Synchronization

/// Takes slots from transfers that bring nothing while others wait for one. They continue without a slot, within their deadlines, so
/// that servers that drip or stand still do not hold up all others.
///
/// A transfer without a slot still counts among those of its origin: no server gets more requests because it is slow.
final class SlowTransfers: Sendable {
    private struct State {
        /// Transfers in slots, and how much each had brought at the last look; nil: it began after that.
        var transfers: [ObjectIdentifier: (slot: HeldSlot, bytes: Int?)] = [:]
        var isWatching = false
    }

    static let interval = Duration.seconds(2)
    /// In one interval.
    private static let fewestBytes = 512

    private let time: any TimeSource
    private let state = Mutex(State())

    init(time: any TimeSource) { self.time = time }

    func add(_ slot: HeldSlot) { state.withLock { $0.transfers[ObjectIdentifier(slot)] = (slot, nil) } }

    func remove(_ slot: HeldSlot) { state.withLock { _ = $0.transfers.removeValue(forKey: ObjectIdentifier(slot)) } }

    /// Called while callers wait for a slot of the gate.
    func watch(_ gate: PriorityGate) {
        guard begin() else { return }
        // Ends at its first look at which no caller waits for a slot.
        Task { [weak self, weak gate, time] in
            while Self.look(self, gate) { try? await time.sleep(for: Self.interval) }
        }
    }

    private static func look(_ transfers: SlowTransfers?, _ gate: PriorityGate?) -> Bool {
        guard let transfers, let gate else { return false }
        return transfers.look(gate)
    }

    private func begin() -> Bool {
        state.withLock { state in
            defer { state.isWatching = true }
            return !state.isWatching
        }
    }

    /// False: no caller waits, and the watch is over.
    private func look(_ gate: PriorityGate) -> Bool {
        if !gate.isCrowded {
            state.withLock { state in
                state.isWatching = false
                for id in state.transfers.keys { state.transfers[id]?.bytes = nil }
            }
            // A caller may have begun to wait before the line above, and have found this watch.
            guard gate.isCrowded, begin() else { return false }
        }
        let slow = state.withLock { state in
            var slow: [HeldSlot] = []
            for (id, transfer) in state.transfers {
                let bytes = transfer.slot.receivedBytes
                if let before = transfer.bytes, bytes - before < Self.fewestBytes { slow.append(transfer.slot) }
                state.transfers[id]?.bytes = bytes
            }
            return slow
        }
        for slot in slow where slot.stepAside() { remove(slot) }
        return true
    }
}
