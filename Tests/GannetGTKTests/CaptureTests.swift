#if GTK
    import CGTK
    import GannetCore
    import GannetGTK
    import GannetViews
    import Testing

    /// Pictures of what widgets paint.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct CaptureTests {
        @Test("what a widget paints can be captured") @GTKActor func capture() async throws {
            let view = ImageView()
            view.gannet.contentMode = .stretch
            let window = try TestWindow(view.widget)
            view.gannet.show(try picture(red))
            await window.until { painted(view.picture)[30, 30] == red }
            let bitmap = try #require(try view.widget.capture())
            #expect(bitmap.size == PixelSize(clamping: 60, 60))
            let row = bitmap.row(30)
            #expect((0..<4).map { Int(row[120 + $0]) } == red)
            gtk_widget_queue_draw(view.widget.raw.assumingMemoryBound(to: GtkWidget.self))
            #expect(try view.widget.capture() == nil, "what it has painted is void, and nothing new is there yet")
            let again = try #require(try await view.widget.captureNextFrame())
            #expect(again.row(30)[120] == row[120])
            view.gannet.show(try picture(green))
            let other = try #require(try await view.widget.captureNextFrame())
            #expect((0..<4).map { Int(other.row(30)[120 + $0]) } == green, "what was shown a moment ago")
            window.close()
            #expect(try await view.widget.captureNextFrame() == nil)
        }

        @Test("who waits for a frame has nothing when the widget goes, and an error when the task is cancelled") @GTKActor
        func captureWithoutFrame() async throws {
            let view = ImageView()
            let window = try TestWindow(view.widget)
            await window.frames(2)
            let cancelled = Task { @GTKActor () -> ImageError? in
                do throws(ImageError) { _ = try await view.widget.captureNextFrame() } catch { return error }
                return nil
            }
            cancelled.cancel()
            #expect(await cancelled.value?.code == .cancelled)
            // Before the frame is painted.
            _ = gtk_widget_add_tick_callback(
                view.widget.raw.assumingMemoryBound(to: GtkWidget.self),
                { widget, _, _ in
                    gtk_widget_set_visible(widget, 0)
                    return 0
                }, nil, nil)
            #expect(try await view.widget.captureNextFrame() == nil)
            window.close()
        }
    }
#endif
