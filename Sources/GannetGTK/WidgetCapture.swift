#if GTK
    import CGTK
    public import GannetCore

    @GTKActor extension GTKWidget {
        /// Captures what the widget painted in its last frame, in pixels of its display: two a point with a scale factor of 2. Nil
        /// if it has no size, shows nothing, or has changed since: GTK has then dropped the old content until the next frame,
        /// for which ``captureNextFrame()`` waits. For tests and screenshots: repaints without the GPU, at a cost proportional to
        /// the area.
        public func capture() throws(ImageError) -> Bitmap? { try capture(scale: Int(gtk_widget_get_scale_factor(widget))) }

        /// The widget as an image, with this many pixels a point.
        package func capture(scale: Int) throws(ImageError) -> Bitmap? {
            guard let paintable = gtk_widget_paintable_new(widget) else { return nil }
            defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
            // In points. With the widget's border and padding, which its own width is without.
            let (pointWidth, pointHeight) = (
                Int(gdk_paintable_get_intrinsic_width(paintable)), Int(gdk_paintable_get_intrinsic_height(paintable))
            )
            let (width, height) = (pointWidth * scale, pointHeight * scale)
            guard width > 0, height > 0, let snapshot = gtk_snapshot_new() else { return nil }
            gdk_paintable_snapshot(paintable, snapshot, Double(pointWidth), Double(pointHeight))
            guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
            defer { gsk_render_node_unref(node) }
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .premultiplied))
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
            defer { cairo_surface_destroy(surface) }
            let cairo = cairo_create(surface)
            cairo_scale(cairo, Double(scale), Double(scale))
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

        /// Requests a frame and captures it like ``capture()``. Nil if the widget is not shown, goes away first, or paints
        /// nothing. A window that the desktop hides may get no frames: waits until it is visible, or until the task is
        /// cancelled (`cancelled`).
        public func captureNextFrame() async throws(ImageError) -> Bitmap? {
            guard gtk_widget_get_mapped(widget) != 0, let next = NextFrame(of: self) else { return nil }
            return try await next.captured().get()
        }
    }
#endif
