/// Makes a new image from an image.
public protocol ImageTransformer: Sendable {
    /// Contains every parameter and a version; equal exactly if the results are. Part of the variant key. Nil: the result is
    /// never stored or shared. Empty: nothing changes, and the result is kept under the original's key.
    var identifier: String? { get }
    /// Runs on the decoding executor. Bitmaps come premultiplied or opaque, and in high range as PQ with 16 bits where the request wants
    /// that (``Bitmap/dynamicRange``). Check cancellation between bands of rows.
    func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap
    /// True if pixels of the original matter, as for a crop: a view must not decode for its own size first. No effect if the
    /// request sets a decode target. Default: false.
    var needsWholeImage: Bool { get }
}

extension ImageTransformer {
    public var needsWholeImage: Bool { false }
}

/// A transformer that declares whether its result keeps the gain map of its input. The declaration must be true; without one, the result
/// has no gain map.
package protocol GainMapTransformer: ImageTransformer {
    var keepsGainMap: Bool { get }
}

/// The surroundings of a transformer.
public struct TransformContext: Sendable {
    /// Metadata of the image as decoded.
    public var metadata: ImageMetadata
    /// Provides memory for the result.
    public var pool: PixelPool
    /// The request's limits; results beyond them should throw `limitExceeded`.
    public var limits: DecodeLimits
    /// The request's custom values. Values that change the result must be in the transformer's identifier, or under a key whose
    /// influence is `variant`.
    public var load: LoadContext
    /// Index of the frame for animations, otherwise 0.
    public var frame: Int
    /// The bitmap is one of several frames, which all have one size.
    package var isAnimated = false

    /// By default: the shared pool, standard limits, no values, frame 0.
    public init(
        metadata: ImageMetadata, pool: PixelPool = .shared, limits: DecodeLimits = .standard, load: LoadContext = LoadContext(),
        frame: Int = 0
    ) {
        self.metadata = metadata
        self.pool = pool
        self.limits = limits
        self.load = load
        self.frame = frame
    }
}

/// Changes the image after all caches; the result is never stored. - Kingfisher: imageModifier
package protocol ImageModifier: Sendable {
    /// Called for every result, including memory hits and previews: must be fast.
    func modify(_ image: DecodedImage) -> DecodedImage
}
