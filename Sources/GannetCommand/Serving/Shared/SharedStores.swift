#if CommandLine && HTTP
    import GannetCore

    /// The stores that replicas share, the fastest first. Each may be missing, and none is needed for an answer.
    struct SharedStores: Sendable {
        var redis: RedisAnswers?

        /// All that are watched, for `/metrics`.
        var watches: [SharedWatch] { [redis?.watch].compactMap { $0 } }

        /// Tells the operator at the start what cannot be reached.
        func check() async { await redis?.check() }

        /// `isFreshWanted`: a stale answer is of no use.
        func find(_ key: AnswerKey, isFreshWanted: Bool, at now: Timestamp) async -> StoredAnswer? {
            if let answer = await redis?.answer(for: key), !isFreshWanted || answer.freshness.isFresh(at: now) { return answer }
            return nil
        }

        /// `number`: that of the maker's lease; 0 without one.
        func store(_ answer: StoredAnswer, for key: AnswerKey, number: Int) async {
            _ = await redis?.store(answer, for: key, number: number)
        }
    }
#endif
