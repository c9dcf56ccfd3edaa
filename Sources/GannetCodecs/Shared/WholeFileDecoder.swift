import GannetCore

/// The session of a ``WholeFileFormat``: waits for the header, then for all bytes; converts alpha as requested.
///
/// Cost: the bytes are held once, and copied if they arrived in several pieces. No pixels beyond the caller's buffer.
final class WholeFileDecoder<Format: WholeFileFormat>: RegionDecoder {
    private let options: ResolvedDecodeOptions
    private let environment: DecodeEnvironment
    private var rope = ByteRope()
    private var file: Format?
    /// The number of bytes for the next attempt at the header.
    private var nextAttempt = 0
    private var failure: ImageError?
    private(set) var isPartial = false

    init(options: ResolvedDecodeOptions, environment: DecodeEnvironment) {
        self.options = options
        self.environment = environment
    }

    var header: ImageHeader? { file?.header }
    var outputColorSpace: ColorSpace { file?.outputColorSpace ?? .sRGB }
    var exif: [UInt8]? { file?.exif }
    var decodesRegion: Bool { file?.decodesRegion ?? false }

    var outputLayout: PixelLayout? {
        guard let file else { return nil }
        return PixelLayout(
            size: file.outputSize, format: options.decodesDeep(file.header) ? .rgba16 : .rgba8,
            alpha: file.header.hasAlpha ? options.alpha : .opaque)
    }

    func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
        try sticking { () throws(ImageError) in try take(bytes) }
    }

    private func take(_ bytes: ByteRope) throws(ImageError) -> DecodeStatus {
        if rope.isComplete, bytes.isComplete, bytes.count == rope.count { return .finished }
        rope = bytes
        if file == nil, bytes.isComplete || (!Format.needsAllBytes && bytes.count >= nextAttempt) {
            // A whole file in one piece is not copied.
            let head = bytes.count <= Format.headerBytes ? bytes.contiguous() : bytes.prefix(Format.headerBytes)
            file = try Format(head: head, isComplete: bytes.isComplete, options: options, environment: environment)
            // Growing steps: frequent attempts at a long file would otherwise cost its length squared.
            nextAttempt = bytes.count >= Format.headerBytes ? Int.max : bytes.count + max(1, (bytes.count - 4096) / 4)
        }
        guard bytes.isComplete else { return .needsMoreData }
        guard let least = file?.leastBytes else { throw Self.truncated }
        if bytes.count < least {
            guard options.allowsPartial else { throw Self.truncated }
            isPartial = true
        }
        rope = bytes.compacted()
        try file?.complete(rope)
        return .finished
    }

    func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
        if let failure { throw failure }
        guard let outputLayout, let count = imageCount, rope.isComplete, (0..<count).contains(index),
            buffer.size == outputLayout.size, buffer.layout.format == outputLayout.format
        else {
            throw ImageError(
                .misuse, stage: .decode,
                "Ask for a frame that there is, after all bytes were read, with a buffer of outputLayout.")
        }
        do throws(ImageError) {
            // Skipped runs and missing rows are transparent black.
            buffer.fill(0)
            let hasAlpha = file?.header.hasAlpha ?? false
            buffer.setAlpha(hasAlpha ? .straight : .opaque)
            let isWhole = try file?.decode(index, of: rope.contiguous(), into: &buffer, DecodeWatch(environment.limits))
            if isWhole == false {
                guard options.allowsPartial else { throw Self.truncated }
                isPartial = true
            }
            // Missing rows are clear.
            if !hasAlpha, isPartial { buffer.setAlpha(.premultiplied) }
            // The format may have found that nothing is clear.
            buffer.deliver(options.alpha)
        } catch {
            failure = error
            throw error
        }
    }

    private var imageCount: Int? {
        guard let header = file?.header, let frames = header.frameCount else { return nil }
        return max(frames, header.pageCount)
    }

    private func sticking<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
        if let failure { throw failure }
        do throws(ImageError) { return try body() } catch {
            failure = error
            throw error
        }
    }

    private static var truncated: ImageError {
        ImageError(
            .truncated, stage: .decode,
            "The file ends before its image does. Load it again, or set allowsPartial to show what is there.")
    }
}
