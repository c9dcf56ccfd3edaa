import GannetCore

/// The codings of `Content-Encoding` that are decoded during the transfer, RFC 9110 §8.4.
enum ContentCoding: Hashable {
    case gzip, deflate, brotli, zstandard

    /// The codings to decode, last one first. Nil: one is unknown.
    static func parse(_ header: String?) -> [ContentCoding]? {
        guard let header else { return [] }
        var result: [ContentCoding] = []
        for name in header.split(separator: ",") {
            switch name.trimmedOWS().lowercased() {
            case "gzip", "x-gzip": result.append(.gzip)
            case "deflate": result.append(.deflate)
            case "br" where Self.hasBrotli: result.append(.brotli)
            case "zstd" where Self.hasZstandard: result.append(.zstandard)
            // The last one is no name of a coding, but servers that do not compress say it, and curl takes it so.
            case "identity", "", "none": break
            default: return nil
            }
        }
        return result.reversed()
    }

    /// The first coding that is not supported; nil if there is none.
    static func unreadable(in header: String?) -> String? {
        header?.split(separator: ",").map { $0.trimmedOWS().lowercased() }.first { parse($0) == nil }
    }
}

#if HTTP
    import CZlib

    extension ContentCoding {
        static var hasBrotli: Bool { BrotliUnpacker.isAvailable }
        static var hasZstandard: Bool { ZstandardUnpacker.isAvailable }

        static let acceptEncoding = "gzip, deflate" + (hasBrotli ? ", br" : "") + (hasZstandard ? ", zstd" : "")

        fileprivate func unpacker(firstByte: UInt8) throws(ImageError) -> any Unpacker {
            switch self {
            case .gzip, .deflate: return try Inflater(coding: self, firstByte: firstByte)
            case .brotli: if let unpacker = BrotliUnpacker() { return unpacker }
            case .zstandard: if let unpacker = ZstandardUnpacker() { return unpacker }
            }
            throw ImageError(.io, stage: .load, "A compressed body could not be read: no memory.")
        }
    }

    /// Decodes one coding while bytes are pulled. An actor, because the stream is `Sendable` and the state of zlib is not.
    actor ContentDecoder {
        private let source: ByteStream
        private let coding: ContentCoding
        private let limits: ContentDecodingLimits
        private let maximumBytes: Int
        private var inflater: (any Unpacker)?
        private var consumed = 0
        private var produced = 0
        /// After the last gzip member: the rest is read and ignored.
        private var isOver = false

        /// Bytes that compression may add to incompressible data.
        private static let overhead = 1 << 20

        init(_ source: ByteStream, coding: ContentCoding, limits: ContentDecodingLimits, maximumBytes: Int) {
            self.source = source
            self.coding = coding
            self.limits = limits
            self.maximumBytes = maximumBytes
        }

        static func stream(
            _ source: ByteStream, codings: [ContentCoding], limits: ContentDecodingLimits, maximumBytes: Int
        ) -> ByteStream {
            codings.reduce(source) { stream, coding in
                let decoder = ContentDecoder(stream, coding: coding, limits: limits, maximumBytes: maximumBytes)
                return ByteStream { () async throws(ImageError) in try await decoder.next() }
            }
        }

        private func next() async throws(ImageError) -> [UInt8]? {
            while true {
                if let inflater, inflater.hasInput, !inflater.isAtEnd {
                    let piece = try inflater.step()
                    produced += piece.count
                    if produced > 1 << 20, produced / max(consumed, 1) > limits.maximumRatio {
                        throw ImageError(
                            .limitExceeded, stage: .load,
                            "The compressed body grows to more than \(limits.maximumRatio) times its size: it looks like a bomb.")
                    }
                    if !piece.isEmpty { return piece }
                    continue
                }
                guard var chunk = try await source.next() else {
                    // No bytes at all are an empty body, compressed or not.
                    guard let inflater, !inflater.isAtEnd else { return nil }
                    throw ImageError(.network, stage: .load, "The compressed body ends too early.")
                }
                consumed += chunk.count
                // Empty blocks and bytes after the end produce no output that a limit could count.
                guard consumed - Self.overhead <= maximumBytes else {
                    throw ImageError(
                        .limitExceeded, stage: .load,
                        "The compressed body has more than \(maximumBytes) bytes. Raise maximumEncodedBytes to allow it.")
                }
                if let inflater, inflater.isAtEnd {
                    // A second gzip member or zstd frame; anything else after the end is ignored, as in curl and browsers.
                    guard !isOver else { continue }
                    // Its first two bytes may arrive separately.
                    chunk = inflater.rest + chunk
                    if coding == .gzip, chunk == [0x1F] {
                        inflater.feed(chunk)
                    } else if coding == .zstandard || coding == .gzip && chunk.starts(with: [0x1F, 0x8B]) {
                        inflater.restart(with: chunk)
                    } else {
                        isOver = true
                    }
                    continue
                }
                if inflater == nil { inflater = try coding.unpacker(firstByte: chunk.first ?? 0) }
                inflater?.feed(chunk)
            }
        }
    }

    /// One zlib stream and its unread input.
    private final class Inflater: Unpacker {
        private let stream: UnsafeMutablePointer<z_stream>
        private var input: [UInt8] = []
        private var offset = 0
        private var outputWasFull = false
        private(set) var isAtEnd = false

        init(coding: ContentCoding, firstByte: UInt8) throws(ImageError) {
            stream = .allocate(capacity: 1)
            stream.initialize(to: z_stream())
            // gzip: 16 + 15. deflate means zlib in the RFC, but often raw in practice: a zlib header has method 8 in its low
            // bits.
            let bits: Int32 = coding == .gzip ? 31 : (firstByte & 0x0F == 8 && firstByte >> 4 <= 7 ? 15 : -15)
            guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                stream.deallocate()
                throw ImageError(.io, stage: .load, "zlib could not be started: no memory.")
            }
        }

        var hasInput: Bool { offset < input.count || outputWasFull }

        var rest: ArraySlice<UInt8> { input[offset...] }

        func feed(_ chunk: [UInt8]) {
            input = chunk
            offset = 0
        }

        func restart(with chunk: [UInt8]) {
            inflateReset(stream)
            isAtEnd = false
            outputWasFull = false
            feed(chunk)
        }

        func step() throws(ImageError) -> [UInt8] {
            var status = Z_OK
            let capacity = Self.capacity
            let available = input.count - offset
            let output = [UInt8](unsafeUninitializedCapacity: capacity) { target, filled in
                input.withUnsafeMutableBufferPointer { source in
                    stream.pointee.next_in = source.baseAddress.map { $0 + offset }
                    stream.pointee.avail_in = UInt32(available)
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = UInt32(capacity)
                    status = inflate(stream, Z_NO_FLUSH)
                }
                filled = capacity - Int(stream.pointee.avail_out)
            }
            offset = input.count - Int(stream.pointee.avail_in)
            outputWasFull = stream.pointee.avail_out == 0
            switch status {
            case Z_STREAM_END:
                // Members may follow each other within a chunk, too.
                if offset + 1 < input.count, input[offset] == 0x1F, input[offset + 1] == 0x8B {
                    inflateReset(stream)
                } else {
                    isAtEnd = true
                }
            case Z_OK: break
            case Z_BUF_ERROR: outputWasFull = false
            default: throw Self.damage
            }
            return output
        }

        deinit {
            inflateEnd(stream)
            stream.deallocate()
        }
    }
#else
    extension ContentCoding {
        static let acceptEncoding = "identity"
        static let (hasBrotli, hasZstandard) = (false, false)
    }
#endif
