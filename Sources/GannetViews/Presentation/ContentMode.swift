public import GannetCore

/// How an image is placed in its view.
public enum ContentMode: String, Hashable, Sendable, CaseIterable {
    /// The whole image, as large as possible, with its proportions kept.
    case fit
    /// Fills the view, with the proportions kept; the excess is cut off evenly.
    case fill
    /// Fills the view without keeping the proportions.
    case stretch
    /// Like `fit`, but never enlarged.
    case scaleDown
    /// At its own size, centred.
    case center

    /// The frame of an image of `size` points in a view of `view` points.
    public func place(_ size: LayoutSize, in view: LayoutSize) -> LayoutRect {
        guard size.width > 0, size.height > 0, view.width > 0, view.height > 0 else {
            return LayoutRect(x: 0, y: 0, width: 0, height: 0)
        }
        let x = view.width / size.width
        let y = view.height / size.height
        let factors: (Double, Double) =
            switch self {
            case .fit: (min(x, y), min(x, y))
            case .fill: (max(x, y), max(x, y))
            case .stretch: (x, y)
            case .scaleDown: (min(x, y, 1), min(x, y, 1))
            case .center: (1, 1)
            }
        let width = size.width * factors.0
        let height = size.height * factors.1
        return LayoutRect(x: (view.width - width) / 2, y: (view.height - height) / 2, width: width, height: height)
    }

    /// The size to decode for a view of `pixels`; nil: the original.
    public func target(for pixels: PixelSize) -> TargetSize? {
        switch self {
        case .fit, .scaleDown: .fit(pixels.width, pixels.height)
        case .fill: .fill(pixels.width, pixels.height)
        case .stretch: .stretch(pixels.width, pixels.height)
        case .center: nil
        }
    }
}
