#if Server
    import GannetCore
    import GannetPlatform

    /// Memory before disk before what replicas share. An answer that is found further away is put into what is nearer.
    struct AnswerStores: AnswerStore {
        var memory: AnswerMemory
        /// Nil: answers do not outlive the process.
        var disk: (any AnswerStore)?
        var shared = SharedStores()
        let time: any TimeSource

        /// What was found, and the store that had it.
        struct Found: Sendable {
            var answer: StoredAnswer?
            /// `made`: there is none.
            var origin: ThumbnailService.Answer.Origin
        }

        /// There are stores beside the memory, which take time.
        var haveMore: Bool { disk != nil || shared.redis != nil || shared.s3 != nil }

        func answer(for key: AnswerKey) async -> StoredAnswer? { await find(key).answer }

        /// The first answer that is fresh, else the nearest one.
        func find(_ key: AnswerKey) async -> Found {
            let near = await findHere(key)
            if let answer = near.answer, answer.freshness.isFresh(at: time.now) { return near }
            // Another replica may have made a newer one.
            guard let far = await findShared(key, isStaleHere: near.answer != nil) else { return near }
            return Found(answer: far, origin: .shared)
        }

        private func findHere(_ key: AnswerKey) async -> Found {
            if let answer = memory.answer(for: key) { return Found(answer: answer, origin: .memory) }
            guard let answer = await disk?.tracedAnswer(for: key, of: "disk") else { return Found(answer: nil, origin: .made) }
            memory.store(answer, for: key)
            return Found(answer: answer, origin: .disk)
        }

        /// Kept here too. `isStaleHere`: only a fresh one is of use.
        private func findShared(_ key: AnswerKey, isStaleHere: Bool) async -> StoredAnswer? {
            guard let answer = await shared.find(key, isFreshWanted: isStaleHere, at: time.now) else { return nil }
            await storeHere(answer, for: key)
            return answer
        }

        func storeHere(_ answer: StoredAnswer, for key: AnswerKey) async {
            memory.store(answer, for: key)
            await disk?.store(answer, for: key)
        }

        func store(_ answer: StoredAnswer, for key: AnswerKey) async { await store(answer, for: key, number: 0) }

        /// `number`: that of the maker's lease; 0 without one.
        func store(_ answer: StoredAnswer, for key: AnswerKey, number: Int) async {
            await storeHere(answer, for: key)
            await shared.store(answer, for: key, number: number)
        }
    }
#endif
