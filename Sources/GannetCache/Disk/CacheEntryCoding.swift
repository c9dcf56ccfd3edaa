public import GannetCore
import GannetPlatform

extension CacheEntry {
    /// The entry as bytes, in the format of ``DiskCache``'s files: key, metadata and payload, all with checksums. For custom caches,
    /// which can store it as one value without knowing the metadata. The format has a version; `Documentation/Caching.md`
    /// describes it.
    ///
    /// O(n). Throws `misuse` for a key of more than 1 MiB or metadata of more than 4 MiB.
    public func encoded(for key: CacheKey, writtenAt: Timestamp) throws(ImageError) -> [UInt8] {
        try CacheEntryCoding.encode(self, for: key, writtenAt: writtenAt)
    }

    /// The entry of bytes that ``encoded(for:writtenAt:)`` returned. O(n): every byte is checked. Throws `corrupt` or `truncated`
    /// for other bytes, and for those of another key.
    public init(encoded bytes: [UInt8], for key: CacheKey) throws(ImageError) {
        self = try CacheEntryCoding.decode(bytes, for: key)
    }
}

/// An entry as bytes, see ``CacheEntry/encoded(for:writtenAt:)``.
package enum CacheEntryCoding {
    /// O(n). Throws `misuse` for a key of more than 1 MiB or metadata of more than 4 MiB.
    package static func encode(_ entry: CacheEntry, for key: CacheKey, writtenAt: Timestamp) throws(ImageError) -> [UInt8] {
        let pieces = try EntryFile.encode(entry, key: key, writtenAt: writtenAt)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { bytes += piece }
        return bytes
    }

    /// O(n): every byte is checked. Throws `corrupt` or `truncated` unless the bytes come from ``encode(_:for:writtenAt:)``
    /// with this key.
    package static func decode(_ bytes: [UInt8], for key: CacheKey) throws(ImageError) -> CacheEntry {
        let header = try EntryHeader(bytes[...])
        guard header.fileSize == bytes.count else {
            throw .damaged(.truncated, "it has \(bytes.count) bytes instead of \(header.fileSize)")
        }
        let parts = FileParts(
            status: FileStatus(kind: .file, size: bytes.count, modified: header.writtenAt, inode: 0),
            head: Array(bytes[..<header.payloadOffset]), tail: Array(bytes[header.payloadOffset...]))
        let (_, found, entry) = try EntryFile.decode(parts)
        guard found == key else { throw .damaged(.corrupt, "it belongs to another key") }
        return entry
    }
}
