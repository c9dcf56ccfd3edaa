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

/// What a transformer is handed from around it.
public struct TransformContext: Sendable {
    /// Of the picture as it was decoded.
    public var metadata: ImageMetadata
    /// Where memory for the result comes from.
    public var pool: PixelPool
    /// The request's; results beyond them should throw `limitExceeded`.
    public var limits: DecodeLimits
    /// The request's own values. What changes the result has to be in the transformer's identifier, or in a key whose influence
    /// is `variant`.
    public var load: LoadContext
    /// Index of the frame for animations, else 0.
    public var frame: Int

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

/// Changes the picture after every cache; the result is never stored. - Kingfisher: imageModifier
public protocol ImageModifier: Sendable {
    /// Called for every result, memory hits and previews included, on the way to the caller: must be quick.
    func modify(_ image: DecodedImage) -> DecodedImage
}
