#if GTK
    import CGTK
    package import GannetCore

    /// Text over an image: why it cannot be shown, or that it is not complete. Lives as long as the GtkOverlay that it is in, and
    /// takes no clicks.
    @GTKActor package final class ImageNote {
        private let overlay: GTKWidget
        private let box: GTKWidget
        private let icon: GTKWidget
        private let name: GTKWidget
        private let reason: GTKWidget
        /// The shown text, in lines; empty: nothing is shown.
        package private(set) var text = ""

        private static let key = "gannet-note"

        /// The note of an overlay, made on first use.
        package static func of(_ overlay: GTKWidget) -> ImageNote {
            if let note = existing(overlay) { return note }
            let note = ImageNote(overlay)
            gtk_overlay_add_overlay(OpaquePointer(overlay.raw), note.box.widget)
            g_object_set_data_full(overlay.object, key, Handed.retain(note), Handed.release)
            return note
        }

        package static func existing(_ overlay: GTKWidget) -> ImageNote? {
            Handed.object(g_object_get_data(overlay.object, key), as: ImageNote.self)
        }

        /// The widgets belong to the overlay that they are put into.
        private init(_ overlay: GTKWidget) {
            self.overlay = overlay
            guard let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4),
                let icon = gtk_image_new_from_icon_name("image-missing-symbolic"),
                let name = gtk_label_new(""), let reason = gtk_label_new("")
            else { fatalError("GTK is not initialised") }
            (self.box, self.icon, self.name, self.reason) = (GTKWidget(box), GTKWidget(icon), GTKWidget(name), GTKWidget(reason))
            gtk_image_set_pixel_size(OpaquePointer(icon), 24)
            gtk_label_set_ellipsize(OpaquePointer(name), PANGO_ELLIPSIZE_MIDDLE)
            gtk_label_set_ellipsize(OpaquePointer(reason), PANGO_ELLIPSIZE_END)
            gtk_label_set_wrap(OpaquePointer(reason), 1)
            gtk_label_set_wrap_mode(OpaquePointer(reason), PANGO_WRAP_WORD_CHAR)
            gtk_label_set_lines(OpaquePointer(reason), 4)
            gtk_label_set_max_width_chars(OpaquePointer(reason), 60)
            gtk_label_set_justify(OpaquePointer(reason), GTK_JUSTIFY_CENTER)
            gtk_widget_add_css_class(name, "heading")
            gtk_widget_add_css_class(reason, "caption")
            gtk_widget_set_margin_start(reason, 6)
            gtk_widget_set_margin_end(reason, 6)
            gtk_widget_set_margin_top(reason, 2)
            gtk_widget_set_margin_bottom(reason, 2)
            let column = UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self)
            for part in [icon, name, reason] { gtk_box_append(column, part) }
            gtk_widget_set_halign(box, GTK_ALIGN_CENTER)
            gtk_widget_set_can_target(box, 0)
            for side in [
                gtk_widget_set_margin_start, gtk_widget_set_margin_end, gtk_widget_set_margin_top, gtk_widget_set_margin_bottom,
            ] { side(box, 8) }
            hide()
        }

        /// Shows in the middle a small icon, the image's name, and why it cannot be shown.
        package func show(_ error: ImageError, of name: String) {
            text = name + "\n" + error.message
            gtk_label_set_text(OpaquePointer(self.name.raw), name)
            gtk_label_set_text(OpaquePointer(reason.raw), error.message)
            // A cell cuts long texts.
            gtk_widget_set_tooltip_text(overlay.widget, text)
            show(isFailure: true)
        }

        /// Shows a remark at the lower edge, over the image.
        package func show(_ remark: String) {
            text = remark
            gtk_label_set_text(OpaquePointer(reason.raw), remark)
            show(isFailure: false)
        }

        private func show(isFailure: Bool) {
            gtk_widget_set_visible(icon.widget, isFailure ? 1 : 0)
            gtk_widget_set_visible(name.widget, isFailure ? 1 : 0)
            gtk_widget_set_valign(box.widget, isFailure ? GTK_ALIGN_CENTER : GTK_ALIGN_END)
            // The remark lies on pixels of any colour.
            if isFailure { gtk_widget_remove_css_class(box.widget, "osd") } else { gtk_widget_add_css_class(box.widget, "osd") }
            gtk_widget_set_visible(box.widget, 1)
        }

        package func hide() {
            text = ""
            gtk_widget_set_tooltip_text(overlay.widget, nil)
            gtk_widget_set_visible(box.widget, 0)
        }
    }
#endif
