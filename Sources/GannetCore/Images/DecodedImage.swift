/// A decoded image: one bitmap, or an animation.
public enum DecodedImage: Sendable {
    /// One image, whatever else its file holds.
    case still(Bitmap, ImageMetadata)
    /// Two frames or more, decoded when they are needed.
    case animated(AnimatedImage)

    /// Describes the file that the image was decoded from, if there was one.
    public var metadata: ImageMetadata {
        switch self {
        case .still(_, let metadata): metadata
        case .animated(let image): image.metadata
        }
    }

    /// The image, or an animation's first frame.
    public var bitmap: Bitmap {
        switch self {
        case .still(let bitmap, _): bitmap
        case .animated(let image): image.poster
        }
    }

    /// Pixels on screen, orientation applied.
    public var size: PixelSize { bitmap.size }

    /// True if the image has timed frames; false for a still image that was decoded from an animation.
    public var isAnimated: Bool { if case .animated = self { true } else { false } }

    /// 1 for still images.
    public var frameCount: Int { if case .animated(let image) = self { image.frameCount } else { 1 } }

    /// Bytes of memory held, including an animation's encoded bytes; the cost in a memory cache.
    public var byteCount: Int {
        switch self {
        case .still(let bitmap, _): bitmap.byteCount
        case .animated(let image): image.byteCount
        }
    }
}

extension DecodedImage {
    /// The facts about the original that are stored beside a result; nil if unknown.
    package var original: OriginalImage? {
        guard metadata.knowsOriginal else { return nil }
        return OriginalImage(size: metadata.originalSize, isVector: metadata.isVector, format: metadata.format)
    }

    /// The image with the facts of its original, which decoding a stored result alone cannot know.
    package func made(of original: OriginalImage?) -> DecodedImage {
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

/// Facts about an image besides its pixels.
public struct ImageMetadata: Sendable {
    /// On the heap, because images pass through many stack frames.
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
        var pageCount = 1
        var hadGainMap = false
        var unusedGainMap: EncodedGainMap?
        var isStandardByGainMap = false
        var credentialBytes = 0
    }

    private var parts: Boxed<Parts>

    /// The format that the image was decoded from; nil for drawn images.
    public var format: ImageFormat? {
        get { parts.wrappedValue.format }
        set { parts.wrappedValue.format = newValue }
    }
    /// Displayed size of the whole original in pixels, before any target size.
    public var originalSize: PixelSize {
        get { parts.wrappedValue.originalSize }
        set { parts.wrappedValue.originalSize = newValue }
    }
    /// The orientation stored in the file; already applied to the pixels unless the request set `appliesOrientation` to false.
    public var orientation: Orientation {
        get { parts.wrappedValue.orientation }
        set { parts.wrappedValue.orientation = newValue }
    }
    /// Pixels for each point of the layout.
    public var scale: Double {
        get { parts.wrappedValue.scale }
        set { parts.wrappedValue.scale = newValue }
    }
    /// Drawn at the requested size, and can be drawn at any other; default false.
    public var isVector: Bool {
        get { parts.wrappedValue.isVector }
        set { parts.wrappedValue.isVector = newValue }
    }
    /// The bytes ended early: the part that could be decoded is shown, and nothing is stored.
    public var isPartial: Bool {
        get { parts.wrappedValue.isPartial }
        set { parts.wrappedValue.isPartial = newValue }
    }
    /// More bytes are expected: this is a preview. An animation in this state plays the available frames once and forwards, and
    /// waits for more; one that is ``isPartial`` only plays as the file says, because no more will come.
    public var isArriving: Bool {
        get { parts.wrappedValue.isArriving }
        set { parts.wrappedValue.isArriving = newValue }
    }
    /// Bits of one channel in the file.
    public var bitDepth: Int {
        get { parts.wrappedValue.bitDepth }
        set { parts.wrappedValue.bitDepth = newValue }
    }

    /// Pages of the file; frames of an animation are not pages. 1 for images from a stored result.
    package var pageCount: Int {
        get { parts.wrappedValue.pageCount }
        set { parts.wrappedValue.pageCount = newValue }
    }

    /// The file has a gain map; the pixels have it only if nothing was done to them that it does not suit.
    package var hadGainMap: Bool {
        get { parts.wrappedValue.hadGainMap }
        set { parts.wrappedValue.hadGainMap = newValue }
    }

    /// The file's gain map that no pixels have, because the stored image is brighter than standard range. Without its bytes.
    package var unusedGainMap: EncodedGainMap? {
        get { parts.wrappedValue.unusedGainMap }
        set { parts.wrappedValue.unusedGainMap = newValue }
    }

    /// That map made standard range of the brighter stored image, as its author wants it.
    package var isStandardByGainMap: Bool {
        get { parts.wrappedValue.isStandardByGainMap }
        set { parts.wrappedValue.isStandardByGainMap = newValue }
    }

    /// Of the file's Content Credentials (C2PA), which no new file has.
    package var credentialBytes: Int {
        get { parts.wrappedValue.credentialBytes }
        set { parts.wrappedValue.credentialBytes = newValue }
    }

    /// False if the image was read from a stored result without a record of its original. ``originalSize`` is then the result's
    /// own size, and does not tell whether a larger original exists.
    package var knowsOriginal: Bool {
        get { parts.wrappedValue.knowsOriginal }
        set { parts.wrappedValue.knowsOriginal = newValue }
    }

    /// A format of nil means that the image was drawn and not decoded. Default: upright, one pixel for each point, 8 bits.
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
