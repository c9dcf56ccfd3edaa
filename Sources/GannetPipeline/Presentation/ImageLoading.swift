public import GannetCore

/// What a presenter needs of whoever loads pictures.
public protocol ImageLoading: Sendable {
    /// From memory, at once; nil is a miss. Must not block.
    func cachedImage(for request: ImageRequest) -> LoadedImage?
    /// Starts a load.
    func startLoad(_ request: ImageRequest) -> PresentedLoad
}

/// A running load.
public struct PresentedLoad: Sendable {
    public enum Event: Sendable {
        case progress(received: Int, expected: Int?)
        /// Better ones follow.
        case preview(DecodedImage)
        /// A stored picture whose source is being asked again.
        case stale(LoadedImage)
        /// Exactly one, the last.
        case finished(Result<LoadedImage, ImageError>)
    }

    public var events: AsyncStream<Event>
    /// The event `finished` with the error `cancelled` follows, unless the load ended before.
    public var cancel: @Sendable () -> Void
    public var setPriority: @Sendable (LoadPriority) -> Void

    public init(
        events: AsyncStream<Event>, cancel: @escaping @Sendable () -> Void,
        setPriority: @escaping @Sendable (LoadPriority) -> Void = { _ in }
    ) {
        self.events = events
        self.cancel = cancel
        self.setPriority = setPriority
    }
}
