#if GTK
    import CGTK
    import CGannetShims
    package import GannetCore
    import GannetViews

    /// Plays a video in the place of the still image that was decoded of it, through GTK's media files and without sound. Where GTK has
    /// no module for media, or this one cannot play the video, the still image stays.
    @GTKActor package final class VideoPlayback {
        /// The still image on screen. A view that grows gets a larger one, and the video plays on.
        package var poster: ObjectIdentifier
        /// The call whose video this is.
        let call: Int
        private let size: PixelSize
        private let loopCount: Int
        private let onFrame: @GTKActor () -> Void
        private let bytes: @Sendable () async -> MemoryFile?
        private var fetch: Task<Void, Never>?
        private var file: MemoryFile?
        /// A GtkMediaStream; this object owns one reference. Nil: not opened yet, or it failed.
        private var stream: GTKWidget?
        private var hasFrame = false
        private var loops = 0
        /// It has played as often as it should.
        private var isOver: Bool { loopCount > 0 && loops >= loopCount }
        /// Whether the view wants it to play, and whether the view can be seen.
        private var isWanted: Bool
        private var isShown = false
        /// GTK's words for why the still image stays.
        package private(set) var failure: String?

        /// - Parameters:
        ///   - size: that of the whole still image: a video whose frames have other proportions, because GTK does not turn them, is not
        ///     shown.
        ///   - loopCount: 0 is for ever.
        ///   - bytes: called once, when the video first has to play.
        ///   - onFrame: called when there is another frame to draw.
        package init(
            _ poster: Bitmap, call: Int, size: PixelSize, loopCount: Int, plays: Bool,
            bytes: @escaping @Sendable () async -> MemoryFile?, onFrame: @escaping @GTKActor () -> Void
        ) {
            (self.poster, self.call, self.size, self.loopCount) = (poster.identity, call, size, loopCount)
            (isWanted, self.bytes, self.onFrame) = (plays, bytes, onFrame)
        }

        isolated deinit { end() }

        /// Whether GTK has a module that plays media: without one, its files are of a type that only fails.
        private static let hasModule: Bool = {
            guard let media = gtk_media_file_new() else { return false }
            defer { g_object_unref(UnsafeMutableRawPointer(media)) }
            let name = g_type_name_from_instance(UnsafeMutableRawPointer(media).assumingMemoryBound(to: GTypeInstance.self))
            return name.map { String(cString: $0) != "GtkNoMediaFile" } ?? false
        }()

        /// Stops for ever.
        package func end() {
            fetch?.cancel()
            if let stream {
                gtk_media_stream_pause(stream.media)
                g_object_unref(stream.raw)
            }
            // The stream no longer reads it.
            (stream, file, hasFrame, isWanted, isShown) = (nil, nil, false, false, false)
        }

        package func setShown(_ shown: Bool) {
            isShown = shown
            update()
        }

        func setWanted(_ wanted: Bool) {
            isWanted = wanted
            // Whoever starts it by hand sees it from the beginning again.
            if wanted, isOver {
                loops = 0
                if let stream { gtk_media_stream_seek(stream.media, 0) }
            }
            update()
        }

        /// Whether frames follow one another now.
        package var isPlaying: Bool { stream.map { gtk_media_stream_get_playing($0.media) != 0 } ?? false }

        package var isFetching: Bool { fetch != nil }

        private func update() {
            let plays = isWanted && isShown && !isOver
            if let stream {
                if plays { gtk_media_stream_play(stream.media) } else { gtk_media_stream_pause(stream.media) }
            } else if plays, fetch == nil, failure == nil {
                guard Self.hasModule else {
                    failure = "GTK has no module that plays media here. Install its GStreamer module."
                    return
                }
                let bytes = bytes
                // Unstructured, because the view's call has ended. `end()` cancels it.
                fetch = Task { [weak self] in
                    guard let file = await bytes(), !Task.isCancelled else { return }
                    self?.open(file)
                }
            }
        }

        private func open(_ file: MemoryFile) {
            guard let media = gtk_media_file_new(), let place = g_file_new_for_path(file.path) else { return }
            defer { g_object_unref(UnsafeMutableRawPointer(place)) }
            let stream = GTKWidget(UnsafeMutableRawPointer(media))
            (self.stream, self.file) = (stream, file)
            stream.connect("invalidate-contents") { [weak self] in self?.frameCame() }
            stream.connectPointer("notify::ended") { [weak self] _ in self?.loopEnded() }
            stream.connectPointer("notify::error") { [weak self] _ in self?.fail() }
            gtk_media_stream_set_loop(stream.media, loopCount == 0 ? 1 : 0)
            gtk_media_file_set_file(stream.raw.assumingMemoryBound(to: GtkMediaFile.self), place)
            // An error may have ended it already.
            guard self.stream != nil else { return }
            // GStreamer has no player to be muted before.
            gtk_media_stream_set_muted(stream.media, 1)
            update()
        }

        private func fail() {
            guard let stream, let error = gtk_media_stream_get_error(stream.media) else { return }
            failure = String(cString: error.pointee.message)
            end()
        }

        private func frameCame() {
            guard let stream else { return }
            let paintable = OpaquePointer(stream.raw)
            let width = Double(gdk_paintable_get_intrinsic_width(paintable))
            let height = Double(gdk_paintable_get_intrinsic_height(paintable))
            guard width > 0, height > 0 else { return }
            let ratio = width / height * Double(size.height) / Double(max(size.width, 1))
            guard (0.95...1.05).contains(ratio) else { return end() }
            hasFrame = true
            onFrame()
        }

        private func loopEnded() {
            guard let stream, gtk_media_stream_get_ended(stream.media) != 0 else { return }
            loops += 1
            guard loops < loopCount else { return }
            gtk_media_stream_seek(stream.media, 0)
            update()
        }

        /// The content to draw instead of this bitmap; nil: the bitmap.
        func paintable(insteadOf bitmap: Bitmap) -> OpaquePointer? {
            guard hasFrame, bitmap.identity == poster, let stream else { return nil }
            return OpaquePointer(stream.raw)
        }
    }

    extension GTKWidget {
        fileprivate var media: UnsafeMutablePointer<GtkMediaStream> { raw.assumingMemoryBound(to: GtkMediaStream.self) }
    }
#endif
