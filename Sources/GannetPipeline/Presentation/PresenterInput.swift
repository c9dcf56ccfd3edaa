import GannetCore

/// Names one call of `setImage` of one slot. A result is shown only if its generation is still wanted.
typealias Generation = UInt64

/// What can happen to a slot.
enum PresenterInput: Sendable {
    /// Nil: the caller has no picture.
    case set(ImageRequest?, ResolvedPresentation)
    /// The request with its size is known, and memory was asked for it; if it has none, for another size.
    case resolved(Generation, ImageRequest, cached: LoadedImage?, standIn: LoadedImage?)
    /// The view has a size, or another one, and so many pixels for each point. Nil: it has none of its own, and takes that of the
    /// picture.
    case sized(PixelSize?, scale: Double)
    /// What the view says now about what it shows already.
    case settings(AnimationOptions, ContentMode)
    /// The time to load what the view's settings ask for by now.
    case look
    case placeholderDue(Generation)
    case progress(Generation, received: Int, expected: Int?)
    case preview(Generation, DecodedImage)
    case stale(Generation, LoadedImage)
    case finished(Generation, Result<LoadedImage, ImageError>)
    case transitionEnded
    case cancel
    /// By the caller's hand.
    case show(DecodedImage?, Showing)
}

/// What is to be done about it, in this order.
enum PresenterEffect: Sendable {
    /// Ask memory, answer with `resolved`.
    case resolve(Generation, ImageRequest)
    case startLoad(Generation, ImageRequest)
    case cancelLoad(Generation)
    case show(ShownContent, ImageTransition, Succession)
    /// Came before the final picture of a call that shows its pictures by hand.
    case offer(DecodedImage)
    /// What is on screen plays like this from now on.
    case animate(AnimationOptions)
    case startIndicator(LoadIndicator)
    case stopIndicator
    case waitForPlaceholder(Generation, Duration)
    case progress(Generation, LoadProgress)
    /// The call is over. Exactly once for each generation a caller knows.
    case report(Generation, Result<LoadedImage, ImageError>)
}

/// What a slot shows.
enum ShownContent: Sendable {
    case nothing
    case placeholder(ImagePlaceholder)
    case picture(DecodedImage, Showing)
}

/// How a picture is shown, beside what it is.
struct Showing: Sendable {
    var animation = AnimationOptions()
    /// They are the view's, and change with it.
    var followsView = false
    /// Pixels for each point; nil: what the picture says.
    var scale: Double?
}

/// What is shown next, beside what is there.
enum Succession: Sendable {
    case other
    /// More of it, by the same call: another preview, or all of it.
    case more
    /// The same picture for a larger view.
    case resized
}
