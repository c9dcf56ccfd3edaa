import GannetCore
import GannetImages

/// Identifies one call of `setImage` of one slot. A result is shown only if its generation is still wanted.
typealias Generation = UInt64

/// The events that a slot handles.
enum PresenterInput: Sendable {
    /// Nil: the caller has no image.
    case set(ImageRequest?, ResolvedPresentation)
    /// The request now has its size, and memory was searched for it; after a miss, also for another size.
    case resolved(Generation, ImageRequest, cached: LoadedImage?, fallback: LoadedImage?)
    /// The view has a new size, and this many pixels for each point. Nil: it has no intrinsic size, and takes that of the image.
    case sized(PixelSize?, scale: Double)
    /// The view's new settings for the content on screen.
    case settings(AnimationOptions, ContentMode)
    /// Time to load what the view's current settings require.
    case look
    case placeholderDue(Generation)
    case progressed(Generation, LoadProgress)
    case preview(Generation, DecodedImage)
    case stale(Generation, LoadedImage)
    case finished(Generation, Result<LoadedImage, ImageError>)
    case transitionEnded
    case cancel
    /// The caller shows an image directly.
    case show(DecodedImage?, Showing)

    /// An event of the load of this generation.
    init(_ event: ImageTaskEvent, _ generation: Generation) {
        switch event {
        case .progress(let progress): self = .progressed(generation, progress)
        case .preview(let image): self = .preview(generation, image)
        case .stale(let loaded): self = .stale(generation, loaded)
        case .finished(let result): self = .finished(generation, result)
        }
    }
}

/// The actions to take, in this order.
enum PresenterEffect: Sendable {
    /// Search memory, answer with `resolved`.
    case resolve(Generation, ImageRequest)
    case startLoad(Generation, ImageRequest)
    case cancelLoad(Generation)
    case show(ShownContent, ImageTransition, Succession)
    /// An image before the final one, for a call whose caller shows images itself.
    case offer(DecodedImage)
    /// Play the content on screen like this from now on.
    case animate(AnimationOptions)
    case startIndicator(LoadIndicator)
    case stopIndicator
    case waitForPlaceholder(Generation, Duration)
    case progress(Generation, LoadProgress)
    /// The call is over. Sent exactly once for each generation that a caller knows.
    case report(Generation, Result<LoadedImage, ImageError>)
}

/// The content of a slot.
enum ShownContent: Sendable {
    case nothing
    case placeholder(ImagePlaceholder)
    case image(DecodedImage, Showing)
}

/// How an image is shown.
struct Showing: Sendable {
    var animation = AnimationOptions()
    /// The animation options are the view's, and change with it.
    var followsView = false
    /// Pixels for each point; nil: those of the image.
    var scale: Double?
}

/// How new content relates to the current content.
enum Succession: Sendable {
    case other
    /// More of the same image, by the same call: another preview, or all of it.
    case more
    /// The same image for a larger view.
    case resized
}
