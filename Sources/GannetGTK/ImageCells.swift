#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore
    public import GannetImages
    public import GannetViews

    /// Image cells for GtkGridView and GtkListView: they load when bound, cancel when recycled, and prefetch what comes next.
    ///
    /// ```swift
    /// let cells = ImageCells(width: 160, height: 160) { ImageRequest(urls[$0]) }
    /// cells.onSetup = { $0.gannet.placeholder = .color(.middleGray) }
    /// cells.prefetches(24, with: ImagePrefetcher(manager: manager))
    /// let grid = cells.makeGridView(count: urls.count) { print("activated", urls[$0]) }
    /// gtk_scrolled_window_set_child(scroller, grid.raw.assumingMemoryBound(to: GtkWidget.self))
    /// ```
    ///
    /// GTK binds many more cells than are visible. Cells further away than half a page do not load; they show only images in
    /// memory. Every image is decoded at cell size, so prefetched images are hits.
    @GTKActor public final class ImageCells {
        /// A GtkListItemFactory for the caller's own views and models. This object owns one reference; the cells stay alive
        /// without it.
        public let factory: UnsafeMutableRawPointer
        private let core: CellCore

        /// Size of a cell in points. `request` is called when a position is bound or comes near; nil: only the placeholder is
        /// shown.
        public init(width: Int, height: Int, request: @escaping @GTKActor (_ position: Int) -> ImageRequest?) {
            factory = UnsafeMutableRawPointer(gtk_signal_list_item_factory_new())
            let core = CellCore(width, height, request)
            self.core = core
            let signals = GTKWidget(factory)
            signals.connectPointer("setup") { core.setup($0) }
            signals.connectPointer("bind") { core.bind($0) }
            signals.connectPointer("unbind") { core.unbind($0) }
            // The item's last signal: its address may be reused from here on.
            signals.connectPointer("teardown") { core.unbind($0) }
        }

        isolated deinit { g_object_unref(factory) }

        /// Called once for each new cell: indicator, placeholder, transition, content mode.
        public var onSetup: (@GTKActor (ImageView) -> Void)? {
            get { core.onSetup }
            set { core.onSetup = newValue }
        }
        /// Called before a cell shows a position: set alternative text and other content here.
        public var onBind: (@GTKActor (ImageView, _ position: Int) -> Void)? {
            get { core.onBind }
            set { core.onBind = newValue }
        }
        /// Called when a cell's load ends: with its image, its error, or `cancelled` when the cell scrolled away.
        public var onResult: (@GTKActor (_ position: Int, Result<LoadedImage, ImageError>) -> Void)? {
            get { core.onResult }
            set { core.onResult = newValue }
        }
        /// The cells' loader; nil: ``GannetToolkit/loader``.
        public var loader: (any ImageLoading)? {
            get { core.loader }
            set { core.loader = newValue }
        }
        /// Positions on screen.
        public var visiblePositions: Range<Int> { core.visible ?? 0..<0 }
        /// Positions that have a cell, on screen or not.
        public var boundPositions: [Int] { core.cells.values.map(\.position).sorted() }
        /// The cell that shows a position.
        public func view(at position: Int) -> ImageView? { core.view(at: position) }

        /// Prefetches the next `count` images in scroll direction, at low priority. Images that are no longer near are
        /// cancelled.
        public func prefetches(_ count: Int, with prefetcher: ImagePrefetcher) {
            prefetches(count) { request in
                let batch = prefetcher.prefetch([request])
                return { batch.cancel() }
            }
        }

        /// Prefetches with a closure that starts one nearby image and returns the closure that cancels it.
        public func prefetches(_ count: Int, start: @escaping @GTKActor (ImageRequest) -> @Sendable () -> Void) {
            core.ahead = count
            core.startPrefetch = start
        }

        /// Moves the keyboard's focus to a position and shows the focus ring; scrolls there first if it has no cell.
        func focus(_ position: Int) {
            guard core.bounds.contains(position), !core.focus(position), let shown = core.followed else { return }
            let target = g_variant_ref_sink(g_variant_new_uint32(UInt32(position)))
            gtk_widget_activate_action_variant(shown.widget, "list.scroll-to-item", target)
            g_variant_unref(target)
            if !core.focus(position) { gtk_widget_grab_focus(shown.widget) }
        }

        // MARK: Views

        /// A GtkGridView of `count` cells, with a floating reference: put it into a GtkScrolledWindow. As many columns as fit into
        /// its width, also after that has changed, but never more than `maximumColumns`.
        public func makeGridView(
            count: Int, maximumColumns: Int? = nil, onActivate: (@GTKActor (_ position: Int) -> Void)? = nil
        ) -> GTKWidget {
            let grid = GTKWidget(gtk_grid_view_new(OpaquePointer(selection(count)), own()))
            GridColumns(grid, cell: core.width, maximum: maximumColumns).follow()
            follow(grid)
            gtk_grid_view_set_single_click_activate(OpaquePointer(grid.raw), 1)
            if let onActivate { grid.connectInt("activate") { onActivate(Int($0)) } }
            return grid
        }

        /// A GtkListView, likewise. Set its orientation for a row of images.
        public func makeListView(count: Int, onActivate: (@GTKActor (_ position: Int) -> Void)? = nil) -> GTKWidget {
            let list = GTKWidget(gtk_list_view_new(OpaquePointer(selection(count)), own()))
            follow(list)
            gtk_list_view_set_single_click_activate(OpaquePointer(list.raw), 1)
            if let onActivate { list.connectInt("activate") { onActivate(Int($0)) } }
            return list
        }

        /// Changes the number of positions of the newest view, at its end.
        public func setCount(_ count: Int) {
            core.bounds = 0..<max(count, 0)
            guard let list = core.list else { return }
            let count = max(count, 0)
            let old = Int(g_list_model_get_n_items(OpaquePointer(list)))
            if count > old {
                gannet_gtk_index_list_change(list, UInt32(old), 0, UInt32(count - old))
            } else if count < old {
                gannet_gtk_index_list_change(list, UInt32(count), UInt32(old - count), 0)
            }
        }

        /// Reloads positions whose images have changed.
        public func reload(_ positions: Range<Int>) {
            guard let list = core.list else { return }
            let positions = positions.clamped(to: core.bounds)
            guard !positions.isEmpty else { return }
            gannet_gtk_index_list_change(list, UInt32(positions.lowerBound), UInt32(positions.count), UInt32(positions.count))
        }

        /// Makes the caller's own GtkListView, GtkGridView or GtkColumnView that uses ``factory`` prefetch, and keeps far cells
        /// from loading. Call it before the list is shown. Without it, every bound cell loads.
        public func follow(_ list: GTKWidget) {
            let core = core
            core.follow(list)
            // Scrolling and resizing move cells without binding them. The factory holds the core.
            list.whenScrollable { [weak core] in core?.plan() }
        }

        /// A new reference for a view, which takes it over.
        private func own() -> OpaquePointer { OpaquePointer(g_object_ref(factory)) }

        private func selection(_ count: Int) -> UnsafeMutableRawPointer {
            guard let list = gannet_gtk_index_list_new(UInt32(clamping: count)) else { preconditionFailure("no memory") }
            core.bounds = 0..<max(count, 0)
            core.setList(list)
            // The selection takes its own reference.
            return UnsafeMutableRawPointer(gtk_no_selection_new(OpaquePointer(g_object_ref(list))))
        }
    }
#endif
