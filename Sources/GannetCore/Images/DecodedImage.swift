/// A decoded picture: one bitmap, or an animation.
public enum DecodedImage: Sendable {
    /// One picture, whatever its file holds beside it.
    case still(Bitmap, ImageMetadata)
    /// Two frames or more, made when they are asked for.
    case animated(AnimatedImage)

    /// Of the file it was decoded from, as far as there was one.
    public var metadata: ImageMetadata {
        switch self {
        case .still(_, let metadata): metadata
        case .animated(let image): image.metadata
        }
    }

    /// The picture, or an animation's first frame.
    public var bitmap: Bitmap {
        switch self {
        case .still(let bitmap, _): bitmap
        case .animated(let image): image.poster
        }
    }

    /// Pixels on screen, orientation applied.
    public var size: PixelSize { bitmap.size }

    /// True where the picture has frames of its own time; what was decoded as a still picture of an animation is none.
    public var isAnimated: Bool { if case .animated = self { true } else { false } }

    /// 1 for still pictures.
    public var frameCount: Int { if case .animated(let image) = self { image.frameCount } else { 1 } }

    /// Bytes of memory held, encoded bytes of an animation included; what a memory cache counts.
    public var byteCount: Int {
        switch self {
        case .still(let bitmap, _): bitmap.byteCount
        case .animated(let image): image.byteCount
        }
    }
}

extension DecodedImage {
    /// What is noted beside a stored result; nil if it is not known.
    package var original: OriginalPicture? {
        guard metadata.knowsOriginal else { return nil }
        return OriginalPicture(size: metadata.originalSize, isVector: metadata.isVector, format: metadata.format)
    }

    /// As it was before it was stored: a stored result, decoded, takes itself for the whole.
    package func made(of original: OriginalPicture?) -> DecodedImage {
        var metadata = metadata
        metadata.knowsOriginal = original != nil
        if let original {
            (metadata.originalSize, metadata.isVector) = (original.size, original.isVector)
            if let format = original.format { metadata.format = format }
        }
        switch self {
        case .still(let bitmap, _): return .still(bitmap, metadata)
        case .animated(let image):
            return .animated(
                AnimatedImage(
                    metadata: metadata, poster: image.poster, loopCount: image.loopCount, delays: image.delays,
                    source: image.source
                ))
        }
    }
}

/// What is worth knowing of a picture beside its pixels.
public struct ImageMetadata: Sendable {
    /// On the heap, because pictures travel through many frames.
    private struct Parts: Sendable {
        var format: ImageFormat?
        var originalSize: PixelSize
        var orientation: Orientation
        var scale: Double
        var isVector: Bool
        var isPartial: Bool
        var bitDepth: Int
        var knowsOriginal = true
        var isArriving = false
    }

    private var parts: Boxed<Parts>

    /// The format it was decoded from; nil for drawn pictures.
    public var format: ImageFormat? {
        get { parts.wrappedValue.format }
        set { parts.wrappedValue.format = newValue }
    }
    /// Pixels on screen of the whole original, before any target size.
    public var originalSize: PixelSize {
        get { parts.wrappedValue.originalSize }
        set { parts.wrappedValue.originalSize = newValue }
    }
    /// As stored in the file; already applied to the pixels unless the request asked for raw ones.
    public var orientation: Orientation {
        get { parts.wrappedValue.orientation }
        set { parts.wrappedValue.orientation = newValue }
    }
    /// Pixels for each point of the layout.
    public var scale: Double {
        get { parts.wrappedValue.scale }
        set { parts.wrappedValue.scale = newValue }
    }
    /// Drawn at the size that was asked for, and can be drawn at any other; default false.
    public var isVector: Bool {
        get { parts.wrappedValue.isVector }
        set { parts.wrappedValue.isVector = newValue }
    }
    /// The bytes ended early: what could be decoded is shown, and nothing is stored.
    public var isPartial: Bool {
        get { parts.wrappedValue.isPartial }
        set { parts.wrappedValue.isPartial = newValue }
    }
    /// The rest is on its way: this is a preview. An animation that is arriving plays what is there once and forwards, and waits for
    /// more; one of which there will never be more (``isPartial`` only) plays as the file says.
    public var isArriving: Bool {
        get { parts.wrappedValue.isArriving }
        set { parts.wrappedValue.isArriving = newValue }
    }
    /// Bits of one channel in the file.
    public var bitDepth: Int {
        get { parts.wrappedValue.bitDepth }
        set { parts.wrappedValue.bitDepth = newValue }
    }

    /// False: read from a stored result beside which nobody noted what it was made of. ``originalSize`` is its own then, and says
    /// nothing about whether there is more to be seen.
    package var knowsOriginal: Bool {
        get { parts.wrappedValue.knowsOriginal }
        set { parts.wrappedValue.knowsOriginal = newValue }
    }

    /// A format of nil says that the picture was drawn and not decoded. Default: upright, one pixel a point, 8 bits.
    public init(
        format: ImageFormat?, originalSize: PixelSize, orientation: Orientation = .up, scale: Double = 1, isVector: Bool = false,
        isPartial: Bool = false, bitDepth: Int = 8
    ) {
        parts = Boxed(
            wrappedValue: Parts(
                format: format, originalSize: originalSize, orientation: orientation, scale: scale, isVector: isVector,
                isPartial: isPartial, bitDepth: bitDepth))
    }
}
