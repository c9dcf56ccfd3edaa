public import GannetCore

/// What every coder must do, whatever its format: the promises of ``ImageDecoder``, tried on one small file.
///
/// Each check answers the promises that were broken, one line each; none is what tests expect. ``failures()`` runs all of them.
/// Files should be small (a few thousand bytes): most checks decode them hundreds of times.
public struct CoderConformance: Sendable {
    /// Every check asks it for decoders of its own.
    public var coder: any ImageCoder
    /// As which ``coder`` is to recognise ``sample``.
    public var format: ImageFormat
    /// A whole and valid file.
    public var sample: [UInt8]
    /// In the lines of failures.
    public var name: String
    /// Bytes at the end whose loss need not be noticed because nothing of the picture is in them.
    public var insignificantTail: Int
    /// By how many decibels the preview after half of the bytes must be nearer to the picture than a blank one; nil: the
    /// format makes no previews of this file.
    public var previewGain: Double?

    /// Every byte of the sample counts, and it has no previews, unless told.
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

    /// All checks but the one of cancellation, which is `async`.
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

    /// Hands the bytes over in `pieces` and decodes all frames once all of them are there.
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
            // What the buffer held before must not shine through.
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
            && zip(left.frames, right.frames).allSatisfy { PictureDifference($0, $1)?.largest == 0 }
    }

    /// The whole file in one piece; a failure here is a failure of every check.
    func whole() throws(ImageError) -> Result { try decode([sample]) }
}
