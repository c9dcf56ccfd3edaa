#if GTK
    import CGTK
    import CGannetShims
    import GannetCore
    import GannetGTK
    import GannetImages
    import GannetTesting
    import GannetViews
    import Testing

    /// The views that an image made, and what they were told.
    @GTKActor private final class Made {
        var phases: [ImagePhase] = []
        var spinners = 0
        var progress: [LoadProgress] = []
    }

    /// Images described in one expression, in real windows.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct GannetImageTests {
        let loader = ManualLoader()
        let a: ImageRequest = "https://example.org/a.png"

        /// The widgets over the picture.
        @GTKActor private func covers(_ image: GannetImage) -> [GTKWidget] {
            var found: [GTKWidget] = []
            var next = gtk_widget_get_first_child(image.widget.raw.assumingMemoryBound(to: GtkWidget.self))
            while let child = next {
                if GTKWidget(child) != image.picture { found.append(GTKWidget(child)) }
                next = gtk_widget_get_next_sibling(child)
            }
            return found
        }

        /// The colour in the middle.
        @GTKActor private func shown(_ picture: GTKWidget) -> [Int] { painted(picture)[30, 30] }

        // VW-36, NK-18, PL-09, NW-12
        @Test("each phase has its view, which stays while the load goes on, and gets its progress")
        @GTKActor func phases() async throws {
            let made = Made()
            let spinner = GTKView(
                {
                    made.spinners += 1
                    return GTKWidget(gtk_spinner_new()!)
                }, update: { _, progress in made.progress.append(progress) })
            let image = GannetImage(a) { phase in
                made.phases.append(phase)
                return switch phase {
                case .loading: spinner
                case .failure(let error): GTKView { GTKWidget(gtk_label_new(error.message)!) }
                case .empty, .image: nil
                }
            }
            .resizable().loader(loader)
            let window = try TestWindow(image.widget)
            await window.until { made.spinners == 1 }
            #expect(covers(image).count == 1 && made.phases == [.empty, .loading(LoadProgress(), preview: nil)])
            loader.first.send(.progress(LoadProgress(received: 5, expected: 10)))
            await window.until { made.progress.count == 2 }
            let preview = try picture(blue)
            loader.first.send(.preview(preview))
            await window.until { shown(image.picture) == blue }
            #expect(made.spinners == 1 && made.progress.last?.received == 5, "the same view, over the preview")
            loader.first.fail()
            await window.until { made.phases.count == 4 }
            #expect(covers(image).count == 1 && made.phases[3].error?.code == .network)
            image.load.retry()
            await window.until { loader.loads.count == 2 && made.spinners == 2 }
            let whole = try picture(red)
            loader.load(1).succeed(whole)
            await window.until { shown(image.picture) == red }
            #expect(covers(image).isEmpty && made.phases.last == .image(whole) && made.phases.count == 6)
            window.close()
        }

        // AN-29
        @Test("an animation plays, and rests while it is hidden") @GTKActor func animation() async throws {
            let frames = try [red, green].map { try solid($0) }
            loader.remember(
                .animated(
                    AnimatedImage(
                        metadata: ImageMetadata(format: .gif, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
                        delays: [.milliseconds(20), .milliseconds(20)], source: FrameArray(frames))), for: a.source)
            let image = GannetImage(a).resizable().loader(loader)
            let window = try TestWindow(image.widget)
            await window.until { image.picture.gannet.isPlaying }
            await window.until { shown(image.picture) == green }
            #expect(shown(image.picture) == green && image.load.phase.image?.isAnimated == true)
            gtk_widget_set_visible(image.widget.raw.assumingMemoryBound(to: GtkWidget.self), 0)
            await window.until { !image.picture.gannet.isPlaying }
            #expect(!image.picture.gannet.isPlaying)
            window.close()
        }

        // VW-36, VW-22
        @Test("an image in memory is in the first painted frame, and nothing says that it loads")
        @GTKActor func memoryHit() async throws {
            loader.remember(try picture(red), for: a.source)
            let made = Made()
            let image = GannetImage(a) { phase in
                made.phases.append(phase)
                return nil
            }
            .resizable().loader(loader).placeholder(color(blue))
            var frames: [Bool] = []
            image.picture.gannet.images.slot(.main).onDraw = { frames.append(image.load.phase.image != nil) }
            let window = try TestWindow(image.widget)
            await window.until { made.phases.count == 2 }
            #expect(!frames.isEmpty && frames.allSatisfy { $0 } && loader.loads.isEmpty)
            #expect(made.phases.map(\.isLoading) == [false, false])
            // The widget's new size comes after the drawing, and GTK drops what was painted until the next frame.
            await window.until { shown(image.picture) == red }
            #expect(shown(image.picture) == red)
            window.close()
        }

        // VW-36
        @Test("the modifiers of size, in the order in which they are written, decide what is decoded")
        @GTKActor func sizes() async throws {
            for (image, target) in [
                (GannetImage(a), .scaleDown), (GannetImage(a).resizable(), .stretch),
                (GannetImage(a).resizable().scaledToFit(), .fit), (GannetImage(a).resizable().scaledToFill(), .fill),
                (GannetImage(a).scaledToFit(), .fit),
            ] as [(GannetImage, ContentMode)] {
                let loader = ManualLoader()
                let window = try TestWindow(image.loader(loader).frame(width: 60, height: 60).widget)
                await window.until { !loader.loads.isEmpty }
                #expect(image.picture.gannet.contentMode == target)
                let pixels = PixelSize(clamping: 60, 60)
                #expect(loader.first.request.decode.target == target.target(for: pixels).map { .size($0) })
                window.close()
            }
        }

        // VW-36
        @Test("handlers get every outcome, a retry's too; and the load's priority is the image's")
        @GTKActor func handlers() async throws {
            var log: [String] = []
            let image = GannetImage(a).loader(loader).priority(.high)
                .onSuccess { log.append("\($0.origin)") }
                .onFailure { log.append("\($0.code)") }
                .onProgress { log.append("\($0.received)") }
            let window = try TestWindow(image.widget)
            await window.until { !loader.loads.isEmpty }
            #expect(loader.first.request.schedule.priority == .high)
            loader.first.send(.progress(LoadProgress(received: 5)))
            loader.first.fail()
            await window.until { log.count == 2 }
            image.load.retry()
            image.load.cancel()
            image.load.reload()
            loader.load(2).succeed(try picture(red))
            await window.until { log.count == 4 }
            #expect(log == ["5", "network", "0", "network"])
            window.close()
        }

        // VW-36, VW-38
        @Test("the button over a failure loads again by click and by key, and screen readers hear why there is no image")
        @GTKActor func retryButton() async throws {
            let image = GannetImage(a).loader(loader).retryButton("Again").alternativeText("A gannet")
            let window = try TestWindow(image.widget)
            await window.until { !loader.loads.isEmpty }
            for (number, byKey) in [false, true].enumerated() {
                #expect(covers(image).isEmpty && gannet_gtk_has_label(image.picture.raw, "A gannet"))
                loader.load(number).fail()
                await window.until { !covers(image).isEmpty }
                #expect(gannet_gtk_has_label(image.picture.raw, "A gannet: The test says no."))
                let button = try #require(covers(image).first?.raw.assumingMemoryBound(to: GtkWidget.self))
                #expect(gtk_accessible_get_accessible_role(OpaquePointer(button)) == GTK_ACCESSIBLE_ROLE_BUTTON)
                #expect(gtk_widget_grab_focus(button) != 0, "the keyboard reaches it")
                if byKey { gtk_widget_activate(button) } else { click(button) }
                await window.until { loader.loads.count == number + 2 }
                #expect(loader.load(number + 1).request.schedule.retryFailedSources == true)
            }
            window.close()
        }

        // VW-36
        @Test("a hidden image's load is cancelled and begun again, or less urgent for that time")
        @GTKActor func hidden() async throws {
            for cancels in [true, false] {
                let loader = ManualLoader()
                let image = GannetImage(a).loader(loader)
                if cancels { image.cancelOnDisappear() }
                let window = try TestWindow(image.widget)
                await window.until { !loader.loads.isEmpty }
                let widget = image.widget.raw.assumingMemoryBound(to: GtkWidget.self)
                gtk_widget_set_visible(widget, 0)
                await window.until { loader.first.isCancelled || !loader.first.priorityChanges.isEmpty }
                #expect(loader.first.isCancelled == cancels && loader.first.priorityChanges == (cancels ? [] : [.low]))
                gtk_widget_set_visible(widget, 1)
                await window.until { loader.loads.count == 2 || loader.first.priorityChanges.count == 2 }
                #expect(loader.loads.count == (cancels ? 2 : 1))
                #expect(loader.first.priorityChanges == (cancels ? [] : [.low, .normal]))
                window.close()
            }
        }

        // VW-36
        @Test("only another source is loaded, and nothing before the widget is shown")
        @GTKActor func sources() async throws {
            let image = GannetImage(a).loader(loader)
            image.show("https://example.org/b.png")
            #expect(image.load.phase == .empty && loader.loads.isEmpty)
            let window = try TestWindow(image.widget)
            await window.until { !loader.loads.isEmpty }
            image.show("https://example.org/b.png")
            #expect(loader.loads.count == 1 && image.load.source == "https://example.org/b.png")
            image.show(a)
            await window.until { loader.loads.count == 2 }
            #expect(loader.first.isCancelled)
            image.show(nil)
            #expect(image.load.phase == .empty && loader.load(1).isCancelled)
            window.close()
        }

        // VW-36
        @Test("made in an expression, put into a window and taken out: every widget ends, and every load is cancelled")
        @GTKActor func noLeaks() async throws {
            let window = try TestWindow(nil)
            await window.frames(2)
            var lifetimes: [Lifetime] = []
            for index in 0..<100 {
                let request = ImageRequest(.file("/\(index)"), .fit(4, 4))
                window.setChild(
                    GannetImage(request) { phase in phase.isLoading ? GTKView { GTKWidget(gtk_spinner_new()!) } : nil }
                        .placeholder { GTKWidget(gtk_label_new("…")!) }.retryButton().loader(loader).widget)
                let child = try #require(gtk_window_get_child(window.asWindow))
                lifetimes.append(Lifetime(UnsafeMutableRawPointer(child)))
                if index % 10 == 0 { await window.frame() }
            }
            window.setChild(nil)
            await window.until { lifetimes.allSatisfy(\.hasEnded) && loader.loads.allSatisfy(\.isCancelled) }
            #expect(lifetimes.count == 100 && lifetimes.allSatisfy(\.hasEnded))
            #expect(!loader.loads.isEmpty && loader.loads.allSatisfy(\.isCancelled))
            window.close()
        }

        // VW-36
        @Test("where the size is known, the widget has it before the image comes")
        @GTKActor func expectedSize() async throws {
            let image = GannetImage(a).loader(loader).expectedSize(width: 40, height: 20).placeholder(color(blue))
            let box = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            gtk_box_append(
                UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self),
                image.widget.raw.assumingMemoryBound(to: GtkWidget.self))
            func height() -> Int {
                var natural: gint = 0
                gtk_widget_measure(
                    image.widget.raw.assumingMemoryBound(to: GtkWidget.self), GTK_ORIENTATION_VERTICAL, 40, nil, &natural, nil,
                    nil)
                return Int(natural)
            }
            let window = try TestWindow(GTKWidget(box), width: 40, height: 60)
            await window.until { !loader.loads.isEmpty }
            #expect(height() == 20)
            let bitmap = try solid(red, width: 40, height: 20)
            loader.first.succeed(.still(bitmap, ImageMetadata(format: .png, originalSize: bitmap.size)))
            await window.until { image.load.phase.image != nil }
            await window.frames(2)
            #expect(height() == 20)
            window.close()
        }

        // VW-32
        @Test("users who have switched animations off see no transition") @GTKActor func reducedMotion() async throws {
            let view = ImageView()
            view.gannet.loader = loader
            view.gannet.transition = .fade
            let window = try TestWindow(view.widget)
            var options = PresentationOptions()
            options.forcesTransition = true
            loader.remember(try picture(red), for: a.source)
            view.gannet.setImage(with: a, options: options)
            await window.until { shown(view.picture) == red }
            let settings = UnsafeMutableRawPointer(try #require(gtk_settings_get_default()))
            var value = GValue()
            g_value_init(&value, g_type_from_name("gboolean"))
            // At once and back, because the setting is that of all windows.
            for animates in [false, true] {
                g_value_set_boolean(&value, animates ? 1 : 0)
                g_object_set_property(settings.assumingMemoryBound(to: GObject.self), "gtk-enable-animations", &value)
                view.gannet.setImage(with: a, options: options)
                #expect(view.gannet.presenter().isTransitionRunning == animates)
            }
            window.close()
        }
    }
#endif
