#if GTK
    import CGTK
    import GannetCore
    import GannetGTK
    import GannetViews
    import GannetTesting
    import Testing

    /// Clips in widgets.
    extension WidgetTests {
        /// Frame n is red by 50 n.
        private func clip(frames count: Int, each delay: Duration, loopCount: Int = 0) throws -> DecodedImage {
            let frames = try (0..<count).map { try solid([$0 * 50, 0, 0, 255]) }
            return .animated(
                AnimatedImage(
                    metadata: ImageMetadata(format: .gif, originalSize: frames[0].size), poster: frames[0], loopCount: loopCount,
                    delays: Array(repeating: delay, count: count), source: FrameArray(frames)))
        }

        @Test("a hidden widget stops its player; a shown one goes on")  // AN-23
        @GTKActor func hidden() async throws {
            let view = view()
            let clip = try clip(frames: 3, each: .milliseconds(50))
            let window = try TestWindow(view.widget)
            view.gannet.show(clip)
            let player = try #require(slot(view).presenter.player)
            await window.until { player.isPlaying }
            #expect(player.isPlaying)
            gtk_widget_set_visible(view.widget.raw.assumingMemoryBound(to: GtkWidget.self), 0)
            await window.frame()
            #expect(!player.isPlaying)
            gtk_widget_set_visible(view.widget.raw.assumingMemoryBound(to: GtkWidget.self), 1)
            await window.until { player.isPlaying }
            #expect(player.isPlaying)
            window.close()
        }

        @Test("a clip goes on in another window, on that window's frame clock")  // AN-23
        @GTKActor func movedToAnotherWindow() async throws {
            let view = view()
            let clip = try clip(frames: 4, each: .milliseconds(20))
            let first = try TestWindow(view.widget)
            view.gannet.show(clip)
            let player = try #require(slot(view).presenter.player)
            var shown = 0
            player.onEvent = { if case .frame = $0 { shown += 1 } }
            await first.until { shown >= 6 }
            #expect(shown >= 6)
            first.setChild(nil)
            #expect(!player.isPlaying)
            let second = try TestWindow(view.widget)
            let before = shown
            // The first window is gone with its clock: only the second window's clock can wake the animation.
            first.close()
            await second.until { shown >= before + 6 }
            #expect(shown >= before + 6 && player.isPlaying)
            second.close()
        }

        @Test("a clip that a completion shows after a transition moves at once, whatever the one before was waiting for")
        @GTKActor func shownByACompletion() async throws {
            let view = view { $0.transition = .fade(.milliseconds(50)) }
            let window = try TestWindow(view.widget)
            let quick = try clip(frames: 4, each: .milliseconds(20))
            var options = PresentationOptions()
            options.waitsForTransition = true
            options.forcesTransition = true
            var shown = 0
            view.gannet.setImage(with: a, options: options) { _ in
                view.gannet.show(quick)
                slot(view).presenter.player?.onEvent = { if case .frame = $0 { shown += 1 } }
            }
            await window.until { !loader.loads.isEmpty }
            loader.first.succeed(try clip(frames: 2, each: .seconds(3600)))
            await window.until { shown >= 3 }
            window.close()
        }

        @Test("many clips of one window wake it once for a moment, and a clip nobody sees wakes nothing")  // U-03
        @GTKActor func oneTimer() async throws {
            let box = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            var draws = [0, 0]
            var views: [ImageView] = []
            for number in 0..<2 {
                let view = view()
                let clip = try clip(frames: 2, each: .milliseconds(20))
                view.setSizeRequest(width: 30, height: 30)
                view.gannet.show(clip)
                slot(view).onDraw = { draws[number] += 1 }
                gtk_box_append(
                    UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self),
                    view.widget.raw.assumingMemoryBound(to: GtkWidget.self))
                views.append(view)
            }
            let window = try TestWindow(GTKWidget(box))
            await window.until { draws.allSatisfy { $0 > 4 } }
            #expect(draws.allSatisfy { $0 > 4 })
            views[0].gannet.isPlaying = false
            gtk_widget_set_visible(views[1].widget.raw.assumingMemoryBound(to: GtkWidget.self), 0)
            await window.frames(2)
            let before = draws
            await window.frames(12)
            #expect(draws == before)
            gtk_widget_set_visible(views[1].widget.raw.assumingMemoryBound(to: GtkWidget.self), 1)
            await window.until { draws[1] > before[1] + 4 }
            #expect(draws[1] > before[1] + 4 && views[1].gannet.isPlaying)
            window.close()
        }

        // AN-20
        @Test("an animation plays at its tempo on the frame clock") @GTKActor func animation() async throws {
            let view = view()
            let clip = try clip(frames: 4, each: .milliseconds(100), loopCount: 1)
            var now = Duration.seconds(5)
            slot(view).clock = { now }
            let window = try TestWindow(view.widget)
            view.gannet.show(clip)
            await window.frames(3)
            for step in 0..<4 {
                now = .seconds(5) + .milliseconds(step * 100)
                slot(view).presenterNeedsDisplay()
                await window.until { painted(view.picture)[30, 30][0] == step * 50 }
                #expect(painted(view.picture)[30, 30] == [step * 50, 0, 0, 255])
            }
            window.close()
        }

        @Test("ticks between two frames of a clip paint nothing")  // U-03
        @GTKActor func paintsOnlyChanges() async throws {
            let view = view()
            let clip = try clip(frames: 4, each: .milliseconds(15))
            var now = Duration.seconds(5)
            slot(view).clock = { now }
            var draws = 0
            slot(view).onDraw = { draws += 1 }
            let window = try TestWindow(view.widget)
            view.gannet.show(clip)
            let player = try #require(slot(view).presenter.player)
            await window.until { player.buffer.allFramesLoaded && draws > 0 }
            await window.frames(3)
            for step in 1...3 {
                let before = draws
                now += .milliseconds(15)
                await window.until { draws > before }
                await window.frames(8)
                // One draw for the frame that arrived; the clock stands still, but is read anyway.
                #expect(draws == before + 1)
                #expect(player.currentFrame == step)
            }
            window.close()
        }
    }
#endif
