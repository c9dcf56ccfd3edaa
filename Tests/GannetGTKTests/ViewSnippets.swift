#if GTK
    import CGTK
    import Gannet
    import GannetGTK

    // The code of the article on views, compiled; `SnippetTests` finds every line of it in here.

    @GTKActor func onePicture() {
        let view = ImageView(alternativeText: "A gannet in flight")
        view.gannet.placeholder = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        view.gannet.indicator = .activity
        view.gannet.transition = .fade
        view.gannet.failure = .color(.middleGray)
        view.gannet.setImage(with: "https://example.org/gannet.jpg")
    }

    @GTKActor func theFirstProgram(show: @escaping @GTKActor (GTKWidget) -> Void) {
        let ran = GTKLoop.run {
            let view = ImageView(alternativeText: "A gannet in flight")
            view.gannet.setImage(with: "https://example.org/gannet.jpg")
            show(view.widget)
        }
        if !ran { print("There is no display.") }
    }

    @GTKActor func cellsOfAGrid(
        urls: [ImageSource], titles: [String], scroller: OpaquePointer, show: @escaping (ImageSource) -> Void
    ) {
        let cells = ImageCells(width: 160, height: 160) { ImageRequest(urls[$0]) }
        cells.onBind = { view, position in view.alternativeText = titles[position] }
        let grid = cells.makeGridView(count: urls.count) { show(urls[$0]) }
        gtk_scrolled_window_set_child(scroller, grid.raw.assumingMemoryBound(to: GtkWidget.self))
    }

    @GTKActor func statesOfAButton() {
        let button = GTKWidget(gtk_toggle_button_new())
        button.gannet.setImage(with: "https://example.org/off.png", for: .normal)
        button.gannet.setImage(with: "https://example.org/on.png", for: .checked)
        button.gannet.setImage(with: "https://example.org/glow.png", for: .hover, layer: .background)
    }

    @GTKActor func picturesElsewhere(_ marker: GTKWidget, url: ImageSource, show: (UnsafeMutableRawPointer) -> Void) {
        marker.gannet.display(slot: "pin") { paintable in show(paintable) }
        marker.gannet.setImage(with: url, slot: "pin")
    }

    @GTKActor func wall(urls: [ImageSource], _ manager: ImageManager) {
        let cells = ImageCells(width: 160, height: 160) { ImageRequest(urls[$0]) }
        cells.onSetup = { view in
            view.gannet.contentMode = .fill
            view.gannet.placeholder = .color(.middleGray)
            view.gannet.transition = .fade(.milliseconds(150))
        }
        cells.prefetches(48, with: ImagePrefetcher(manager: .shared))
        let grid = cells.makeGridView(count: urls.count) { print("chosen:", urls[$0]) }
        _ = grid
    }
#endif
