import CGTK
import Gannet
import GannetGTK

/// Captures the window for the documentation: once, or as an animation of a short visit.
@GTKActor struct Camera {
    private let program: GalleryProgram
    private var gallery: GalleryWindow { program.gallery }

    init(_ program: GalleryProgram) { self.program = program }

    func shoot(to path: String) async {
        do {
            try await settle()
            // Lets transitions and the strip finish.
            try await Task.sleep(for: .seconds(1))
            guard let bitmap = try await gallery.window.captureNextFrame() else {
                throw ImageError(.misuse, "The window was closed.")
            }
            let image = DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
            // In the format that the name ends with.
            let format = path.split(separator: ".").last.flatMap { ImageFormat.named(String($0)) }
            try await image.write(to: path, options: EncodeOptions(format: format ?? .png))
        } catch { Gallery.fail("\(error)") }
        GTKLoop.quit()
    }

    func record(to path: String) async {
        do {
            try await settle()
            var recording = Recording(of: gallery.window)
            try await visit(&recording)
            try await recording.write(to: path)
        } catch { Gallery.fail("\(error)") }
        GTKLoop.quit()
    }

    private func visit(_ recording: inout Recording) async throws {
        try await recording.film(.milliseconds(900))
        for _ in 0..<8 {
            scroll(by: 45)
            try await recording.film(.milliseconds(100))
        }
        try await recording.film(.milliseconds(500))
        gallery.open(min(4, gallery.items.count - 1))
        try await recording.film(.milliseconds(1500))
        for _ in 0..<2 {
            gallery.open((gallery.openIndex ?? 0) + 1)
            try await recording.film(.milliseconds(1000))
        }
        for _ in 0..<5 {
            gallery.zoom.zoom(by: 1.3)
            try await recording.film(.milliseconds(150))
        }
        try await recording.film(.milliseconds(700))
        gallery.zoom.setZoom(nil)
        try await recording.film(.milliseconds(500))
        gallery.togglePanel()
        try await recording.film(.milliseconds(1500))
        program.appearance.change()
        try await recording.film(.milliseconds(1500))
        gallery.togglePanel()
        gallery.close()
        try await recording.film(.milliseconds(1500))
    }

    private func settle() async throws {
        while !isSettled { try await Task.sleep(for: .milliseconds(100)) }
    }

    /// The open photograph, or all of the wall that is seen, is there or has failed.
    private var isSettled: Bool {
        if gallery.openIndex != nil { return gallery.isSettled }
        let seen = gallery.cells.visiblePositions.compactMap { gallery.cells.view(at: $0) }
        return !seen.isEmpty
            && seen.allSatisfy { view in
                switch ImageLoad(view.gannet.presenter()).phase {
                case .image, .failure: true
                case .empty, .loading: false
                }
            }
    }

    /// Scrolls the wall, which is the nearest scrolled window around a cell.
    private func scroll(by points: Double) {
        guard let first = gallery.cells.boundPositions.first, let cell = gallery.cells.view(at: first),
            let scroller = gtk_widget_get_ancestor(cell.widget.widget, gtk_scrolled_window_get_type())
        else { return }
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + points)
    }
}
