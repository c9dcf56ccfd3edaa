/// Makes another picture of a picture.
public protocol ImageTransformer: Sendable {
    /// Contains every parameter and a version; equal exactly if the results are. Part of the variant key. Nil: the result
    /// is never stored or shared. Empty: it changes nothing, and the result is kept as what it was made of.
    var identifier: String? { get }
    /// Runs on the decoding executor. Bitmaps come premultiplied or opaque. Check cancellation between bands of rows.
    func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap
    /// It counts pixels of the original, as a crop does: a view must not have the picture decoded for its own size before. No effect where
    /// the request names a decode target. False unless a transformer says otherwise.
    var needsWholePicture: Bool { get }
}

extension ImageTransformer {
    public var needsWholePicture: Bool { false }
}

public struct TransformContext: Sendable {
    public var metadata: ImageMetadata
    public var pool: PixelPool
    public var limits: DecodeLimits
    public var load: LoadContext
    /// Index of the frame for animations, else 0.
    public var frame: Int

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

/// Changes the picture after every cache; the result is never stored. - Kingfisher: imageModifier
public protocol ImageModifier: Sendable {
    func modify(_ image: DecodedImage) -> DecodedImage
}
