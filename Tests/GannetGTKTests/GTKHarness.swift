#if GTK
    import CGTK
    import GannetCore
    import GannetGTK
    import GannetImages
    import GannetViews
    import Glibc
    import Synchronization
    import Testing

    /// GTK on a dedicated thread: tests that are isolated to ``GTKActor`` run there, inside the real main loop. Any GLib warning
    /// ends the process.
    enum GTKHarness {
        static let isAvailable: Bool = {
            setenv("GSK_RENDERER", "cairo", 1)
            // Lets tests query what screen readers would announce; no bus is needed.
            setenv("GTK_A11Y", "test", 1)
            setenv("GDK_BACKEND", "x11", 0)
            guard getenv("DISPLAY") != nil else { return false }
            let answer = Mutex<Bool?>(nil)
            let started = Box()
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, nil,
                { raw in
                    let context = g_main_context_default()
                    g_main_context_acquire(context)
                    // G_LOG_LEVEL_ERROR, _CRITICAL and _WARNING: Swift has other names for them with GLib 2.90 than before.
                    g_log_set_always_fatal(GLogLevelFlags(rawValue: 1 << 2 | 1 << 3 | 1 << 4))
                    let works = gtk_init_check() != 0
                    if let raw { Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().set(works) }
                    while works { g_main_context_iteration(context, 1) }
                    return nil
                }, Unmanaged.passRetained(started).toOpaque())
            guard failure == 0 else { return false }
            answer.withLock { $0 = started.wait() }
            return answer.withLock { $0 ?? false }
        }()

        /// One value handed from thread to thread.
        private final class Box: @unchecked Sendable {
            private let semaphore: UnsafeMutablePointer<sem_t> = .allocate(capacity: 1)
            private var value = false
            init() { sem_init(semaphore, 0, 0) }
            func set(_ value: Bool) {
                self.value = value
                sem_post(semaphore)
            }
            func wait() -> Bool {
                sem_wait(semaphore)
                return value
            }
        }
    }

    /// A window with one child, on screen.
    @GTKActor final class TestWindow {
        let window: UnsafeMutablePointer<GtkWidget>
        private var waiters: [CheckedContinuation<Void, Never>] = []

        init(_ child: GTKWidget?, width: Int = 60, height: Int = 60) throws {
            window = try #require(gtk_window_new())
            gtk_window_set_decorated(asWindow, 0)
            gtk_window_set_default_size(asWindow, Int32(width), Int32(height))
            if let child { setChild(child) }
            gtk_window_present(asWindow)
        }

        var asWindow: UnsafeMutablePointer<GtkWindow> {
            UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        }

        func setChild(_ child: GTKWidget?) {
            gtk_window_set_child(asWindow, child?.raw.assumingMemoryBound(to: GtkWidget.self))
        }

        func close() { gtk_window_destroy(asWindow) }

        /// Returns after the next frame of the window's frame clock.
        func frame() async {
            final class Waiter {
                let continuation: CheckedContinuation<Void, Never>
                var frames = 0
                init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
            }
            await withCheckedContinuation { continuation in
                let waiter = Unmanaged.passRetained(Waiter(continuation)).toOpaque()
                // The first call comes before this frame's layout and paint, the second one after.
                _ = gtk_widget_add_tick_callback(
                    window,
                    { _, _, data in
                        guard let data else { return 0 }
                        let waiter = Unmanaged<Waiter>.fromOpaque(data).takeUnretainedValue()
                        waiter.frames += 1
                        guard waiter.frames == 2 else { return 1 }
                        waiter.continuation.resume()
                        return 0
                    }, waiter, { if let data = $0 { Unmanaged<Waiter>.fromOpaque(data).release() } })
            }
        }

        func frames(_ count: Int) async { for _ in 0..<count { await frame() } }

        /// Lets frames pass until something is true. Gives up after ten minutes' worth: pictures are decoded beside every other test's.
        func until(_ condition: @GTKActor () -> Bool) async {
            for _ in 0..<36_000 {
                if condition() { return }
                await frame()
            }
        }
    }

    /// A painted area: RGBA, premultiplied.
    struct Painted {
        var bytes: [UInt8]
        var width: Int
        var height: Int

        /// Empty outside.
        subscript(_ x: Int, _ y: Int) -> [Int] {
            guard x < width, y < height else { return [] }
            return (0..<4).map { Int(bytes[(y * width + x) * 4 + $0]) }
        }
    }

    /// Paints any GdkPaintable through its render nodes.
    @GTKActor func paint(_ paintable: UnsafeMutableRawPointer, width: Int, height: Int) -> Painted {
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        guard let snapshot = gtk_snapshot_new() else { return Painted(bytes: bytes, width: width, height: height) }
        gdk_paintable_snapshot(OpaquePointer(paintable), snapshot, Double(width), Double(height))
        if let node = gtk_snapshot_free_to_node(snapshot) {
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
            let cairo = cairo_create(surface)
            gsk_render_node_draw(node, cairo)
            cairo_destroy(cairo)
            cairo_surface_flush(surface)
            if let data = cairo_image_surface_get_data(surface) {
                let stride = Int(cairo_image_surface_get_stride(surface))
                for y in 0..<height {
                    for x in 0..<width {
                        let from = y * stride + x * 4
                        let to = (y * width + x) * 4
                        bytes[to] = data[from + 2]
                        bytes[to + 1] = data[from + 1]
                        bytes[to + 2] = data[from]
                        bytes[to + 3] = data[from + 3]
                    }
                }
            }
            cairo_surface_destroy(surface)
            gsk_render_node_unref(node)
        }
        return Painted(bytes: bytes, width: width, height: height)
    }

    /// The content that a widget on screen painted in its last frame.
    @GTKActor func painted(_ widget: GTKWidget) -> Painted {
        let pointer = widget.raw.assumingMemoryBound(to: GtkWidget.self)
        let width = Int(gtk_widget_get_width(pointer))
        let height = Int(gtk_widget_get_height(pointer))
        guard let paintable = gtk_widget_paintable_new(pointer) else { return Painted(bytes: [], width: 0, height: 0) }
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        return paint(UnsafeMutableRawPointer(paintable), width: max(width, 1), height: max(height, 1))
    }

    /// As the pointer does.
    @GTKActor func click(_ button: UnsafeMutablePointer<GtkWidget>) {
        let type = g_type_from_name("GtkButton")
        var instance = GValue()
        g_value_init(&instance, type)
        g_value_set_object(&instance, button)
        g_signal_emitv(&instance, g_signal_lookup("clicked", type), 0, nil)
        g_value_unset(&instance)
    }

    /// Counts live GObjects, and notices when one ends.
    @GTKActor final class Lifetime {
        private(set) var hasEnded = false

        init(_ object: UnsafeMutableRawPointer) {
            g_object_weak_ref(
                object.assumingMemoryBound(to: GObject.self),
                { data, _ in
                    guard let data else { return }
                    let lifetime = Unmanaged<Lifetime>.fromOpaque(data).takeRetainedValue()
                    GTKActor.assumeIsolated { lifetime.hasEnded = true }
                }, Unmanaged.passRetained(self).toOpaque())
        }
    }

    final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    func solid(_ color: [Int], width: Int = 4, height: Int = 4) throws -> Bitmap {
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque))
        for y in 0..<height {
            var row = buffer.mutableRow(y)
            for x in 0..<width {
                for channel in 0..<4 { row[x * 4 + channel] = UInt8(color[channel]) }
            }
        }
        return buffer.freeze()
    }

    func picture(_ color: [Int], original: PixelSize? = nil) throws -> DecodedImage {
        let bitmap = try solid(color)
        return .still(bitmap, ImageMetadata(format: .png, originalSize: original ?? bitmap.size))
    }

    let red = [200, 0, 0, 255]
    let green = [0, 200, 0, 255]
    let blue = [0, 0, 200, 255]
    let clear = [0, 0, 0, 0]

    func color(_ parts: [Int]) -> ImagePlaceholder {
        .color(PixelColor(red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2])))
    }
#endif
