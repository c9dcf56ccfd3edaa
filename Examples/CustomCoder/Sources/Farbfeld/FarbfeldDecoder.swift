import GannetCore
import GannetPlatform

/// One session over one file. See the grammar at ``ImageDecoder``.
final class FarbfeldDecoder: ImageDecoder {
    private let options: ResolvedDecodeOptions
    private let environment: DecodeEnvironment
    private var bytes = ByteRope()
    private var failure: ImageError?
    private(set) var header: ImageHeader?
    private(set) var isPartial = false

    init(options: ResolvedDecodeOptions, environment: DecodeEnvironment) {
        self.options = options
        self.environment = environment
    }

    /// What `decodeFrame` fills. The caller checks it against the limits, and only then allocates.
    var outputLayout: PixelLayout? {
        header.map { PixelLayout(size: $0.size, format: options.keeps16Bit ? .rgba16 : .rgba8, alpha: options.alpha) }
    }

    // MARK: - Bytes

    func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
        try sticking { () throws(ImageError) in
            self.bytes = bytes
            if header == nil { header = try readHeader() }
            guard bytes.isComplete else { return .needsMoreData }
            // The same bytes are an error once no more can come.
            guard let header else { throw Self.truncated }
            if bytes.count < FarbfeldCoder.headerBytes + header.size.area * 8 {
                guard options.allowsPartial else { throw Self.truncated }
                isPartial = true
            }
            return .finished
        }
    }

    /// Nil: not there yet.
    private func readHeader() throws(ImageError) -> ImageHeader? {
        let head = bytes.prefix(FarbfeldCoder.headerBytes)
        guard head.count == FarbfeldCoder.headerBytes else { return nil }
        guard head.starts(with: FarbfeldCoder.signature) else {
            throw ImageError(.corrupt, stage: .decode, "The file does not begin with the word farbfeld.")
        }
        func number(_ offset: Int) -> Int { head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        // PixelSize bounds both sides, so that no product of them overflows.
        guard let size = PixelSize(width: number(8), height: number(12)) else {
            throw ImageError(.corrupt, stage: .decode, "The image's size is 0 or beyond all bounds.")
        }
        return ImageHeader(format: .farbfeld, size: size, hasAlpha: true, bitDepth: 16)
    }

    // MARK: - Pixels

    func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
        if let failure { throw failure }
        guard index == 0, bytes.isComplete, let layout = outputLayout, buffer.layout.size == layout.size,
            buffer.layout.format == layout.format
        else {
            throw ImageError(.misuse, stage: .decode, "Ask for frame 0 after all bytes, with a buffer of outputLayout.")
        }
        do throws(ImageError) { try fill(&buffer, layout) } catch {
            failure = error
            throw error
        }
    }

    private func fill(_ buffer: inout PixelBuffer, _ layout: PixelLayout) throws(ImageError) {
        let start = SystemTimeSource().uptime
        let width = layout.size.width
        for y in 0..<layout.size.height {
            // Between rows: cancelled? In time?
            try ImageError.checkCancellation(stage: .decode)
            guard SystemTimeSource().uptime - start <= environment.limits.maximumDecodeTime else {
                throw ImageError(.limitExceeded, stage: .decode, "Decoding takes longer than maximumDecodeTime.")
            }
            let stored = bytes.prefix(width * 8, from: FarbfeldCoder.headerBytes + y * width * 8)
            var row = buffer.mutableRow(y)
            for x in 0..<width {
                // Pixels that did not come are clear.
                let isThere = stored.count >= 8 * x + 8
                var channels = (0..<4).map { isThere ? Int(stored[8 * x + 2 * $0]) << 8 | Int(stored[8 * x + 2 * $0 + 1]) : 0 }
                if layout.alpha == .premultiplied {
                    for channel in 0..<3 { channels[channel] = (channels[channel] * channels[3] + 32_767) / 65_535 }
                }
                for channel in 0..<4 { Self.put(channels[channel], at: 4 * x + channel, &row, isDeep: layout.format == .rgba16) }
            }
        }
        buffer.setAlpha(layout.alpha)
    }

    private static func put(_ value: Int, at index: Int, _ row: inout MutableSpan<UInt8>, isDeep: Bool) {
        if isDeep {
            // Channels are in the byte order of the machine; this one is little-endian.
            row[2 * index] = UInt8(value & 255)
            row[2 * index + 1] = UInt8(value >> 8)
        } else {
            row[index] = UInt8((value * 255 + 32_767) / 65_535)
        }
    }

    // MARK: - Errors

    /// After an error every call throws it again.
    private func sticking<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
        if let failure { throw failure }
        do throws(ImageError) { return try body() } catch {
            failure = error
            throw error
        }
    }

    private static var truncated: ImageError {
        ImageError(.truncated, stage: .decode, "The farbfeld file ends before its image does.")
    }
}
