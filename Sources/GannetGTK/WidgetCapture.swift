#if GTK
    import CGTK
    public import GannetCore

    @GTKActor extension GTKWidget {
        /// What the widget has painted in its last frame, at one pixel for each point. Nil where there is nothing: it has no size, it shows
        /// nothing, or it has changed since, and GTK has forgotten the old and waits for the next frame; ``captureNextFrame()`` waits, too. For
        /// tests and screenshots: it is painted again, without the GPU, at the cost of its area.
        public func capture() throws(ImageError) -> Bitmap? {
            let width = Int(gtk_widget_get_width(widget))
            let height = Int(gtk_widget_get_height(widget))
            guard width > 0, height > 0, let paintable = gtk_widget_paintable_new(widget) else { return nil }
            defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
            guard let snapshot = gtk_snapshot_new() else { return nil }
            gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
            guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
            defer { gsk_render_node_unref(node) }
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .premultiplied))
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
            defer { cairo_surface_destroy(surface) }
            let cairo = cairo_create(surface)
            gsk_render_node_draw(node, cairo)
            cairo_destroy(cairo)
            cairo_surface_flush(surface)
            guard let data = cairo_image_surface_get_data(surface) else { return nil }
            let stride = Int(cairo_image_surface_get_stride(surface))
            for y in 0..<height {
                var row = buffer.mutableRow(y)
                // Cairo's words hold alpha, red, green, blue from the top bits down.
                for x in 0..<width {
                    let from = y * stride + x * 4
                    row[x * 4] = data[from + 2]
                    row[x * 4 + 1] = data[from + 1]
                    row[x * 4 + 2] = data[from]
                    row[x * 4 + 3] = data[from + 3]
                }
            }
            return buffer.freeze()
        }

        /// What the widget paints in its next frame, which is asked for here, as ``capture()`` gives it. Nil if it is not shown, goes
        /// away before, or paints nothing. A window that the desktop hides may have no frames: the call waits until it is seen, or until the
        /// task is cancelled (`cancelled`).
        public func captureNextFrame() async throws(ImageError) -> Bitmap? {
            guard gtk_widget_get_mapped(widget) != 0, let next = NextFrame(of: self) else { return nil }
            return try await next.captured().get()
        }
    }
#endif
