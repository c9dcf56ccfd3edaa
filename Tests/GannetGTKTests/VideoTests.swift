#if GTK && Video
    import CGTK
    import GannetCache
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetGTK
    import GannetImages
    import GannetTesting
    import GannetTestSupport
    import GannetViews
    import Testing

    /// Videos in the place of animations, in real windows.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct VideoTests {
        /// Whether GTK has a module that plays videos.
        @GTKActor private static var hasModule: Bool {
            guard let media = gtk_media_file_new() else { return false }
            defer { g_object_unref(UnsafeMutableRawPointer(media)) }
            let name = g_type_name_from_instance(UnsafeMutableRawPointer(media).assumingMemoryBound(to: GTypeInstance.self))
            return name.map { String(cString: $0) != "GtkNoMediaFile" } ?? false
        }

        private static let manager = ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager([MemoryLoader()]),
                coders: CodersManager([VideoCoder(), PNGCoder()])))

        /// A while each of red, green and blue.
        private static func film(_ change: (inout FilmWriter) -> Void = { _ in }) throws -> ImageRequest {
            let colors: [UInt32] = [0xC80000, 0x00C800, 0x0000C8]
            var writer = FilmWriter(
                container: "webm", codec: "libvpx", width: 64, height: 64, rate: 10,
                colors: colors.flatMap { Array(repeating: $0, count: 4) })
            change(&writer)
            let bytes = try #require(writer.file())
            return ImageRequest(.data(ByteRope(bytes), identifier: "\(writer.container) \(bytes.count) \(writer.degrees)"))
        }

        @GTKActor private func view() -> ImageView {
            let view = ImageView(alternativeText: "a film")
            view.gannet.loader = Self.manager
            view.gannet.contentMode = .stretch
            return view
        }

        @GTKActor private func video(_ view: ImageView) -> VideoPlayback? { view.gannet.images.slot(.main).video }

        /// The channel that is brightest in the middle.
        @GTKActor private func hue(_ view: ImageView) -> Int? {
            let color = painted(view.picture)[30, 30].prefix(3)
            return color.max().flatMap { $0 > 100 ? color.firstIndex(of: $0) : nil }
        }

        // NK-19
        @Test(arguments: [("webm", "libvpx"), ("mp4", "mpeg4")])
        @GTKActor func `A video plays over and over in the place of its still image`(_ container: String, _ codec: String)
            async throws
        {
            let film = try Self.film { ($0.container, $0.codec) = (container, codec) }
            let view = view()
            let window = try TestWindow(view.widget)
            view.gannet.setImage(with: film)
            guard Self.hasModule else {
                await window.until { video(view)?.failure != nil }
                #expect(video(view)?.failure != nil && hue(view) == 0 && !view.gannet.isPlaying)
                return window.close()
            }
            // Each colour after the one before it, into the second round.
            for expected in [0, 1, 2, 0, 1] {
                await window.until { hue(view) == expected && view.gannet.isPlaying || video(view)?.failure != nil }
                #expect(hue(view) == expected && video(view)?.failure == nil)
            }
            window.close()
        }

        // NK-19
        @Test @GTKActor func `It plays only while it is seen, stops by hand, and ends with its image`() async throws {
            let view = view()
            let window = try TestWindow(view.widget)
            view.gannet.setImage(with: try Self.film())
            await window.until { video(view) != nil }
            let first = try #require(video(view))
            await window.until { view.gannet.isPlaying || first.failure != nil }
            #expect(view.gannet.isPlaying == Self.hasModule)
            gtk_widget_set_visible(view.widget.raw.assumingMemoryBound(to: GtkWidget.self), 0)
            #expect(!view.gannet.isPlaying)
            gtk_widget_set_visible(view.widget.raw.assumingMemoryBound(to: GtkWidget.self), 1)
            await window.until { view.gannet.isPlaying == Self.hasModule }
            view.gannet.isPlaying = false
            #expect(!view.gannet.isPlaying && video(view) === first)
            view.gannet.isPlaying = true
            #expect(view.gannet.isPlaying == Self.hasModule)
            view.gannet.setImage(with: try Self.film { $0.colors.removeLast() })
            await window.until { video(view) != nil && video(view) !== first }
            #expect(!first.isPlaying && video(view) !== first)
            view.gannet.reset()
            #expect(video(view) == nil)
            window.close()
        }

        @Test @GTKActor func `A view that grows keeps its video`() async throws {
            let view = view()
            let window = try TestWindow(view.widget, width: 20, height: 20)
            view.gannet.setImage(with: try Self.film())
            await window.until { video(view) != nil }
            let first = try #require(video(view))
            let small = view.gannet.image?.bitmap.width
            gtk_window_set_default_size(window.asWindow, 60, 60)
            await window.until { view.gannet.image?.bitmap.width != small }
            #expect(
                view.gannet.image?.bitmap.width == 60 && video(view) === first
                    && first.poster == view.gannet.image?.bitmap.identity)
            window.close()
        }

        @Test @GTKActor func `Without motion the still image stays until it is told to play`() async throws {
            let view = view()
            let settings = UnsafeMutableRawPointer(
                try #require(gtk_widget_get_settings(view.widget.raw.assumingMemoryBound(to: GtkWidget.self))))
            var animates = GValue()
            g_value_init(&animates, GType(5 << 2))
            func set(_ value: Bool) {
                g_value_set_boolean(&animates, value ? 1 : 0)
                g_object_set_property(settings.assumingMemoryBound(to: GObject.self), "gtk-enable-animations", &animates)
            }
            set(false)
            defer { set(true) }
            let window = try TestWindow(view.widget)
            view.gannet.setImage(with: try Self.film())
            await window.until { video(view) != nil }
            await window.frames(5)
            #expect(hue(view) == 0 && !view.gannet.isPlaying && video(view)?.failure == nil)
            view.gannet.isPlaying = true
            await window.until { view.gannet.isPlaying || video(view)?.failure != nil }
            #expect(view.gannet.isPlaying == Self.hasModule)
            window.close()
        }

        @Test @GTKActor func `Without a module for media no bytes are fetched`() async throws {
            let image = try await Self.manager.image(for: try Self.film()).image
            let (fetches, fetched) = AsyncStream.makeStream(of: Void.self)
            let playback = VideoPlayback(
                image.bitmap, call: 0, size: image.metadata.originalSize, loopCount: 0, plays: true,
                bytes: {
                    fetched.yield()
                    return nil
                }, onFrame: {})
            playback.setShown(true)
            // Nothing is waited for: without a module it is known at once.
            #expect((playback.failure == nil) == Self.hasModule)
            if Self.hasModule {
                var iterator = fetches.makeAsyncIterator()
                #expect(await iterator.next() != nil)
            } else {
                #expect(!playback.isFetching)
            }
            playback.setShown(false)
        }

        // NK-19
        @Test(.enabled("GTK has no module for media") { await hasModule }) @GTKActor
        func `A video that has ended does not begin again when it is seen anew, and releases its file`() async throws {
            let image = try await Self.manager.image(for: try Self.film()).image
            let bytes = try #require(try await Self.manager.playableBytes(for: try Self.film(), .webm))
            let window = try TestWindow(nil)
            weak var file: MemoryFile?
            let (files, made) = AsyncStream.makeStream(of: MemoryFile.self)
            let playback = VideoPlayback(
                image.bitmap, call: 0, size: image.metadata.originalSize, loopCount: 1, plays: true,
                bytes: {
                    let file = MemoryFile(bytes)
                    if let file { made.yield(file) }
                    made.finish()
                    return file
                }, onFrame: {})
            playback.setShown(true)
            for await one in files { file = one }
            await window.until { playback.isPlaying || playback.failure != nil }
            await window.until { !playback.isPlaying }
            playback.setShown(false)
            playback.setShown(true)
            #expect(!playback.isPlaying && playback.failure == nil && file != nil)
            playback.end()
            #expect(file == nil)
            window.close()
        }

        @Test @GTKActor func `What GTK cannot play stays its still image`() async throws {
            let view = view()
            let window = try TestWindow(view.widget)
            let image = try await Self.manager.image(for: try Self.film()).image
            let playback = VideoPlayback(
                image.bitmap, call: 0, size: image.metadata.originalSize, loopCount: 0, plays: true,
                bytes: { MemoryFile(ByteRope(Array("no video".utf8))) }, onFrame: {})
            playback.setShown(true)
            await window.until { playback.failure != nil }
            #expect(playback.failure?.isEmpty == false && !playback.isPlaying)
            window.close()
        }

        @Test func `Bytes that the sandbox decodes, one frame, and what is made of it are not played here`() async throws {
            let film = try Self.film()
            func bytes(_ options: RequestOption...) async throws -> ByteRope? {
                let request = film.with(options)
                return try await Self.manager.playableBytes(for: request, .webm)
            }
            #expect(try await bytes() != nil)
            #expect(try await bytes(.isolation(.automatic)) == nil)
            #expect(try await bytes(.isolation(.sandboxed)) == nil)
            #expect(try await bytes(.firstFrameOnly) == nil)
            #expect(try await bytes(.videoFrame(at: .seconds(1))) == nil)
            #expect(try await bytes(.transform(.roundCorners(radius: 3))) == nil)
        }
    }
#endif
