public import GannetCore
package import GannetImages

/// The headless toolkit's only widget: a plain rectangle.
package struct HeadlessMark: PresentableView, Hashable {
    /// Fills the whole frame; a translucent colour lets the content behind it through.
    package var color: PixelColor
    /// For tests of placeholders and indicators that are views.
    package init(color: PixelColor) { self.color = color }
}

/// A view without a window: a presenter drawn into a bitmap, at times that its owner chooses. For tests and terminals.
public final class HeadlessView: PresentationTarget {
    /// Takes images, placeholders and settings. The view is its target, and visible from the start.
    public let presenter: Presenter
    /// The size in layout points; see ``resize(width:height:scale:isolation:)``.
    public private(set) var size: LayoutSize
    /// Pixels for each layout point.
    public private(set) var scale: Double
    /// A redraw was requested since the last one.
    public private(set) var needsDisplay = false
    /// Every change of the loading state, as a screen reader would hear it.
    public private(set) var announcements: [Bool] = []
    /// When the next redraw is due automatically; nil: not before ``needsDisplay``.
    public private(set) var wake: Duration?

    /// Sizes in layout points. `wakeUp` is called from any thread when a frame has been decoded and a redraw is due.
    public init(
        width: Double, height: Double, scale: Double = 1, loader: any ImageLoading, library: FrameLibrary = .shared,
        wakeUp: @escaping @Sendable () -> Void = {}, isolation: isolated (any Actor)? = #isolation
    ) {
        size = LayoutSize(width: width, height: height)
        self.scale = scale
        presenter = Presenter(loader: loader, library: library, wakeUp: wakeUp)
        presenter.target = self
        presenter.setVisible(true)
        presenter.setSize(size, scale: scale)
    }

    /// Sets the size in layout points, with `scale` pixels for each point. Images are loaded again if the view has grown beyond
    /// them.
    public func resize(width: Double, height: Double, scale: Double, isolation: isolated (any Actor)? = #isolation) {
        size = LayoutSize(width: width, height: height)
        self.scale = scale
        presenter.setSize(size, scale: scale)
    }

    /// Draws the view as it is at `now`: premultiplied `rgba8`. Throws `limitExceeded` if there is no memory for it, and `misuse`
    /// if the view's size is not finite.
    public func draw(at now: Duration, isolation: isolated (any Actor)? = #isolation) throws(ImageError) -> Bitmap {
        needsDisplay = false
        wake = presenter.advance(to: now)
        var canvas = try BitmapCanvas(size, scale: scale)
        try canvas.draw(presenter.scene(in: size))
        return canvas.finish()
    }

    public func presenterNeedsDisplay() { needsDisplay = true }
    public func presenterDidChangeLoading(_ isLoading: Bool) { announcements.append(isLoading) }
}
