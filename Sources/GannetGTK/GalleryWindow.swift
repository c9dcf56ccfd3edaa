#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore
    public import GannetImages
    public import GannetViews

    /// An image of a gallery.
    public struct GalleryItem: Sendable {
        /// Leave its size open: the wall and the open view each set their own.
        public var request: ImageRequest
        /// For the title, and for screen readers.
        public var name: String

        /// `name` nil: the end of the source's path.
        public init(_ request: ImageRequest, name: String? = nil) {
            self.request = request
            let path = request.source.redactedDescription
            self.name = name ?? String(path.split(separator: "/").last ?? Substring(path))
        }
    }

    /// A window with a scrolling wall of images. A click opens one in the whole window: thumbnail first, then progressively,
    /// with zoom, pan and a panel about its source.
    ///
    /// Keys on the wall: arrows and Enter. Keys on an open image: Left and Right, +, −, 0 (fit), 1 (actual pixels), space
    /// (pause and resume), i (panel), Escape (the wall).
    @GTKActor public final class GalleryWindow {
        /// Initial state of the window and look of the wall.
        public struct Options: Sendable {
            /// Points of a cell of the wall.
            public var cell = 160
            /// Points of the window; the user may change them.
            public var width = 900
            /// Points of the window; the user may change them.
            public var height = 640
            /// Images loaded before they are visible; 0: none.
            public var prefetch = 48
            /// Shown in each cell of the wall until its image is loaded; a translucent grey.
            public var placeholder = ImagePlaceholder.color(PixelColor(red: 128, green: 128, blue: 128, alpha: 48))
            /// Transition of images on the wall.
            public var transition = ImageTransition.fade(.milliseconds(150))

            /// 900 by 640 points with cells of 160.
            public init() {}
        }

        /// The GtkWindow.
        public let window: GTKWidget
        /// In the order of the wall; fixed when the window is created.
        public private(set) var items: [GalleryItem]
        /// The open image; nil on the wall.
        public private(set) var openIndex: Int?
        /// Why the open image cannot be shown.
        public private(set) var failure: ImageError?
        /// Called once when the window is closed, then released: it may hold the gallery itself.
        public var onClose: (() -> Void)?
        /// GTK has destroyed the window and its contents.
        package private(set) var isClosed = false
        /// Called with index and error each time an image cannot be shown, on the wall or open.
        public var onFailure: ((_ index: Int, ImageError) -> Void)?
        /// Shows the open image; empty on the wall.
        public let zoom = ZoomView()
        /// The wall's cells; configures how images are shown.
        public let cells: ImageCells

        private let manager: ImageManager
        private let options: Options
        private let panel = InfoPanel()
        private let stack: GTKWidget
        private let back: GTKWidget
        private let info: GTKWidget
        private let title: String

        /// With a single item, its image is open from the start.
        public init(_ title: String, items: [GalleryItem], manager: ImageManager, options: Options = Options()) {
            guard let window = gtk_window_new(), let stack = gtk_stack_new(),
                let back = gtk_button_new_from_icon_name("go-previous-symbolic"), let header = gtk_header_bar_new(),
                let info = gtk_toggle_button_new(), let page = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0),
                let scroller = gtk_scrolled_window_new()
            else { fatalError("GTK is not initialised") }
            self.window = GTKWidget(window)
            self.stack = GTKWidget(stack)
            self.back = GTKWidget(back)
            self.info = GTKWidget(info)
            self.title = title
            self.items = items
            self.manager = manager
            self.options = options
            let list = ItemList(items)
            cells = ImageCells(width: options.cell, height: options.cell) { position in
                position < list.items.count ? list.items[position].request : nil
            }
            setUpCells(list)
            zoom.view.gannet.loader = manager
            let wall = cells.makeGridView(count: items.count) { [weak self] in self?.open($0) }
            gtk_scrolled_window_set_child(OpaquePointer(scroller), wall.widget)
            gtk_box_append(box(page), zoom.widget.widget)
            gtk_box_append(box(page), panel.widget.widget)
            gtk_stack_add_named(OpaquePointer(stack), scroller, "wall")
            gtk_stack_add_named(OpaquePointer(stack), page, "picture")
            gtk_button_set_icon_name(
                UnsafeMutableRawPointer(info).assumingMemoryBound(to: GtkButton.self), "dialog-information-symbolic")
            for (button, text) in [(info, "Origin, timings and cache"), (back, "Back to the wall")] {
                gtk_widget_set_tooltip_text(button, text)
                // The only text that screen readers have for an icon.
                gannet_gtk_set_label(button, text)
            }
            gtk_header_bar_pack_start(OpaquePointer(header), back)
            gtk_header_bar_pack_end(OpaquePointer(header), info)
            gtk_window_set_titlebar(asWindow, header)
            gtk_window_set_default_size(asWindow, Int32(options.width), Int32(options.height))
            gtk_window_set_child(asWindow, stack)
            GTKWidget(back).connect("clicked") { [weak self] in self?.close() }
            self.info.connect("clicked") { [weak self] in
                guard let self,
                    self.panel.isVisible
                        != (gtk_toggle_button_get_active(
                            self.info.raw.assumingMemoryBound(to: GtkToggleButton.self)) != 0)
                else { return }
                self.togglePanel()
            }
            listenToKeys()
            self.window.connect("destroy") { [weak self] in
                let onClose = self?.onClose
                self?.isClosed = true
                self?.openIndex = nil
                // Release what the callback holds.
                self?.onClose = nil
                onClose?()
            }
            if items.count == 1 { open(0) } else { showWall() }
        }

        /// Does nothing after the window was closed, like the other calls.
        public func present() { if !isClosed { gtk_window_present(asWindow) } }

        /// Whether no visible image is loading.
        public var isSettled: Bool {
            if openIndex != nil { return !zoom.view.gannet.isLoading && (zoom.view.gannet.image != nil || failure != nil) }
            let views = cells.boundPositions.compactMap { cells.view(at: $0) }
            return !views.isEmpty && views.allSatisfy { !$0.gannet.isLoading }
        }

        private var asWindow: UnsafeMutablePointer<GtkWindow> { window.raw.assumingMemoryBound(to: GtkWindow.self) }

        private func box(_ widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkBox> {
            UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkBox.self)
        }

        private func setUpCells(_ list: ItemList) {
            let options = options
            let manager = manager
            cells.loader = manager
            cells.onSetup = { view in
                view.gannet.contentMode = .fill
                view.gannet.placeholder = options.placeholder
                view.gannet.transition = options.transition
                view.gannet.failure = .image(FailureMark.image)
            }
            cells.onBind = { view, position in
                view.alternativeText = position < list.items.count ? list.items[position].name : nil
            }
            cells.onResult = { [weak self] position, result in
                if case .failure(let error) = result, error.code != .cancelled { self?.onFailure?(position, error) }
            }
            if options.prefetch > 0 {
                cells.prefetches(options.prefetch, with: ImagePrefetcher(manager: manager, concurrency: 4))
            }
        }

        // MARK: One image

        /// Shows an image as large as the window.
        public func open(_ index: Int) {
            guard !isClosed, items.indices.contains(index) else { return }
            openIndex = index
            failure = nil
            let item = items[index]
            gtk_stack_set_visible_child_name(OpaquePointer(stack.raw), "picture")
            gtk_window_set_title(asWindow, item.name)
            gtk_widget_set_sensitive(back.widget, items.count > 1 ? 1 : 0)
            gtk_widget_grab_focus(zoom.widget.widget)
            zoom.view.alternativeText = item.name
            gannet_gtk_set_label(zoom.widget.raw, item.name)
            zoom.view.gannet.indicator = .bar
            panel.begin(item)
            let manager = manager
            let thumbnail = cells.view(at: index)?.gannet.image
            zoom.view.gannet.failure = thumbnail == nil ? .image(FailureMark.image) : nil
            zoom.show(
                item.request.with(.previews), thumbnail: thumbnail,
                completion: { [weak self] result in
                    guard let self, self.openIndex == index else { return }
                    if case .failure(let error) = result {
                        // Requested again, or closed.
                        if error.code == .cancelled { return }
                        self.failure = error
                        self.onFailure?(index, error)
                    }
                    let request = self.zoom.view.gannet.presenter().request ?? item.request
                    self.panel.end(result, isInMemory: manager.hasCachedImage(for: request))
                }, progress: { [weak self] in self?.panel.progress($0) })
        }

        /// Returns to the wall.
        public func close() {
            guard !isClosed, items.count > 1 else { return }
            zoom.view.gannet.reset()
            showWall()
        }

        private func showWall() {
            openIndex = nil
            failure = nil
            gtk_window_set_title(asWindow, title)
            gtk_widget_set_sensitive(back.widget, 0)
            gtk_stack_set_visible_child_name(OpaquePointer(stack.raw), "wall")
        }

        /// Shows or hides the panel about the open image.
        public func togglePanel() {
            guard !isClosed else { return }
            panel.isVisible.toggle()
            gtk_toggle_button_set_active(
                info.raw.assumingMemoryBound(to: GtkToggleButton.self), panel.isVisible ? 1 : 0)
        }
        /// The panel's text about the open image, in lines; empty before there is one.
        public var panelText: String { panel.text }

        // MARK: Keys

        private func listenToKeys() {
            guard let keys = gtk_event_controller_key_new() else { return }
            gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
            gtk_widget_add_controller(window.widget, keys)
            GTKWidget(keys).connectKey { [weak self] press in
                guard let self else { return false }
                // Space presses a focused button.
                if press.key == GDK_KEY_space, let focus = gtk_window_get_focus(self.asWindow) {
                    switch GTKWidget(focus).kind {
                    case .button, .toggleButton: return false
                    case .other, .picture, .image: break
                    }
                }
                return self.press(Int32(press.key))
            }
        }

        /// Returns true if the key had an effect.
        package func press(_ key: Int32) -> Bool {
            guard let index = openIndex else { return false }
            switch key {
            case GDK_KEY_Escape, GDK_KEY_BackSpace: close()
            case GDK_KEY_Left, GDK_KEY_Page_Up: open(index - 1)
            case GDK_KEY_Right, GDK_KEY_Page_Down: open(index + 1)
            case GDK_KEY_plus, GDK_KEY_KP_Add, GDK_KEY_equal: zoom.zoom(by: 1.25)
            case GDK_KEY_minus, GDK_KEY_KP_Subtract: zoom.zoom(by: 0.8)
            case GDK_KEY_0, GDK_KEY_KP_0: zoom.setZoom(nil)
            case GDK_KEY_1, GDK_KEY_KP_1: zoom.setZoom(1)
            case GDK_KEY_space: zoom.view.gannet.isPlaying.toggle()
            case GDK_KEY_i: togglePanel()
            default: return false
            }
            return true
        }
    }

    /// The part of a gallery that the cells' closures hold.
    @GTKActor private final class ItemList {
        let items: [GalleryItem]
        init(_ items: [GalleryItem]) { self.items = items }
    }
#endif
