package import GannetCore
import Synchronization

/// A priority that may change while work waits with it, and the queues that must then re-order.
///
/// Observers are called outside the lock and read `current` themselves, so two changes that overlap end with the newer one
/// everywhere.
package final class LivePriority: Sendable {
    private struct State {
        var current: LoadPriority
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var next: UInt64 = 0
    }

    private let state: Mutex<State>

    package init(_ priority: LoadPriority) { state = Mutex(State(current: priority)) }

    package var current: LoadPriority { state.withLock { $0.current } }

    package func set(_ priority: LoadPriority) {
        let observers = state.withLock { state -> [@Sendable () -> Void] in
            guard state.current != priority else { return [] }
            state.current = priority
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Makes the observers read the priority again, without a new one.
    package func notify() { for observer in state.withLock({ Array($0.observers.values) }) { observer() } }

    package func observe(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
            return state.next
        }
    }

    package func stopObserving(_ token: UInt64) { state.withLock { $0.observers[token] = nil } }
}
