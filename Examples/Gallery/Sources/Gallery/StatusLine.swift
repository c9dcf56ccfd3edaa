import CGTK
import Gannet
import GannetGTK
import Observation

/// A line about the open photograph: its place, its size in pixels, how far its load is, or why it failed. Follows the phase of the view.
@GTKActor final class StatusLine {
    let widget: GTKWidget
    private let load: ImageLoad
    private let count: Int
    private var index = 0

    init(_ view: ImageView, count: Int) {
        guard let label = gtk_label_new("") else { fatalError("GTK is not initialised") }
        gtk_widget_add_css_class(label, "caption")
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
        widget = GTKWidget(label)
        load = ImageLoad(view.gannet.presenter())
        self.count = count
        follow()
    }

    func show(_ index: Int) {
        self.index = index
        write()
    }

    private func follow() {
        withObservationTracking {
            write()
        } onChange: { [weak self] in
            Task { @GTKActor in self?.follow() }
        }
    }

    private func write() {
        let state =
            switch load.phase {
            case .empty: ""
            case .loading(let progress, _): progress.fraction.map { "loading \(Int($0 * 100)) %" } ?? "loading"
            case .image(let image):
                "\(image.metadata.originalSize.width) × \(image.metadata.originalSize.height) pixels"
            case .failure(let error): error.message
            }
        gtk_label_set_text(OpaquePointer(widget.raw), "\(index + 1) of \(count)" + (state.isEmpty ? "" : " · " + state))
    }
}
