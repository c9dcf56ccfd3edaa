#if GTK && PNG
    import CGTK
    import GannetCache
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetGTK
    import GannetImages
    import GannetTesting
    import GannetViews
    import Testing

    /// Where text runs from right to left, everything is mirrored but the images. In processes of their own: the direction is one for all
    /// widgets of a process.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run")) struct RightToLeftTests {
        private static let manager = ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager([MemoryLoader()]),
                coders: CodersManager(BuiltInCoders.all)))

        /// Red on the left, green on the right.
        private static func halves(_ side: Int) async throws -> ByteRope {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: side, side), alpha: .opaque))
            for y in 0..<side {
                var row = buffer.mutableRow(y)
                for x in 0..<side {
                    for channel in 0..<4 { row[x * 4 + channel] = UInt8((x < side / 2 ? red : green)[channel]) }
                }
            }
            let image = DecodedImage.still(
                buffer.freeze(), ImageMetadata(format: nil, originalSize: PixelSize(clamping: side, side)))
            return try await image.encoded(EncodeOptions(format: .png)).bytes
        }

        @Test func `A bar fills from the right, and the image after it is not mirrored`() async {
            await #expect(processExitsWith: .success) {
                guard GTKHarness.isAvailable else { return }
                try await RightToLeftTests.barAndImage()
            }
        }

        @GTKActor private static func barAndImage() async throws {
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            let loader = ManualLoader()
            let view = ImageView(alternativeText: "halves")
            view.gannet.loader = loader
            view.gannet.indicator = .bar(color: PixelColor(red: 0, green: 0, blue: 200))
            let window = try TestWindow(view.widget, width: 100, height: 60)
            view.gannet.setImage(with: "https://example.org/halves.png")
            await window.until { !loader.loads.isEmpty }
            loader.first.send(.progress(LoadProgress(received: 1, expected: 4)))
            // The groove lies from 20 to 80, and its last quarter is filled.
            await window.until { painted(view.picture)[72, 30] == blue }
            let bar = painted(view.picture)
            #expect(bar[72, 30] == blue && bar[28, 30] != blue && bar[28, 30] == bar[50, 30] && bar[28, 30] != clear)
            let decoded = try await manager.image(
                for: ImageRequest(.data(try await halves(40), identifier: "halves")))
            loader.first.succeed(decoded.image)
            await window.until { view.gannet.image != nil }
            await window.frames(2)
            let shown = painted(view.picture)
            #expect(shown[35, 30] == red && shown[65, 30] == green)
            window.close()
        }

        @Test func `A gallery begins at the right, and its keys and buttons follow`() async {
            await #expect(processExitsWith: .success) {
                guard GTKHarness.isAvailable else { return }
                try await RightToLeftTests.gallery()
            }
        }

        @GTKActor private static func gallery() async throws {
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            var items: [GalleryItem] = []
            for number in 0..<3 {
                items.append(
                    GalleryItem(ImageRequest(.data(try await halves(30 + number), identifier: "\(number)")), name: "\(number)"))
            }
            let gallery = GalleryWindow("Gallery", items: items, manager: manager)
            gallery.present()
            let frames = try TestWindow(nil)
            await frames.until { (0..<3).allSatisfy { gallery.cells.view(at: $0)?.gannet.image != nil } }
            let places = try (0..<3).map { try left(of: gallery.cells.view(at: $0)?.widget, in: gallery.window) }
            #expect(places[0] > places[1] && places[1] > places[2])
            gallery.open(1)
            await frames.until { gallery.isSettled }
            #expect(gallery.press(GDK_KEY_Left) && gallery.openIndex == 2)
            #expect(gallery.press(GDK_KEY_Right) && gallery.openIndex == 1)
            #expect(gallery.press(GDK_KEY_Page_Down) && gallery.openIndex == 2)
            #expect(gallery.press(GDK_KEY_Page_Up) && gallery.openIndex == 1)
            await frames.until { gallery.isSettled }
            await frames.frames(2)
            let steps = buttons(
                in: try #require(gtk_widget_get_parent(gallery.zoom.widget.raw.assumingMemoryBound(to: GtkWidget.self))))
            #expect(steps.count == 2)
            // The image before it is at the right, where the wall begins.
            let sides = try steps.map { try left(of: $0, in: gallery.window) }
            #expect(sides[0] > sides[1])
            let shown = painted(gallery.zoom.view.picture)
            let middle = (shown.width / 2, shown.height / 2)
            #expect(shown[middle.0 - 8, middle.1] == red && shown[middle.0 + 8, middle.1] == green)
            gtk_window_destroy(gallery.window.raw.assumingMemoryBound(to: GtkWindow.self))
            frames.close()
        }

        @Test func `A zoomed image is not mirrored, and its note is in the middle`() async {
            await #expect(processExitsWith: .success) {
                guard GTKHarness.isAvailable else { return }
                try await RightToLeftTests.zoomed()
            }
        }

        @GTKActor private static func zoomed() async throws {
            gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL)
            let zoom = ZoomView(alternativeText: "halves")
            zoom.view.gannet.loader = manager
            zoom.largestWhole = 10_000
            let window = try TestWindow(zoom.widget, width: 100, height: 100)
            zoom.show(ImageRequest(.data(try await halves(400), identifier: "large")))
            await window.until { zoom.view.gannet.image != nil }
            zoom.setZoom(1)
            await window.frames(3)
            let across = gtk_scrolled_window_get_hadjustment(OpaquePointer(zoom.widget.raw))
            let tiles = try #require(zoom.view.gannet.images.slot(.main).tiles)
            for (place, expected) in [(0.0, red), (300, green)] {
                gtk_adjustment_set_value(across, place)
                await window.until { painted(zoom.widget)[50, 40] == expected && tiles.isComplete }
                #expect(painted(zoom.widget)[50, 40] == expected)
            }
            let note = ImageNote.of(zoom.view.widget)
            note.show("Incomplete")
            await window.frames(2)
            let label = try #require(gtk_widget_get_last_child(zoom.view.widget.raw.assumingMemoryBound(to: GtkWidget.self)))
            let (start, width) = (try left(of: GTKWidget(label), in: zoom.view.widget), Double(gtk_widget_get_width(label)))
            #expect(abs(start + width / 2 - 200) <= 1)
            window.close()
        }

        /// The buttons over an image, the one to the image before it first.
        @GTKActor private static func buttons(in overlay: UnsafeMutablePointer<GtkWidget>) -> [GTKWidget] {
            var found: [GTKWidget] = []
            var next = gtk_widget_get_first_child(overlay)
            while let child = next {
                if g_type_check_instance_is_a(
                    UnsafeMutableRawPointer(child).assumingMemoryBound(to: GTypeInstance.self), gtk_button_get_type()) != 0
                {
                    found.append(GTKWidget(child))
                }
                next = gtk_widget_get_next_sibling(child)
            }
            return found
        }

        @GTKActor private static func left(of widget: GTKWidget?, in ancestor: GTKWidget) throws -> Double {
            let widget = try #require(widget)
            var bounds = graphene_rect_t()
            let isThere = gtk_widget_compute_bounds(
                widget.raw.assumingMemoryBound(to: GtkWidget.self), ancestor.raw.assumingMemoryBound(to: GtkWidget.self), &bounds)
            try #require(isThere != 0)
            return Double(bounds.origin.x)
        }
    }
#endif
