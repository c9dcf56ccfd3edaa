/// The result of a load.
public struct LoadedImage: Sendable {
    /// The final image: decoded, transformed and modified.
    public var image: DecodedImage
    /// For a shared load: where the load that did the work found the image.
    public var origin: Origin
    /// Another request was already doing the work, and this one shared it.
    public var wasJoined: Bool
    /// The bytes that the image was decoded from; nil for memory hits and transformed images (use
    /// `ImageManager.fetchBytes(for:)`).
    @inlinable public var encoded: EncodedImage? {
        get { encodedBox.wrappedValue }
        set { encodedBox.wrappedValue = newValue }
    }
    @usableFromInline var encodedBox: BoxedOptional<EncodedImage>
    /// Freshness of the source; unknown for sources other than HTTP.
    public var freshness: Freshness
    /// Times of the load that did the work, except ``LoadTimings/total``, which is this request's own.
    @inlinable public var timings: LoadTimings {
        _read { yield timingsBox.wrappedValue }
        set { timingsBox.wrappedValue = newValue }
    }
    @usableFromInline var timingsBox: Boxed<LoadTimings>

    /// Defaults: not shared, without bytes and times, and of unknown freshness.
    public init(
        image: DecodedImage, origin: Origin, wasJoined: Bool = false, encoded: EncodedImage? = nil,
        freshness: Freshness = .unknown,
        timings: LoadTimings = LoadTimings()
    ) {
        self.image = image
        self.origin = origin
        self.wasJoined = wasJoined
        encodedBox = BoxedOptional(wrappedValue: encoded)
        self.freshness = freshness
        timingsBox = timings.isZero ? Self.noTimings : Boxed(wrappedValue: timings)
    }

    /// Shares the bytes.
    package init(
        image: DecodedImage, origin: Origin, encodedBox: BoxedOptional<EncodedImage>, freshness: Freshness, timings: LoadTimings
    ) {
        self.image = image
        self.origin = origin
        wasJoined = false
        self.encodedBox = encodedBox
        self.freshness = freshness
        timingsBox = timings.isZero ? Self.noTimings : Boxed(wrappedValue: timings)
    }

    /// A memory hit: shares the freshness, and allocates nothing.
    package init(inMemory image: DecodedImage, freshness: Freshness) {
        self.image = image
        origin = .memory
        wasJoined = false
        encodedBox = BoxedOptional(wrappedValue: nil)
        self.freshness = freshness
        timingsBox = Self.noTimings
    }

    private static let noTimings = Boxed(wrappedValue: LoadTimings())

    /// The image, or an animation's first frame.
    public var bitmap: Bitmap { image.bitmap }
    /// Displayed size in pixels.
    public var size: PixelSize { image.size }

    /// Where the image came from.
    public enum Origin: String, Hashable, Sendable {
        /// `revalidated`: stored, and confirmed by the source. `data`: bytes in memory, `data:` URLs and providers.
        case memory, disk, network, revalidated, file, data
    }
}

/// The duration of each stage of a load; zero for stages that did not run.
public struct LoadTimings: Sendable {
    /// Looking for the finished image on disk, if it had to be made after all; zero if it was found.
    public var cache = Duration.zero
    /// Fetching the bytes from the disk or the source, including the wait for a slot.
    public var load = Duration.zero
    /// Decoding the bytes, including the wait for a slot.
    public var decode = Duration.zero
    /// All transformers together.
    public var transform = Duration.zero
    /// Zero for `ImageManager`, which stores after it has delivered its results.
    public var store = Duration.zero
    /// The time from the call to the result. A hit in memory may report zero.
    public var total = Duration.zero

    /// All zero.
    public init() {}

    fileprivate var isZero: Bool {
        cache == .zero && load == .zero && decode == .zero && transform == .zero && store == .zero && total == .zero
    }
}
