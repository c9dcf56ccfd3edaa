public import GannetCore
import GannetKernels

/// Encodes an image as bytes. Blocking: call it on `BlockingExecutor.decoding`.
public struct ImageEncoding: Sendable {
    /// The coders; of those that write the format, the last one added encodes.
    public var coders: CodersManager
    /// Memory for images that are scaled down before encoding.
    public var pool: PixelPool

    /// - Parameter pool: the shared one by default.
    public init(coders: CodersManager, pool: PixelPool = .shared) {
        self.coders = coders
        self.pool = pool
    }

    /// Throws `unsupported` if no coder writes the format, `encodeFailed`, or `limitExceeded`.
    public func encode(_ image: DecodedImage, options: EncodeOptions = EncodeOptions()) throws(ImageError) -> EncodedImage {
        let format = chooseFormat(image, options)
        var options = options
        options.format = format
        let encoder = try encoder(for: format, options)
        var prepared = try prepare(image, options)
        if !(encoder is any HighRangeEncoder) { prepared = try standardRange(prepared) }
        do throws(ImageError) {
            let bytes = try encoder.encode(prepared)
            return EncodedImage(bytes: ByteRope(bytes), format: format)
        } catch { throw error.with(stage: .encode) }
    }

    /// The same as the caches have it, unless `options` say otherwise: images with alpha or 16 bits as PNG, others as JPEG of high
    /// quality, without those coders in the image's own format; an animation in a format that has its frames.
    func encodeForStoring(_ image: DecodedImage, options: EncodeOptions) throws(ImageError) -> EncodedImage {
        var options = options
        if options.format == nil, image.frameCount == 1 || options.firstFrameOnly {
            // Sixteen bits are kept by those who asked for them.
            let isPlain = image.bitmap.layout.alpha == .opaque && image.bitmap.layout.format != .rgba16
            let format: ImageFormat = isPlain ? .jpeg : .png
            if (try? coders.encoder(for: format, options: options)) != nil { options.format = format }
        }
        if options.format == .jpeg, options.quality == nil { options.quality = 92 }
        return try encode(image, options: options)
    }

    /// Throws `unsupported` if no coder writes the format that is named, before there is an image.
    func check(_ options: EncodeOptions) throws(ImageError) {
        if let format = options.format { _ = try encoder(for: format, options) }
    }

    private func encoder(for format: ImageFormat, _ options: EncodeOptions) throws(ImageError) -> any ImageEncoder {
        if let encoder = try coders.encoder(for: format, options: options) { return encoder }
        if let coder = options.coder {
            throw ImageError(
                .unsupported, stage: .encode,
                "The coder \(coder.identifier), which the options name, does not write \(format). Choose another format or coder."
            )
        }
        let isRead = coders.formats.contains(format)
        throw ImageError(
            .unsupported, stage: .encode,
            isRead
                ? "Images can be read from \(format), and not written to it. Choose another format."
                : "This build cannot write \(format). Choose another format or build with the trait of \(format).")
    }

    /// False: of an animation, the file has the first frame alone.
    static func keepsFrames(_ format: ImageFormat?, _ options: EncodeOptions) -> Bool {
        !options.firstFrameOnly && format.map { !stills.contains($0) } ?? true
    }

    /// The requested format; otherwise the image's original format if it can be written with its frames and alpha. Otherwise an
    /// animated format for animations, PNG for images with alpha, and JPEG for others, or what the named coder writes.
    func chooseFormat(_ image: DecodedImage, _ options: EncodeOptions) -> ImageFormat {
        if let format = options.format { return format }
        let probe = EncodeOptions(coder: options.coder)
        func isWritten(_ format: ImageFormat) -> Bool { (try? coders.encoder(for: format, options: probe)) != nil }
        let isClip = image.frameCount > 1 && !options.firstFrameOnly
        let isOpaque = image.bitmap.layout.alpha == .opaque
        let isHigh = image.bitmap.dynamicRange.isHigh
        if let format = image.metadata.format, isOpaque || format != .jpeg, !isClip || !Self.stills.contains(format),
            !isHigh || ImageFormat.highRange.contains(format), isWritten(format)
        {
            return format
        }
        // First the formats that keep all colours and partial transparency.
        if isClip, let format = [ImageFormat.webp, .png, .gif].first(where: isWritten) { return format }
        let usual: ImageFormat = isOpaque && !isHigh ? .jpeg : .png
        guard let coder = options.coder, !isWritten(usual) else { return usual }
        return coder.formats.first(where: isWritten) ?? usual
    }

    /// Formats with a single image. All others, including those of custom coders, are assumed to hold several.
    private static let stills: Set<ImageFormat> = [.jpeg, .heic, .tiff, .svg, .bmp, .ico, .qoi, .pnm]

    private func prepare(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> DecodedImage {
        var image = image
        if options.firstFrameOnly { image = .still(image.bitmap, image.metadata) }
        guard let bound = options.maximumPixelSize else { return image }
        let size = TargetSize.fit(bound.width, bound.height).plan(for: image.size).scaled
        guard size != image.size else { return image }
        switch image {
        case .still(let bitmap, let metadata):
            return .still(try reduced(bitmap, to: size), metadata)
        case .animated(let animation):
            var frames: [Bitmap] = []
            for index in 0..<animation.frameCount {
                frames.append(try reduced(try animation.blockingFrame(at: index), to: size))
            }
            return .animated(
                AnimatedImage(
                    metadata: animation.metadata, poster: frames[0], loopCount: animation.loopCount, delays: animation.delays,
                    source: FrameArray(frames)))
        }
    }

    /// Formats without a place for it would show the numbers of PQ as those of sRGB. All frames of an animation have one range.
    private func standardRange(_ image: DecodedImage) throws(ImageError) -> DecodedImage {
        guard image.bitmap.dynamicRange.isHigh else { return image }
        switch image {
        case .still(let bitmap, let metadata): return .still(try GannetKernels.standardRange(bitmap, pool: pool), metadata)
        case .animated(let animation):
            return .animated(
                AnimatedImage(
                    metadata: animation.metadata, poster: try GannetKernels.standardRange(animation.poster, pool: pool),
                    loopCount: animation.loopCount, delays: animation.delays,
                    source: StandardRangeFrames(base: animation, pool: pool)))
        }
    }

    /// Scales premultiplied pixels, so that the colour of clear ones does not bleed into their neighbours.
    private func reduced(_ bitmap: Bitmap, to size: PixelSize) throws(ImageError) -> Bitmap {
        try resample(try premultiplied(bitmap, pool: pool), to: size, filter: .automatic, pool: pool)
    }
}

/// Frames without light brighter than white, made when they are written.
private struct StandardRangeFrames: FrameSource {
    let base: AnimatedImage
    let pool: PixelPool

    func frame(at index: Int) throws(ImageError) -> Bitmap { try standardRange(try base.blockingFrame(at: index), pool: pool) }

    var byteCount: Int { base.byteCount }

    func rest() { base.source.rest() }
}
