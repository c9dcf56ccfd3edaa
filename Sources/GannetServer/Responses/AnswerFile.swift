#if Server
    import GannetCache
    import GannetCore

    /// An answer as one piece of bytes, for stores that know nothing else: the format of the disk cache's files, with its
    /// version and checksums. Bytes that are damaged, cut short, of another version or of another key are no answer.
    enum AnswerFile {
        /// Nil for an answer whose fields have more room than the format gives them; no real answer does.
        static func encode(_ answer: StoredAnswer, for key: AnswerKey, at now: Timestamp) -> [UInt8]? {
            try? CacheEntryCoding.encode(entry(answer, at: now), for: key.stored, writtenAt: now)
        }

        static func decode(_ bytes: [UInt8], for key: AnswerKey) -> StoredAnswer? {
            (try? CacheEntryCoding.decode(bytes, for: key.stored)).flatMap { answer($0) }
        }

        /// For caches of bytes. Copies nothing.
        static func entry(_ answer: StoredAnswer, at now: Timestamp) -> CacheEntry {
            CacheEntry(
                bytes: ByteRope(answer.bytes),
                metadata: CacheEntryMetadata(
                    storedAt: now, freshness: answer.freshness, extended: Array(answer.mimeType.utf8)))
        }

        /// The tag is made again from the bytes. Nil: it is no answer.
        static func answer(_ entry: CacheEntry) -> StoredAnswer? {
            guard !entry.metadata.isPartial, !entry.metadata.freshness.forbidsStoring else { return nil }
            return StoredAnswer(
                mimeType: String(decoding: entry.metadata.extended, as: UTF8.self), bytes: entry.bytes.contiguous(),
                freshness: entry.metadata.freshness)
        }
    }
#endif
