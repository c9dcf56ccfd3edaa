import CGTK
import Gannet
import GannetGTK

/// The window: the library's gallery, with a switch between dark and light, a strip of neighbours, and a line about the photograph.
@GTKActor final class GalleryProgram {
    let gallery: GalleryWindow
    let appearance = Appearance()
    private let arguments: Arguments
    private let strip: Filmstrip
    private let status: StatusLine
    /// Strip and line, below an open photograph.
    private let foot: GTKWidget

    init(_ photographs: [GalleryItem], _ arguments: Arguments) {
        self.arguments = arguments
        var options = GalleryWindow.Options()
        (options.cell, options.width, options.height) = (arguments.cell, arguments.width, arguments.height)
        gallery = GalleryWindow("Gallery", items: photographs, manager: .shared, options: options)
        strip = Filmstrip(photographs) { [weak gallery] offset in
            if let gallery, let index = gallery.openIndex { gallery.open(index + offset) }
        }
        status = StatusLine(gallery.zoom.view, count: photographs.count)
        guard let foot = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4) else { fatalError("GTK is not initialised") }
        self.foot = GTKWidget(foot)
        layOut()
        gallery.onOpen = { [weak self] in self?.follow($0) }
        // The window holds its program, until it is closed.
        gallery.onClose = {
            GTKLoop.quit()
            withExtendedLifetime(self) {}
        }
        follow(gallery.openIndex)
        gallery.window.onKeyWithControl { [weak self] key in
            guard key == GDK_KEY_d else { return false }
            self?.appearance.change()
            return true
        }
    }

    func present() {
        if arguments.isDark { appearance.change(to: true) }
        gallery.present()
        if let open = arguments.open {
            gallery.open(open - 1)
            gallery.togglePanel()
        }
        // Each ends with the program.
        if let path = arguments.screenshot { Task { @GTKActor in await Camera(self).shoot(to: path) } }
        if let path = arguments.recording { Task { @GTKActor in await Camera(self).record(to: path) } }
    }

    private func follow(_ index: Int?) {
        gtk_widget_set_visible(foot.widget, index == nil ? 0 : 1)
        guard let index else { return }
        strip.show(index)
        status.show(index)
    }

    /// The gallery's page above, strip and line below it; the switch at the end of the header.
    private func layOut() {
        let window = gallery.window.raw.assumingMemoryBound(to: GtkWindow.self)
        guard let page = gtk_window_get_child(window), let column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0) else { return }
        g_object_ref(page)
        gtk_window_set_child(window, column)
        for side in [gtk_widget_set_margin_top, gtk_widget_set_margin_bottom] { side(foot.widget, 6) }
        append(strip.widget.widget, to: foot.widget)
        append(status.widget.widget, to: foot.widget)
        gtk_widget_set_vexpand(page, 1)
        append(page, to: column)
        append(foot.widget, to: column)
        g_object_unref(page)
        if let header = gtk_window_get_titlebar(window) {
            gtk_header_bar_pack_end(OpaquePointer(header), appearance.button.widget)
        }
    }

    private func append(_ child: UnsafeMutablePointer<GtkWidget>, to box: UnsafeMutablePointer<GtkWidget>) {
        gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), child)
    }
}
