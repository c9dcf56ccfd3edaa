#if Server
    import GannetCache
    import GannetCore

    /// An answer as one piece of bytes, for stores that know nothing else: the format of the disk cache's files, with its
    /// version and checksums. Bytes that are damaged, cut short, of another version or of another key are no answer.
    enum AnswerFile {
        /// Of everything beside the bytes of an answer, at most: generous for fields that a source sent.
        static let overhead = 1 << 20

        /// Nil for an answer whose fields have more room than the format gives them; no real answer does.
        static func encode(_ answer: StoredAnswer, for key: AnswerKey, at now: Timestamp) -> [UInt8]? {
            let metadata = CacheEntryMetadata(
                storedAt: now, freshness: answer.freshness, extended: Array(answer.mimeType.utf8))
            let entry = CacheEntry(bytes: ByteRope(answer.bytes), metadata: metadata)
            return try? CacheEntryCoding.encode(entry, for: key.stored, writtenAt: now)
        }

        /// The tag is made again from the bytes.
        static func decode(_ bytes: [UInt8], for key: AnswerKey) -> StoredAnswer? {
            guard let entry = try? CacheEntryCoding.decode(bytes, for: key.stored), !entry.metadata.isPartial,
                !entry.metadata.freshness.forbidsStoring
            else { return nil }
            return StoredAnswer(
                mimeType: String(decoding: entry.metadata.extended, as: UTF8.self), bytes: entry.bytes.contiguous(),
                freshness: entry.metadata.freshness)
        }
    }
#endif
