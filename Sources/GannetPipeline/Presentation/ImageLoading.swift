public import GannetCore

/// What a presenter needs of whoever loads pictures.
public protocol ImageLoading: Sendable {
    /// From memory, at once; nil is a miss. Must not block.
    func cachedImage(for request: ImageRequest) -> LoadedImage?
    /// From memory, else from disk: **blocks** for a file read and a decode. Nil is a miss. Called for views that ask for it
    /// (``PresentationOptions/readsDiskAtOnce``) and for no others. Default: memory alone.
    func blockingCachedImage(for request: ImageRequest) throws(ImageError) -> LoadedImage?
    /// Whether ``cachedImage(for:)`` would be a hit, without notifying observers. Default: asks for the image. Must not block.
    func hasCachedImage(for request: ImageRequest) -> Bool
    /// Another size of the same picture that is in memory: shown until the right one is there. Nil is a miss. Must not block.
    func standIn(for request: ImageRequest) -> LoadedImage?
    /// Starts a load.
    func startLoad(_ request: ImageRequest) -> PresentedLoad
}

extension ImageLoading {
    /// Default: what ``cachedImage(for:)`` has.
    public func blockingCachedImage(for request: ImageRequest) throws(ImageError) -> LoadedImage? { cachedImage(for: request) }
    /// Default: asks for the picture.
    public func hasCachedImage(for request: ImageRequest) -> Bool { cachedImage(for: request) != nil }
    /// Default: a miss, so that the placeholder stays until the picture is there.
    public func standIn(for request: ImageRequest) -> LoadedImage? { nil }
}

/// A running load.
public struct PresentedLoad: Sendable {
    /// Ends with exactly one `finished`.
    public var events: any AsyncSequence<ImageTaskEvent, Never> & Sendable
    /// The event `finished` with the error `cancelled` follows, unless the load ended before.
    public var cancel: @Sendable () -> Void
    /// Counts for work that has not begun yet; loads that cannot change do nothing.
    public var setPriority: @Sendable (LoadPriority) -> Void

    /// By default the priority cannot be changed.
    public init(
        events: any AsyncSequence<ImageTaskEvent, Never> & Sendable, cancel: @escaping @Sendable () -> Void,
        setPriority: @escaping @Sendable (LoadPriority) -> Void = { _ in }
    ) {
        self.events = events
        self.cancel = cancel
        self.setPriority = setPriority
    }
}

extension ImageManager: ImageLoading {
    /// False where there are interceptors, as ``cachedImage(for:)`` has it.
    public func hasCachedImage(for request: ImageRequest) -> Bool { configuration.interceptors.isEmpty && isInMemory(request) }

    /// The smallest larger size in memory and fresh, the whole picture for instance; else ``smallerCachedImage(for:)``.
    /// Nil where there are interceptors: nobody sees what they have not.
    public func standIn(for request: ImageRequest) -> LoadedImage? {
        configuration.interceptors.isEmpty ? cachedSize(for: request, mayBeLarger: true) : nil
    }

    /// A ``task(for:)`` as a presenter sees it.
    public func startLoad(_ request: ImageRequest) -> PresentedLoad {
        let task = task(for: request)
        return PresentedLoad(events: task.events, cancel: { task.cancel() }, setPriority: { task.priority = $0 })
    }
}
