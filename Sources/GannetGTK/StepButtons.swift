#if GTK
    import CGTK
    import CGannetShims

    /// The buttons at the left and right edge of an open image: the image before it and the next one.
    @GTKActor final class StepButtons {
        private let previous: GTKWidget
        private let next: GTKWidget
        /// Called with −1 or 1.
        var onStep: ((Int) -> Void)?

        /// The buttons belong to the overlay.
        init(over overlay: GTKWidget) {
            previous = Self.button("go-previous-symbolic", "Previous image", at: GTK_ALIGN_START)
            next = Self.button("go-next-symbolic", "Next image", at: GTK_ALIGN_END)
            for (button, step) in [(previous, -1), (next, 1)] {
                gtk_overlay_add_overlay(OpaquePointer(overlay.raw), button.widget)
                button.connect("clicked") { [weak self] in self?.onStep?(step) }
            }
        }

        func show(hasPrevious: Bool, hasNext: Bool) {
            gtk_widget_set_visible(previous.widget, hasPrevious ? 1 : 0)
            gtk_widget_set_visible(next.widget, hasNext ? 1 : 0)
        }

        private static func button(_ icon: String, _ text: String, at side: GtkAlign) -> GTKWidget {
            guard let button = gtk_button_new_from_icon_name(icon) else { fatalError("GTK is not initialised") }
            // Over pixels of any colour.
            for style in ["osd", "circular"] { gtk_widget_add_css_class(button, style) }
            gtk_widget_set_halign(button, side)
            gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
            gtk_widget_set_margin_start(button, 12)
            gtk_widget_set_margin_end(button, 12)
            gtk_widget_set_tooltip_text(button, text)
            gannet_gtk_set_label(UnsafeMutableRawPointer(button), text)
            return GTKWidget(button)
        }
    }
#endif
