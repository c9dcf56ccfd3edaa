#if GTK
    import CGTK
    import CGannetShims
    import GannetCore
    import Glibc
    package import GannetPipeline

    /// One picture of a widget: a presenter, and the GdkPaintable that draws it.
    @GTKActor package final class PictureSlot: @GTKActor PresentationTarget {
        package let presenter: Presenter
        /// A GdkPaintable; this object owns one reference.
        package let paintable: UnsafeMutableRawPointer
        /// Set from outside to replace the frame clock: tests own the time.
        package var clock: (() -> Duration)?
        /// A scene was drawn: for tests and for counting frames.
        package var onDraw: (() -> Void)?
        enum Place {
            /// Nobody shows it.
            case none
            /// In a widget, or wherever the program has put it.
            case fixed
            /// In a button, while it is in that state.
            case byState
        }
        var place = Place.none
        /// Of a button: how large its inside is; nil: it has no size of its own.
        var room: (() -> LayoutSize?)?
        /// What the paintable was drawn for; buttons tell their other pictures.
        var onSize: ((LayoutSize?) -> Void)?
        /// Layers of the scene that are views, which only a container can show.
        var onViews: (([Scene.Layer]) -> Void)?
        var onLoading: ((Bool) -> Void)?
        /// There is something to show now, or nothing any more.
        var onContent: (() -> Void)?
        private var hadContent = false
        /// A paintable of a slot is being drawn: no widget may be changed.
        private(set) static var isDrawing = false

        private let widget: GTKWidget
        private var isWidgetAlive = true
        private var drawing = SnapshotDrawing()
        /// What is kept for the next drawing.
        package var textures: [GTKTexture] { drawing.all }
        private lazy var member = PulseMember(self)
        private var isShown = false
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

        /// The widget is going away: loads end as cancelled, nothing is drawn any more.
        func widgetDied() {
            member.leave()
            isWidgetAlive = false
            presenter.cancel()
        }

        // MARK: Time

        private var now: Duration {
            if let clock { return clock() }
            let clock = isWidgetAlive ? gtk_widget_get_frame_clock(widget.widget) : nil
            return .microseconds(max(clock.map { gdk_frame_clock_get_frame_time($0) } ?? g_get_monotonic_time(), latest))
        }
        /// The time of the last frame that was told; never goes back.
        private var latest: gint64 = 0

        func setPlaying(_ plays: Bool) {
            presenter.setPlaying(plays, at: now)
        }

        /// Shown means: in a mapped widget, and not another state's picture.
        func setShown(_ shown: Bool) {
            guard shown != isShown else { return }
            isShown = shown
            framesWithoutSize = 0
            // Before anything asks for a frame: a widget may be shown in another window than the last time.
            if shown, isWidgetAlive, let clock = gtk_widget_get_frame_clock(widget.widget) { FramePulse.of(clock)?.add(member) }
            presenter.setVisible(shown)
            if shown {
                callAtNextFrame()
            } else {
                member.leave()
                advance()
            }
        }

        /// Perhaps not the one that is due: time tells at the next tick.
        private func frameIsReady() { if isShown { callAtNextFrame() } }

        package func presenterNeedsDisplay() {
            needsDrawing = true
            if presenter.hasContent != hadContent {
                hadContent.toggle()
                onContent?()
            }
            if isShown { return callAtNextFrame() }
            // Nothing will be drawn that could tell which of its textures are still needed, and each holds a picture's memory.
            drawing = SnapshotDrawing()
            gannet_gtk_paintable_invalidate(paintable)
        }

        package func presenterDidResize() {
            guard Self.isDrawing else { return resize() }
            // A toolkit edge: one hop to the actor of GTK; ends at once. GTK refuses to draw a widget that wants another size since the
            // layout, and this may be one that is drawn after the one that is being drawn.
            Task { @GTKActor [weak self] in self?.resize() }
        }

        private func resize() {
            let size = presenter.intrinsicSize
            gannet_gtk_paintable_set_size(paintable, size.width, size.height)
        }

        package func presenterDidChangeLoading(_ isLoading: Bool) { onLoading?(isLoading) }

        /// Nobody draws it, who could tell a size. In the same turn somebody may say that he does.
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

        /// The frame's update phase; called when something is due, with its time or that of the frame. Answers when the next thing is, in microseconds of the frame clock;
        /// zero: in the next frame; nil: not by itself.
        func frameCame(at time: gint64) -> gint64? {
            guard isWidgetAlive, isShown else { return nil }
            latest = max(latest, time)
            if let wake = advance() {
                // Tests that own the time ask at every frame.
                return clock == nil ? wake.frameTime : 0
            }
            // Without a size after some frames the widget has none of its own and waits for the picture's.
            guard presenter.isLoading, framesWithoutSize < 3 else { return nil }
            framesWithoutSize += 1
            if framesWithoutSize == 3, area == nil { presenter.setSize(nil, scale: scale) }
            return 0
        }

        /// Nil: the widget has no size of its own.
        private var area: LayoutSize? {
            if let room { return room() }
            let size = LayoutSize(
                width: Double(gtk_widget_get_width(widget.widget)), height: Double(gtk_widget_get_height(widget.widget)))
            return size.width > 0 && size.height > 0 ? size : nil
        }

        @discardableResult private func advance() -> Duration? {
            let wake = presenter.advance(to: now)
            // A tick that changes nothing paints nothing.
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

        /// Set from outside to replace the display's scale factor: X11 has one for all its windows, read at the start.
        package var scaleFactor: (() -> Double)?

        var scale: Double {
            if let scaleFactor { return scaleFactor() }
            return isWidgetAlive ? Double(gtk_widget_get_scale_factor(widget.widget)) : 1
        }

        /// Callers hear of what follows when nothing is drawn: their completions may change the text of a label, which GTK then
        /// refuses to draw in the same frame.
        func setSize(_ size: LayoutSize?) {
            guard presenter.setSizeWhileDrawing(size, scale: scale) else { return }
            // A toolkit edge: one hop to the actor of GTK; ends at once.
            Task { @GTKActor in self.presenter.tellCallers() }
        }

        /// The scale factor changed: the size in pixels with it.
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
            // A picture that is in memory is in this very frame.
            if isWidgetAlive {
                let isInner = Self.isDrawing
                Self.isDrawing = true
                let own = room == nil || room?() != nil ? size : nil
                setSize(own)
                onSize?(own)
                Self.isDrawing = isInner
            }
            drawing.draw(presenter.scene(in: size), on: snapshot, byProcessor: isPaintedByProcessor)
            onDraw?()
        }
    }

    extension Duration {
        /// As GTK's frame clocks count: microseconds, none too few.
        fileprivate var frameTime: gint64 {
            // A century is as good as never.
            let (seconds, rest) = min(self, .seconds(3_000_000_000)).components
            return gint64(seconds) * 1_000_000 + gint64((rest + 999_999_999_999) / 1_000_000_000_000)
        }
    }

    /// What C holds of a slot: a way to it that does not keep it alive.
    final class SlotLink: @unchecked Sendable {
        // Unchecked: read and written on GTK's thread alone.
        weak var slot: PictureSlot?
        init(_ slot: PictureSlot? = nil) { self.slot = slot }
    }
#endif
