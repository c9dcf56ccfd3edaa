#if CommandLine && HTTP
    /// Memory before disk. Answers found on disk are kept in memory for the next request.
    struct AnswerStores: AnswerStore {
        var memory: AnswerMemory
        /// Nil: answers do not outlive the process.
        var disk: (any AnswerStore)?

        func answer(for key: AnswerKey) async -> StoredAnswer? {
            if let answer = memory.answer(for: key) { return answer }
            guard let answer = await disk?.answer(for: key) else { return nil }
            memory.store(answer, for: key)
            return answer
        }

        func store(_ answer: StoredAnswer, for key: AnswerKey) async {
            memory.store(answer, for: key)
            await disk?.store(answer, for: key)
        }
    }
#endif
