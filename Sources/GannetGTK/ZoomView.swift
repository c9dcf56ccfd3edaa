#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore
    import GannetImages
    import GannetViews

    /// One image as large as its place, to zoom and pan by Ctrl and the wheel, pinching or dragging; ``zoom(by:)`` is for keys.
    ///
    /// The image is decoded for the visible size. Zooming in decodes it again, sharper, up to its own size. Of a JPEG, PNG or TIFF of more
    /// than 16 megapixels only the visible part is decoded again, in tiles, so that memory follows the window and not the image.
    @GTKActor public final class ZoomView {
        /// A GtkScrolledWindow.
        public let widget: GTKWidget
        /// The view of the image: set it with `view.gannet`.
        public let view: ImageView
        /// Points for each image pixel; nil: fit, never enlarged.
        public private(set) var zoom: Double?
        /// Called when ``zoom`` changes.
        public var onZoom: (() -> Void)?
        private var natural = LayoutSize.zero
        private var dragStart = Pair(x: 0, y: 0)
        private var pinchStart = 1.0

        /// The range that ``setZoom(_:)`` clamps to.
        public static let zooms = 0.02...32.0

        /// Traps if GTK is not initialised. Starts with the whole image.
        public init(alternativeText: String? = nil) {
            view = ImageView(alternativeText: alternativeText)
            guard let scroller = gtk_scrolled_window_new() else { fatalError("GTK is not initialised") }
            g_object_ref_sink(scroller)
            widget = GTKWidget(scroller)
            gtk_scrolled_window_set_child(OpaquePointer(scroller), view.widget.widget)
            gtk_widget_set_hexpand(scroller, 1)
            gtk_widget_set_vexpand(scroller, 1)
            gtk_widget_set_focusable(scroller, 1)
            view.gannet.contentMode = .scaleDown
            // Also when it is loaded again.
            slot.presenter.onOutcome = { [weak self] result in
                if case .success(let loaded) = result { self?.learn(loaded.image) }
            }
            listen()
        }

        isolated deinit { g_object_unref(widget.raw) }

        /// Shows an image, at first all of it. `thumbnail` is shown until more has loaded.
        public func show(_ request: ImageRequest?, thumbnail: DecodedImage? = nil) {
            show(request, thumbnail: thumbnail, completion: nil)
        }

        /// The same, and calls back: `completion` exactly once and last.
        public func show(
            _ request: ImageRequest?, thumbnail: DecodedImage? = nil, progress: ((LoadProgress) -> Void)? = nil,
            completion: ((Result<LoadedImage, ImageError>) -> Void)?
        ) {
            setZoom(nil)
            natural = .zero
            var options = PresentationOptions()
            options.placeholder = thumbnail.map { .image(Self.asLargeAsWhole($0)) }
            view.gannet.setImage(
                with: request, options: options, progress: progress,
                completion: { [weak self] result in
                    if case .success(let loaded) = result { self?.learn(loaded.image) }
                    completion?(result)
                })
        }

        /// In points, so that nothing moves when the image comes. An animated thumbnail stays as it is.
        private static func asLargeAsWhole(_ thumbnail: DecodedImage) -> DecodedImage {
            guard case .still(let bitmap, var metadata) = thumbnail, metadata.originalSize.width > 0 else { return thumbnail }
            metadata.scale *= Double(bitmap.width) / Double(metadata.originalSize.width)
            return .still(bitmap, metadata)
        }

        private func learn(_ image: DecodedImage) {
            let size = image.metadata.originalSize
            natural = LayoutSize(width: Double(size.width), height: Double(size.height))
            startTiles(of: image)
        }

        // MARK: Tiles

        /// Images of more pixels are shown by tiles.
        package var largestWhole = 16_000_000

        private var slot: ImageSlot { view.gannet.images.slot(.main) }

        /// The tiles over the image that is shown, if it is one of those.
        package var tiles: TileLayer? { slot.tiles }

        private func startTiles(of image: DecodedImage) {
            let presenter = slot.presenter
            if let tiles = slot.tiles, tiles.call == presenter.callNumber { return }
            guard case .still(let base, let metadata) = image, metadata.knowsOriginal,
                metadata.originalSize.area > largestWhole, base.size.area < metadata.originalSize.area,
                let format = metadata.format, ["jpeg", "png", "tiff"].contains(format.identifier),
                presenter.image?.bitmap.identity == base.identity,
                let wanted = presenter.shownRequest, let manager = presenter.loader as? ImageManager
            else { return }
            slot.setTiles(
                TileLayer(
                    over: base, call: presenter.callNumber, size: metadata.originalSize,
                    visible: { [weak self] in self?.visible ?? LayoutRect(x: 0, y: 0, width: 0, height: 0) },
                    open: { await ImageSlot.regions(of: wanted.cached, or: wanted.fallback, manager) },
                    onTile: { [weak self] in self?.slot.redraw() }, onFailure: { [weak self] in self?.slot.growWithoutTiles() }))
        }

        /// The part of the view that is on screen.
        private var visible: LayoutRect {
            LayoutRect(
                x: gtk_adjustment_get_value(horizontal), y: gtk_adjustment_get_value(vertical),
                width: gtk_adjustment_get_page_size(horizontal), height: gtk_adjustment_get_page_size(vertical))
        }

        // MARK: Zooming

        /// The current zoom, also when the image is fitted.
        public var effectiveZoom: Double {
            if let zoom { return zoom }
            guard natural.width > 0, natural.height > 0 else { return 1 }
            let place = gtk_widget_get_width(widget.widget)
            let height = gtk_widget_get_height(widget.widget)
            return min(Double(place) / natural.width, Double(height) / natural.height, 1)
        }

        /// Multiplies the current zoom around the middle of the visible part; above 1 enlarges. Does nothing before the image
        /// is loaded.
        public func zoom(by factor: Double) { setZoom(effectiveZoom * factor) }

        /// Sets the zoom; nil: fit. The middle of the visible part stays in the middle.
        public func setZoom(_ new: Double?) {
            guard new?.isNaN != true else { return }
            let new = new.map { min(max($0, Self.zooms.lowerBound), Self.zooms.upperBound) }
            guard new != zoom, new == nil || natural.width > 0 else { return }
            zoom = new
            if let new {
                anchor = (centre(of: horizontal), centre(of: vertical))
                view.gannet.contentMode = .fit
                view.setSizeRequest(
                    width: max(Int((natural.width * new).rounded()), 1), height: max(Int((natural.height * new).rounded()), 1))
            } else {
                anchor = nil
                view.gannet.contentMode = .scaleDown
                view.setSizeRequest(width: -1, height: -1)
            }
            onZoom?()
        }

        /// Fractions of the whole that stay in the middle until the new size is laid out.
        private var anchor: (Double, Double)?
        private var horizontal: UnsafeMutablePointer<GtkAdjustment>? {
            gtk_scrolled_window_get_hadjustment(OpaquePointer(widget.raw))
        }
        private var vertical: UnsafeMutablePointer<GtkAdjustment>? {
            gtk_scrolled_window_get_vadjustment(OpaquePointer(widget.raw))
        }

        private func centre(of adjustment: UnsafeMutablePointer<GtkAdjustment>?) -> Double {
            let upper = gtk_adjustment_get_upper(adjustment)
            guard upper > 0 else { return 0.5 }
            return (gtk_adjustment_get_value(adjustment) + gtk_adjustment_get_page_size(adjustment) / 2) / upper
        }

        /// Moves the visible part: 0 is the left or upper edge of the image, 1 the right or lower one.
        package func scroll(toX x: Double, y: Double) {
            anchor = nil
            for (adjustment, fraction) in [(horizontal, x), (vertical, y)] {
                let page = gtk_adjustment_get_page_size(adjustment)
                gtk_adjustment_set_value(adjustment, fraction * (gtk_adjustment_get_upper(adjustment) - page))
            }
        }

        private func scrolled() { if slot.tiles != nil { slot.redraw() } }

        private func restore() {
            guard let anchor else { return }
            for (adjustment, fraction) in [(horizontal, anchor.0), (vertical, anchor.1)] {
                let page = gtk_adjustment_get_page_size(adjustment)
                gtk_adjustment_set_value(adjustment, fraction * gtk_adjustment_get_upper(adjustment) - page / 2)
            }
        }

        // MARK: Pointer

        private func listen() {
            for adjustment in [horizontal, vertical].compactMap({ $0.map { GTKWidget($0) } }) {
                adjustment.connect("changed") { [weak self] in
                    self?.restore()
                    // A window that grows shows more of the view, which is not drawn again for that.
                    self?.scrolled()
                }
                adjustment.connect("value-changed") { [weak self] in self?.scrolled() }
            }
            if let drag = gtk_gesture_drag_new() {
                gtk_widget_add_controller(widget.widget, drag)
                GTKWidget(drag).connectPair("drag-begin") { [weak self] _ in self?.beginDrag() }
                GTKWidget(drag).connectPair("drag-update") { [weak self] in self?.drag($0) }
            }
            if let pinch = gtk_gesture_zoom_new() {
                gtk_widget_add_controller(widget.widget, pinch)
                GTKWidget(pinch).connectPointer("begin") { [weak self] _ in self?.pinchStart = self?.effectiveZoom ?? 1 }
                GTKWidget(pinch).connectDouble("scale-changed") { [weak self] scale in
                    guard let self else { return }
                    self.setZoom(self.pinchStart * scale)
                }
            }
            if let wheel = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) {
                gtk_event_controller_set_propagation_phase(wheel, GTK_PHASE_CAPTURE)
                gtk_widget_add_controller(widget.widget, wheel)
                let raw = UnsafeMutableRawPointer(wheel)
                GTKWidget(wheel).connectScroll { [weak self] wheel in
                    let state = gtk_event_controller_get_current_event_state(OpaquePointer(raw))
                    guard state.rawValue & GDK_CONTROL_MASK.rawValue != 0 else { return false }
                    self?.zoom(by: wheel.y < 0 ? 1.25 : 0.8)
                    return true
                }
            }
        }

        private func beginDrag() {
            anchor = nil
            dragStart = Pair(x: gtk_adjustment_get_value(horizontal), y: gtk_adjustment_get_value(vertical))
        }

        private func drag(_ way: Pair) {
            gtk_adjustment_set_value(horizontal, dragStart.x - way.x)
            gtk_adjustment_set_value(vertical, dragStart.y - way.y)
        }
    }
#endif
