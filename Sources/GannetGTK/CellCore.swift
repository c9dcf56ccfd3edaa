#if GTK
    import CGTK
    import CGannetShims
    import GannetCore
    import GannetImages
    import GannetViews

    /// State held by the signals of a ``ImageCells/factory``; lives as long as a view uses the factory.
    @GTKActor final class CellCore {
        let width: Int
        let height: Int
        let request: @GTKActor (Int) -> ImageRequest?
        var onSetup: (@GTKActor (ImageView) -> Void)?
        var onBind: (@GTKActor (ImageView, Int) -> Void)?
        var onResult: (@GTKActor (Int, Result<LoadedImage, ImageError>) -> Void)?
        var loader: (any ImageLoading)?
        var bounds = 0..<Int.max
        var ahead = 0
        var startPrefetch: (@GTKActor (ImageRequest) -> @Sendable () -> Void)?
        /// Bound cells by GtkListItem. An item's position changes when the caller's model inserts before it.
        private(set) var cells: [UnsafeMutableRawPointer: Cell] = [:]
        /// Holds one reference; the list holds none back.
        private(set) var list: UnsafeMutableRawPointer?
        private var window = PrefetchWindow()
        private var prefetched = PrefetchPlan()
        private var isPlanPending = false

        /// A class, because a request is large, and all cells are looked through in each frame of a scroll.
        final class Cell {
            let item: UnsafeMutableRawPointer
            let view: ImageView
            /// Bound, but too far from the screen to load.
            var held: ImageRequest?
            var running: ImageRequest?
            /// For a cell without alternative text.
            var fallbackName: String?
            /// The failure of the newest load, until another one succeeds.
            var failure: ImageError?

            init(_ item: UnsafeMutableRawPointer, _ view: ImageView) { (self.item, self.view) = (item, view) }

            /// The widget that GTK makes around a view: the row of a list, the cell of a grid.
            @GTKActor var row: UnsafeMutableRawPointer? {
                gtk_widget_get_parent(view.widget.widget).map { UnsafeMutableRawPointer($0) }
            }
            @GTKActor var position: Int { Int(gtk_list_item_get_position(OpaquePointer(item))) }
        }

        func view(at position: Int) -> ImageView? { cells.values.first { $0.position == position }?.view }

        private static let key = "gannet-cell"

        init(_ width: Int, _ height: Int, _ request: @escaping @GTKActor (Int) -> ImageRequest?) {
            self.width = width
            self.height = height
            self.request = request
        }

        isolated deinit {
            prefetched.cancelAll()
            detach()
            if let list { g_object_unref(list) }
        }

        /// Takes over the reference.
        func setList(_ new: UnsafeMutableRawPointer) {
            if let list { g_object_unref(list) }
            list = new
        }

        // MARK: The factory's signals; the argument is a GtkListItem

        func setup(_ item: UnsafeMutableRawPointer) {
            let view = ImageView()
            if let loader { view.gannet.loader = loader }
            view.setSizeRequest(width: width, height: height)
            gtk_list_item_set_child(OpaquePointer(item), view.widget.widget)
            g_object_set_data_full(
                item.assumingMemoryBound(to: GObject.self), Self.key, Handed.retain(view), Handed.release)
            onSetup?(view)
        }

        func bind(_ item: UnsafeMutableRawPointer) {
            guard let view = view(of: item) else { return }
            let position = Int(gtk_list_item_get_position(OpaquePointer(item)))
            cells[item] = Cell(item, view)
            onBind?(view, position)
            let request = request(position).map { sized($0, view) }
            cells[item]?.fallbackName = request?.source.shortName
            name(item)
            view.onText = { [weak self] in self?.name(item) }
            // Lists bind many cells far from the screen; those wait. An image in memory costs nothing.
            if let request, isFollowing, !(loader ?? GannetToolkit.loader).hasCachedImage(for: request) {
                cells[item]?.held = request
                view.gannet.reset()
            } else {
                load(request, item, view)
            }
            plan()
        }

        func unbind(_ item: UnsafeMutableRawPointer) {
            guard let bound = cells.removeValue(forKey: item) else { return }
            bound.view.onText = nil
            bound.view.gannet.reset()
        }

        private func load(_ request: ImageRequest?, _ item: UnsafeMutableRawPointer, _ view: ImageView) {
            guard request != nil else { return view.gannet.reset() }
            let position = Int(gtk_list_item_get_position(OpaquePointer(item)))
            view.gannet.setImage(with: request) { [weak self] result in
                guard let self else { return }
                // The item of a recycled cell may be reused or gone.
                let cell = self.cells[item].flatMap { $0.view === view ? $0 : nil }
                if let cell { self.note(result, of: cell) }
                self.onResult?(cell?.position ?? position, result)
            }
        }

        private func note(_ result: Result<LoadedImage, ImageError>, of cell: Cell) {
            if case .failure(let error) = result {
                if error.code == .cancelled { return }
                cells[cell.item]?.failure = error
            } else {
                cells[cell.item]?.failure = nil
            }
            name(cell.item)
        }

        /// Names the row for screen readers, which GTK would call by its type: the image's alternative text, or the end of its
        /// source's path, and why it cannot be shown.
        private func name(_ item: UnsafeMutableRawPointer) {
            guard let cell = cells[item], let row = cell.row else { return }
            let name = cell.view.alternativeText ?? cell.fallbackName ?? "Image \(cell.position + 1)"
            gannet_gtk_set_label(row, cell.failure.map { "\(name): \($0.message)" } ?? name)
        }

        /// Moves the keyboard's focus to a position that has a cell, and shows where it is. False: it has no cell.
        func focus(_ position: Int) -> Bool {
            guard let row = cells.values.first(where: { $0.position == position })?.row else { return false }
            let widget = row.assumingMemoryBound(to: GtkWidget.self)
            guard gtk_widget_grab_focus(widget) != 0 else { return false }
            if let root = gtk_widget_get_root(widget) {
                gtk_window_set_focus_visible(UnsafeMutableRawPointer(root).assumingMemoryBound(to: GtkWindow.self), 1)
            }
            return true
        }

        private func view(of item: UnsafeMutableRawPointer) -> ImageView? {
            Handed.object(g_object_get_data(item.assumingMemoryBound(to: GObject.self), Self.key), as: ImageView.self)
        }

        /// Sets the target to the cell's size in pixels, so that prefetched images have the same key.
        private func sized(_ request: ImageRequest, _ view: ImageView) -> ImageRequest {
            guard request.decode.target == nil, !request.transform.needsWholeImage else { return request }
            let scale = Int(gtk_widget_get_scale_factor(view.widget.widget))
            let pixels = PixelSize(clamping: width * scale, height * scale)
            var request = request
            request.decode.target = view.gannet.contentMode.target(for: pixels).map { .size($0) }
            return request
        }

        // MARK: Near cells

        /// Positions on screen, in order.
        private(set) var visible: Range<Int>?

        private var isFollowing = false
        private var wasNudged = false
        private var clock: OpaquePointer?
        private var onPaint: UInt = 0
        /// The list while it is realized. Cells may be nested deeper than in a row, as in a GtkColumnView.
        private(set) var followed: GTKWidget?

        /// Plans after each frame in which cells were bound or moved: positions are unknown before the layout.
        func follow(_ list: GTKWidget) {
            isFollowing = true
            // Cells that were bound while the list was hidden wait for this.
            list.connect("map") { [weak self] in self?.plan() }
            list.connect("realize") { [weak self] in self?.attach(list) }
            list.connect("unrealize") { [weak self] in self?.detach() }
        }

        private func attach(_ list: GTKWidget) {
            detach()
            guard let new = gtk_widget_get_frame_clock(list.widget) else { return }
            clock = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(new)))
            followed = list
            onPaint = GTKWidget(new).connect("after-paint") { [weak self] in self?.carryOut() }
            isPlanPending = false
            plan()
        }

        private func detach() {
            guard let clock else { return }
            g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), onPaint)
            g_object_unref(UnsafeMutableRawPointer(clock))
            self.clock = nil
            followed = nil
        }

        func plan() {
            guard !isPlanPending, let clock else { return }
            isPlanPending = true
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
        }

        private func carryOut() {
            guard isPlanPending else { return }
            isPlanPending = false
            // Lists unmap cells out of sight and leave them in place.
            guard let followed else { return }
            let seen = cells.values.filter { Self.isSeen($0.view, in: followed.widget) }.map(\.position)
            guard let first = seen.min(), let last = seen.max() else { return }
            nudge(followed)
            visible = first..<(last + 1)
            let count = seen.count
            // Callbacks may bind and unbind cells: an item of the copy may be gone.
            for item in Array(cells.keys) {
                guard let cell = cells[item] else { continue }
                let distance = max(first - cell.position, cell.position - last)
                if distance <= (count + 1) / 2 {
                    guard let request = cell.held else { continue }
                    cells[item]?.held = nil
                    cells[item]?.running = request
                    load(request, item, cell.view)
                } else if distance > count, cell.view.gannet.isLoading, let request = cell.running {
                    cells[item]?.running = nil
                    cells[item]?.held = request
                    cell.view.gannet.reset()
                }
            }
            prefetch()
        }

        /// Scrolls by one point and back: after its first jump, a list that was never scrolled shows nothing in GTK 4.8.
        private func nudge(_ list: GTKWidget) {
            guard !wasNudged else { return }
            wasNudged = true
            for get in [gtk_scrollable_get_hadjustment, gtk_scrollable_get_vadjustment] {
                guard let adjustment = get(OpaquePointer(list.raw)) else { continue }
                let value = gtk_adjustment_get_value(adjustment)
                gtk_adjustment_set_value(adjustment, value + 1)
                gtk_adjustment_set_value(adjustment, value)
            }
        }

        /// Whether the view is inside the list's allocation, which is the visible part.
        private static func isSeen(_ view: ImageView, in list: UnsafeMutablePointer<GtkWidget>) -> Bool {
            let cell = view.widget.widget
            guard gtk_widget_get_mapped(cell) != 0 else { return false }
            var bounds = graphene_rect_t()
            guard gtk_widget_compute_bounds(cell, list, &bounds) != 0 else { return false }
            return bounds.origin.x + bounds.size.width > 0 && bounds.origin.y + bounds.size.height > 0
                && bounds.origin.x < Float(gtk_widget_get_width(list)) && bounds.origin.y < Float(gtk_widget_get_height(list))
        }

        private func prefetch() {
            guard let startPrefetch, ahead > 0, let visible, let view = view(at: visible.lowerBound),
                let wanted = window.move(to: visible, ahead: ahead, in: bounds)
            else { return }
            let requests = wanted.compactMap { request($0).map { sized($0, view) } }
            let seen = visible.compactMap { request($0).map { sized($0, view) } }
            for new in prefetched.move(to: requests, keeping: seen) {
                prefetched.began(new.key, cancel: startPrefetch(new.request))
            }
        }
    }
#endif
