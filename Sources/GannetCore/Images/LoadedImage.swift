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

/// Until when a stored picture may be used without asking its source (RFC 9111 §4.2), and how to ask.
public struct Freshness: Hashable, Sendable {
    /// Nil: for ever (files that did not change, data sources, sources without HTTP).
    public var freshUntil: Timestamp?
    /// As sent, with its quotes and a `W/` where it has one.
    public var etag: String?
    /// As sent; an HTTP date.
    public var lastModified: String?
    /// `no-store`: nothing of it may be written to disk.
    public var forbidsStoring: Bool
    /// Until when the picture may stand in for a source that cannot be reached (RFC 9111 §4.2.4); nil: not at all.
    public var unreachableUntil: Timestamp?
    /// Until when it may stand in for a source that answers with an error of its own (`stale-if-error`, RFC 5861 §4); nil: not at all.
    public var staleIfErrorUntil: Timestamp?

    /// Without anything it is ``unknown``, which is good for ever.
    public init(
        freshUntil: Timestamp? = nil, etag: String? = nil, lastModified: String? = nil, forbidsStoring: Bool = false,
        unreachableUntil: Timestamp? = nil, staleIfErrorUntil: Timestamp? = nil
    ) {
        self.freshUntil = freshUntil
        self.etag = etag
        self.lastModified = lastModified
        self.forbidsStoring = forbidsStoring
        self.unreachableUntil = unreachableUntil
        self.staleIfErrorUntil = staleIfErrorUntil
    }

    /// No HTTP source, or nothing known.
    public static let unknown = Freshness()

    /// True for what is good for ever.
    public func isFresh(at now: Timestamp) -> Bool { freshUntil.map { now < $0 } ?? true }

    /// The statuses that `stale-if-error` speaks of (RFC 5861 §4).
    package static let errorStatuses = [500, 502, 503, 504]

    /// Whether the picture may be shown in place of a source that answered with this status, or did not answer (nil).
    package func mayStandIn(forStatus status: Int?, at now: Timestamp) -> Bool {
        guard let status else { return unreachableUntil.map { now < $0 } ?? false }
        return Self.errorStatuses.contains(status) && (staleIfErrorUntil.map { now < $0 } ?? false)
    }

    /// Whether the picture may be shown in place of this failure of its source.
    package func mayStandIn(for error: ImageError, at now: Timestamp) -> Bool {
        switch error.code {
        case .network, .hostNotFound, .connectionFailed, .timedOut: mayStandIn(forStatus: nil, at: now)
        case .httpStatus: error.httpStatus.map { mayStandIn(forStatus: $0, at: now) } ?? false
        // Asked a moment ago: as it failed then.
        case .blocked: (error.underlying as? ImageError).map { mayStandIn(for: $0, at: now) } ?? false
        default: false
        }
    }
}
