import GannetPlatform
import Glibc
import Synchronization

/// Set once; threads wait for it.
package final class Flag: Sendable {
    private let state = Atomic(false)

    package init() {}

    package var isSet: Bool { state.load(ordering: .acquiring) }
    package func set() { state.store(true, ordering: .releasing) }
    package func wait() { while !isSet { sched_yield() } }
}
