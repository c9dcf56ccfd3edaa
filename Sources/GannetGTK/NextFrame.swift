#if GTK
    import CGTK
    import GannetCore

    /// Captures a widget right after its next frame is painted: nothing has changed yet, so ``GTKWidget/capture()`` sees all of
    /// it. Used once; holds the widget and its clock until there is a result.
    @GTKActor final class NextFrame {
        private let widget: GTKWidget
        private let clock: GTKWidget
        private var onPaint: UInt = 0
        private var onUnmap: UInt = 0
        private var result: Result<Bitmap?, ImageError>?
        private var waiting: CheckedContinuation<Void, Never>?

        /// Nil: the widget has no clock, because it is in no window.
        init?(of widget: GTKWidget) {
            guard let clock = gtk_widget_get_frame_clock(widget.widget) else { return nil }
            self.widget = widget
            self.clock = GTKWidget(clock)
            g_object_ref(widget.raw)
            g_object_ref(self.clock.raw)
            // These hold this object until it ends.
            onPaint = self.clock.connect("after-paint") { self.paint() }
            onUnmap = widget.connect("unmap") { self.end(.success(nil)) }
            gtk_widget_queue_draw(widget.widget)
        }

        func captured() async -> Result<Bitmap?, ImageError> {
            if Task.isCancelled { end(.failure(.cancelled())) }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    if result == nil { waiting = continuation } else { continuation.resume() }
                }
            } onCancel: {
                // A toolkit edge: one hop to the actor of GTK; ends at once.
                Task { @GTKActor in self.end(.failure(.cancelled())) }
            }
            return result ?? .success(nil)
        }

        private func paint() {
            do throws(ImageError) { end(.success(try widget.capture())) } catch { end(.failure(error)) }
        }

        /// The first end wins.
        private func end(_ end: Result<Bitmap?, ImageError>) {
            guard result == nil else { return }
            result = end
            g_signal_handler_disconnect(clock.raw, onPaint)
            g_signal_handler_disconnect(widget.raw, onUnmap)
            g_object_unref(clock.raw)
            g_object_unref(widget.raw)
            waiting?.resume()
            waiting = nil
        }
    }
#endif
