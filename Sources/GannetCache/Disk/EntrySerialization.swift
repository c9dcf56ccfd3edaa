import GannetCore

/// Writes little-endian numbers and counted strings in sequence.
struct EntryWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func blob(_ value: some Collection<UInt8>) {
        number(UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func text(_ value: String) { blob(value.utf8) }

    mutating func optional<T>(_ value: T?, _ write: (inout EntryWriter, T) -> Void) {
        number(UInt8(value == nil ? 0 : 1))
        if let value { write(&self, value) }
    }
}

/// Reads the output of ``EntryWriter``. Every function returns nil beyond the end.
struct EntryReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    mutating func number<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type = T.self) -> T? {
        let size = MemoryLayout<T>.size
        guard bytes.endIndex - position >= size else { return nil }
        let offset = position - bytes.startIndex
        position += size
        return bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
    }

    mutating func blob() -> ArraySlice<UInt8>? {
        guard let count: UInt32 = number(), bytes.endIndex - position >= Int(count) else { return nil }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }

    mutating func text() -> String? { blob().map { String(decoding: $0, as: UTF8.self) } }

    /// Outer nil: the bytes end too early.
    mutating func optional<T>(_ read: (inout EntryReader) -> T?) -> T?? {
        guard let flag: UInt8 = number() else { return nil }
        if flag == 0 { return .some(nil) }
        guard let value = read(&self) else { return nil }
        return .some(value)
    }
}

/// ``CacheEntryMetadata`` as bytes. New fields are appended, so that older readers ignore them.
enum MetadataCoding {
    static func encode(_ metadata: CacheEntryMetadata) -> [UInt8] {
        var writer = EntryWriter()
        writer.optional(metadata.format) { $0.text($1) }
        writer.optional(metadata.freshness.freshUntil) { $0.number($1.milliseconds) }
        writer.optional(metadata.freshness.etag) { $0.text($1) }
        writer.optional(metadata.freshness.lastModified) { $0.text($1) }
        writer.number(UInt8((metadata.freshness.forbidsStoring ? 1 : 0) | (metadata.isPartial ? 2 : 0)))
        writer.blob(metadata.extended)
        writer.optional(metadata.http) { writer, http in
            writer.number(Int32(clamping: http.status))
            headers(http.headers, &writer)
            headers(http.varying, &writer)
            writer.number(http.requestTime.milliseconds)
            writer.number(http.responseTime.milliseconds)
            writer.text(http.url)
        }
        writer.optional(metadata.summary) { writer, summary in
            writer.number(UInt32(summary.size.width))
            writer.number(UInt32(summary.size.height))
            writer.number(summary.dominant)
            writer.blob(summary.thumbHash)
        }
        writer.optional(metadata.original) { writer, original in
            writer.number(UInt32(original.size.width))
            writer.number(UInt32(original.size.height))
            writer.number(UInt8(original.isVector ? 1 : 0))
            writer.optional(original.format) { $0.text($1.identifier) }
        }
        writer.optional(metadata.freshness.unreachableUntil) { $0.number($1.milliseconds) }
        writer.optional(metadata.freshness.staleIfErrorUntil) { $0.number($1.milliseconds) }
        writer.optional(metadata.identity) { writer, identity in
            writer.number(identity.high)
            writer.number(identity.low)
        }
        if let requestedAt = metadata.freshness.requestedAt {
            writer.number(requestedAt.milliseconds)
            writer.number(UInt32(metadata.freshness.tags.count))
            for tag in metadata.freshness.tags { writer.text(tag) }
        }
        return writer.bytes
    }

    /// Nil: not the output of ``encode(_:)``. Times and the expiration are in the file's header.
    static func decode(_ bytes: ArraySlice<UInt8>, header: EntryHeader) -> CacheEntryMetadata? {
        var reader = EntryReader(bytes)
        guard let format = reader.optional({ $0.text() }),
            let freshUntil = reader.optional({ $0.number(Int64.self) }),
            let etag = reader.optional({ $0.text() }),
            let lastModified = reader.optional({ $0.text() }),
            let flags: UInt8 = reader.number(),
            let extended = reader.blob(),
            let http = reader.optional({ response(&$0) })
        else { return nil }
        // Entries of older versions end here, or after one of these.
        let summary = reader.optional({ Self.summary(&$0) }) ?? nil
        let original = reader.optional({ Self.original(&$0) }) ?? nil
        let unreachable = reader.optional({ $0.number(Int64.self) }) ?? nil
        let staleIfError = reader.optional({ $0.number(Int64.self) }) ?? nil
        var metadata = CacheEntryMetadata(
            format: format, storedAt: header.storedAt,
            freshness: Freshness(
                freshUntil: freshUntil.map { Timestamp(milliseconds: $0) }, etag: etag, lastModified: lastModified,
                forbidsStoring: flags & 1 != 0, unreachableUntil: unreachable.map { Timestamp(milliseconds: $0) },
                staleIfErrorUntil: staleIfError.map { Timestamp(milliseconds: $0) }),
            expiration: header.expiration, http: http, isPartial: flags & 2 != 0, extended: Array(extended),
            summary: summary, original: original)
        metadata.identity = reader.optional({ Self.identity(&$0) }) ?? nil
        if let requestedAt: Int64 = reader.number() {
            metadata.freshness.requestedAt = Timestamp(milliseconds: requestedAt)
            metadata.freshness.tags = tags(&reader)
        }
        return metadata
    }

    private static func tags(_ reader: inout EntryReader) -> [String] {
        var tags: [String] = []
        guard let count: UInt32 = reader.number() else { return tags }
        for _ in 0..<count {
            guard let tag = reader.text() else { break }
            tags.append(tag)
        }
        return tags
    }

    private static func identity(_ reader: inout EntryReader) -> Digest128? {
        guard let high: UInt64 = reader.number(), let low: UInt64 = reader.number() else { return nil }
        return Digest128(high: high, low: low)
    }

    private static func summary(_ reader: inout EntryReader) -> ImageSummary? {
        guard let width: UInt32 = reader.number(), let height: UInt32 = reader.number(), let dominant: UInt32 = reader.number(),
            let hash = reader.blob()
        else { return nil }
        return ImageSummary(
            size: PixelSize(clamping: Int(width), Int(height)), thumbHash: Array(hash), dominant: dominant)
    }

    private static func original(_ reader: inout EntryReader) -> OriginalImage? {
        guard let width: UInt32 = reader.number(), let height: UInt32 = reader.number(), let flags: UInt8 = reader.number() else {
            return nil
        }
        // Entries of older versions end here.
        let format = reader.optional({ $0.text() }) ?? nil
        return OriginalImage(
            size: PixelSize(clamping: Int(width), Int(height)), isVector: flags & 1 != 0,
            format: format.flatMap { ImageFormat.named($0) })
    }

    private static func response(_ reader: inout EntryReader) -> StoredHTTPResponse? {
        guard let status: Int32 = reader.number(), let fields = headers(&reader), let varying = headers(&reader),
            let requestTime: Int64 = reader.number(), let responseTime: Int64 = reader.number(), let url = reader.text()
        else { return nil }
        return StoredHTTPResponse(
            status: Int(status), headers: fields, varying: varying, requestTime: Timestamp(milliseconds: requestTime),
            responseTime: Timestamp(milliseconds: responseTime), url: url)
    }

    private static func headers(_ headers: HTTPHeaders, _ writer: inout EntryWriter) {
        writer.number(UInt32(headers.fields.count))
        for field in headers.fields {
            writer.text(field.name)
            writer.text(field.value)
        }
    }

    private static func headers(_ reader: inout EntryReader) -> HTTPHeaders? {
        guard let count: UInt32 = reader.number() else { return nil }
        var headers = HTTPHeaders()
        for _ in 0..<count {
            guard let name = reader.text(), let value = reader.text() else { return nil }
            headers.add(name, value)
        }
        return headers
    }
}
