import GannetCore
import GannetPlatform
import Glibc

/// The fixed start of an entry's file: enough to decide about its age without reading more.
///
/// ```
///  0 magic "GNTC" · 4 version 1 · 6 header size 80 · 8 bytes of key · 12 bytes of metadata · 16 bytes of payload
/// 24 stored at · 32 written at · 40 kind of expiration · 48 its value · 56 checksum of the payload
/// 64 checksum of key and metadata · 72 checksum of bytes 0 ..< 72 · 80 key · metadata · payload
/// ```
/// Numbers are little-endian, times are milliseconds since 1970, checksums are XXH3-64.
struct EntryHeader: Equatable {
    static let size = 80
    static let magic: UInt32 = 0x4354_4E47
    static let version: UInt16 = 1
    /// Longer keys are not stored.
    static let maximumKeyBytes = 1 << 20
    static let maximumMetadataBytes = 4 << 20

    var keyCount: Int
    var metadataCount: Int
    var payloadCount: Int
    var storedAt: Timestamp
    var writtenAt: Timestamp
    var expiration: CacheExpiration
    var payloadChecksum: UInt64
    var textChecksum: UInt64

    var payloadOffset: Int { Self.size + keyCount + metadataCount }
    var fileSize: Int { payloadOffset + payloadCount }

    func encode() -> [UInt8] {
        var writer = EntryWriter()
        writer.number(Self.magic)
        writer.number(Self.version)
        writer.number(UInt16(Self.size))
        writer.number(UInt32(keyCount))
        writer.number(UInt32(metadataCount))
        writer.number(UInt64(payloadCount))
        writer.number(storedAt.milliseconds)
        writer.number(writtenAt.milliseconds)
        let (kind, value) = Self.encode(expiration)
        writer.number(kind)
        writer.number(value)
        writer.number(payloadChecksum)
        writer.number(textChecksum)
        writer.number(Checksum.xxh3(writer.bytes, seed: UInt64(Self.magic)))
        return writer.bytes
    }

    /// Throws `corrupt` or `truncated`.
    init(_ head: ArraySlice<UInt8>) throws(ImageError) {
        guard head.count >= Self.size else { throw .damaged(.truncated, "the header ends after \(head.count) bytes") }
        let fixed = head.prefix(Self.size)
        var reader = EntryReader(fixed)
        guard let magic: UInt32 = reader.number(), let version: UInt16 = reader.number(), let size: UInt16 = reader.number(),
            let keyCount: UInt32 = reader.number(), let metadataCount: UInt32 = reader.number(),
            let payloadCount: UInt64 = reader.number(), let storedAt: Int64 = reader.number(),
            let writtenAt: Int64 = reader.number(), let kind: UInt64 = reader.number(), let value: Int64 = reader.number(),
            let payloadChecksum: UInt64 = reader.number(), let textChecksum: UInt64 = reader.number(),
            let checksum: UInt64 = reader.number()
        else { throw .damaged(.truncated, "the header ends early") }
        guard magic == Self.magic, size == UInt16(Self.size) else { throw .damaged(.corrupt, "it is no entry of this cache") }
        guard version == Self.version else { throw .damaged(.corrupt, "its version is \(version)") }
        guard checksum == Checksum.xxh3(fixed.prefix(Self.size - 8), seed: UInt64(Self.magic)) else {
            throw .damaged(.corrupt, "the header's checksum is wrong")
        }
        guard keyCount <= Self.maximumKeyBytes, metadataCount <= Self.maximumMetadataBytes, payloadCount <= Int64.max / 2,
            let expiration = Self.expiration(kind, value)
        else { throw .damaged(.corrupt, "the header's numbers make no sense") }
        self.keyCount = Int(keyCount)
        self.metadataCount = Int(metadataCount)
        self.payloadCount = Int(payloadCount)
        self.storedAt = Timestamp(milliseconds: storedAt)
        self.writtenAt = Timestamp(milliseconds: writtenAt)
        self.expiration = expiration
        self.payloadChecksum = payloadChecksum
        self.textChecksum = textChecksum
    }

    init(
        keyCount: Int, metadataCount: Int, payloadCount: Int, storedAt: Timestamp, writtenAt: Timestamp,
        expiration: CacheExpiration, payloadChecksum: UInt64, textChecksum: UInt64
    ) {
        self.keyCount = keyCount
        self.metadataCount = metadataCount
        self.payloadCount = payloadCount
        self.storedAt = storedAt
        self.writtenAt = writtenAt
        self.expiration = expiration
        self.payloadChecksum = payloadChecksum
        self.textChecksum = textChecksum
    }

    private static func encode(_ expiration: CacheExpiration) -> (UInt64, Int64) {
        switch expiration {
        case .standard: (0, 0)
        case .never: (1, 0)
        case .after(let duration): (2, duration.wholeMilliseconds)
        case .at(let date): (3, date.milliseconds)
        case .expired: (4, 0)
        }
    }

    private static func expiration(_ kind: UInt64, _ value: Int64) -> CacheExpiration? {
        switch kind {
        case 0: .standard
        case 1: .never
        case 2: .after(.milliseconds(value))
        case 3: .at(Timestamp(milliseconds: value))
        case 4: .expired
        default: nil
        }
    }
}

/// One entry as one file.
enum EntryFile {
    /// Bytes of the first read; nearly always contains header, key and metadata.
    static let headCount = 4096

    /// The pieces to write, in order. Throws `misuse` for an oversized key or metadata.
    static func encode(_ entry: CacheEntry, key: CacheKey, writtenAt: Timestamp) throws(ImageError) -> [[UInt8]] {
        let metadata = MetadataCoding.encode(entry.metadata)
        let keyBytes = Array(key.text.utf8)
        guard keyBytes.count <= EntryHeader.maximumKeyBytes, metadata.count <= EntryHeader.maximumMetadataBytes else {
            throw ImageError(
                .misuse, stage: .store,
                "The key has \(keyBytes.count) bytes and its metadata \(metadata.count): too much to store.")
        }
        let text = keyBytes + metadata
        let payload = entry.bytes.contiguous()
        let header = EntryHeader(
            keyCount: keyBytes.count, metadataCount: metadata.count, payloadCount: payload.count,
            storedAt: entry.metadata.storedAt, writtenAt: writtenAt, expiration: entry.metadata.expiration,
            payloadChecksum: Checksum.xxh3(payload), textChecksum: Checksum.xxh3(text))
        return [header.encode() + text, payload]
    }

    /// Where the payload begins; the callback of `FileSystem.readParts`. Throws `corrupt` or `truncated` for a damaged file.
    static func payloadOffset(_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int {
        try header(head, status).payloadOffset
    }

    /// The header of a file with the length that it announces. Throws `corrupt` or `truncated`.
    static func header(_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> EntryHeader {
        let header = try EntryHeader(head[...])
        guard header.fileSize == status.size else {
            throw .damaged(.truncated, "it has \(status.size) bytes instead of \(header.fileSize)")
        }
        return header
    }

    /// Header, key and metadata, all checked. Throws `corrupt`. `header`: if already read from these bytes. `expected`: the
    /// probable key; saves creating it again.
    static func decodeHead(
        _ head: [UInt8], header known: EntryHeader? = nil, expected: CacheKey? = nil
    ) throws(ImageError) -> (EntryHeader, key: CacheKey, metadata: CacheEntryMetadata) {
        let header = if let known { known } else { try EntryHeader(head[...]) }
        guard head.count >= header.payloadOffset else { throw .damaged(.truncated, "the metadata ends early") }
        let text = head[EntryHeader.size..<header.payloadOffset]
        guard Checksum.xxh3(text) == header.textChecksum else { throw .damaged(.corrupt, "the metadata's checksum is wrong") }
        guard let metadata = MetadataCoding.decode(text.dropFirst(header.keyCount), header: header) else {
            throw .damaged(.corrupt, "the metadata makes no sense")
        }
        return (header, key(text.prefix(header.keyCount), expected: expected), metadata)
    }

    private static func key(_ found: ArraySlice<UInt8>, expected: CacheKey?) -> CacheKey {
        if let expected {
            var text = expected.text
            let isSame = text.withUTF8 { text in
                found.withUnsafeBufferPointer { found in
                    guard found.count == text.count else { return false }
                    guard let left = found.baseAddress, let right = text.baseAddress else { return text.isEmpty }
                    return memcmp(left, right, text.count) == 0
                }
            }
            if isSame { return expected }
        }
        return CacheKey(String(decoding: found, as: UTF8.self))
    }

    /// The whole entry, all checked. Throws `corrupt`.
    static func decode(
        _ parts: FileParts, header known: EntryHeader? = nil, expected: CacheKey? = nil
    ) throws(ImageError) -> (EntryHeader, key: CacheKey, entry: CacheEntry) {
        let (header, key, metadata) = try decodeHead(parts.head, header: known, expected: expected)
        guard parts.tail.count == header.payloadCount else {
            throw .damaged(.truncated, "\(parts.tail.count) bytes are there instead of \(header.payloadCount)")
        }
        guard Checksum.xxh3(parts.tail) == header.payloadChecksum else {
            throw .damaged(.corrupt, "the payload's checksum is wrong")
        }
        return (header, key, CacheEntry(bytes: ByteRope(parts.tail), metadata: metadata))
    }
}

extension ImageError {
    /// An error of one entry's file that is permanent.
    static func damaged(_ code: Code, _ reason: String) -> ImageError { ImageError(code, stage: .cache, reason) }
}
