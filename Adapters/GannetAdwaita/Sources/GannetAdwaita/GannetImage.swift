@preconcurrency public import Adwaita
public import GannetGTK

/// An image that is loaded, and the views over it in each phase.
///
/// ```swift
/// GannetImage("https://example.org/gannet.jpg") { phase in
///     switch phase {
///     case .loading: Spinner().spinning(true)
///     case .failure(let error): Text(error.message)
///     case .empty, .image: []
///     }
/// }
/// .scaledToFill()
/// .frame(width: 240, height: 160)
/// .transition(.fade(.milliseconds(250)))
/// ```
///
/// It is drawn by the `GannetImage` of `GannetGTK`, with its placeholder, transition and animation: the closure answers what lies over
/// the image. The load begins when the view is first shown, a new source replaces it, and it ends with the view. The methods of this type stand before those of all views.
public struct GannetImage: AdwaitaWidget {
    typealias Change = @GTKActor @Sendable (GannetGTK.GannetImage) -> Void

    let request: ImageRequest?
    let content: (ImagePhase) -> Body
    /// What the methods below have asked for, in their order.
    private(set) var changes: [Change] = []
    private(set) var hasRetryButton = false

    /// Nil shows no image.
    public init(
        _ source: (some ImageSourceConvertible)?, @ViewBuilder content: @escaping (ImagePhase) -> Body = { _ in [] }
    ) {
        self.init(source.map { ImageRequest($0) }, content: content)
    }

    /// The image of a request with its own size, transformers and cache policies.
    @_disfavoredOverload
    public init(_ request: ImageRequest?, @ViewBuilder content: @escaping (ImagePhase) -> Body = { _ in [] }) {
        self.request = request
        self.content = content
    }

    private func with(_ change: @escaping Change) -> GannetImage {
        var copy = self
        copy.changes.append(change)
        return copy
    }
}

extension GannetImage {
    /// The image takes the whole place, without keeping its proportions. Without any of the three it is fitted and never enlarged.
    public func resizable() -> GannetImage { with { $0.resizable() } }

    /// The whole image, as large as its place allows.
    public func scaledToFit() -> GannetImage { with { $0.scaledToFit() } }

    /// The image fills its place, and the excess is cut off evenly.
    public func scaledToFill() -> GannetImage { with { $0.scaledToFill() } }

    /// The size of the place, in points.
    public func frame(width: Int, height: Int) -> GannetImage { with { $0.frame(width: width, height: height) } }

    /// The size that the image will have, in points, where no frame is set: nothing moves when it comes.
    public func expectedSize(width: Double, height: Double) -> GannetImage {
        with { $0.expectedSize(width: width, height: height) }
    }

    /// Shown until there is an image.
    public func placeholder(_ placeholder: ImagePlaceholder) -> GannetImage { with { $0.placeholder(placeholder) } }

    /// Shows that a load runs.
    public func indicator(_ indicator: LoadIndicator) -> GannetImage { with { $0.indicator(indicator) } }

    /// How the image replaces what was there.
    public func transition(_ transition: ImageTransition) -> GannetImage { with { $0.transition(transition) } }

    /// Shown when the load fails.
    public func failure(_ failure: ImagePlaceholder) -> GannetImage { with { $0.failure(failure) } }

    /// A button over an image that failed, in place of the closure's views, which loads it again by click and by key.
    public func retryButton(_ label: String = "Try again") -> GannetImage {
        var copy = with { $0.retryButton(label) }
        copy.hasRetryButton = true
        return copy
    }

    /// Called each time an image was loaded and is on screen.
    public func onSuccess(_ call: @escaping @GTKActor @Sendable (LoadedImage) -> Void) -> GannetImage {
        with { $0.onSuccess(call) }
    }

    /// Called each time a load has failed; not for cancelled ones.
    public func onFailure(_ call: @escaping @GTKActor @Sendable (ImageError) -> Void) -> GannetImage {
        with { $0.onFailure(call) }
    }

    /// Called with the progress of each load.
    public func onProgress(_ call: @escaping @GTKActor @Sendable (LoadProgress) -> Void) -> GannetImage {
        with { $0.onProgress(call) }
    }

    /// The action for the load and the image when the view is hidden or scrolled out of sight; without this it is less urgent.
    public func onDisappear(_ action: HiddenAction) -> GannetImage { with { $0.onDisappear(action) } }

    /// Cancels the load when the view is hidden or scrolled out of sight, and begins it again when it is seen.
    public func cancelOnDisappear() -> GannetImage { onDisappear(.cancel) }

    /// The priority of the loads.
    public func priority(_ priority: LoadPriority) -> GannetImage { with { $0.priority(priority) } }

    /// The image stays until the next one comes.
    public func keepsCurrent() -> GannetImage { with { $0.keepsCurrent() } }

    /// The manager that loads; without this `GannetToolkit.loader`.
    public func loader(_ loader: any ImageLoading) -> GannetImage { with { $0.loader(loader) } }

    /// The text for screen readers.
    public func alternativeText(_ text: String) -> GannetImage { with { $0.alternativeText(text) } }
}
