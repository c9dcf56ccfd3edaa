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

    @GTKActor func statesOfAView(_ view: ImageView) {
        view.gannet.setImage(with: "https://example.org/gannet.jpg")
        view.gannet.setImage(with: "https://example.org/lit.jpg", for: .active)
        view.isHighlighted = true
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

    @GTKActor func oneFrame(_ animation: AnimatedImage) async throws {
        _ = try await animation.frame(at: 5)
        _ = try animation.blockingFrame(at: 5)
    }

    /// Compiled and not run: the loop would not end.
    func aProgramWithAnApplication() {
        typealias OnActivate = @convention(c) (UnsafeMutablePointer<GtkApplication>?, UnsafeMutableRawPointer?) -> Void
        let onActivate: OnActivate = { application, _ in
            guard let application else { return }
            // A pointer may not cross into the actor. A GTKWidget is only an address, and may.
            let program = GTKWidget(application)
            GTKActor.assumeIsolated {
                let view = ImageView(alternativeText: "A gannet in flight")
                view.gannet.setImage(with: "https://example.org/gannet.jpg")
                let window = gtk_application_window_new(program.raw.assumingMemoryBound(to: GtkApplication.self))
                let frame = UnsafeMutableRawPointer(window)?.assumingMemoryBound(to: GtkWindow.self)
                gtk_window_set_child(frame, view.widget.raw.assumingMemoryBound(to: GtkWidget.self))
                gtk_window_present(frame)
            }
        }
        let application = gtk_application_new("org.example.Birds", GApplicationFlags(rawValue: 0))
        g_signal_connect_data(
            application, "activate", unsafeBitCast(onActivate, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
        g_application_run(UnsafeMutableRawPointer(application)?.assumingMemoryBound(to: GApplication.self), 0, nil)
    }

    final class Click {
        let body: @GTKActor () -> Void
        init(_ body: @escaping @GTKActor () -> Void) { self.body = body }
    }

    @GTKActor func whenClicked(_ button: GTKWidget, _ body: @escaping @GTKActor () -> Void) {
        let onClick: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, data in
            guard let data else { return }
            let click = Unmanaged<Click>.fromOpaque(data).takeUnretainedValue()
            GTKActor.assumeIsolated { click.body() }
        }
        let onEnd: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { data, _ in
            if let data { Unmanaged<Click>.fromOpaque(data).release() }
        }
        g_signal_connect_data(
            button.raw, "clicked", unsafeBitCast(onClick, to: GCallback.self), Unmanaged.passRetained(Click(body)).toOpaque(),
            unsafeBitCast(onEnd, to: GClosureNotify.self), GConnectFlags(rawValue: 0))
    }
#endif
