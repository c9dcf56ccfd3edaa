public import GannetCore
public import GannetImages

/// The loads and cache lookups that a presenter needs.
public protocol ImageLoading: Sendable {
    /// Looks in memory only, at once; nil is a miss. Must not block.
    func cachedImage(for request: ImageRequest) -> LoadedImage?
    /// Looks in memory, then on disk: **blocks** for a file read and a decode. Nil is a miss. Only called for views that request
    /// it (``PresentationOptions/readsDiskAtOnce``). Default: memory only.
    func blockingCachedImage(for request: ImageRequest) throws(ImageError) -> LoadedImage?
    /// Whether ``cachedImage(for:)`` would be a hit, without notifying observers. Default: looks up the image. Must not block.
    func hasCachedImage(for request: ImageRequest) -> Bool
    /// Another size of the same image in memory, shown until the right one is there. Nil is a miss. Must not block.
    func otherSize(for request: ImageRequest) -> LoadedImage?
    /// Starts a load.
    func startLoad(_ request: ImageRequest) -> PresentedLoad
}

extension ImageLoading {
    /// Default: the result of ``cachedImage(for:)``.
    public func blockingCachedImage(for request: ImageRequest) throws(ImageError) -> LoadedImage? { cachedImage(for: request) }
    /// Default: looks up the image.
    public func hasCachedImage(for request: ImageRequest) -> Bool { cachedImage(for: request) != nil }
    /// Default: a miss, so that the placeholder stays until the image is there.
    public func otherSize(for request: ImageRequest) -> LoadedImage? { nil }
}

/// A running load.
public struct PresentedLoad: Sendable {
    /// Ends with exactly one `finished`.
    public var events: any AsyncSequence<ImageTaskEvent, Never> & Sendable
    /// Is followed by the event `finished` with the error `cancelled`, unless the load has already ended.
    public var cancel: @Sendable () -> Void
    /// Applies to work that has not begun yet. Does nothing for loads with a fixed priority.
    public var setPriority: @Sendable (LoadPriority) -> Void
    /// The priority that it began with, to return to.
    public var priority: LoadPriority

    /// By default the priority is `normal` and cannot be changed.
    public init(
        events: any AsyncSequence<ImageTaskEvent, Never> & Sendable, cancel: @escaping @Sendable () -> Void,
        priority: LoadPriority = .normal, setPriority: @escaping @Sendable (LoadPriority) -> Void = { _ in }
    ) {
        self.events = events
        self.cancel = cancel
        self.priority = priority
        self.setPriority = setPriority
    }
}

extension PresentedLoad {
    init(_ task: ImageTask) {
        self.init(
            events: task.events, cancel: { task.cancel() }, priority: task.priority, setPriority: { task.priority = $0 })
    }
}

extension ImageManager: ImageLoading {
    /// False if there are interceptors, as for ``cachedImage(for:)``.
    public func hasCachedImage(for request: ImageRequest) -> Bool { configuration.interceptors.isEmpty && isInMemory(request) }

    /// The smallest larger size that is in memory and fresh, for example the whole image; else ``smallerCachedImage(for:)``. Nil
    /// if there are interceptors: an image that they have not processed is never shown.
    public func otherSize(for request: ImageRequest) -> LoadedImage? {
        configuration.interceptors.isEmpty ? cachedSize(for: request, mayBeLarger: true) : nil
    }

    /// Starts a ``task(for:)`` and presents it as a load.
    public func startLoad(_ request: ImageRequest) -> PresentedLoad { PresentedLoad(task(for: request)) }
}
