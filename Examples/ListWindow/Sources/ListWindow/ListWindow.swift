// A window with a list of images. A click shows the path of an image below the list, and so does a failure.
//
//     swift run --package-path Examples/ListWindow ListWindow FILE…

import CGTK
import Gannet
import GannetGTK

@main enum ListWindow {
    // GTK needs the thread it began with, so `main` is synchronous.
    static func main() {
        let images = CommandLine.arguments.dropFirst().map { ImageSource($0) }
        let ran = GTKLoop.run { present(images) }
        if !ran { print("There is no display.") }
    }

    private typealias Destroyed = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void

    @GTKActor private static func present(_ images: [ImageSource]) {
        guard let window = gtk_window_new(), let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0),
            let scroller = gtk_scrolled_window_new(), let label = gtk_label_new("")
        else { fatalError("GTK is not initialised") }
        let status = GTKWidget(label)

        let cells = ImageCells(width: 480, height: 320) { ImageRequest(images[$0]) }
        cells.onSetup = { view in
            view.gannet.contentMode = .fill
            view.gannet.placeholder = .color(.middleGray)
            view.gannet.transition = .fade(.milliseconds(150))
        }
        cells.onBind = { view, position in view.alternativeText = images[position].description }
        cells.onResult = { position, result in
            // A cell that scrolls away cancels its load.
            guard case .failure(let error) = result, error.code != .cancelled else { return }
            gtk_label_set_text(OpaquePointer(status.raw), "\(images[position]): \(error.message)")
        }
        cells.prefetches(12, with: ImagePrefetcher(manager: .shared))
        let list = cells.makeListView(count: images.count) { position in
            gtk_label_set_text(OpaquePointer(status.raw), images[position].description)
        }

        gtk_scrolled_window_set_child(OpaquePointer(scroller), list.raw.assumingMemoryBound(to: GtkWidget.self))
        gtk_widget_set_vexpand(scroller, 1)
        let column = UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self)
        gtk_box_append(column, scroller)
        gtk_box_append(column, label)
        let frame = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_title(frame, "Images")
        gtk_window_set_default_size(frame, 480, 720)
        gtk_window_set_child(frame, box)
        g_signal_connect_data(
            window, "destroy", unsafeBitCast({ _, _ in GTKLoop.quit() } as Destroyed, to: GCallback.self), nil, nil,
            GConnectFlags(rawValue: 0))
        gtk_window_present(frame)
    }
}
