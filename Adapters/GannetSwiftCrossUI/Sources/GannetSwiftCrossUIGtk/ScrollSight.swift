import CGtk

/// Tells widgets in one GtkScrolledWindow whether they can be seen: mapped ones may be far outside of its page. What is at most half a
/// page away counts as seen. Checked after a layout and before the painting.
///
/// Belongs to the scrolled window and ends with it. All pointers are GTK's; a widget is listed while it is mapped, and lives as long.
@MainActor final class ScrollSight {
    private static let key = "gannet-sight"
    /// Unowned: the scrolled window holds this object.
    private let scroller: UnsafeMutablePointer<GtkWidget>
    private var seen: [UnsafeMutablePointer<GtkWidget>: Watched] = [:]
    private var isDue = false
    /// The clock of the window that it is in; nil: not connected yet.
    private var clock: OpaquePointer?

    /// One widget; its signals hold it.
    private final class Watched {
        let tell: @MainActor (Bool) -> Void
        /// Nil: not checked yet.
        var isSeen: Bool?
        weak var sight: ScrollSight?

        init(_ tell: @escaping @MainActor (Bool) -> Void) { self.tell = tell }

        @MainActor func set(_ isSeen: Bool) {
            guard self.isSeen != isSeen else { return }
            self.isSeen = isSeen
            tell(isSeen)
        }
    }

    /// Calls `tell` after the first layout, and when the answer changes. In no scrolled window the widget is seen while it is mapped.
    static func watch(_ widget: UnsafeMutablePointer<GtkWidget>, tell: @escaping @MainActor (Bool) -> Void) {
        let watched = Watched(tell)
        connect(widget, "map") {
            guard let scroller = gtk_widget_get_ancestor(widget, gtk_scrolled_window_get_type()) else { return watched.set(true) }
            let sight = of(scroller)
            watched.sight = sight
            sight.seen[widget] = watched
            sight.check()
        }
        connect(widget, "unmap") {
            watched.sight?.seen[widget] = nil
            watched.set(false)
        }
    }

    private static func of(_ scroller: UnsafeMutablePointer<GtkWidget>) -> ScrollSight {
        let object = UnsafeMutableRawPointer(scroller).assumingMemoryBound(to: GObject.self)
        if let found = g_object_get_data(object, key) {
            return Unmanaged<ScrollSight>.fromOpaque(found).takeUnretainedValue()
        }
        let sight = ScrollSight(scroller)
        g_object_set_data_full(object, key, Unmanaged.passRetained(sight).toOpaque()) { data in
            if let data { Unmanaged<ScrollSight>.fromOpaque(data).release() }
        }
        return sight
    }

    private init(_ scroller: UnsafeMutablePointer<GtkWidget>) {
        self.scroller = scroller
        let window = OpaquePointer(scroller)
        for adjustment in [gtk_scrolled_window_get_hadjustment(window), gtk_scrolled_window_get_vadjustment(window)] {
            guard let adjustment else { continue }
            for signal in ["value-changed", "changed"] { connect(adjustment, signal) { [weak self] in self?.check() } }
        }
        // The next window has another clock.
        connect(scroller, "unrealize") { [weak self] in self?.clock = nil }
    }

    /// In the next frame.
    private func check() {
        guard !seen.isEmpty, let current = gtk_widget_get_frame_clock(scroller) else { return }
        isDue = true
        if current != clock {
            clock = current
            // Connected later than GTK's own handler, so that it runs after the layout.
            connect(UnsafeMutableRawPointer(current), "layout") { [weak self] in self?.layoutEnded() }
        }
        gdk_frame_clock_request_phase(current, GDK_FRAME_CLOCK_PHASE_LAYOUT)
    }

    private func layoutEnded() {
        guard isDue else { return }
        isDue = false
        let width = Float(gtk_widget_get_width(scroller))
        let height = Float(gtk_widget_get_height(scroller))
        for (widget, watched) in seen {
            var bounds = graphene_rect_t()
            guard gtk_widget_compute_bounds(widget, scroller, &bounds) != 0 else { continue }
            let (origin, size) = (bounds.origin, bounds.size)
            let isNear = origin.x < width * 1.5 && origin.x + size.width > width * -0.5
            watched.set(isNear && origin.y < height * 1.5 && origin.y + size.height > height * -0.5)
        }
    }
}

/// A closure for a signal.
private final class Handler: Sendable {
    let call: @MainActor () -> Void
    init(_ call: @escaping @MainActor () -> Void) { self.call = call }
}

/// GObject keeps the closure until the signal is disconnected, at the latest with the instance. GTK signals on the main thread.
@MainActor private func connect(
    _ instance: UnsafeMutableRawPointer, _ signal: String, _ call: @escaping @MainActor () -> Void
) {
    typealias Callback = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
    let callback: Callback = { _, data in
        guard let data else { return }
        let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
        MainActor.assumeIsolated { handler.call() }
    }
    g_signal_connect_data(
        instance, signal, unsafeBitCast(callback, to: GCallback.self), Unmanaged.passRetained(Handler(call)).toOpaque(),
        { data, _ in if let data { Unmanaged<Handler>.fromOpaque(data).release() } }, GConnectFlags(0))
}
