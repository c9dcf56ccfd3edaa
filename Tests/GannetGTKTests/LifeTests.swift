#if GTK
    import CGTK
    import CGannetShims
    import GannetCore
    import GannetGTK
    import GannetPipeline
    import GannetTesting
    import Testing

    /// How widgets end, and what follows the display.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct LifeTests {
        let loader = ManualLoader()

        @Test("1,000 widgets made, shown, loading and destroyed: every GObject ends, every load is cancelled")
        @GTKActor func noLeaks() async throws {
            let window = try TestWindow(nil)
            await window.frames(2)
            var lifetimes: [Lifetime] = []
            var ends = 0
            for index in 0..<1000 {
                let view = PictureView(alternativeText: "\(index)")
                view.gannet.loader = loader
                view.gannet.placeholder = color(blue)
                view.gannet.indicator = index % 2 == 0 ? .activity : .custom(GTKView { GTKWidget(gtk_spinner_new()!) })
                view.gannet.transition = .fade
                for raw in [view.widget.raw, view.picture.raw, view.gannet.images.slot(.main).paintable] {
                    lifetimes.append(Lifetime(raw))
                }
                view.gannet.setImage(with: ImageRequest(source: .file("/\(index)")).fit(4, 4)) { _ in ends += 1 }
                window.setChild(view.widget)
                if index % 50 == 0 {
                    if index % 100 == 0 { loader.loads.last?.succeed(try picture(red)) }
                    await window.frame()
                }
            }
            window.setChild(nil)
            await window.until { lifetimes.allSatisfy(\.hasEnded) }
            #expect(lifetimes.count == 3000 && lifetimes.filter { !$0.hasEnded }.isEmpty)
            #expect(loader.loads.count == 1000 && ends == 1000)
            window.close()
        }

        @Test("the scale factor changes: the same picture is asked for with more pixels, and nothing flickers")  // VW-10, U-24
        @GTKActor func scaleChange() async throws {
            let view = PictureView()
            view.gannet.loader = loader
            view.gannet.contentMode = .stretch
            let window = try TestWindow(view.widget)
            view.gannet.setImage(with: "https://example.org/a.png")
            await window.until { !loader.loads.isEmpty }
            #expect(loader.first.request.decode.target == .size(.stretch(60, 60)))
            loader.first.succeed(try picture(red, original: PixelSize(clamping: 1000, 1000)))
            await window.until { view.gannet.picture != nil }
            var flashes = 0
            let slot = view.gannet.images.slot(.main)
            slot.onDraw = { if view.gannet.picture == nil { flashes += 1 } }
            // A fraction, as compositors have it, and then the next whole one.
            for (number, scale) in [1.5, 2].enumerated() {
                slot.scaleFactor = { scale }
                g_object_notify(view.picture.raw.assumingMemoryBound(to: GObject.self), "scale-factor")
                await window.until { loader.loads.count == number + 2 }
                let pixels = Int(60 * scale)
                #expect(loader.load(number + 1).request.decode.target == .size(.stretch(pixels, pixels)))
                let color = number == 0 ? blue : green
                loader.load(number + 1).succeed(try picture(color, original: PixelSize(clamping: 1000, 1000)))
                await window.until { painted(view.picture)[30, 30] == color }
            }
            #expect(painted(view.picture)[30, 30] == green && flashes == 0)
            window.close()
        }

        @Test("a screen reader hears the alternative text, and that a load runs") @GTKActor func accessibility() async throws {
            let view = PictureView(alternativeText: "A gannet")
            #expect(view.alternativeText == "A gannet")
            view.alternativeText = "Two gannets"
            #expect(view.alternativeText == "Two gannets")
            view.gannet.loader = loader
            let window = try TestWindow(view.widget)
            view.gannet.setImage(with: "https://example.org/a.png")
            await window.until { !loader.loads.isEmpty }
            #expect(view.gannet.isLoading && view.gannet.images.isAnnouncedBusy && gannet_gtk_is_busy(view.picture.raw))
            loader.first.succeed(try picture(red))
            await window.until { !view.gannet.isLoading }
            #expect(!view.gannet.images.isAnnouncedBusy && !gannet_gtk_is_busy(view.picture.raw))
            window.close()
        }

        @Test("a network that is back: what could not be reached is tried again, once")  // VW-38
        @GTKActor func reconnecting() async throws {
            let views = (0..<2).map { _ in PictureView() }
            let box = try #require(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
            for (number, view) in views.enumerated() {
                view.gannet.loader = loader
                view.gannet.defaults.retriesOnReconnect = number == 0
                view.setSizeRequest(width: 20, height: 20)
                gtk_box_append(
                    UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self),
                    view.widget.raw.assumingMemoryBound(to: GtkWidget.self))
            }
            let window = try TestWindow(GTKWidget(box))
            for (number, view) in views.enumerated() {
                view.gannet.setImage(with: ImageRequest(source: .file("/\(number)")))
                await window.until { loader.loads.count == number + 1 }
                loader.load(number).fail()
                await window.until { !view.gannet.isLoading }
            }
            NetworkNews.shared.changed(false)
            #expect(loader.loads.count == 2)
            NetworkNews.shared.changed(true)
            // A route more is no news.
            NetworkNews.shared.changed(true)
            #expect(loader.loads.count == 3 && loader.load(2).request.source == views[0].gannet.source())
            loader.load(2).succeed(try picture(red))
            await window.until { views[0].gannet.picture != nil }
            #expect(views[0].gannet.picture != nil && views[1].gannet.picture == nil)
            window.close()
        }

        @Test("awaited: the picture, the error, and a cancelled task") @GTKActor func awaited() async throws {
            let view = PictureView()
            view.gannet.loader = loader
            let face = view.gannet
            async let shown = face.image(with: ImageRequest(source: .file("/a")).fit(4, 4))
            let window = try TestWindow(view.widget)
            await window.until { !loader.loads.isEmpty }
            loader.first.succeed(try picture(red))
            let loaded = try await shown
            #expect(loaded.size == PixelSize(clamping: 4, 4))
            let task = Task<ImageError.Code?, Never> { @GTKActor in
                do throws(ImageError) {
                    try await face.image(with: ImageRequest(source: .file("/b")).fit(4, 4))
                    return nil
                } catch { return error.code }
            }
            await window.until { loader.loads.count == 2 }
            task.cancel()
            let code = await task.value
            #expect(code == .cancelled)
            #expect(loader.load(1).isCancelled)
            window.close()
        }

        @Test("what a widget paints can be captured") @GTKActor func capture() async throws {
            let view = PictureView()
            view.gannet.contentMode = .stretch
            let window = try TestWindow(view.widget)
            view.gannet.show(try picture(red))
            await window.until { painted(view.picture)[30, 30] == red }
            let bitmap = try #require(try view.widget.capture())
            #expect(bitmap.size == PixelSize(clamping: 60, 60))
            let row = bitmap.row(30)
            #expect((0..<4).map { Int(row[120 + $0]) } == red)
            window.close()
        }
    }
#endif
