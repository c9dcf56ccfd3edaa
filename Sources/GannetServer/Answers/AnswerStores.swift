#if Server
    /// Memory before disk. Answers found on disk are kept in memory for the next request.
    struct AnswerStores: AnswerStore {
        var memory: AnswerMemory
        /// Nil: answers do not outlive the process.
        var disk: (any AnswerStore)?

        func answer(for key: AnswerKey) async -> StoredAnswer? { await find(key).answer }

        /// The answer, and the store that had it.
        func find(_ key: AnswerKey) async -> (answer: StoredAnswer?, origin: ThumbnailService.Answer.Origin) {
            if let answer = memory.answer(for: key) { return (answer, .memory) }
            guard let answer = await disk?.answer(for: key) else { return (nil, .made) }
            memory.store(answer, for: key)
            return (answer, .disk)
        }

        func store(_ answer: StoredAnswer, for key: AnswerKey) async {
            memory.store(answer, for: key)
            await disk?.store(answer, for: key)
        }
    }
#endif
