package import GannetCore
import GannetKernels

/// The decoding of one file: the decoder's session and the later processing of its pixels. Belongs to one task.
package final class DecodeSession {
    let decoder: any ImageDecoder
    package private(set) var header: ImageHeader
    private(set) var layout: PixelLayout
    let options: ResolvedDecodeOptions
    let environment: DecodeEnvironment
    private(set) var bytes: ByteRope
    let coder: any ImageCoder
    let format: ImageFormat
    /// The decoder knows the region. Otherwise it is cut out of the decoder's pixels.
    private let decodesRegion: Bool
    /// The point of attention in the first frame, in fractions of the stored sides.
    private var firstAttention: (x: Double, y: Double)?
    /// Nil until the bytes are complete and it was looked for.
    var foundGainMap: FoundGainMap?
    /// Nil: standard range, of colours that are converted.
    let highRange: HighRange?
    /// The gain map made standard range of the brighter stored image.
    var isStandardByGainMap = false

    init(
        decoder: any ImageDecoder, header: ImageHeader, layout: PixelLayout, options: ResolvedDecodeOptions,
        environment: DecodeEnvironment, bytes: ByteRope, coder: any ImageCoder, format: ImageFormat,
        decodesRegion: Bool = false, highRange: HighRange? = nil
    ) {
        self.decoder = decoder
        self.header = header
        self.layout = layout
        self.options = options
        self.environment = environment
        self.bytes = bytes
        self.coder = coder
        self.format = format
        self.decodesRegion = decodesRegion
        self.highRange = highRange
    }

    /// The EXIF block, from the TIFF header on, if the file has one and it has arrived.
    package var exif: [UInt8]? { decoder.exif }

    /// Bytes of pixels that one frame needs while it is decoded.
    package var neededBytes: Int {
        let whole = layout.byteCount + highRangeBytes
        guard let region = try? cutRegion() else { return whole }
        return whole + PixelLayout(size: region.size, format: layout.format).byteCount
    }

    /// The stored part that the decoder's pixels are cut to.
    private func cutRegion() throws(ImageError) -> PixelRect? {
        try decodesRegion ? nil : options.storedRegion(of: header)
    }

    /// Files with more bytes are not known to decode quickly.
    static let briefBytes = 64 << 10

    /// Whether decoding takes some milliseconds at most: one image of at most 2¹⁸ pixels, not one behind others, and a gain map of no more.
    var isBrief: Bool {
        switch options.frames {
        case .index, .preloaded: false
        case .first, .all:
            header.size.area <= 1 << 18 && layout.byteCount <= 1 << 20
                && (highRange == nil || (describedGainMap?.size.area ?? 0) <= 1 << 18)
        }
    }

    package var animationFrames: Int? {
        guard let animation = header.animation, let count = header.frameCount, count > 1, animation.delays.count >= count else {
            return nil
        }
        return count
    }

    /// Adds bytes of the same file.
    func extend(to bytes: ByteRope) throws(ImageError) {
        guard bytes.count != self.bytes.count || bytes.isComplete != self.bytes.isComplete else { return }
        _ = try decoder.read(from: bytes)
        self.bytes = bytes
        header = decoder.header ?? header
        layout = decoder.outputLayout ?? layout
    }

    func check() throws(ImageError) {
        let region = try options.storedRegion(of: header)
        let decoded = decodesRegion ? region?.size : nil
        try options.limits.check(size: decoded ?? (header.isVector ? layout.size : header.size), allocating: layout)
        if highRange != nil {
            let size = options.scaledSize(for: header)
            try options.limits.check(size: size, allocating: PixelLayout(size: size, format: .rgba16))
        }
        if let count = header.frameCount { try options.limits.check(frames: count) }
        if options.requireAnimated, (header.frameCount ?? 1) < 2 {
            throw ImageError(
                .unsupported, stage: .decode,
                "The image is not animated, and the request requires one that is (requireAnimated).")
        }
    }

    package func decode() throws(ImageError) -> DecodedImage {
        switch options.frames {
        case .first: return .still(try frame(0), metadata)
        case .index(let index):
            let count = max(header.frameCount ?? 1, header.pageCount)
            guard (0..<count).contains(index) else {
                let kind = header.animation == nil ? "page" : "frame"
                throw ImageError(
                    .misuse, stage: .decode, "There is no \(kind) \(index): the file has \(count), counted from 0.")
            }
            if animationFrames != nil { try checkWork(frames: index + 1) }
            return .still(try frame(index), metadata)
        case .all, .preloaded:
            if let animationFrames { try checkWork(frames: animationFrames) }
            let poster = try frame(0)
            guard let count = animationFrames, let animation = header.animation else { return .still(poster, metadata) }
            let source: any FrameSource
            if options.frames == .preloaded {
                try checkAllFrames(count, poster)
                let reservation = try reserve(count - 1, of: poster)
                defer { withExtendedLifetime(reservation) {} }
                var frames = [poster]
                for index in 1..<count { frames.append(try frame(index)) }
                source = FrameArray(frames)
            } else {
                source = frameSource()
            }
            return .animated(clip(animation, frames: count, poster, source, metadata))
        }
    }

    /// A source that decodes the same file frame by frame, in a separate session. If the first frame is decoded, all are cropped
    /// as it was.
    func frameSource() -> CodedFrameSource {
        var options = options
        if case .size(var target) = options.target, let firstAttention {
            let orientation = options.appliesOrientation ? header.orientation : .up
            let point = orientation.upright(x: firstAttention.x, y: firstAttention.y)
            target.focus = .point(x: point.x, y: point.y)
            options.target = .size(target)
        }
        return CodedFrameSource(
            bytes: bytes, coder: coder, format: format, options: options, environment: environment, canvas: layout.byteCount)
    }

    private func clip(
        _ animation: AnimationInfo, frames: Int, _ poster: Bitmap, _ source: any FrameSource, _ metadata: ImageMetadata
    ) -> AnimatedImage {
        AnimatedImage(
            metadata: metadata, poster: poster, loopCount: Self.loopCount(animation, format),
            delays: Array(animation.delays.prefix(frames)), source: source)
    }

    /// Frame `index`, processed for display.
    func frame(_ index: Int) throws(ImageError) -> Bitmap {
        try ImageError.checkCancellation(stage: .decode)
        var buffer = try PixelBuffer(layout, pool: environment.pool)
        try decoder.decodeFrame(at: index, into: &buffer)
        return try finish(buffer, gainMap)
    }

    /// The number of playable frames of an animation that is still arriving; nil: fewer than two, or above the limits.
    var arrivedFrames: Int? {
        let count = min(decoder.availableFrameCount, header.animation?.delays.count ?? 0)
        guard count > 1, (try? checkWork(frames: count)) != nil else { return nil }
        return count
    }

    /// The first `frames` frames of an animation that is still arriving.
    func arrivingClip(frames: Int, poster: Bitmap, source: CodedFrameSource) -> DecodedImage? {
        guard let animation = header.animation else { return nil }
        return .animated(clip(animation, frames: frames, poster, source, partialMetadata))
    }

    /// A preview from the bytes so far; nil if there is nothing new.
    func preview() throws(ImageError) -> DecodedImage? {
        guard let layout = decoder.outputLayout else { return nil }
        var buffer = try PixelBuffer(layout, pool: environment.pool)
        guard try decoder.decodePreview(into: &buffer) else { return nil }
        return .still(try finish(buffer), partialMetadata)
    }

    /// Processes a decoded frame: colours, size, orientation.
    func finish(_ decoded: consuming PixelBuffer, _ whole: GainMap? = nil) throws(ImageError) -> Bitmap {
        let region = try cutRegion()
        let gainMap = whole?.cropped(to: try options.storedRegion(of: header), of: header.size)
        var buffer = try cut(decoded, to: region)
        switch highRange {
        case .signal(let points, let brightest), .brightBase(let points, let brightest):
            // Some decoders find the brightest light while they decode.
            buffer = try brightened(buffer, points, brightest: decoder.outputColorSpace.brightest ?? brightest)
        case .gainMap, nil: try convertColors(&buffer)
        }
        if buffer.size != options.scaledSize(for: header), buffer.layout.alpha == .straight { premultiply(&buffer) }
        let bitmap = try arranged(try frozen(buffer, gainMap))
        return switch highRange {
        case .gainMap(let colors, _): try brightened(bitmap, colors)
        case .brightBase(let points, _): try standardRendition(of: bitmap, points)
        case .signal, nil: bitmap
        }
    }

    private func cut(_ buffer: consuming PixelBuffer, to region: PixelRect?) throws(ImageError) -> PixelBuffer {
        guard let region, region.size != buffer.size else { return buffer }
        return try cropped(buffer.freeze(), to: region, pool: environment.pool).mutableCopy(pool: environment.pool)
    }

    /// With as many bits as are wanted.
    func frozen(_ buffer: consuming PixelBuffer, _ gainMap: GainMap?) throws(ImageError) -> Bitmap {
        let bitmap = buffer.freeze(with: gainMap)
        return options.keeps16Bit || bitmap.dynamicRange.isHigh ? bitmap : try narrowed(bitmap, pool: environment.pool)
    }

    /// Size and orientation.
    func arranged(_ whole: Bitmap) throws(ImageError) -> Bitmap {
        var bitmap = whole
        let scaled = options.scaledSize(for: header)
        if bitmap.size != scaled {
            bitmap = try resample(bitmap, to: scaled, inLinearLight: options.usesLinearLight, pool: environment.pool)
        }
        if case .size(let target) = options.target, target.mode == .fill {
            let storedTarget = options.appliesOrientation ? target.stored(header.orientation) : target
            var crop = PixelRect(
                x: 0, y: 0, width: min(storedTarget.width ?? scaled.width, scaled.width),
                height: min(storedTarget.height ?? scaled.height, scaled.height))
            if crop.width != scaled.width || crop.height != scaled.height {
                storedTarget.place(&crop, in: scaled, around: try point(of: storedTarget.focus, in: bitmap, keeping: crop))
                bitmap = try cropped(bitmap, to: crop, pool: environment.pool)
            }
        }
        if options.appliesOrientation, header.orientation != .up {
            bitmap = try oriented(bitmap, header.orientation, pool: environment.pool)
        }
        if options.alpha == .straight, bitmap.layout.alpha == .premultiplied {
            var copy = try bitmap.mutableCopy(pool: environment.pool)
            unpremultiply(&copy)
            bitmap = copy.freeze(with: bitmap.gainMap)
        }
        return bitmap
    }

    /// The middle of the part to keep, in fractions of the sides. All frames of an animation keep the part of the first one.
    private func point(
        of focus: TargetSize.Focus, in bitmap: Bitmap, keeping crop: PixelRect
    ) throws(ImageError) -> (x: Double, y: Double) {
        switch focus {
        case .point(let x, let y): return (x, y)
        case .attention:
            if header.animation != nil, let first = firstAttention { return first }
            let size = PixelSize(clamping: crop.width, crop.height)
            let source = try premultiplied(bitmap, pool: environment.pool)
            let found = try attention(in: source, keeping: size, of: bitmap.size, pool: environment.pool)
            firstAttention = found
            return found
        }
    }

    func convertColors(_ buffer: inout PixelBuffer) throws(ImageError) {
        guard options.color == .sRGB, !keepsColors else { return }
        let colors = decoder.outputColorSpace
        if let manager = environment.colorManager {
            try convertToSRGB(&buffer, from: colors, with: manager, options.toneMapping)
        } else if colors.isLinear, buffer.layout.format == .rgba16 {
            // There are no numbers of the file that could be shown as they are.
            try ToneMap(colors, by: options.toneMapping)?.apply(&buffer, to: .standard)
        }
    }

    /// The pixels stay in the file's colours until their light is made.
    var keepsColors: Bool { highRange?.keepsColors ?? false }

    private func checkWork(frames: Int) throws(ImageError) {
        try options.limits.check(
            animationOf: header.isVector ? layout.size : header.size, frames: frames, encodedBytes: bytes.count)
    }

    private func checkAllFrames(_ count: Int, _ poster: Bitmap) throws(ImageError) {
        let (bytes, overflow) = poster.layout.byteCount.multipliedReportingOverflow(by: count)
        guard !overflow, bytes <= options.limits.maximumDecodedBytes else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "All \(count) frames at once need more than maximumDecodedBytes (\(options.limits.maximumDecodedBytes)); let them be decoded when they are shown."
            )
        }
    }

    /// Reserves memory for further frames. If others hold it, a manager's decode restarts when it is free.
    private func reserve(_ count: Int, of frame: Bitmap) throws(ImageError) -> ResourceBudget.Reservation {
        if let reservation = try environment.budget.reserve(frame.layout.byteCount * count) { return reservation }
        throw ImageError(
            .limitExceeded, stage: .decode,
            "All frames at once do not fit into what is free of the decode budget of \(environment.budget.capacity) bytes; let them be decoded when they are shown."
        )
    }

    var metadata: ImageMetadata {
        var metadata = ImageMetadata(
            format: format, originalSize: options.appliesOrientation ? header.displayedSize : header.size,
            orientation: header.orientation, scale: options.scale, isVector: header.isVector, isPartial: decoder.isPartial,
            bitDepth: header.bitDepth)
        metadata.pageCount = header.pageCount
        metadata.hadGainMap = describedGainMap != nil
        metadata.unusedGainMap = unusedGainMap
        metadata.isStandardByGainMap = isStandardByGainMap
        metadata.credentialBytes = bytes.isComplete ? ContentCredentials.byteCount(in: bytes) : 0
        return metadata
    }

    private var partialMetadata: ImageMetadata {
        var metadata = metadata
        metadata.isPartial = true
        metadata.isArriving = true
        return metadata
    }

    /// The default loop counts. A GIF without a count plays once. An AVIF without an edit list, which libavif omitted before
    /// 1.0, loops for ever, as in browsers.
    private static func loopCount(_ animation: AnimationInfo, _ format: ImageFormat) -> Int {
        animation.loopCount ?? (format == .avif ? 0 : 1)
    }
}
