public import GannetCore

/// The content on screen, and the scene that is drawn of it.
extension Presenter {
    /// Plays the animation on screen; nil for still content. The next image may bring another player.
    public var player: AnimationPlayer? { stage.current.player }
    /// The view needs continuous redraws until this is false again.
    public var isTransitionRunning: Bool { stage.isTransitionRunning }
    /// True if an indicator is to be drawn: a load runs, and its indicator is not ``LoadIndicator/none``.
    public var isIndicatorVisible: Bool { stage.hasIndicator }
    /// Points of the image. Before there is one: those expected of it, else those of the placeholder, else zero.
    public var intrinsicSize: LayoutSize {
        (image == nil ? asked?.options.expectedSize : nil) ?? stage.current.intrinsicSize
    }

    /// The frame on screen, decoded for drawing, for targets that do not draw scenes.
    public var currentBitmap: Bitmap? { stage.current.bitmap }

    /// The scene has, or may have, views that a container must embed.
    package var hasViews: Bool { stage.hasViews }

    /// The scene to draw in a view of this size.
    public func scene(in view: LayoutSize) -> Scene {
        stage.scene(in: view, mode: defaults.contentMode, progress: progress, isRightToLeft: isRightToLeft)
    }
}
