public import GannetCore

/// A widget of some toolkit, made when it is needed. Each toolkit has its own conforming type and ignores the others'.
public protocol PresentableView: Sendable {}

/// What is shown instead of a picture. - Kingfisher: Placeholder
public enum ImagePlaceholder: Sendable {
    /// Nothing: the view is empty.
    case empty
    case image(DecodedImage)
    case color(PixelColor)
    /// A [BlurHash](https://blurha.sh): about 30 characters that unfold to a blurred picture. An invalid one is like `empty`.
    case blurHash(String)
    /// A [ThumbHash](https://evanw.github.io/thumbhash/): about 25 bytes, with transparency. Invalid bytes are like `empty`.
    case thumbHash([UInt8])
    case view(any PresentableView)
}

/// When a placeholder is shown.
public enum PlaceholderTiming: Hashable, Sendable {
    case immediately
    /// Only if the load takes longer than this; until then the view is empty.
    case after(Duration)
    /// Only when the load fails. - SDWebImage: delayPlaceholder
    case onFailure
}
