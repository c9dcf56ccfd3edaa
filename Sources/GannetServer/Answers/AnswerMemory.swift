#if Server
    import Synchronization

    /// The answers that were sent last, in memory. The least recently used are removed first.
    final class AnswerMemory: AnswerStore {
        private struct Entry {
            var answer: StoredAnswer
            var used: UInt64
        }

        private struct State {
            var entries: [AnswerKey: Entry] = [:]
            var bytes = 0
            var clock: UInt64 = 0
        }

        /// Of bodies, with ``overhead`` for each.
        let maximumBytes: Int
        /// Key, tag, dates and the table's own share, about.
        static let overhead = 512
        private let state = Mutex(State())

        init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

        /// The number of answers, and their bytes with ``overhead``.
        var kept: (count: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

        func answer(for key: AnswerKey) -> StoredAnswer? {
            state.withLock { state in
                guard let index = state.entries.index(forKey: key) else { return nil }
                state.clock += 1
                state.entries.values[index].used = state.clock
                return state.entries.values[index].answer
            }
        }

        func store(_ answer: StoredAnswer, for key: AnswerKey) {
            let cost = Self.cost(answer)
            // Freed outside the lock.
            let removed = state.withLock { state -> [Entry] in
                var removed: [Entry] = []
                Self.remove(key, from: &state, to: &removed)
                guard cost <= maximumBytes else { return removed }
                if state.bytes + cost > maximumBytes { makeRoom(for: cost, in: &state, removed: &removed) }
                state.clock += 1
                state.entries[key] = Entry(answer: answer, used: state.clock)
                state.bytes += cost
                return removed
            }
            withExtendedLifetime(removed) {}
        }

        /// A quarter at once, so that the entries are not sorted for every answer.
        private func makeRoom(for cost: Int, in state: inout State, removed: inout [Entry]) {
            let goal = min(maximumBytes / 4 * 3, maximumBytes - cost)
            for (key, _) in state.entries.sorted(by: { $0.value.used < $1.value.used }) {
                guard state.bytes > goal else { return }
                Self.remove(key, from: &state, to: &removed)
            }
        }

        private static func remove(_ key: AnswerKey, from state: inout State, to removed: inout [Entry]) {
            guard let old = state.entries.removeValue(forKey: key) else { return }
            state.bytes -= cost(old.answer)
            removed.append(old)
        }

        private static func cost(_ answer: StoredAnswer) -> Int { answer.bytes.count + overhead }
    }
#endif
