/// Whether the picture is decoded for the size of its view.
public enum PresentationSizing: Hashable, Sendable {
    /// The view's size times its scale factor, unless the request names a target of its own. Reloaded when the view grows. The whole
    /// picture where a transformer of the request's needs it (``ImageTransformer/needsWholePicture``).
    case automatic
    /// What the request says; the original if it says nothing.
    case asRequested
}

/// What becomes of previews while a load runs.
public enum PreviewStrategy: Hashable, Sendable {
    /// Each is shown.
    case replace
    /// What was there stays until the final picture.
    case keepCurrent
}

/// What stays with a view.
public struct ViewDefaults: Sendable {
    public var placeholder: ImagePlaceholder?
    public var placeholderTiming = PlaceholderTiming.immediately
    /// Shown when a load fails, unless a picture of the same source is there. Nil: whatever is there stays.
    public var failure: ImagePlaceholder?
    public var indicator = LoadIndicator.none
    public var transition = ImageTransition.none
    /// Another one counts at once; a picture that was decoded for the one before is decoded anew.
    public var contentMode = ContentMode.fit
    public var sizing = PresentationSizing.automatic
    /// Of all pictures whose call says nothing else, also of those that are shown by hand. Rate, mode, loop count and what becomes of the
    /// frames count at once for the clip that plays; the transformer counts from the next picture.
    public var animation = AnimationOptions()
    /// A load that failed is tried again when the view is seen again, as by ``Presenter/retry(isolation:)``. - SDWebImageSwiftUI: retryOnAppear
    public var retriesOnAppear = false
    /// A load that failed because no server could be reached is tried again when a network is back, or when the view is seen the next time
    /// after that. Toolkits that hear of networks tell the presenter by ``Presenter/networkReturned(isolation:)``; GannetGTK does.
    public var retriesOnReconnect = false

    public init() {}
}

/// What a call says for itself. Nil: the view's.
public struct PresentationOptions: Sendable {
    public var placeholder: ImagePlaceholder?
    public var placeholderTiming: PlaceholderTiming?
    public var failure: ImagePlaceholder?
    public var indicator: LoadIndicator?
    public var transition: ImageTransition?
    public var sizing: PresentationSizing?
    public var animation: AnimationOptions?
    /// The picture that is there stays until the new one comes. - Kingfisher: keepCurrentImageWhileLoading
    public var keepsCurrent = false
    /// The load before goes on; its picture is shown only if it comes before this one's. - SDWebImage: avoidAutoCancelImage
    public var keepsPreviousLoad = false
    /// The caller shows the picture himself, in the completion; what comes before it, ``Presenter/onEarlyPicture`` hears of.
    /// - SDWebImage: avoidAutoSetImage
    public var appliesPicture = true
    /// Also for pictures from memory. - SDWebImage: forceTransition
    public var forcesTransition = false
    /// The completion comes after the transition. - SDWebImage: waitTransition
    public var waitsForTransition = false
    public var previews = PreviewStrategy.replace

    public init() {}
}

/// A call's options over the view's.
struct ResolvedPresentation: Sendable {
    var placeholder: ImagePlaceholder?
    var timing: PlaceholderTiming
    var failure: ImagePlaceholder?
    var indicator: LoadIndicator
    var transition: ImageTransition
    var sizing: PresentationSizing
    var animation: AnimationOptions
    var call: PresentationOptions

    init(_ call: PresentationOptions, _ view: ViewDefaults) {
        placeholder = call.placeholder ?? view.placeholder
        timing = call.placeholderTiming ?? view.placeholderTiming
        failure = call.failure ?? view.failure
        indicator = call.indicator ?? view.indicator
        transition = call.transition ?? view.transition
        sizing = call.sizing ?? view.sizing
        animation = call.animation ?? view.animation
        self.call = call
    }
}
