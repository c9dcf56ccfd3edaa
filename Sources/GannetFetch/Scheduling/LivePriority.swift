package import GannetCore
import Synchronization

/// A priority that may change while work waits with it, and the queues that must then re-order.
///
/// Observers are called outside the lock and read `current` themselves, so two changes that overlap end with the newer one
/// everywhere.
package final class LivePriority: Sendable {
    private struct State {
        var current: LoadPriority
        /// Mostly one: the queue that the work waits in, or the job that waits with this priority.
        var first: Observer?
        var others: [Observer] = []
        var next: UInt64 = 0

        var observers: [Observer] { (first.map { [$0] } ?? []) + others }
    }

    private struct Observer {
        let token: UInt64
        let call: @Sendable () -> Void
    }

    private let state: Mutex<State>

    package init(_ priority: LoadPriority) { state = Mutex(State(current: priority)) }

    package var current: LoadPriority { state.withLock { $0.current } }

    package func set(_ priority: LoadPriority) {
        let observers = state.withLock { state -> [Observer] in
            guard state.current != priority else { return [] }
            state.current = priority
            return state.observers
        }
        for observer in observers { observer.call() }
    }

    /// Makes the observers read the priority again, without a new one.
    package func notify() { for observer in state.withLock({ $0.observers }) { observer.call() } }

    package func observe(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.next += 1
            let new = Observer(token: state.next, call: observer)
            if state.first == nil { state.first = new } else { state.others.append(new) }
            return state.next
        }
    }

    package func stopObserving(_ token: UInt64) {
        state.withLock { state in
            if state.first?.token == token { state.first = nil } else { state.others.removeAll { $0.token == token } }
        }
    }
}
