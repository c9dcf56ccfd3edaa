public import GannetCore

/// What a view shows at one moment: layers from back to front, all axis-aligned, so that any toolkit can draw them.
public struct Scene: Sendable {
    public struct Layer: Sendable {
        public enum Content: Sendable {
            case bitmap(Bitmap)
            case color(PixelColor)
            case dot(PixelColor)
            /// A widget of the toolkit, which embeds it instead of drawing it.
            case view(any PresentableView)
        }
        public var content: Content
        /// The whole content is stretched to it.
        public var frame: LayoutRect
        /// Nothing is drawn outside.
        public var clip: LayoutRect
        public var opacity: Double
    }

    public var layers: [Layer] = []
    public var isEmpty: Bool { layers.isEmpty }
}

/// Whatever shows a presenter's scenes: a widget, a terminal, a picture in memory. Called on the owner's actor.
public protocol PresentationTarget: AnyObject {
    /// Draw again soon, and call ``Presenter/advance(to:isolation:)`` before it.
    func presenterNeedsDisplay()
    /// ``Presenter/intrinsicSize`` has changed.
    func presenterDidResize()
    /// For accessibility.
    func presenterDidChangeLoading(_ isLoading: Bool)
}

extension PresentationTarget {
    public func presenterDidResize() {}
    public func presenterDidChangeLoading(_ isLoading: Bool) {}
}
