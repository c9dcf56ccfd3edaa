#if Server
    import GannetCore
    import Synchronization

    /// The responses that were sent last, in memory. The least recently used are removed first.
    final class MemoryResponseStore: Sendable {
        private struct State {
            var responses = LRUMap<ResponseKey, StoredResponse>()
            var bytes = 0
        }

        /// Of bodies, with ``overhead`` for each.
        let maximumBytes: Int
        /// Key, tag, dates and the table's own share, about.
        static let overhead = 512
        private let state = Mutex(State())

        init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

        /// The number of responses, and their bytes with ``overhead``.
        var kept: (count: Int, bytes: Int) { state.withLock { ($0.responses.count, $0.bytes) } }

        func response(for key: ResponseKey) -> StoredResponse? { state.withLock { $0.responses.find(key) } }

        func store(_ response: StoredResponse, for key: ResponseKey) {
            let cost = Self.cost(response)
            // Freed outside the lock.
            let removed = state.withLock { state -> [StoredResponse] in
                let isKept = cost <= maximumBytes
                let replaced = isKept ? state.responses.put(response, for: key) : state.responses.remove(key)
                state.bytes += (isKept ? cost : 0) - (replaced.map(Self.cost) ?? 0)
                var removed = replaced.map { [$0] } ?? []
                while state.bytes > maximumBytes, let oldest = state.responses.removeOldest() {
                    state.bytes -= Self.cost(oldest)
                    removed.append(oldest)
                }
                return removed
            }
            withExtendedLifetime(removed) {}
        }

        private static func cost(_ response: StoredResponse) -> Int { response.bytes.count + overhead }
    }
#endif
