public import GannetCore
public import Observation

/// One image that is loaded, as an observable value: for declarative toolkits, and for programs that draw images themselves.
///
/// ```swift
/// let load = ImageLoad(ImageRequest(url, .fit(400, 300)), loader: ImageManager.shared)
/// withObservationTracking {
///     show(load.phase)
/// } onChange: {
///     redraw()
/// }
/// load.load(ImageRequest(nextURL))
/// ```
///
/// It is another face of a ``Presenter``, whose rules decide: a memory hit is there at once, a new source cancels the load before it,
/// and late results are dropped. The load ends with the last reference to this object, unless the presenter is a view's.
///
/// It lives on the actor that makes it, and cannot leave it: it is not `Sendable`, because each toolkit has its own actor (`GTKActor`,
/// or the main actor). Its calls trap outside of any actor. `onChange` of the Observation module runs on that actor too, after the
/// change; hop, for example with a task, before another call is made.
public final class ImageLoad: Observable {
    /// Its settings, such as ``Presenter/defaults``, are those of the load.
    public let presenter: Presenter

    /// Loads at the request's own size, and begins at once. The loader is usually the program's `ImageManager`.
    public init(
        _ request: ImageRequest? = nil, options: PresentationOptions = PresentationOptions(), loader: any ImageLoading,
        isolation: isolated (any Actor)? = #isolation
    ) {
        presenter = Presenter(loader: loader)
        presenter.setSize(nil, scale: 1)
        presenter.setVisible(true)
        load(request, options: options)
    }

    /// The observable face of a view's presenter. The view says its size, and whether it is seen.
    public init(_ presenter: Presenter) { self.presenter = presenter }

    /// The state of the image. Observable: a change notifies the observers that have read it.
    public var phase: ImagePhase { presenter.phase }

    /// The source of the newest call; nil after nil was set.
    public var source: ImageSource? { presenter.source }

    /// The priority of running and later loads; nil: that of each request. While hidden, loads are less urgent
    /// (``ViewDefaults/whenHidden``).
    public var priority: LoadPriority? {
        get { presenter.running.priority }
        set { presenter.setPriority(newValue) }
    }

    /// Loads the image of `request` if it is another one than the newest call's: of another source, or made of it with other options.
    /// Otherwise does nothing, even if that call has failed, so that it may be called each time a view is described. Nil: no image.
    public func load(
        _ request: ImageRequest?, options: PresentationOptions = PresentationOptions(),
        isolation: isolated (any Actor)? = #isolation
    ) {
        guard Self.key(of: request) != Self.key(of: presenter.asked?.request) else { return }
        presenter.setImage(request, options: options)
    }

    /// Names the image. Hooks without an identifier count as equal: closures are made anew each time.
    private static func key(of request: ImageRequest?) -> CacheKey? {
        request.map { RequestKeys(ResolvedRequest($0), nonce: 0).variant }
    }

    /// Loads again after a failure, even while the source is blocked after failures; does nothing otherwise.
    public func retry(isolation: isolated (any Actor)? = #isolation) { presenter.retry() }

    /// Loads again whatever there is, for example after ``cancel(isolation:)``. The image stays until the new one is there.
    public func reload(isolation: isolated (any Actor)? = #isolation) { presenter.reload() }

    /// Ends the load. The image or its preview stays.
    public func cancel(isolation: isolated (any Actor)? = #isolation) { presenter.cancel() }

    /// Says whether the image is on screen; true at first. ``ViewDefaults/whenHidden`` decides about the load otherwise.
    public func setVisible(_ isVisible: Bool, isolation: isolated (any Actor)? = #isolation) { presenter.setVisible(isVisible) }

    /// Decodes for a place of this size, in points and pixels for each point; the content mode is that of ``Presenter/defaults``.
    /// Nil: at the request's own size. A larger size loads a sharper image.
    public func setSize(_ size: LayoutSize?, scale: Double, isolation: isolated (any Actor)? = #isolation) {
        presenter.setSize(size, scale: scale)
    }
}
