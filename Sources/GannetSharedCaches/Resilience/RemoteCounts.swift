import Synchronization

/// Counts of what a remote service does: a shared store, or the collector of traces.
package struct RemoteCounts: Equatable, Sendable {
    package var hits = 0
    package var misses = 0
    /// Entries that were put there.
    package var stored = 0
    /// Entries that were not put there, because a newer one was.
    package var outdated = 0
    /// Entries that were not put there, because too many waited.
    package var dropped = 0
    /// Requests that were not sent, because too many waited.
    package var skipped = 0
    /// Leases that this replica had.
    package var leases = 0
    /// Requests that failed; not those that were not sent.
    package var failures = 0
    /// The breaker of the service, or of a node of it, is open or half open.
    package var isOpen = false
}

/// The counts of one service, whose nodes add to them.
package final class RemoteTally: Sendable {
    private let state = Mutex(RemoteCounts())

    package init() {}

    package func count(_ change: (inout RemoteCounts) -> Void) { state.withLock { change(&$0) } }

    package func counts(isOpen: Bool) -> RemoteCounts {
        var counts = state.withLock { $0 }
        counts.isOpen = isOpen
        return counts
    }
}
