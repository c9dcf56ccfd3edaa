import CGTK
import Gannet
import GannetGTK

/// The photographs around the open one, in a row: each a `GannetImage` in a button. The places stay, and show other photographs.
@GTKActor final class Filmstrip {
    let widget: GTKWidget
    private let items: [GalleryItem]
    private let places: [Place]
    private static let around = 4

    private struct Place {
        let button: GTKWidget
        let image: GannetImage
        /// From the open photograph.
        let offset: Int
    }

    /// `open` gets the index of a photograph.
    init(_ items: [GalleryItem], open: @escaping @GTKActor (_ offset: Int) -> Void) {
        guard let row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 2), let scroller = gtk_scrolled_window_new() else {
            fatalError("GTK is not initialised")
        }
        widget = GTKWidget(scroller)
        self.items = items
        places = (-Self.around...Self.around).map { Self.place($0, open) }
        for place in places {
            gtk_box_append(UnsafeMutableRawPointer(row).assumingMemoryBound(to: GtkBox.self), place.button.widget)
        }
        layOut(row)
    }

    /// A window that is narrower than the strip shows its middle.
    private func layOut(_ row: UnsafeMutablePointer<GtkWidget>) {
        let scroller = OpaquePointer(widget.raw)
        gtk_scrolled_window_set_child(scroller, row)
        gtk_scrolled_window_set_policy(scroller, GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER)
        gtk_scrolled_window_set_propagate_natural_width(scroller, 1)
        gtk_widget_set_halign(widget.widget, GTK_ALIGN_CENTER)
        guard let adjustment = gtk_scrolled_window_get_hadjustment(scroller) else { return }
        GTKWidget(adjustment).on("changed") {
            let room = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
            gtk_adjustment_set_value(adjustment, room / 2)
        }
    }

    func show(_ index: Int) {
        for place in places {
            let position = index + place.offset
            let isThere = items.indices.contains(position)
            // A place without a photograph keeps its room, so that nothing moves.
            gtk_widget_set_opacity(place.button.widget, isThere ? (place.offset == 0 ? 1 : 0.6) : 0)
            gtk_widget_set_sensitive(place.button.widget, isThere ? 1 : 0)
            place.image.show(isThere ? items[position].request : nil)
            let name = isThere ? items[position].name : "No photograph"
            place.button.setLabel(name)
            place.image.alternativeText(name)
        }
    }

    private static func place(_ offset: Int, _ open: @escaping @GTKActor (Int) -> Void) -> Place {
        guard let button = gtk_button_new() else { fatalError("GTK is not initialised") }
        gtk_widget_add_css_class(button, "flat")
        let image = GannetImage(nil as ImageRequest?)
            .resizable().scaledToFill()
            .frame(width: 72, height: 48)
            .placeholder(.color(PixelColor(red: 128, green: 128, blue: 128, alpha: 48)))
            .transition(.fade(.milliseconds(120)))
            .cancelOnDisappear()
        gtk_button_set_child(UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkButton.self), image.widget.widget)
        GTKWidget(button).on("clicked") { open(offset) }
        return Place(button: GTKWidget(button), image: image, offset: offset)
    }
}
