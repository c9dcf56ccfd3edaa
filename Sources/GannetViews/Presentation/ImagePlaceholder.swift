public import GannetCore
public import GannetImages

/// A toolkit's widget, created when it is needed. Each toolkit has its own conforming type and ignores the others'.
public protocol PresentableView: Sendable {}

/// Content shown instead of an image. - Kingfisher: Placeholder
public enum ImagePlaceholder: Sendable {
    /// Nothing: the view is empty.
    case empty
    /// Placed by the view's content mode; animations play.
    case image(DecodedImage)
    /// Fills the view.
    case color(PixelColor)
    /// A [BlurHash](https://blurha.sh): about 30 characters that unfold to a blurred image. An invalid one is like `empty`.
    case blurHash(String)
    /// A [ThumbHash](https://evanw.github.io/thumbhash/): about 25 bytes, with transparency. Invalid bytes are like `empty`.
    case thumbHash([UInt8])
    /// A widget over the whole view; toolkits that do not know its type show nothing.
    case view(any PresentableView)
}

/// When a placeholder is shown.
public enum PlaceholderTiming: Hashable, Sendable {
    /// Shown at once if no image is in memory.
    case immediately
    /// Only if the load takes longer than this; until then the view is empty.
    case after(Duration)
    /// Only when the load fails; until then the view is empty, also of the image before. - SDWebImage: delayPlaceholder, which leaves that
    case onFailure
}

extension ImageSummary {
    /// The blurred image for views, in the stored image's proportions as far as the view scales it.
    public var placeholder: ImagePlaceholder { .thumbHash(thumbHash) }
}
