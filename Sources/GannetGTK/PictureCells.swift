#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore
    public import GannetPipeline

    /// Cells for GtkGridView and GtkListView that show pictures: they load when they are bound, cancel when they are recycled, and
    /// ask for what comes next.
    ///
    /// ```swift
    /// let cells = PictureCells(width: 160, height: 160) { ImageRequest(urls[$0]) }
    /// cells.onSetup = { $0.gannet.placeholder = .color(.middleGray) }
    /// cells.prefetches(24, with: ImagePrefetcher(manager: manager))
    /// let grid = cells.makeGridView(count: urls.count) { print("activated", urls[$0]) }
    /// gtk_scrolled_window_set_child(scroller, grid.raw.assumingMemoryBound(to: GtkWidget.self))
    /// ```
    ///
    /// GTK binds many more cells than are seen. Those that are further away than half a page hold no load; they show at once what is in
    /// memory. Every picture is decoded for the size of a cell, so that what was prefetched is what is shown.
    @GTKActor public final class PictureCells {
        /// A GtkListItemFactory, for views and models of your own. This object owns one reference; the cells stay alive without it.
        public let factory: UnsafeMutableRawPointer
        private let core: CellCore

        /// Points of a cell. `request` is asked when a position is bound or comes near; nil: only the placeholder is shown.
        public init(width: Int, height: Int, request: @escaping @GTKActor (_ position: Int) -> ImageRequest?) {
            factory = UnsafeMutableRawPointer(gtk_signal_list_item_factory_new())
            let core = CellCore(width, height, request)
            self.core = core
            let signals = GTKWidget(factory)
            signals.connectPointer("setup") { core.setup($0) }
            signals.connectPointer("bind") { core.bind($0) }
            signals.connectPointer("unbind") { core.unbind($0) }
            // The last that is heard of an item: its address may be another's from here on.
            signals.connectPointer("teardown") { core.unbind($0) }
        }

        isolated deinit { g_object_unref(factory) }

        /// Called once for each new cell: indicator, placeholder, transition, content mode.
        public var onSetup: (@GTKActor (PictureView) -> Void)? {
            get { core.onSetup }
            set { core.onSetup = newValue }
        }
        /// Called before a cell shows a position: alternative text, and what else depends on it.
        public var onBind: (@GTKActor (PictureView, _ position: Int) -> Void)? {
            get { core.onBind }
            set { core.onBind = newValue }
        }
        /// Called when a cell's load has ended: with its picture, with why there is none, or as `cancelled` when the cell scrolled away.
        public var onResult: (@GTKActor (_ position: Int, Result<LoadedImage, ImageError>) -> Void)? {
            get { core.onResult }
            set { core.onResult = newValue }
        }
        /// Where the cells load from, instead of ``GannetToolkit/loader``.
        public var loader: (any ImageLoading)? {
            get { core.loader }
            set { core.loader = newValue }
        }
        /// Positions on screen.
        public var visiblePositions: Range<Int> { core.visible ?? 0..<0 }
        /// Positions that have a cell, on screen or not.
        public var boundPositions: [Int] { core.cells.values.map(\.position).sorted() }
        /// The cell that shows a position.
        public func view(at position: Int) -> PictureView? { core.view(at: position) }

        /// Loads the next `count` pictures in the direction of scrolling, at low priority. What is no longer near is cancelled.
        public func prefetches(_ count: Int, with prefetcher: ImagePrefetcher) {
            prefetches(count) { request in
                let batch = prefetcher.prefetch([request])
                return { batch.cancel() }
            }
        }

        /// As above, by a closure: it starts one picture that comes near, and answers what cancels it.
        public func prefetches(_ count: Int, start: @escaping @GTKActor (ImageRequest) -> @Sendable () -> Void) {
            core.ahead = count
            core.startPrefetch = start
        }

        // MARK: Views

        /// A GtkGridView of `count` cells, floating as constructors of GTK are: put it into a GtkScrolledWindow. GTK makes about 30 rows
        /// of `maximumColumns` cells whatever is seen of them, so do not ask for more columns than the window has.
        public func makeGridView(
            count: Int, maximumColumns: Int = 8, onActivate: (@GTKActor (_ position: Int) -> Void)? = nil
        ) -> GTKWidget {
            let grid = GTKWidget(gtk_grid_view_new(OpaquePointer(selection(count)), own()))
            gtk_grid_view_set_max_columns(OpaquePointer(grid.raw), UInt32(clamping: max(maximumColumns, 1)))
            follow(grid)
            gtk_grid_view_set_single_click_activate(OpaquePointer(grid.raw), 1)
            if let onActivate { grid.connectInt("activate") { onActivate(Int($0)) } }
            return grid
        }

        /// A GtkListView, likewise. For a row of pictures set its orientation.
        public func makeListView(count: Int, onActivate: (@GTKActor (_ position: Int) -> Void)? = nil) -> GTKWidget {
            let list = GTKWidget(gtk_list_view_new(OpaquePointer(selection(count)), own()))
            follow(list)
            gtk_list_view_set_single_click_activate(OpaquePointer(list.raw), 1)
            if let onActivate { list.connectInt("activate") { onActivate(Int($0)) } }
            return list
        }

        /// The number of positions of the view that was made last changes at its end.
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

        /// Positions mean other pictures now: their cells ask again.
        public func reload(_ positions: Range<Int>) {
            guard let list = core.list else { return }
            let positions = positions.clamped(to: core.bounds)
            guard !positions.isEmpty else { return }
            gannet_gtk_index_list_change(list, UInt32(positions.lowerBound), UInt32(positions.count), UInt32(positions.count))
        }

        /// For a GtkListView, GtkGridView or GtkColumnView of your own that uses ``factory``: far cells wait, and what comes next is prefetched. Call it before the
        /// list is shown. Without it every cell that GTK binds loads.
        public func follow(_ list: GTKWidget) {
            let core = core
            core.follow(list)
            // Scrolling and resizing move cells without binding them.
            for (property, get) in [
                ("notify::vadjustment", gtk_scrollable_get_vadjustment), ("notify::hadjustment", gtk_scrollable_get_hadjustment),
            ] {
                // Adjustments are the scroller's, and stay when the list is replaced by another one: the factory holds the core.
                list.connectPointer(property) { [raw = list.raw, weak core] _ in
                    guard let core, let adjustment = get(OpaquePointer(raw)) else { return }
                    for signal in ["value-changed", "changed"] {
                        GTKWidget(adjustment).connect(signal) { [weak core] in core?.plan() }
                    }
                }
            }
        }

        /// A reference for a view, which takes it.
        private func own() -> OpaquePointer { OpaquePointer(g_object_ref(factory)) }

        private func selection(_ count: Int) -> UnsafeMutableRawPointer {
            guard let list = gannet_gtk_index_list_new(UInt32(clamping: count)) else { preconditionFailure("no memory") }
            core.bounds = 0..<max(count, 0)
            core.setList(list)
            // The selection takes a reference of its own.
            return UnsafeMutableRawPointer(gtk_no_selection_new(OpaquePointer(g_object_ref(list))))
        }
    }
#endif
