#if Server
    import Synchronization

    /// Counts of what a remote service does: a shared store, or the collector of traces.
    struct RemoteCounts: Equatable, Sendable {
        var hits = 0
        var misses = 0
        /// Entries that were put there.
        var stored = 0
        /// Entries that were not put there, because a newer one was.
        var outdated = 0
        /// Entries that were not put there, because too many waited.
        var dropped = 0
        /// Requests that were not sent, because too many waited.
        var skipped = 0
        /// Leases that this replica had.
        var leases = 0
        /// Requests that failed; not those that were not sent.
        var failures = 0
        /// The breaker of the service, or of a node of it, is open or half open.
        var isOpen = false
    }

    /// The counts of one service, whose nodes add to them.
    final class RemoteTally: Sendable {
        /// As it is called in metrics: `redis`, `s3`.
        let name: String
        private let state = Mutex(RemoteCounts())

        init(name: String) { self.name = name }

        func count(_ change: (inout RemoteCounts) -> Void) { state.withLock { change(&$0) } }

        func counts(isOpen: Bool) -> RemoteCounts {
            var counts = state.withLock { $0 }
            counts.isOpen = isOpen
            return counts
        }
    }
#endif
