public import GannetCore

/// The headless toolkit's only widget: a plain rectangle.
public struct HeadlessMark: PresentableView, Hashable {
    public var color: PixelColor
    public init(color: PixelColor) { self.color = color }
}

/// A view without a window: a presenter drawn into a bitmap, at the times its owner names. For tests and terminals.
public final class HeadlessView: PresentationTarget {
    public let presenter: Presenter
    public private(set) var size: LayoutSize
    /// Pixels for each layout point.
    public private(set) var scale: Double
    /// A redraw was asked for since the last one.
    public private(set) var needsDisplay = false
    /// Every change of the loading state, as a screen reader would hear it.
    public private(set) var announcements: [Bool] = []
    /// When the next redraw is due by itself; nil: not before ``needsDisplay``.
    public private(set) var wake: Duration?

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

    public func resize(width: Double, height: Double, scale: Double, isolation: isolated (any Actor)? = #isolation) {
        size = LayoutSize(width: width, height: height)
        self.scale = scale
        presenter.setSize(size, scale: scale)
    }

    /// What is on screen at `now`: premultiplied `rgba8`. Throws `limitExceeded` if there is no memory for it, and
    /// `misuse` if the view's size is not finite.
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
