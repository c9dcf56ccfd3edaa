#if Server
    import GannetCache
    import GannetCore

    /// A response as one byte string, for stores of bytes: the format of the disk cache's files, with its version and
    /// checksums. Bytes that are damaged, cut short, of another version or of another key are no response.
    enum StoredResponseCoding {
        /// Nil if a field is too long for the format, which no real response has.
        static func encode(_ response: StoredResponse, for key: ResponseKey, at now: Timestamp) -> [UInt8]? {
            try? CacheEntryCoding.encode(entry(response, at: now), for: key.stored, writtenAt: now)
        }

        static func decode(_ bytes: [UInt8], for key: ResponseKey) -> StoredResponse? {
            (try? CacheEntryCoding.decode(bytes, for: key.stored)).flatMap { response($0) }
        }

        /// For caches of bytes. Copies nothing.
        static func entry(_ response: StoredResponse, at now: Timestamp) -> CacheEntry {
            CacheEntry(
                bytes: ByteRope(response.bytes),
                metadata: CacheEntryMetadata(
                    storedAt: now, freshness: response.freshness, extended: Array(response.mimeType.utf8)))
        }

        /// The tag is made again from the bytes. Nil: it is no response.
        static func response(_ entry: CacheEntry) -> StoredResponse? {
            guard !entry.metadata.isPartial, !entry.metadata.freshness.forbidsStoring else { return nil }
            return StoredResponse(
                mimeType: String(decoding: entry.metadata.extended, as: UTF8.self), bytes: entry.bytes.contiguous(),
                freshness: entry.metadata.freshness)
        }
    }
#endif
