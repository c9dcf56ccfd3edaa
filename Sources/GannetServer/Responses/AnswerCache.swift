#if Server
    import GannetCache
    import GannetCore
    import GannetPlatform

    /// Answers in a cache of bytes: a folder, S3, or any other ``ImageCaching``. They survive the process and its end by a signal.
    struct AnswerCache: AnswerStore {
        let cache: any ImageCaching
        let time: any TimeSource

        func answer(for key: AnswerKey) async -> StoredAnswer? {
            (try? await cache.entry(for: key.stored, touch: true)).flatMap { AnswerFile.answer($0) }
        }

        /// Returns before it is written; a disk that fails is reported by the cache's observer.
        func store(_ answer: StoredAnswer, for key: AnswerKey) async {
            try? await cache.store(AnswerFile.entry(answer, at: time.now), for: key.stored)
        }
    }
#endif
