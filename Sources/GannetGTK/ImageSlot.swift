#if GTK
    import CGTK
    import CGannetShims
    import GannetCore
    import Glibc
    package import GannetViews

    /// One image of a widget: a presenter, and the GdkPaintable that draws it.
    @GTKActor package final class ImageSlot: @GTKActor PresentationTarget {
        package let presenter: Presenter
        /// A GdkPaintable; this object owns one reference.
        package let paintable: UnsafeMutableRawPointer
        /// Replaces the frame clock in tests.
        package var clock: (() -> Duration)?
        /// Called when a scene was drawn: for tests and for counting frames.
        package var onDraw: (() -> Void)?
        enum Place {
            /// Shown by nothing.
            case none
            /// In a widget, or wherever the program put it.
            case fixed
            /// In a button, while it is in this state.
            case byState
        }
        var place = Place.none
        /// A button's inner size; nil: it has no own size.
        var room: (() -> LayoutSize?)?
        /// Called with the drawn size, which a button passes to its other images.
        var onSize: ((LayoutSize?) -> Void)?
        /// Layers of the scene that are views, which only a container can show.
        var onViews: (([Scene.Layer]) -> Void)?
        var onLoading: ((Bool) -> Void)?
        /// Called when content appears or disappears.
        var onContent: (() -> Void)?
        private var hadContent = false
        /// A slot's paintable is being drawn: no widget may change.
        private(set) static var isDrawing = false

        private let widget: GTKWidget
        private var isWidgetAlive = true
        private var drawing = SnapshotDrawing()
        /// Textures kept for the next drawing.
        package var textures: [GTKTexture] { drawing.textures }
        private lazy var member = PulseMember(self)
        private(set) var isShown = false
        /// The video of the image on screen.
        package var video: VideoPlayback?
        /// Sharp parts of the image on screen. While there are any, the image itself does not grow with the view.
        package private(set) var tiles: TileLayer?
        private var framesWithoutSize = 0
        private var needsDrawing = true
        private var hadViews = false

        init(_ widget: GTKWidget, loader: any ImageLoading, library: FrameLibrary) {
            self.widget = widget
            let link = SlotLink()
            paintable = gannet_gtk_paintable_new(
                Handed.retain(link),
                { context, snapshot, width, height in
                    guard let link = Handed.object(context, as: SlotLink.self), let snapshot else { return }
                    let address = UInt(bitPattern: snapshot)
                    GTKActor.assumeIsolated {
                        guard let snapshot = OpaquePointer(bitPattern: address) else { return }
                        link.slot?.snapshot(snapshot, LayoutSize(width: width, height: height))
                    }
                }, Handed.release)
            presenter = Presenter(loader: loader, library: library) { [weak link] in
                // A toolkit edge: one hop to the actor of GTK; ends at once.
                Task { @GTKActor in link?.slot?.frameIsReady() }
            }
            link.slot = self
            presenter.target = self
        }

        isolated deinit {
            g_object_unref(paintable)
        }

        /// Ends all loads as cancelled and stops drawing: the widget is going away.
        func widgetDied() {
            member.leave()
            isWidgetAlive = false
            video?.end()
            setTiles(nil)
            presenter.cancel()
        }

        // MARK: Time

        private var now: Duration {
            if let clock { return clock() }
            let clock = isWidgetAlive ? gtk_widget_get_frame_clock(widget.widget) : nil
            return .microseconds(max(clock.map { gdk_frame_clock_get_frame_time($0) } ?? g_get_monotonic_time(), latest))
        }
        /// The time of the last frame; never goes back.
        private var latest: gint64 = 0

        var isPlaying: Bool { presenter.player?.isPlaying ?? video?.isPlaying ?? false }

        func setPlaying(_ plays: Bool) {
            presenter.setPlaying(plays, at: now)
            video?.setWanted(plays)
        }

        /// Shown means: in a mapped widget, and not another state's image.
        func setShown(_ shown: Bool) {
            guard shown != isShown else { return }
            isShown = shown
            framesWithoutSize = 0
            // Before anything requests a frame: the widget may now be in another window.
            if shown, isWidgetAlive, let clock = gtk_widget_get_frame_clock(widget.widget) { FramePulse.of(clock)?.add(member) }
            presenter.setVisible(shown)
            video?.setShown(shown)
            if !shown { tiles?.pause() }
            if shown {
                callAtNextFrame()
            } else {
                member.leave()
                advance()
            }
        }

        /// The frame that is ready may not be due; the next tick decides.
        private func frameIsReady() { if isShown { callAtNextFrame() } }

        package func presenterNeedsDisplay() {
            needsDrawing = true
            if presenter.hasContent != hadContent {
                hadContent.toggle()
                onContent?()
            }
            followVideo()
            if let tiles, !tiles.follow(presenter.image, call: presenter.callNumber) { setTiles(nil) }
            if isShown { return callAtNextFrame() }
            // No drawing will release unneeded textures now, and each holds an image's memory.
            drawing = SnapshotDrawing()
            gannet_gtk_paintable_invalidate(paintable)
        }

        package func presenterDidResize() {
            guard Self.isDrawing else { return resize() }
            // A toolkit edge: one hop to the actor of GTK; ends at once. GTK refuses to draw a widget that requested a new size
            // after the layout, and that widget may still be drawn in this frame.
            Task { @GTKActor [weak self] in self?.resize() }
        }

        private func resize() {
            let size = presenter.intrinsicSize
            gannet_gtk_paintable_set_size(paintable, size.width, size.height)
        }

        package func presenterDidChangeLoading(_ isLoading: Bool) {
            onLoading?(isLoading)
            if !isLoading { followVideo() }
        }

        /// The image grows with its view again.
        func growWithoutTiles() {
            setTiles(nil)
            rescale()
        }

        func setTiles(_ new: TileLayer?) {
            tiles?.end()
            tiles = new
            redraw()
        }

        /// Draws the same scene again, with another frame of its video or more tiles.
        func redraw() { if isShown { gannet_gtk_paintable_invalidate(paintable) } }

        package var reducesMotion: Bool { isWidgetAlive && !gannet_gtk_animates(widget.raw) }

        /// Reports that no size is known, unless a place is set in the same turn.
        func goWithoutPlace() {
            guard place == .none else { return }
            // A toolkit edge: one hop to the actor of GTK; ends at once.
            Task { @GTKActor [weak self] in
                guard let self, place == .none else { return }
                presenter.setSize(nil, scale: scale)
            }
        }

        private func callAtNextFrame() {
            guard isWidgetAlive, isShown, member.due != 0 else { return }
            member.wake(at: 0)
        }

        /// Runs the frame's update phase when something is due, with the due time or the frame's. Returns when the next thing
        /// is due, in microseconds of the frame clock; zero: next frame; nil: nothing is due.
        func frameCame(at time: gint64) -> gint64? {
            guard isWidgetAlive, isShown else { return nil }
            latest = max(latest, time)
            if let wake = advance() {
                // Tests with their own clock check at every frame.
                return clock == nil ? wake.frameTime : 0
            }
            // Still without a size after some frames: the widget has no size and waits for the image's.
            guard presenter.isLoading, framesWithoutSize < 3 else { return nil }
            framesWithoutSize += 1
            if framesWithoutSize == 3, area == nil { presenter.setSize(nil, scale: scale) }
            return 0
        }

        /// Nil: the widget has no own size.
        private var area: LayoutSize? {
            if let room { return room() }
            let size = LayoutSize(
                width: Double(gtk_widget_get_width(widget.widget)), height: Double(gtk_widget_get_height(widget.widget)))
            return size.width > 0 && size.height > 0 ? size : nil
        }

        @discardableResult private func advance() -> Duration? {
            let wake = presenter.advance(to: now)
            // A tick without a change paints nothing.
            guard needsDrawing || presenter.hasMoved else { return wake }
            needsDrawing = false
            if let onViews, presenter.hasViews || hadViews {
                hadViews = presenter.hasViews
                onViews(
                    presenter.scene(in: LayoutSize(width: 1, height: 1)).layers.filter { layer in
                        if case .view = layer.content { true } else { false }
                    })
            }
            gannet_gtk_paintable_invalidate(paintable)
            return wake
        }

        // MARK: Drawing

        /// Replaces the display's scale factor in tests: X11 reads one for all windows at the start.
        package var scaleFactor: (() -> Double)?

        var scale: Double {
            if let scaleFactor { return scaleFactor() }
            return isWidgetAlive ? Double(gtk_widget_get_scale_factor(widget.widget)) : 1
        }

        /// Notifies callers of the consequences only after drawing: their completions may change a label's text, and GTK would
        /// refuse to draw it in the same frame.
        func setSize(_ size: LayoutSize?) {
            guard tiles == nil, presenter.setSizeWhileDrawing(size, scale: scale) else { return }
            // A toolkit edge: one hop to the actor of GTK; ends at once.
            Task { @GTKActor in self.presenter.tellCallers() }
        }

        /// Recomputes the size in pixels for a new scale factor.
        func rescale() {
            guard isWidgetAlive, let area else { return }
            setSize(area)
        }

        private var isPaintedByProcessor: Bool {
            guard isWidgetAlive, let native = gtk_widget_get_native(widget.widget),
                let renderer = gtk_native_get_renderer(native),
                let name = g_type_name_from_instance(UnsafeMutablePointer<GTypeInstance>(renderer))
            else { return false }
            return strcmp(name, "GskCairoRenderer") == 0
        }

        func snapshot(_ snapshot: OpaquePointer, _ size: LayoutSize) {
            // An image in memory appears in this very frame.
            if isWidgetAlive {
                let isInner = Self.isDrawing
                Self.isDrawing = true
                let own = room == nil || room?() != nil ? size : nil
                setSize(own)
                onSize?(own)
                Self.isDrawing = isInner
            }
            presenter.isRightToLeft = isWidgetAlive && gtk_widget_get_direction(widget.widget) == GTK_TEXT_DIR_RTL
            let whole = tiles.map { presenter.defaults.contentMode.place($0.points, in: size) }
            let live = LiveContent(video: video, tiles: tiles, whole: whole, scale: scale)
            drawing.draw(presenter.scene(in: size), live, on: snapshot, byProcessor: isPaintedByProcessor)
            onDraw?()
        }
    }

    extension Duration {
        /// Microseconds as GTK's frame clocks count, rounded up.
        fileprivate var frameTime: gint64 {
            // A century counts as never.
            let (seconds, rest) = min(self, .seconds(3_000_000_000)).components
            return gint64(seconds) * 1_000_000 + gint64((rest + 999_999_999_999) / 1_000_000_000_000)
        }
    }

    /// Held by C for a slot, without keeping it alive.
    final class SlotLink: @unchecked Sendable {
        // Unchecked: read and written only on GTK's thread.
        weak var slot: ImageSlot?
        init(_ slot: ImageSlot? = nil) { self.slot = slot }
    }
#endif
