#if Server
    import GannetCache
    import GannetCore
    import GannetPlatform

    /// Answers in a cache of bytes: a folder, or any other ``ImageCaching``. They survive the process and its end by a signal.
    struct AnswerDisk: AnswerStore {
        let cache: any ImageCaching
        let time: any TimeSource

        func answer(for key: AnswerKey) async -> StoredAnswer? {
            guard let entry = try? await cache.entry(for: key.stored, touch: true), !entry.metadata.isPartial else { return nil }
            return StoredAnswer(
                mimeType: String(decoding: entry.metadata.extended, as: UTF8.self), bytes: entry.bytes.contiguous(),
                freshness: entry.metadata.freshness)
        }

        /// Returns before the file is written; a disk that fails is reported by the cache's observer.
        func store(_ answer: StoredAnswer, for key: AnswerKey) async {
            let metadata = CacheEntryMetadata(
                storedAt: time.now, freshness: answer.freshness, extended: Array(answer.mimeType.utf8))
            try? await cache.store(CacheEntry(bytes: ByteRope(answer.bytes), metadata: metadata), for: key.stored)
        }
    }
#endif
