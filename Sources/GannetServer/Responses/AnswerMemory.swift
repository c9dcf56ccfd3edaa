#if Server
    import Synchronization

    /// The answers that were sent last, in memory. The least recently used are removed first.
    final class AnswerMemory: AnswerStore {
        private struct State {
            var answers = RecentlyUsed<AnswerKey, StoredAnswer>()
            var bytes = 0
        }

        /// Of bodies, with ``overhead`` for each.
        let maximumBytes: Int
        /// Key, tag, dates and the table's own share, about.
        static let overhead = 512
        private let state = Mutex(State())

        init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

        /// The number of answers, and their bytes with ``overhead``.
        var kept: (count: Int, bytes: Int) { state.withLock { ($0.answers.count, $0.bytes) } }

        func answer(for key: AnswerKey) -> StoredAnswer? { state.withLock { $0.answers.find(key) } }

        func store(_ answer: StoredAnswer, for key: AnswerKey) {
            let cost = Self.cost(answer)
            // Freed outside the lock.
            let removed = state.withLock { state -> [StoredAnswer] in
                let isKept = cost <= maximumBytes
                let replaced = isKept ? state.answers.put(answer, for: key) : state.answers.remove(key)
                state.bytes += (isKept ? cost : 0) - (replaced.map(Self.cost) ?? 0)
                var removed = replaced.map { [$0] } ?? []
                while state.bytes > maximumBytes, let oldest = state.answers.removeOldest() {
                    state.bytes -= Self.cost(oldest)
                    removed.append(oldest)
                }
                return removed
            }
            withExtendedLifetime(removed) {}
        }

        private static func cost(_ answer: StoredAnswer) -> Int { answer.bytes.count + overhead }
    }
#endif
