#if GTK && PNG
    import CGTK
    import CGannetShims
    import GannetViews
    import GannetCodecs
    import GannetCore
    import GannetGTK
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetTesting
    import Testing

    /// The gallery's window over a manager with coders of the build and no disk: what `gannet view` shows.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct GalleryTests {
        private struct Drawn: ImageDataProvider {
            let number: Int
            var cacheKey: String { "drawn-\(number)" }
            func data() async throws -> [UInt8] {
                let bitmap = try solid([number * 20, 100, 50, 255], width: 40, height: 20)
                let image = DecodedImage.still(bitmap, ImageMetadata(format: .png, originalSize: bitmap.size))
                return try ImageEncoding(coders: CodersManager(BuiltInCoders.all))
                    .encode(image, options: EncodeOptions(format: .png)).bytes.contiguous()
            }
        }

        @GTKActor private func gallery(_ count: Int) -> GalleryWindow {
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager(),
                    coders: CodersManager(BuiltInCoders.all)))
            let items = (0..<count).map {
                GalleryItem(ImageRequest(source: .provider(Drawn(number: $0))), name: "Picture \($0)")
            }
            var options = GalleryWindow.Options()
            options.cell = 40
            options.width = 200
            options.height = 160
            options.transition = .none
            return GalleryWindow("Gallery", items: items, manager: manager, options: options)
        }

        @GTKActor private func pause() async throws -> TestWindow {
            let window = try TestWindow(nil)
            await window.frames(2)
            return window
        }

        @Test("wall, picture, panel, keys, and back") @GTKActor func browsing() async throws {
            let gallery = gallery(8)
            var closed = 0
            gallery.onClose = { closed += 1 }
            gallery.present()
            let frames = try await pause()
            await frames.until { gallery.isSettled }
            #expect(gallery.isSettled && gallery.openIndex == nil)
            #expect(gallery.cells.view(at: 3)?.gannet.image != nil)
            #expect(gallery.cells.view(at: 3)?.alternativeText == "Picture 3")
            #expect(gannet_gtk_has_label(try row(gallery, 3), "Picture 3"), "GTK names rows by their type")
            #expect(!gallery.press(GDK_KEY_Right), "on the wall the grid has the arrows")

            gallery.open(3)
            await frames.until { gallery.isSettled }
            #expect(
                gallery.openIndex == 3 && gallery.zoom.view.gannet.image?.metadata.originalSize == PixelSize(clamping: 40, 20))
            #expect(
                gallery.panelText.hasPrefix("File\nName: Picture 3\n") && gallery.panelText.contains("\nImage\nPixels: 40 × 20\n")
            )
            #expect(gallery.panelText.contains("\nFormat: png\n") && gallery.panelText.contains("\nMemory cache: has it"))
            #expect(gallery.zoom.effectiveZoom == 1, "small pictures are not enlarged")

            #expect(gallery.press(GDK_KEY_plus) && gallery.zoom.zoom == 1.25)
            for _ in 0..<20 { _ = gallery.press(GDK_KEY_plus) }
            #expect(gallery.zoom.zoom == ZoomView.zooms.upperBound)
            await frames.frames(3)
            #expect(gtk_widget_get_width(gallery.zoom.view.widget.raw.assumingMemoryBound(to: GtkWidget.self)) == 40 * 32)
            #expect(gallery.press(GDK_KEY_1) && gallery.zoom.zoom == 1)
            #expect(gallery.press(GDK_KEY_0) && gallery.zoom.zoom == nil)

            #expect(gallery.press(GDK_KEY_Right) && gallery.openIndex == 4)
            await frames.until { gallery.isSettled }
            #expect(gallery.panelText.hasPrefix("File\nName: Picture 4\n"))
            #expect(gallery.press(GDK_KEY_Left) && gallery.openIndex == 3)
            #expect(gallery.press(GDK_KEY_Escape) && gallery.openIndex == nil)
            // The keyboard goes on at the image that was open, and shows where that is.
            let window = gallery.window.raw.assumingMemoryBound(to: GtkWindow.self)
            #expect(gtk_window_get_focus(window).map { UnsafeMutableRawPointer($0) } == (try row(gallery, 3)))
            #expect(gtk_window_get_focus_visible(window) != 0)
            await frames.frames(2)
            #expect(gtk_window_get_focus(window).map { UnsafeMutableRawPointer($0) } == (try row(gallery, 3)))
            gtk_window_destroy(gallery.window.raw.assumingMemoryBound(to: GtkWindow.self))
            #expect(closed == 1)
            // Its widgets are no more: calls that come late do nothing.
            gallery.present()
            gallery.open(1)
            gallery.togglePanel()
            gallery.close()
            #expect(gallery.isClosed && gallery.openIndex == nil && !gallery.press(GDK_KEY_Right))
            frames.close()
        }

        @Test("buttons lead to the image before and the next one, where there is one") @GTKActor func stepButtons() async throws {
            let gallery = gallery(3)
            var opened: [Int?] = []
            gallery.onOpen = { opened.append($0) }
            gallery.present()
            let frames = try await pause()
            gallery.open(0)
            let previous = try button(gallery, "Previous image")
            let next = try button(gallery, "Next image")
            #expect(gtk_widget_get_visible(previous) == 0 && gtk_widget_get_visible(next) != 0)
            click(next)
            #expect(gallery.openIndex == 1 && gtk_widget_get_visible(previous) != 0)
            click(next)
            #expect(gallery.openIndex == 2 && gtk_widget_get_visible(next) == 0)
            click(previous)
            gallery.close()
            #expect(opened == [0, 1, 2, 1, nil])
            gtk_window_destroy(gallery.window.raw.assumingMemoryBound(to: GtkWindow.self))
            frames.close()
        }

        /// A button over the open image.
        @GTKActor private func button(_ gallery: GalleryWindow, _ label: String) throws -> UnsafeMutablePointer<GtkWidget> {
            let zoom = gallery.zoom.widget.raw.assumingMemoryBound(to: GtkWidget.self)
            var next = gtk_widget_get_first_child(gtk_widget_get_parent(zoom))
            while let child = next, !gannet_gtk_has_label(UnsafeMutableRawPointer(child), label) {
                next = gtk_widget_get_next_sibling(child)
            }
            return try #require(next)
        }

        /// The widget that GTK made around the cell of a position.
        @GTKActor private func row(_ gallery: GalleryWindow, _ position: Int) throws -> UnsafeMutableRawPointer {
            let view = try #require(gallery.cells.view(at: position))
            return UnsafeMutableRawPointer(
                try #require(gtk_widget_get_parent(view.widget.raw.assumingMemoryBound(to: GtkWidget.self))))
        }

        @Test("F11 covers the screen, Escape leaves that first; Ctrl+W and Ctrl+Q close") @GTKActor
        func keysOfTheWindow() async throws {
            for key in [GDK_KEY_w, GDK_KEY_q] {
                let gallery = gallery(2)
                var closed = 0
                gallery.onClose = { closed += 1 }
                gallery.present()
                #expect(gallery.press(GDK_KEY_F11) && gallery.isFullScreen && gallery.openIndex == nil)
                gallery.open(1)
                #expect(gallery.press(GDK_KEY_Escape) && !gallery.isFullScreen && gallery.openIndex == 1)
                #expect(!gallery.press(GDK_KEY_w) && !gallery.press(GDK_KEY_q) && closed == 0)
                #expect(!gallery.press(GDK_KEY_i, withControl: true))
                #expect(gallery.press(key, withControl: true) && closed == 1 && gallery.isClosed)
                #expect(!gallery.press(GDK_KEY_F11))
            }
        }

        #if JPEG
            @Test("of a file that ends early the part that is there is shown, with a note") @GTKActor
            func truncated() async throws {
                let whole = try TestImages.still(TestImages.noise(width: 320, height: 240)).blockingEncoded(
                    EncodeOptions(format: .jpeg, quality: 90)
                ).bytes.contiguous()
                let half = ByteRope(Array(whole.prefix(whole.count / 2)))
                let manager = ImageManager(
                    configuration: ManagerConfiguration(
                        memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager(),
                        coders: CodersManager(BuiltInCoders.all)))
                let item = GalleryItem(ImageRequest(source: .data(half, identifier: "half")), name: "half.jpg")
                let gallery = GalleryWindow("Gallery", items: [item], manager: manager)
                gallery.present()
                let frames = try await pause()
                await frames.until { gallery.isSettled }
                #expect(gallery.failure == nil && gallery.zoom.view.gannet.image?.metadata.isPartial == true)
                #expect(gallery.note.text.contains("ends early") && gallery.panelText.contains("\nState: incomplete"))
                #expect(gannet_gtk_has_label(gallery.zoom.widget.raw, "half.jpg, incomplete"))
                let shot = try await gallery.window.captureNextFrame()
                #expect(shot?.size == PixelSize(clamping: 900, 640), "with the window's frame, as large as it was made")
                gtk_window_destroy(gallery.window.raw.assumingMemoryBound(to: GtkWindow.self))
                frames.close()
            }

            @Test("what the camera wrote has its group in the panel") @GTKActor func camera() async throws {
                // Big-endian: model, and a directory with the f-number 28/10 and ISO 400.
                let exif: [UInt8] = [
                    0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 2,
                    0x01, 0x10, 0, 2, 0, 0, 0, 4, 0x47, 0x31, 0x30, 0,
                    0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0,
                    0, 2, 0x82, 0x9D, 0, 5, 0, 0, 0, 1, 0, 0, 0, 68,
                    0x88, 0x27, 0, 3, 0, 0, 0, 1, 0x01, 0x90, 0, 0, 0, 0, 0, 0,
                    0, 0, 0, 28, 0, 0, 0, 10,
                ]
                let plain = try TestImages.still(TestImages.gradient()).blockingEncoded(EncodeOptions(format: .jpeg)).bytes
                    .contiguous()
                let segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(exif.count + 8), 0x45, 0x78, 0x69, 0x66, 0, 0]
                var file = plain
                file.insert(contentsOf: segment + exif, at: 2)
                let manager = ImageManager(
                    configuration: ManagerConfiguration(
                        memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager(),
                        coders: CodersManager(BuiltInCoders.all)))
                let request = ImageRequest(source: .data(ByteRope(file), identifier: "camera"))
                let gallery = GalleryWindow("Gallery", items: [GalleryItem(request, name: "bird.jpg")], manager: manager)
                gallery.present()
                let frames = try await pause()
                await frames.until { gallery.panelText.contains("Camera") }
                #expect(gallery.panelText.contains("\nCamera\nModel: G10\nAperture: f/2.8\nSensitivity: ISO 400\nLoad\n"))
                gtk_window_destroy(gallery.window.raw.assumingMemoryBound(to: GtkWindow.self))
                frames.close()
            }
        #endif

        @Test("until the image is there, its thumbnail has its place and size") @GTKActor func thumbnail() async throws {
            let zoom = ZoomView()
            let loader = ManualLoader()
            zoom.view.gannet.loader = loader
            let window = try TestWindow(zoom.widget)
            let whole = PixelSize(clamping: 40, 40)
            // 4 × 4 pixels, of an image that is smaller than the window, and of one that is larger.
            zoom.show(ImageRequest(source: .file("/small")), thumbnail: try picture(red, original: whole))
            await window.until { painted(zoom.view.picture)[30, 30] == red }
            #expect(painted(zoom.view.picture)[12, 12] == red && painted(zoom.view.picture)[8, 30] == clear)
            let large = PixelSize(clamping: 400, 200)
            zoom.show(ImageRequest(source: .file("/large")), thumbnail: try picture(green, original: large))
            await window.until { painted(zoom.view.picture)[2, 30] == green }
            #expect(painted(zoom.view.picture)[2, 30] == green)
            window.close()
        }

        @Test("a capture has the pixels of its display") @GTKActor func scaledCapture() async throws {
            let view = ImageView()
            view.gannet.contentMode = .stretch
            view.gannet.show(try picture(red))
            let window = try TestWindow(view.widget)
            await window.until { painted(view.picture)[30, 30] == red }
            let (one, two) = (try #require(try view.widget.capture()), try #require(try view.widget.capture(scale: 2)))
            #expect(two.size == PixelSize(clamping: one.width * 2, one.height * 2))
            #expect(two.color(atX: two.width - 1, y: two.height - 1) == one.color(atX: one.width - 1, y: one.height - 1))
            window.close()
        }

        @Test("a picture that cannot be shown says why, and nothing waits for it; buttons have names") @GTKActor
        func broken() async throws {
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager(),
                    coders: CodersManager(BuiltInCoders.all)))
            let items = [
                GalleryItem(ImageRequest(source: .data(ByteRope(Array("no picture".utf8)), identifier: "x")), name: "Broken"),
                GalleryItem(ImageRequest(source: .provider(Drawn(number: 1))), name: "Whole"),
            ]
            let gallery = GalleryWindow("Gallery", items: items, manager: manager)
            var told: [Int] = []
            gallery.onFailure = { index, error in
                #expect(error.code == .notAnImage || error.code == .blocked)
                told.append(index)
            }
            gallery.open(1)
            gallery.present()
            let frames = try await pause()
            await frames.until { gallery.isSettled }
            let stage = try #require(gtk_widget_get_parent(gallery.zoom.widget.raw.assumingMemoryBound(to: GtkWidget.self)))
            let panel = try #require(gtk_widget_get_next_sibling(stage))
            #expect(gallery.failure == nil && gtk_widget_get_visible(panel) == 0, "nobody asked for the panel")
            #expect(gannet_gtk_has_label(gallery.zoom.widget.raw, "Whole"))
            #expect(gallery.press(GDK_KEY_i) && gtk_widget_get_visible(panel) != 0)
            #expect(gallery.press(GDK_KEY_i) && gtk_widget_get_visible(panel) == 0)
            gallery.open(0)
            gallery.open(0)
            #expect(gallery.failure == nil && !gallery.isSettled)
            await frames.until { gallery.isSettled }
            let reason = try #require(gallery.failure?.message)
            #expect(gallery.failure?.code == .notAnImage && gallery.note.text == "Broken\n" + reason)
            #expect(gannet_gtk_has_label(gallery.zoom.widget.raw, "Broken: " + reason))
            #expect(Set(told) == [0])
            #expect(gallery.panelText.contains("\nFailed: " + reason))
            #expect(gallery.press(GDK_KEY_Right) && gallery.failure == nil && gallery.note.text.isEmpty)
            #expect(gallery.press(GDK_KEY_Escape))
            await frames.until { gallery.isSettled && told.count > 1 }
            // The cell says the same.
            let cell = try #require(gallery.cells.view(at: 0))
            #expect(ImageNote.of(cell.widget).text.hasPrefix("Broken\n"))
            let message = ImageNote.of(cell.widget).text.dropFirst(7)
            #expect(gannet_gtk_has_label(try row(gallery, 0), "Broken: " + message))
            #expect(ImageNote.existing(try #require(gallery.cells.view(at: 1)).widget) == nil)
            gtk_window_destroy(gallery.window.raw.assumingMemoryBound(to: GtkWindow.self))
            frames.close()
        }

        @Test("one picture is open from the beginning, and Escape does not leave it") @GTKActor func single() async throws {
            let gallery = gallery(1)
            gallery.present()
            let frames = try await pause()
            await frames.until { gallery.isSettled }
            #expect(gallery.openIndex == 0)
            _ = gallery.press(GDK_KEY_Escape)
            #expect(gallery.openIndex == 0)
            var shot: Bitmap?
            await frames.until {
                shot = try? gallery.window.capture()
                return shot != nil
            }
            #expect(shot.map { $0.width > 100 && $0.height > 100 } == true)
            gtk_window_destroy(gallery.window.raw.assumingMemoryBound(to: GtkWindow.self))
            frames.close()
        }
    }
#endif
