/// The result of a load.
public struct LoadedImage: Sendable {
    /// Decoded, transformed and modified: as it is to be shown.
    public var image: DecodedImage
    /// Of a shared load, where the load that did the work found it.
    public var origin: Origin
    /// Another request was already doing the work, and this one shared it.
    public var wasJoined: Bool
    /// The bytes the picture was decoded from; nil for memory hits and transformed pictures (`ImageManager.fetchBytes(for:)` brings them).
    @BoxedOptional public var encoded: EncodedImage?
    /// Of its source; unknown for what has none over HTTP.
    @Boxed public var freshness: Freshness
    /// Of the load that did the work; ``LoadTimings/total`` is this one's own.
    @Boxed public var timings: LoadTimings

    /// Not shared, without bytes and times, and of unknown freshness, unless told.
    public init(
        image: DecodedImage, origin: Origin, wasJoined: Bool = false, encoded: EncodedImage? = nil,
        freshness: Freshness = .unknown,
        timings: LoadTimings = LoadTimings()
    ) {
        self.image = image
        self.origin = origin
        self.wasJoined = wasJoined
        self.encoded = encoded
        self.freshness = freshness
        self.timings = timings
    }

    /// The picture, or an animation's first frame.
    public var bitmap: Bitmap { image.bitmap }
    /// Pixels on screen.
    public var size: PixelSize { image.size }

    /// Where the picture came from.
    public enum Origin: String, Hashable, Sendable {
        /// `revalidated`: stored, and the source said that it is still good. `data`: bytes in memory, `data:` URLs and providers.
        case memory, disk, network, revalidated, file, data
    }
}

/// How long each stage of a load took; zero for stages that did not run.
public struct LoadTimings: Sendable {
    /// Looking on disk for the finished picture, where it then had to be made; zero where it was found.
    public var cache = Duration.zero
    /// Bringing the bytes, from the disk or the source; waiting for a slot included.
    public var load = Duration.zero
    /// From bytes to pixels; waiting for a slot included.
    public var decode = Duration.zero
    /// All transformers together.
    public var transform = Duration.zero
    /// Zero from `ImageManager`, which stores behind its results.
    public var store = Duration.zero
    /// From the call to the result.
    public var total = Duration.zero

    /// All zero.
    public init() {}
}
