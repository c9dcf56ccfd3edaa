#if GTK
    import CGTK
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetViews

    /// A panel with facts about a ``GalleryWindow``'s image, in groups: a GtkScrolledWindow.
    @GTKActor final class InfoPanel {
        let widget: GTKWidget
        private let column: GTKWidget
        /// Points.
        private static let width: Int32 = 300

        private(set) var groups: [InfoGroup] = [] { didSet { if groups != oldValue { fill() } } }
        var isVisible = false { didSet { gtk_widget_set_visible(widget.widget, isVisible ? 1 : 0) } }

        init() {
            guard let scroller = gtk_scrolled_window_new(), let column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 18) else {
                fatalError("GTK is not initialised")
            }
            g_object_ref_sink(scroller)
            widget = GTKWidget(scroller)
            self.column = GTKWidget(column)
            gtk_scrolled_window_set_policy(OpaquePointer(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
            gtk_scrolled_window_set_child(OpaquePointer(scroller), column)
            gtk_widget_set_size_request(scroller, Self.width, -1)
            // The texts fill the panel, but the panel leaves the rest of the window to the image.
            gtk_widget_set_hexpand(scroller, 0)
            for side in [
                gtk_widget_set_margin_start, gtk_widget_set_margin_end, gtk_widget_set_margin_top, gtk_widget_set_margin_bottom,
            ] { side(column, 12) }
            // Property observers do not run in an initializer.
            gtk_widget_set_visible(scroller, 0)
        }

        isolated deinit { g_object_unref(widget.raw) }

        /// In lines: each group's title, then its facts.
        var text: String {
            groups.flatMap { [$0.title] + $0.rows.map { "\($0.name): \($0.value)" } }.joined(separator: "\n")
        }

        // MARK: Contents

        func begin(_ item: GalleryItem) { groups = [InfoFacts.file(item), Self.status("Loading", "…")] }

        func progress(_ progress: LoadProgress) {
            guard !progress.isFinished, let file = groups.first else { return }
            groups = [file, Self.status("Loading", progress.description)]
        }

        func end(_ item: GalleryItem, _ result: Result<LoadedImage, ImageError>, isInMemory: Bool) {
            switch result {
            case .failure(let error): groups = [InfoFacts.file(item), InfoFacts.failure(error)]
            case .success(let loaded):
                groups = [
                    InfoFacts.file(item, format: loaded.image.metadata.format), InfoFacts.image(loaded),
                    InfoFacts.load(loaded, isInMemory: isInMemory),
                ]
            }
        }

        /// The size of the file, and what the camera wrote, once the image is there.
        func add(_ facts: SourceFacts) {
            guard groups.count == 3 else { return }
            var new = groups
            new[0].add("Size", Readable.bytes(facts.byteCount))
            let camera = InfoFacts.camera(CameraFacts(exif: facts.exif ?? []))
            if !camera.rows.isEmpty { new.insert(camera, at: 2) }
            groups = new
        }

        private static func status(_ name: String, _ value: String) -> InfoGroup {
            var group = InfoGroup("Load")
            group.add(name, value)
            return group
        }

        // MARK: Widgets

        private func fill() {
            while let old = gtk_widget_get_first_child(column.widget) { gtk_box_remove(box(column), old) }
            for group in groups {
                guard let grid = gtk_grid_new() else { continue }
                let asGrid = UnsafeMutableRawPointer(grid).assumingMemoryBound(to: GtkGrid.self)
                gtk_grid_set_column_spacing(asGrid, 12)
                gtk_grid_set_row_spacing(asGrid, 6)
                gtk_grid_attach(asGrid, Self.label(group.title, "heading"), 0, 0, 2, 1)
                for (number, row) in group.rows.enumerated() {
                    gtk_grid_attach(asGrid, Self.label(row.name, "dim-label"), 0, Int32(number) + 1, 1, 1)
                    let value = Self.label(row.value)
                    gtk_label_set_selectable(OpaquePointer(value), 1)
                    gtk_label_set_wrap(OpaquePointer(value), 1)
                    gtk_label_set_wrap_mode(OpaquePointer(value), PANGO_WRAP_WORD_CHAR)
                    gtk_widget_set_hexpand(value, 1)
                    gtk_grid_attach(asGrid, value, 1, Int32(number) + 1, 1, 1)
                }
                gtk_box_append(box(column), grid)
            }
        }

        private func box(_ widget: GTKWidget) -> UnsafeMutablePointer<GtkBox> { widget.raw.assumingMemoryBound(to: GtkBox.self) }

        private static func label(_ text: String, _ style: String? = nil) -> UnsafeMutablePointer<GtkWidget> {
            guard let label = gtk_label_new(text) else { fatalError("GTK is not initialised") }
            gtk_label_set_xalign(OpaquePointer(label), 0)
            gtk_widget_set_valign(label, GTK_ALIGN_START)
            if let style { gtk_widget_add_css_class(label, style) }
            return label
        }
    }
#endif
