#if CommandLine && GTK
    import Gannet
    import GannetCore
    import GannetGTK
    import GannetImages
    import GannetPlatform
    import GannetSupport
    import Synchronization

    /// One run of `gannet view`, from the opening of the window to its end.
    final class ViewJob: Sendable {
        private let items: [ViewSources.Item]
        private let manager: ImageManager
        private let options: GalleryWindow.Options
        private let open: Int?
        private let showsInfo: Bool
        private let screenshot: String?
        private let json: Bool
        private let failures = Mutex(Failures())

        private struct Failures {
            var any = false
            /// The screenshot was written, or its failure reported.
            var isShot = false
            /// Items whose failure was reported: an image may fail both in its cell and in the window.
            var told: Set<Int> = []
        }

        init(
            items: [ViewSources.Item], manager: ImageManager, options: GalleryWindow.Options, open: Int?, showsInfo: Bool,
            screenshot: String?, json: Bool
        ) {
            self.items = items
            self.manager = manager
            self.options = options
            self.open = open
            self.showsInfo = showsInfo
            self.screenshot = screenshot
            self.json = json
        }

        var hasFailed: Bool { failures.withLock { $0.any } }

        /// Runs after the loop: the window may have been closed before the screenshot.
        func end() {
            guard let screenshot, failures.withLock({ !$0.isShot }) else { return }
            tell(
                ImageError(.cancelled, stage: .store, "The window was closed before its screenshot."), source: screenshot)
        }

        private func tell(_ error: ImageError, source: String) {
            failures.withLock { $0.any = true }
            if json { Console.print(error.json(source: source)) }
            Console.report(error, source: source)
        }

        private func tell(_ error: ImageError, index: Int) {
            guard failures.withLock({ $0.told.insert(index).inserted }) else { return }
            tell(error, source: items[index].text)
        }

        @GTKActor func start() {
            GannetToolkit.loader = manager
            let gallery = GalleryWindow("Gannet", items: items.map(\.item), manager: manager, options: options)
            gallery.onFailure = { [weak self] index, error in self?.tell(error, index: index) }
            gallery.onClose = {
                GTKLoop.quit()
                // The window is freed when it closes; until then it retains itself.
                withExtendedLifetime(gallery) {}
            }
            gallery.present()
            if let open { gallery.open(open - 1) }
            if showsInfo { gallery.togglePanel() }
            guard let screenshot else { return }
            // Ends with the window that it captures.
            Task { await self.shoot(gallery, to: screenshot) }
        }

        @GTKActor private func shoot(_ gallery: GalleryWindow, to path: String) async {
            do throws(ImageError) {
                let clock = SystemTimeSource()
                // Loads have deadlines, but a window that is never mapped would not settle, hence the limit.
                for _ in 0..<600 where !gallery.isSettled { try await clock.sleep(for: .milliseconds(100)) }
                // Lets transitions finish.
                try await clock.sleep(for: .milliseconds(500))
                // A closed window is reported at the end.
                if gallery.isClosed { return }
                guard let bitmap = try await gallery.window.captureNextFrame() else {
                    throw ImageError(.misuse, "The window was never shown.")
                }
                let bytes = try await Self.png(bitmap)
                try OutputFile.write([bytes], to: path)
                failures.withLock { $0.isShot = true }
                if json { Console.print(.object([("ok", .bool(true)), ("output", .string(path))])) }
            } catch {
                failures.withLock { $0.isShot = true }
                tell(error, source: path)
            }
            GTKLoop.quit()
        }

        private static func png(_ bitmap: Bitmap) async throws(ImageError) -> [UInt8] {
            let image = DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
            return try await image.encoded(EncodeOptions(format: .png)).bytes.contiguous()
        }
    }
#endif
