public import GannetCore
public import GannetImages

/// The content of a view at one moment: layers from back to front, all axis-aligned, so that any toolkit can draw them.
public struct Scene: Sendable {
    /// One thing to draw: its content, its place, and its visible part.
    public struct Layer: Sendable {
        /// The content drawn into ``frame``.
        public enum Content: Sendable {
            /// Stretched over the frame; its alpha may be straight or premultiplied.
            case bitmap(Bitmap)
            /// A filled rectangle.
            case color(PixelColor)
            /// A filled circle: the frame is as wide as it is high.
            case dot(PixelColor)
            /// A widget of the toolkit, which embeds it instead of drawing it.
            case view(any PresentableView)
        }
        /// May be a widget, which some targets have to leave out.
        public var content: Content
        /// The whole content is stretched to it.
        public var frame: LayoutRect
        /// Nothing is drawn outside.
        public var clip: LayoutRect
        /// 0 … 1, for the whole layer.
        public var opacity: Double
        /// The load's progress, for an indicator that is a view. Nil for every other layer.
        public var progress: LoadProgress? = nil
    }

    /// The layers from back to front.
    public var layers: [Layer] = []
    /// Nothing to draw: the view shows its background.
    public var isEmpty: Bool { layers.isEmpty }
}

/// Displays a presenter's scenes: a widget, a terminal, a bitmap in memory. Called on the owner's actor.
public protocol PresentationTarget: AnyObject {
    /// Draw again soon, and call ``Presenter/advance(to:isolation:)`` before it.
    func presenterNeedsDisplay()
    /// ``Presenter/intrinsicSize`` has changed.
    func presenterDidResize()
    /// For accessibility.
    func presenterDidChangeLoading(_ isLoading: Bool)
    /// The user wants no motion: transitions are left out. Asked each time one would begin.
    var reducesMotion: Bool { get }
}

extension PresentationTarget {
    /// Default: nothing, for targets of a fixed size.
    public func presenterDidResize() {}
    /// Default: nothing is announced.
    public func presenterDidChangeLoading(_ isLoading: Bool) {}
    /// Default: transitions run.
    public var reducesMotion: Bool { false }
}
