/// The settings that stay with a view.
public struct ViewDefaults: Sendable {
    /// Shown until there is an image, and for calls without one. Nil: the view is empty.
    public var placeholder: ImagePlaceholder?
    /// When the placeholder is shown; at once by default.
    public var placeholderTiming = PlaceholderTiming.immediately
    /// Shown when a load fails, unless an image from the same source is there. Nil: the current content stays.
    public var failure: ImagePlaceholder?
    /// Shows that a load is running; nothing by default. - SDWebImage: sd_imageIndicator - Kingfisher: indicatorType
    public var indicator = LoadIndicator.none
    /// How an image replaces the previous content; at once by default. - SDWebImage: sd_imageTransition
    public var transition = ImageTransition.none
    /// A change applies at once; an image that was decoded for the previous mode is decoded again.
    public var contentMode = ContentMode.fit
    /// Images are decoded for the view's size times its scale factor, unless the request has its own target. When the view grows,
    /// a larger image is made from the caches; the source is contacted for it only if the request contacts its source on a cache
    /// miss alone. The whole image if a transformer of the request needs it (``ImageTransformer/needsWholeImage``). False: the
    /// request's size; the original if the request has none.
    public var decodesForView = true
    /// For all images whose call does not override it, including those shown by hand. Changes of rate, mode, loop count and frame
    /// buffering apply at once to the animation that plays; a transformer applies from the next image on.
    public var animation = AnimationOptions()
    /// A failed load is retried when the view is seen again, as by ``Presenter/retry(isolation:)``.
    /// - SDWebImageSwiftUI: retryOnAppear
    public var retriesOnAppear = false
    /// A load that failed because no server could be reached is retried when a network comes back, or when the view is next seen
    /// after that. Toolkits that watch networks call ``Presenter/networkReturned(isolation:)``; GannetGTK does.
    public var retriesOnReconnect = false
    /// The action for the view's loads and image when it is hidden. A change applies when it is next hidden.
    public var whenHidden = HiddenAction.lowerPriority

    /// Fitted into the view, decoded for its size, without placeholder, indicator or transition.
    public init() {}
}

/// An action for the loads and the image of a view that is hidden after it was visible.
public enum HiddenAction: String, Hashable, Sendable, CaseIterable {
    /// Loads continue.
    case keep
    /// Loads continue, no more urgent than `low`, and get their priority back when the view is seen. - Nuke: lowerPriority
    /// - Kingfisher: reducePriorityOnDisappear
    case lowerPriority
    /// Loads are cancelled, and begin again when the view is seen; the completion gets `cancelled`. An image stays.
    /// - Kingfisher: cancelOnDisappear
    case cancel
    /// As ``cancel``, and the image goes too: it is looked up or loaded again when the view is seen.
    case release
}

/// The options of one call. Nil and `.inherited` use the view's setting.
public struct PresentationOptions: Sendable {
    /// ``ImagePlaceholder/empty`` if this call must not have the view's placeholder.
    public var placeholder: ImagePlaceholder?
    /// When this call's placeholder is shown. - SDWebImage: delayPlaceholder
    public var placeholderTiming: PlaceholderTiming?
    /// Shown if this call's load fails. - Kingfisher: onFailureImage
    public var failure: ImagePlaceholder?
    /// ``LoadIndicator/none`` if this call must not have the view's indicator.
    public var indicator = LoadIndicator.inherited
    /// ``ImageTransition/none`` if this image must be there at once. - Kingfisher: transition(_:)
    public var transition = ImageTransition.inherited
    /// False decodes this call's image at its request's size.
    public var decodesForView: Bool?
    /// How this image plays; later changes of the view's options do not affect it.
    public var animation: AnimationOptions?
    /// The current image stays until the new one comes; without a source it is removed.
    /// - Kingfisher: keepCurrentImageWhileLoading
    public var keepsCurrent = false
    /// The previous load continues; its image is shown only if it comes before this one's. - SDWebImage: avoidAutoCancelImage
    public var keepsPreviousLoad = false
    /// If false, the caller shows the image in the completion; earlier images go to ``Presenter/onEarlyImage``.
    /// - SDWebImage: avoidAutoSetImage
    public var appliesImage = true
    /// Runs the transition even for images from memory. - SDWebImage: forceTransition
    public var forcesTransition = false
    /// Calls the completion after the transition. - SDWebImage: waitTransition
    public var waitsForTransition = false
    /// Reads an image that is not in memory from the disk cache before the call returns, so that it is there in the first frame.
    /// **Blocks** the view's actor for a file read and a decode, each time: only for few, small images on a fast disk.
    /// - SDWebImage: queryDiskDataSync, SetImageWithURLDiskSync
    public var readsDiskAtOnce = false
    /// Each better preview is shown when it comes. False: the current content stays until the final image.
    public var showsPreviews = true
    /// The size of the image in points, if it is known before: ``Presenter/intrinsicSize`` until the image is there, so that nothing
    /// moves when it comes.
    public var expectedSize: LayoutSize?

    /// By default all settings are the view's.
    public init() {}
}

/// A call's options, with the view's for those that are unset.
struct ResolvedPresentation: Sendable {
    var placeholder: ImagePlaceholder?
    var timing: PlaceholderTiming
    var failure: ImagePlaceholder?
    var indicator: LoadIndicator
    var transition: ImageTransition
    var decodesForView: Bool
    var animation: AnimationOptions
    var call: PresentationOptions

    init(_ call: PresentationOptions, _ view: ViewDefaults) {
        placeholder = call.placeholder ?? view.placeholder
        timing = call.placeholderTiming ?? view.placeholderTiming
        failure = call.failure ?? view.failure
        indicator = if case .inherited = call.indicator { view.indicator } else { call.indicator }
        transition = if case .inherited = call.transition.kind { view.transition } else { call.transition }
        decodesForView = call.decodesForView ?? view.decodesForView
        animation = call.animation ?? view.animation
        self.call = call
    }
}
