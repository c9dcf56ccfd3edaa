package import GannetCore
import GannetPlatform

/// For stores that keep the head of an entry (header, key and metadata) apart from its bytes, or read it alone.
extension CacheEntryCoding {
    /// Enough bytes for nearly every head.
    package static let usualHeadBytes = EntryFile.headCount

    /// The pieces that ``encode(_:for:writtenAt:)`` joins. Does not copy bytes that are one chunk.
    package static func pieces(
        of entry: CacheEntry, for key: CacheKey, writtenAt: Timestamp
    ) throws(ImageError) -> (head: [UInt8], payload: [UInt8]) {
        let pieces = try EntryFile.encode(entry, key: key, writtenAt: writtenAt)
        return (pieces[0], pieces[1])
    }

    /// O(n): every byte is checked; the payload is not copied. Throws as ``decode(_:for:)`` does.
    package static func decode(head: [UInt8], payload: [UInt8], for key: CacheKey) throws(ImageError) -> CacheEntry {
        let header = try EntryHeader(head[...])
        let status = FileStatus(kind: .file, size: header.fileSize, modified: header.writtenAt, inode: 0)
        let (_, found, entry) = try EntryFile.decode(
            FileParts(status: status, head: head, tail: payload), header: header, expected: key)
        guard found == key else { throw .damaged(.corrupt, "it belongs to another key") }
        return entry
    }

    /// Reads the metadata of a head, which may be followed by more bytes. Throws `truncated` if it ends early, and `corrupt`.
    package static func metadata(inHead head: [UInt8], for key: CacheKey) throws(ImageError) -> CacheEntryMetadata {
        let (_, found, metadata) = try EntryFile.decodeHead(head, expected: key)
        guard found == key else { throw .damaged(.corrupt, "it belongs to another key") }
        return metadata
    }

    /// The head of the same bytes with other metadata.
    package static func head(
        renewing head: [UInt8], with metadata: CacheEntryMetadata, for key: CacheKey, writtenAt: Timestamp
    ) throws(ImageError) -> [UInt8] {
        var (header, found, _) = try EntryFile.decodeHead(head, expected: key)
        guard found == key else { throw .damaged(.corrupt, "it belongs to another key") }
        let empty = CacheEntry(bytes: ByteRope([]), metadata: metadata)
        let made = try EntryFile.encode(empty, key: key, writtenAt: writtenAt)[0]
        let new = try EntryHeader(made[...])
        (header.keyCount, header.metadataCount, header.textChecksum) = (new.keyCount, new.metadataCount, new.textChecksum)
        (header.storedAt, header.writtenAt, header.expiration) = (new.storedAt, new.writtenAt, new.expiration)
        return header.encode() + made.dropFirst(EntryHeader.size)
    }

    /// The bytes of a head up to which ``isHead(_:ofKeyWith:)`` needs it.
    package static func headBytes(forPrefix prefix: String) -> Int { EntryHeader.size + prefix.utf8.count }

    /// Whether these bytes begin an entry whose key begins with the text.
    package static func isHead(_ bytes: [UInt8], ofKeyWith prefix: String) -> Bool {
        guard let header = try? EntryHeader(bytes[...]), header.keyCount >= prefix.utf8.count else { return false }
        return bytes.dropFirst(EntryHeader.size).starts(with: prefix.utf8)
    }
}
