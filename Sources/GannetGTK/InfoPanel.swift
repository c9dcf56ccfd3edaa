#if GTK
    import CGTK
    import GannetCore
    import GannetViews

    /// A panel with facts about a ``GalleryWindow``'s image: a GtkLabel.
    @GTKActor final class InfoPanel {
        let widget: GTKWidget
        private(set) var text = "" { didSet { gtk_label_set_text(OpaquePointer(widget.raw), text) } }

        init() {
            guard let label = gtk_label_new("") else { fatalError("GTK is not initialised") }
            g_object_ref_sink(label)
            widget = GTKWidget(label)
            gtk_label_set_selectable(OpaquePointer(label), 1)
            gtk_label_set_wrap(OpaquePointer(label), 1)
            gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
            gtk_label_set_max_width_chars(OpaquePointer(label), 32)
            gtk_label_set_xalign(OpaquePointer(label), 0)
            gtk_widget_set_valign(label, GTK_ALIGN_START)
            gtk_widget_set_size_request(label, 260, -1)
            for side in [gtk_widget_set_margin_start, gtk_widget_set_margin_end, gtk_widget_set_margin_top] { side(label, 12) }
            // Property observers do not run in an initializer.
            gtk_widget_set_visible(label, 0)
        }

        isolated deinit { g_object_unref(widget.raw) }

        /// The user's choice. A failure is shown in any case.
        var isVisible = false { didSet { show() } }
        private var tellsFailure = false { didSet { show() } }

        private func show() { gtk_widget_set_visible(widget.widget, isVisible || tellsFailure ? 1 : 0) }

        private var lines: [String] = []

        func begin(_ item: GalleryItem) {
            tellsFailure = false
            lines = [item.name, item.request.source.redactedDescription]
            text = (lines + ["loading"]).joined(separator: "\n")
        }

        func progress(_ progress: LoadProgress) {
            guard !progress.isFinished else { return }
            let total = progress.expected.map { " of \($0)" } ?? ""
            text = (lines + ["\(progress.received)\(total) bytes"]).joined(separator: "\n")
        }

        func end(_ result: Result<LoadedImage, ImageError>, isInMemory: Bool) {
            switch result {
            case .failure(let error):
                text = (lines + ["failed: \(error)"]).joined(separator: "\n")
                tellsFailure = error.code != .cancelled
            case .success(let loaded): text = (lines + Self.describe(loaded, isInMemory)).joined(separator: "\n")
            }
        }

        private static func describe(_ loaded: LoadedImage, _ isInMemory: Bool) -> [String] {
            let metadata = loaded.image.metadata
            var lines = [
                "\(metadata.format?.identifier ?? "drawn") \(metadata.originalSize.width) × \(metadata.originalSize.height)",
                "decoded at \(loaded.size.width) × \(loaded.size.height)",
            ]
            if case .animated(let animation) = loaded.image {
                let loops = animation.loopCount == 0 ? "for ever" : "\(animation.loopCount) times"
                lines.append("\(animation.frameCount) frames, \(loops)")
            }
            lines.append("from \(loaded.origin.rawValue)" + (loaded.wasJoined ? ", shared with another load" : ""))
            let times = loaded.timings
            for (name, time) in [
                ("total", times.total), ("cache", times.cache), ("load", times.load), ("decode", times.decode),
                ("transform", times.transform), ("store", times.store),
            ] where time > .zero {
                lines.append("\(name) \(milliseconds(time)) ms")
            }
            switch loaded.freshness.freshUntil {
            case nil: lines.append("fresh for ever")
            case .some: lines.append("fresh for a time" + (loaded.freshness.etag == nil ? "" : ", can be revalidated"))
            }
            if loaded.freshness.forbidsStoring { lines.append("may not be stored") }
            lines.append(isInMemory ? "in the memory cache" : "not in the memory cache")
            return lines
        }

        private static func milliseconds(_ time: Duration) -> String {
            let tenths = Int((time / .milliseconds(1) * 10).rounded())
            return "\(tenths / 10).\(tenths % 10)"
        }
    }

    /// A grey cross, drawn here: shown in a cell whose image failed.
    enum FailureMark {
        static let image: DecodedImage = {
            let side = 32
            let layout = PixelLayout(size: PixelSize(clamping: side, side), alpha: .premultiplied)
            guard var buffer = try? PixelBuffer(layout) else { preconditionFailure("no memory for 4 KiB") }
            for y in 0..<side {
                var row = buffer.mutableRow(y)
                for x in 0..<side {
                    let isOn = (8..<24).contains(x) && (8..<24).contains(y) && (abs(x - y) < 2 || abs(x + y - side + 1) < 2)
                    for channel in 0..<3 { row[x * 4 + channel] = isOn ? 128 : 0 }
                    row[x * 4 + 3] = isOn ? 255 : 0
                }
            }
            let bitmap = buffer.freeze()
            return .still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
        }()
    }
#endif
