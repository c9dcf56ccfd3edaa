#if GTK
    import CGTK
    import CGannetShims
    import GannetCore
    import GannetGTK
    import GannetViews
    import GannetTesting
    import Synchronization
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
                let view = ImageView(alternativeText: "\(index)")
                view.gannet.loader = loader
                view.gannet.placeholder = color(blue)
                view.gannet.indicator = index % 2 == 0 ? .activity : .custom(GTKView { GTKWidget(gtk_spinner_new()!) })
                view.gannet.transition = .fade
                for raw in [view.widget.raw, view.picture.raw, view.gannet.images.slot(.main).paintable] {
                    lifetimes.append(Lifetime(raw))
                }
                view.gannet.setImage(with: ImageRequest(.file("/\(index)"), .fit(4, 4))) { _ in ends += 1 }
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

        @Test("a picture that outlives its overlay puts no widgets over it") @GTKActor func withoutItsOverlay() throws {
            final class Count: Sendable {
                let made = Mutex(0)
            }
            let count = Count()
            var view: ImageView? = ImageView()
            let picture = try #require(view?.picture)
            let overlay = Lifetime(try #require(view?.widget.raw))
            g_object_ref(picture.raw)
            defer { g_object_unref(picture.raw) }
            view = nil
            #expect(overlay.hasEnded)
            picture.gannet.loader = loader
            picture.gannet.placeholder = .view(
                GTKView {
                    count.made.withLock { $0 += 1 }
                    return GTKWidget(gtk_spinner_new()!)
                })
            picture.gannet.setImage(with: ImageRequest(.file("/x"), .fit(4, 4)))
            #expect(count.made.withLock { $0 } == 0)
            picture.gannet.cancel()
        }

        @Test("a picture that is taken away while nobody sees it gives its memory back") @GTKActor func hiddenTextures()
            async throws
        {
            let view = ImageView()
            view.gannet.contentMode = .stretch
            let window = try TestWindow(view.widget)
            view.gannet.show(try picture(red))
            await window.until { painted(view.picture)[30, 30] == red }
            let slot = view.gannet.images.slot(.main)
            let lifetimes = slot.textures.map { Lifetime($0.raw) }
            #expect(lifetimes.count == 1)
            // As a page of a stack that is left: reset at once, and never drawn again.
            view.gannet.reset()
            gtk_widget_set_visible(view.widget.raw.assumingMemoryBound(to: GtkWidget.self), 0)
            #expect(slot.textures.isEmpty)
            view.gannet.show(try picture(green))
            gtk_widget_set_visible(view.widget.raw.assumingMemoryBound(to: GtkWidget.self), 1)
            await window.until { painted(view.picture)[30, 30] == green }
            #expect(painted(view.picture)[30, 30] == green)
            await window.until { lifetimes.allSatisfy(\.hasEnded) }
            #expect(lifetimes.filter { !$0.hasEnded }.isEmpty)
            // And one that is taken away after it was hidden.
            gtk_widget_set_visible(view.widget.raw.assumingMemoryBound(to: GtkWidget.self), 0)
            view.gannet.show(nil)
            #expect(slot.textures.isEmpty)
            window.close()
        }

        @Test("the scale factor changes: the same picture is asked for with more pixels, and nothing flickers")  // VW-10, U-08
        @GTKActor func scaleChange() async throws {
            let view = ImageView()
            view.gannet.loader = loader
            view.gannet.contentMode = .stretch
            let window = try TestWindow(view.widget)
            view.gannet.setImage(with: "https://example.org/a.png")
            await window.until { !loader.loads.isEmpty }
            #expect(loader.first.request.decode.target == .size(.stretch(60, 60)))
            loader.first.succeed(try picture(red, original: PixelSize(clamping: 1000, 1000)))
            await window.until { view.gannet.image != nil }
            var flashes = 0
            let slot = view.gannet.images.slot(.main)
            slot.onDraw = { if view.gannet.image == nil { flashes += 1 } }
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

        @Test("a widget with two pixels a point does not grow by the picture that was made for it")  // CG-04, VW-10
        @GTKActor func naturalSize() async throws {
            let view = ImageView()
            view.gannet.loader = loader
            view.gannet.images.slot(.main).scaleFactor = { 2 }
            view.setSizeRequest(width: 40, height: 40)
            let raw = view.widget.raw.assumingMemoryBound(to: GtkWidget.self)
            gtk_widget_set_halign(raw, GTK_ALIGN_START)
            gtk_widget_set_valign(raw, GTK_ALIGN_START)
            let window = try TestWindow(view.widget, width: 300, height: 300)
            view.gannet.setImage(with: "https://example.org/a.png")
            await window.until { !loader.loads.isEmpty }
            #expect(loader.first.request.decode.target == .size(.fit(80, 80)))
            let made = try solid(red, width: 80, height: 80)
            loader.first.succeed(.still(made, ImageMetadata(format: .png, originalSize: PixelSize(clamping: 1000, 1000))))
            await window.until { view.gannet.image != nil }
            await window.frames(4)
            #expect(gtk_widget_get_width(raw) == 40 && loader.loads.count == 1)
            window.close()
        }

        @Test("a screen reader hears the alternative text, and that a load runs") @GTKActor func accessibility() async throws {
            let view = ImageView(alternativeText: "A gannet")
            #expect(view.alternativeText == "A gannet" && gannet_gtk_has_label(view.picture.raw, "A gannet"))
            view.alternativeText = nil
            #expect(view.alternativeText == nil && !gannet_gtk_has_label(view.picture.raw, "A gannet"))
            view.alternativeText = "Two gannets"
            #expect(view.alternativeText == "Two gannets" && gannet_gtk_has_label(view.picture.raw, "Two gannets"))
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

        @Test("a network that is back: what could not be reached is tried again, once")  // VW-38, CG-16
        @GTKActor func reconnecting() async throws {
            let views = (0..<2).map { _ in ImageView() }
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
            await window.until { views[0].gannet.image != nil }
            #expect(views[0].gannet.image != nil && views[1].gannet.image == nil)
            window.close()
        }

        @Test("awaited: the picture, the error, and a cancelled task") @GTKActor func awaited() async throws {  // U-33
            let view = ImageView()
            view.gannet.loader = loader
            let face = view.gannet
            async let shown = face.image(with: ImageRequest(.file("/a"), .fit(4, 4)))
            let window = try TestWindow(view.widget)
            await window.until { !loader.loads.isEmpty }
            loader.first.succeed(try picture(red))
            let loaded = try await shown
            #expect(loaded.size == PixelSize(clamping: 4, 4))
            let task = Task<ImageError.Code?, Never> { @GTKActor in
                do throws(ImageError) {
                    try await face.image(with: ImageRequest(.file("/b"), .fit(4, 4)))
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

        @Test("what a task waited for is cancelled, and not what was set in its place meanwhile")
        @GTKActor func cancelledTooLate() async throws {
            let view = ImageView()
            view.gannet.loader = loader
            let face = view.gannet
            let window = try TestWindow(view.widget)
            let task = Task { @GTKActor in _ = try? await face.image(with: ImageRequest(.file("/a"), .fit(4, 4))) }
            await window.until { loader.loads.count == 1 }
            task.cancel()
            face.setImage(with: ImageRequest(.file("/b"), .fit(4, 4)))
            await task.value
            await window.frames(2)
            #expect(loader.loads.map(\.isCancelled) == [true, false])
            window.close()
        }

        @Test("calls to a widget that is gone end at once, as cancelled") @GTKActor func goneWidgets() async throws {
            let button = GTKWidget(try #require(gtk_button_new()))
            g_object_ref_sink(button.raw)
            let picture = GTKWidget(try #require(gtk_picture_new()))
            g_object_ref_sink(picture.raw)
            let faces = [button.gannet, picture.gannet]
            for face in faces { face.loader = loader }
            g_object_unref(button.raw)
            g_object_unref(picture.raw)
            var codes: [ImageError.Code] = []
            let note: Presenter.Completion = { if case .failure(let error) = $0 { codes.append(error.code) } }
            for face in faces {
                face.setImage(with: "https://example.org/a.png", completion: note)
                face.setImage(with: "https://example.org/a.png", slot: "badge", completion: note)
                face.setImage(with: "https://example.org/a.png", for: .normal, completion: note)
                await #expect(throws: ImageError.self) { try await face.image(with: "https://example.org/a.png") }
                face.display(slot: "badge") { _ in }
                face.isPlaying = true
            }
            #expect(codes == Array(repeating: .cancelled, count: 6) && loader.loads.isEmpty)
        }

        @Test("a completion that shows something else whenever its load fails ends with the widget, and with its call")
        @GTKActor func fallbacksOfFallbacks() async throws {
            var view: ImageView? = ImageView()
            let face = try #require(view?.gannet)
            face.loader = loader
            var calls = 0
            func show(_ path: String) {
                calls += 1
                face.setImage(with: ImageRequest(.file(path), .fit(4, 4))) { if case .failure = $0 { show("/fallback") } }
            }
            show("/a")
            show("/b")
            #expect(face.source() == .file("/b") && loader.loads.map(\.isCancelled) == [true, false])
            view = nil
            #expect(loader.loads.allSatisfy(\.isCancelled) && calls < 20)
            show("/c")
            #expect(calls < 20 && loader.loads.count == 2)
        }

        @Test("a completion may change the text of a label: it does not come while GTK draws") @GTKActor
        func completionsAndDrawing() async throws {
            loader.remember(try picture(red), for: "https://example.org/a.png")
            let view = ImageView()
            view.gannet.loader = loader
            let page = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let label = try #require(gtk_label_new("loading"))
            let frame = view.widget.raw.assumingMemoryBound(to: GtkWidget.self)
            gtk_widget_set_vexpand(frame, 1)
            for child in [frame, label] {
                gtk_box_append(UnsafeMutableRawPointer(page).assumingMemoryBound(to: GtkBox.self), child)
            }
            var results: [Bool] = []
            view.gannet.setImage(with: "https://example.org/a.png") { result in
                if case .success = result { results.append(true) }
                gtk_label_set_text(OpaquePointer(label), "a longer text\nof two lines")
            }
            // Any warning of GTK ends the process.
            let window = try TestWindow(GTKWidget(page), width: 60, height: 120)
            await window.until { !results.isEmpty }
            await window.frames(2)
            #expect(results == [true] && painted(view.picture)[30, 30] == red)
            window.close()
        }

        @Test("a GtkImage or GtkPicture that was given something else meanwhile shows the next picture")
        @GTKActor func replacedPaintables() async throws {
            for make in [{ gtk_picture_new() }, { gtk_image_new() }] {
                let loader = ManualLoader()
                loader.remember(try picture(red), for: "https://example.org/a.png")
                loader.remember(try picture(green), for: "https://example.org/b.png")
                let widget = GTKWidget(try #require(make()))
                widget.gannet.loader = loader
                let window = try TestWindow(widget)
                widget.gannet.setImage(with: "https://example.org/a.png")
                await window.until { painted(widget)[30, 30] == red }
                switch widget.raw.assumingMemoryBound(to: GTypeInstance.self).pointee.g_class.pointee.g_type {
                case gtk_image_get_type(): gtk_image_set_from_icon_name(OpaquePointer(widget.raw), "dialog-error")
                default: gtk_picture_set_paintable(OpaquePointer(widget.raw), nil)
                }
                await window.frames(2)
                #expect(painted(widget)[30, 30] != red)
                widget.gannet.setImage(with: "https://example.org/b.png")
                await window.until { painted(widget)[30, 30] == green }
                #expect(painted(widget)[30, 30] == green)
                window.close()
            }
        }

        @Test("times, scales and zooms far from anything sensible do no harm") @GTKActor func extremes() async throws {
            let zoom = ZoomView()
            let view = zoom.view
            view.gannet.loader = loader
            view.gannet.placeholder = color(blue)
            view.gannet.defaults.placeholderTiming = .after(.seconds(Int64.max))
            let window = try TestWindow(zoom.widget)
            zoom.show("https://example.org/a.png")
            await window.until { loader.loads.count == 1 }
            await window.frames(2)
            #expect(view.gannet.presenter().shownPlaceholder == nil)
            loader.first.succeed(try picture(red))
            await window.until { view.gannet.image != nil }
            zoom.setZoom(.nan)
            #expect(zoom.zoom == nil)
            zoom.setZoom(.infinity)
            #expect(zoom.zoom == ZoomView.zooms.upperBound)
            zoom.setZoom(nil)
            let frames = try [red, green].map { try solid($0) }
            for rate in [1e-300, 1e-15, 1e300] {
                view.gannet.defaults.animation.rate = rate
                let source = ImageSource(stringLiteral: "https://example.org/\(rate).gif")
                var metadata = ImageMetadata(format: .gif, originalSize: frames[0].size)
                metadata.scale = .nan
                let clip = AnimatedImage(
                    metadata: metadata, poster: frames[0], loopCount: 0, delays: [.seconds(1), .seconds(1)],
                    source: FrameArray(frames))
                loader.remember(.animated(clip), for: source)
                view.gannet.setImage(with: source)
                await window.frames(3)
                #expect(view.gannet.image != nil && view.gannet.presenter().intrinsicSize.width == 4)
            }
            window.close()
        }
    }
#endif
