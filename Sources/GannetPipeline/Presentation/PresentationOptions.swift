/// Whether the picture is decoded for the size of its view.
public enum PresentationSizing: Hashable, Sendable {
    /// The view's size times its scale factor, unless the request names a target of its own. When the view grows a larger one is made of
    /// what is stored; the source is asked for that only by requests that ask it only where they must. The whole
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
    /// Shown until there is something to show, and for calls without a picture. Nil: the view is empty.
    public var placeholder: ImagePlaceholder?
    /// At once by default.
    public var placeholderTiming = PlaceholderTiming.immediately
    /// Shown when a load fails, unless a picture of the same source is there. Nil: whatever is there stays.
    public var failure: ImagePlaceholder?
    /// What tells that a load runs; nothing by default. - SDWebImage: sd_imageIndicator - Kingfisher: indicatorType
    public var indicator = LoadIndicator.none
    /// How a picture takes the place of what was there; at once by default. - SDWebImage: sd_imageTransition
    public var transition = ImageTransition.none
    /// Another one counts at once; a picture that was decoded for the one before is decoded anew.
    public var contentMode = ContentMode.fit
    /// By default pictures are decoded for the size of the view.
    public var sizing = PresentationSizing.automatic
    /// Of all pictures whose call says nothing else, also of those that are shown by hand. Rate, mode, loop count and what becomes of the
    /// frames count at once for the clip that plays; the transformer counts from the next picture.
    public var animation = AnimationOptions()
    /// A load that failed is tried again when the view is seen again, as by ``Presenter/retry(isolation:)``. - SDWebImageSwiftUI: retryOnAppear
    public var retriesOnAppear = false
    /// A load that failed because no server could be reached is tried again when a network is back, or when the view is seen the next time
    /// after that. Toolkits that hear of networks tell the presenter by ``Presenter/networkReturned(isolation:)``; GannetGTK does.
    public var retriesOnReconnect = false

    /// Fitted into the view, decoded for its size, without placeholder, indicator or transition.
    public init() {}
}

/// The options of one call. Nil and `.inherited`: the view's.
public struct PresentationOptions: Sendable {
    /// ``ImagePlaceholder/empty`` where this call shall have none although the view has one.
    public var placeholder: ImagePlaceholder?
    /// When this call's placeholder is shown. - SDWebImage: delayPlaceholder
    public var placeholderTiming: PlaceholderTiming?
    /// Shown if this call's load fails. - Kingfisher: onFailureImage
    public var failure: ImagePlaceholder?
    /// ``LoadIndicator/none`` where this call shall have none although the view has one.
    public var indicator = LoadIndicator.inherited
    /// ``ImageTransition/none`` where this picture shall be there at once. - Kingfisher: transition(_:)
    public var transition = ImageTransition.inherited
    /// ``PresentationSizing/asRequested`` gives this call's picture the size its request says.
    public var sizing: PresentationSizing?
    /// How this picture plays; later changes of the view's options leave it alone.
    public var animation: AnimationOptions?
    /// The picture that is there stays until the new one comes; without a source it goes. - Kingfisher: keepCurrentImageWhileLoading
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
    /// What is not in memory is read from the disk cache before the call returns, so that it is there in the first frame. **Blocks** the
    /// view's actor for a file read and a decode, each time: only for few, small images on a fast disk.
    /// - SDWebImage: queryDiskDataSync, SetImageWithURLDiskSync
    public var readsDiskAtOnce = false
    /// By default each better preview is shown as it comes.
    public var previews = PreviewStrategy.replace

    /// Everything as the view has it.
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
        indicator = if case .inherited = call.indicator { view.indicator } else { call.indicator }
        transition = if case .inherited = call.transition.kind { view.transition } else { call.transition }
        sizing = call.sizing ?? view.sizing
        animation = call.animation ?? view.animation
        self.call = call
    }
}
