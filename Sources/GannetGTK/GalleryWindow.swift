#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore
    public import GannetImages
    public import GannetViews

    /// A window with a scrolling wall of images. A click opens one in the whole window: thumbnail first, then progressively,
    /// with zoom, pan and a panel about its source.
    ///
    /// Keys on the wall: arrows and Enter. Keys on an open image: Left and Right, +, −, 0 (fit), 1 (actual pixels), space
    /// (pause and resume), i (panel), Escape (the wall). Everywhere: F11 (full screen), Ctrl+W and Ctrl+Q (close).
    ///
    /// An image that cannot be shown has a note with its name and the reason; of a file that ends early the part that is there
    /// is shown, with a note. Screen readers get both.
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
        /// The items in the order of the wall; fixed when the window is created.
        public private(set) var items: [GalleryItem]
        /// The open image; nil on the wall.
        public private(set) var openIndex: Int?
        /// Why the open image cannot be shown.
        public private(set) var failure: ImageError?
        /// Called once when the window is closed, then released: it may hold the gallery itself.
        public var onClose: (() -> Void)?
        /// GTK has destroyed the window and its contents.
        package private(set) var isClosed = false
        /// Called when another image is opened, and with nil when the wall is shown again.
        public var onOpen: ((_ index: Int?) -> Void)?
        /// Called with index and error each time an image cannot be shown, on the wall or open.
        public var onFailure: ((_ index: Int, ImageError) -> Void)?
        /// Shows the open image; empty on the wall.
        public let zoom = ZoomView()
        /// The wall's cells; configures how images are shown.
        public let cells: ImageCells

        /// The window covers the screen, without a header bar.
        package var isFullScreen = false

        private let manager: ImageManager
        private let options: Options
        private let panel = InfoPanel()
        private let stack: GTKWidget
        /// The GtkOverlay around ``zoom``, for notes.
        private let stage: GTKWidget
        private let back: GTKWidget
        private let steps: StepButtons
        private let info: GTKWidget
        private let title: String

        /// With a single item, its image is open from the start.
        public init(_ title: String, items: [GalleryItem], manager: ImageManager, options: Options = Options()) {
            guard let window = gtk_window_new(), let stack = gtk_stack_new(),
                let back = gtk_button_new_from_icon_name("go-previous-symbolic"), let header = gtk_header_bar_new(),
                let info = gtk_toggle_button_new(), let page = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0),
                let scroller = gtk_scrolled_window_new(), let stage = gtk_overlay_new()
            else { fatalError("GTK is not initialised") }
            self.window = GTKWidget(window)
            self.stack = GTKWidget(stack)
            self.stage = GTKWidget(stage)
            self.back = GTKWidget(back)
            steps = StepButtons(over: GTKWidget(stage))
            self.info = GTKWidget(info)
            self.title = title
            self.items = items
            self.manager = manager
            self.options = options
            let list = ItemList(items)
            cells = ImageCells(width: options.cell, height: options.cell) { position in
                position < list.items.count ? list.items[position].shown : nil
            }
            setUpCells(list)
            zoom.view.gannet.loader = manager
            let wall = cells.makeGridView(count: items.count) { [weak self] in self?.open($0) }
            gtk_scrolled_window_set_child(OpaquePointer(scroller), wall.widget)
            gannet_gtk_set_label(wall.raw, "Images")
            gtk_overlay_set_child(OpaquePointer(stage), zoom.widget.widget)
            steps.onStep = { [weak self] in if let self, let index = self.openIndex { self.open(index + $0) } }
            gtk_box_append(box(page), stage)
            gtk_box_append(box(page), panel.widget.widget)
            gtk_stack_add_named(OpaquePointer(stack), scroller, "wall")
            gtk_stack_add_named(OpaquePointer(stack), page, "picture")
            gtk_button_set_icon_name(
                UnsafeMutableRawPointer(info).assumingMemoryBound(to: GtkButton.self), "help-about-symbolic")
            for (button, text) in [(info, "File, image, camera and load"), (back, "Back to the wall")] {
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
            self.window.connectPointer("notify::fullscreened") { [weak self] _ in
                guard let self, !self.isClosed else { return }
                self.isFullScreen = gtk_window_is_fullscreen(self.asWindow) != 0
            }
            self.window.connect("destroy") { [weak self] in
                let onClose = self?.onClose
                self?.isClosed = true
                self?.openIndex = nil
                // Release what the callbacks hold.
                self?.onClose = nil
                self?.onOpen = nil
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

        var asWindow: UnsafeMutablePointer<GtkWindow> { window.raw.assumingMemoryBound(to: GtkWindow.self) }

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
            }
            cells.onBind = { view, position in
                view.alternativeText = position < list.items.count ? list.items[position].name : nil
                ImageNote.existing(view.widget)?.hide()
            }
            cells.onResult = { [weak self] position, result in self?.noteCell(position, result) }
            if options.prefetch > 0 {
                cells.prefetches(options.prefetch, with: ImagePrefetcher(manager: manager, concurrency: 4))
            }
        }

        private func noteCell(_ position: Int, _ result: Result<LoadedImage, ImageError>) {
            guard case .failure(let error) = result, error.code != .cancelled else {
                if case .success = result, let view = cells.view(at: position) { ImageNote.existing(view.widget)?.hide() }
                return
            }
            if let view = cells.view(at: position) { ImageNote.of(view.widget).show(error, of: items[position].name) }
            onFailure?(position, error)
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
            note.hide()
            reading?.cancel()
            steps.show(hasPrevious: index > 0, hasNext: index + 1 < items.count)
            onOpen?(index)
            zoom.show(
                item.shown.with(.previews), thumbnail: cells.view(at: index)?.gannet.image,
                progress: { [weak self] in self?.panel.progress($0) },
                completion: { [weak self] result in
                    if let self, self.openIndex == index { self.end(result, of: item, index) }
                })
        }

        private func end(_ result: Result<LoadedImage, ImageError>, of item: GalleryItem, _ index: Int) {
            let request = zoom.view.gannet.presenter().request ?? item.shown
            switch result {
            case .failure(let error):
                // Requested again, or closed.
                if error.code == .cancelled { return }
                failure = error
                gannet_gtk_set_label(zoom.widget.raw, "\(item.name): \(error.message)")
                // Over a thumbnail, which stays, the reason alone.
                if zoom.view.gannet.image == nil, zoom.view.gannet.presenter().shownPlaceholder == nil {
                    note.show(error, of: item.name)
                } else {
                    note.show(error.message)
                }
                onFailure?(index, error)
            case .success(let loaded):
                if loaded.image.metadata.isPartial {
                    note.show("Incomplete: the file ends early.")
                    gannet_gtk_set_label(zoom.widget.raw, "\(item.name), incomplete")
                }
                // A toolkit edge: cancelled when another image is opened; holds the window only while it works.
                reading = Task { [weak self, manager, encoded = loaded.encoded] in
                    guard let facts = try? await manager.sourceFacts(for: item.shown, of: encoded), !Task.isCancelled else {
                        return
                    }
                    self?.panel.add(facts)
                }
            }
            panel.end(item, result, isInMemory: manager.hasCachedImage(for: request))
        }

        /// Reads the size of the file and what the camera wrote, for the panel.
        private var reading: Task<Void, Never>?
        /// The note over the open image.
        package var note: ImageNote { ImageNote.of(stage) }

        /// Returns to the wall.
        public func close() {
            guard !isClosed, items.count > 1 else { return }
            let index = openIndex
            reading?.cancel()
            zoom.view.gannet.reset()
            showWall()
            // The keyboard continues there.
            if let index { cells.focus(index) }
        }

        private func showWall() {
            openIndex = nil
            failure = nil
            gtk_window_set_title(asWindow, title)
            gtk_widget_set_sensitive(back.widget, 0)
            gtk_stack_set_visible_child_name(OpaquePointer(stack.raw), "wall")
            onOpen?(nil)
        }

        /// Shows or hides the panel about the open image.
        public func togglePanel() {
            guard !isClosed else { return }
            panel.isVisible.toggle()
            gtk_toggle_button_set_active(
                info.raw.assumingMemoryBound(to: GtkToggleButton.self), panel.isVisible ? 1 : 0)
        }
        /// The panel's text about the open image, in lines: titles of groups, and facts as `Name: value`. Empty before there is one.
        public var panelText: String { panel.text }
    }

    /// The part of a gallery that the cells' closures hold.
    @GTKActor private final class ItemList {
        let items: [GalleryItem]
        init(_ items: [GalleryItem]) { self.items = items }
    }
#endif
