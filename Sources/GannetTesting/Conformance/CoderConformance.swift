public import GannetCore

/// Checks what every coder must do, whatever its format: the contract of ``ImageDecoder``, on one small file.
///
/// Each check returns one line for each violation; tests expect none. ``failures()`` runs all of them. Files should be small (a
/// few thousand bytes): most checks decode them hundreds of times.
public struct CoderConformance: Sendable {
    /// The coder; every check makes its own decoders.
    public var coder: any ImageCoder
    /// The format that ``coder`` must recognise in ``sample``.
    public var format: ImageFormat
    /// A complete and valid file.
    public var sample: [UInt8]
    /// The name in failure lines.
    public var name: String
    /// Bytes at the end that may be lost unnoticed, because they hold nothing of the image.
    public var insignificantTail: Int
    /// A file that is cut between two frames is an animation of those before, as where a format's end mark may be missing.
    public var mayEndBetweenFrames = false
    /// Decibels by which the preview after half of the bytes must be closer to the image than a blank one; nil: no previews for
    /// this file.
    public var previewGain: Double?

    /// By default every byte of the sample matters, and it has no previews.
    public init(
        _ coder: any ImageCoder, format: ImageFormat, sample: [UInt8], name: String, insignificantTail: Int = 0,
        previewGain: Double? = nil
    ) {
        self.coder = coder
        self.format = format
        self.sample = sample
        self.name = name
        self.insignificantTail = insignificantTail
        self.previewGain = previewGain
    }

    /// Runs all checks but cancellation, which is `async`.
    public func failures() -> [String] {
        if sample.isEmpty { return ["\(name): the sample has no bytes"] }
        return recognition() + cuts() + truncations() + headers() + stickyErrors() + limits() + opacity() + frameOrder()
            + previews()
    }

    // MARK: - Decoding

    /// A decoded file: the header and every frame.
    struct Result {
        var header: ImageHeader
        var frames: [Bitmap]
        var isPartial: Bool
    }

    func options(_ change: (inout DecodeOptions) -> Void = { _ in }) -> ResolvedDecodeOptions {
        var options = DecodeOptions()
        change(&options)
        return ResolvedDecodeOptions(options)
    }

    /// Passes the bytes in `pieces` and decodes all frames at the end.
    func decode(
        _ pieces: [[UInt8]], options: ResolvedDecodeOptions? = nil, environment: DecodeEnvironment = DecodeEnvironment(),
        order: (Int) -> [Int] = { Array(0..<$0) }
    ) throws(ImageError) -> Result {
        let decoder = try coder.makeDecoder(for: format, options: options ?? self.options(), environment: environment)
        var rope = ByteRope()
        for piece in pieces {
            rope.append(piece)
            _ = try decoder.read(from: rope)
        }
        rope.isComplete = true
        _ = try decoder.read(from: rope)
        return try frames(of: decoder, environment: environment, order: order)
    }

    func frames(
        of decoder: any ImageDecoder, environment: DecodeEnvironment, order: (Int) -> [Int] = { Array(0..<$0) }
    ) throws(ImageError) -> Result {
        guard let header = decoder.header, let layout = decoder.outputLayout else {
            throw ImageError(.misuse, "read took all bytes without an error, but there is no header")
        }
        try environment.limits.check(size: header.size, allocating: layout)
        guard let count = header.frameCount else {
            throw ImageError(.misuse, "read took all bytes without an error, but frameCount is nil")
        }
        var frames = [Bitmap?](repeating: nil, count: count)
        for index in order(count) {
            var buffer = try PixelBuffer(layout)
            // Old contents of the buffer must not show through.
            buffer.fill(0xA5)
            try decoder.decodeFrame(at: index, into: &buffer)
            frames[index] = buffer.freeze()
        }
        return Result(header: header, frames: frames.compactMap { $0 }, isPartial: decoder.isPartial)
    }

    func same(_ left: Result, _ right: Result) -> Bool {
        left.header.size == right.header.size && left.header.frameCount == right.header.frameCount
            && left.header.animation == right.header.animation && left.header.orientation == right.header.orientation
            && left.frames.count == right.frames.count
            && zip(left.frames, right.frames).allSatisfy { ImageDifference($0, $1)?.largest == 0 }
    }

    /// `part` has the first frames of `whole` unchanged.
    func isBeginning(_ part: Result, of whole: Result) -> Bool {
        part.header.size == whole.header.size && !part.frames.isEmpty && part.frames.count < whole.frames.count
            && zip(part.frames, whole.frames).allSatisfy { ImageDifference($0, $1)?.largest == 0 }
    }

    /// Decodes the whole file in one piece; a failure here fails every check.
    func whole() throws(ImageError) -> Result { try decode([sample]) }
}
