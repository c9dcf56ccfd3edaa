#if GTK
    import CGTK

    /// Tells widgets in one GtkScrolledWindow whether they can be seen: mapped ones may be far outside of its page. A widget that is
    /// at most half a page away counts as seen. Checked after a layout and before the painting, so that it loads in its first frame.
    ///
    /// Belongs to the scrolled window and ends with it.
    @GTKActor final class ScrollSight {
        private static let key = "gannet-sight"
        /// Unowned: the scrolled window holds this object.
        private let scroller: GTKWidget
        private var seen: [GTKWidget: Watched] = [:]
        private var isDue = false
        /// The clock of the window that it is in; nil: not connected yet.
        private var clock: OpaquePointer?

        /// One widget; its signals hold it.
        private final class Watched {
            let tell: @GTKActor (Bool) -> Void
            var isSeen = true
            weak var sight: ScrollSight?

            init(_ tell: @escaping @GTKActor (Bool) -> Void) { self.tell = tell }
        }

        /// Calls `tell` when a mapped widget leaves or enters the page of its scrolled window. Each mapping begins as seen, and a widget
        /// in no scrolled window stays so.
        static func watch(_ widget: GTKWidget, tell: @escaping @GTKActor (Bool) -> Void) {
            let watched = Watched(tell)
            widget.connect("map") {
                watched.isSeen = true
                guard let scroller = gtk_widget_get_ancestor(widget.widget, gtk_scrolled_window_get_type()) else { return }
                let sight = of(GTKWidget(scroller))
                watched.sight = sight
                sight.seen[widget] = watched
                sight.check()
            }
            widget.connect("unmap") { watched.sight?.seen[widget] = nil }
        }

        private static func of(_ scroller: GTKWidget) -> ScrollSight {
            if let found = Handed.object(g_object_get_data(scroller.object, key), as: ScrollSight.self) { return found }
            let sight = ScrollSight(scroller)
            g_object_set_data_full(scroller.object, key, Handed.retain(sight), Handed.release)
            return sight
        }

        private init(_ scroller: GTKWidget) {
            self.scroller = scroller
            let window = OpaquePointer(scroller.raw)
            for adjustment in [gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window)] {
                guard let adjustment = adjustment.map({ GTKWidget($0) }) else { continue }
                for signal in ["value-changed", "changed"] { adjustment.connect(signal) { [weak self] in self?.check() } }
            }
            // The next window has another clock.
            scroller.connect("unrealize") { [weak self] in self?.clock = nil }
        }

        /// In the next frame.
        private func check() {
            guard !seen.isEmpty, let current = gtk_widget_get_frame_clock(scroller.widget) else { return }
            isDue = true
            if current != clock {
                clock = current
                // Connected later than GTK's own handler, so that it runs after the layout.
                GTKWidget(current).connect("layout") { [weak self] in self?.layoutEnded() }
            }
            gdk_frame_clock_request_phase(current, GDK_FRAME_CLOCK_PHASE_LAYOUT)
        }

        private func layoutEnded() {
            guard isDue else { return }
            isDue = false
            let width = Float(gtk_widget_get_width(scroller.widget))
            let height = Float(gtk_widget_get_height(scroller.widget))
            for (widget, watched) in seen {
                var bounds = graphene_rect_t()
                guard gtk_widget_compute_bounds(widget.widget, scroller.widget, &bounds) != 0 else { continue }
                let (origin, size) = (bounds.origin, bounds.size)
                let isNear = origin.x < width * 1.5 && origin.x + size.width > width * -0.5
                let isSeen = isNear && origin.y < height * 1.5 && origin.y + size.height > height * -0.5
                guard watched.isSeen != isSeen else { continue }
                watched.isSeen = isSeen
                watched.tell(isSeen)
            }
        }
    }
#endif
