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
            #expect(!gallery.press(GDK_KEY_Right), "on the wall the grid has the arrows")

            gallery.open(3)
            await frames.until { gallery.isSettled }
            #expect(
                gallery.openIndex == 3 && gallery.zoom.view.gannet.image?.metadata.originalSize == PixelSize(clamping: 40, 20))
            #expect(gallery.panelText.contains("png 40 × 20") && gallery.panelText.contains("in the memory cache"))
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
            #expect(gallery.panelText.hasPrefix("Picture 4"))
            #expect(gallery.press(GDK_KEY_Left) && gallery.openIndex == 3)
            #expect(gallery.press(GDK_KEY_Escape) && gallery.openIndex == nil)
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
            let panel = try #require(
                gtk_widget_get_next_sibling(gallery.zoom.widget.raw.assumingMemoryBound(to: GtkWidget.self)))
            #expect(gallery.failure == nil && gtk_widget_get_visible(panel) == 0, "nobody asked for the panel")
            #expect(gannet_gtk_has_label(gallery.zoom.widget.raw, "Whole"))
            #expect(gallery.press(GDK_KEY_i) && gtk_widget_get_visible(panel) != 0)
            #expect(gallery.press(GDK_KEY_i) && gtk_widget_get_visible(panel) == 0)
            gallery.open(0)
            gallery.open(0)
            #expect(gallery.failure == nil && !gallery.isSettled)
            await frames.until { gallery.isSettled }
            #expect(gallery.failure?.code == .notAnImage && gtk_widget_get_visible(panel) != 0)
            #expect(Set(told) == [0])
            #expect(gallery.panelText.contains("failed"))
            #expect(gallery.press(GDK_KEY_Right) && gallery.failure == nil && gtk_widget_get_visible(panel) == 0)
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
