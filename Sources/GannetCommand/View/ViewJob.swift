#if CommandLine && GTK
    import Gannet
    import GannetCore
    import GannetGTK
    import GannetPipeline
    import Synchronization

    /// One run of `gannet view`, from the window's opening to its end.
    final class ViewJob: Sendable {
        private let items: [GalleryItem]
        private let manager: ImageManager
        private let options: GalleryWindow.Options
        private let open: Int?
        private let showsInfo: Bool
        private let screenshot: String?
        private let failed = Mutex(false)

        init(
            items: [GalleryItem], manager: ImageManager, options: GalleryWindow.Options, open: Int?, showsInfo: Bool,
            screenshot: String?
        ) {
            self.items = items
            self.manager = manager
            self.options = options
            self.open = open
            self.showsInfo = showsInfo
            self.screenshot = screenshot
        }

        var hasFailed: Bool { failed.withLock { $0 } }

        @GTKActor func start() {
            GannetToolkit.loader = manager
            let gallery = GalleryWindow("Gannet", items: items, manager: manager, options: options)
            gallery.onClose = {
                GTKLoop.quit()
                // The window's end frees it; until then it holds itself.
                withExtendedLifetime(gallery) {}
            }
            gallery.present()
            if let open { gallery.open(open - 1) }
            if showsInfo { gallery.togglePanel() }
            guard let screenshot else { return }
            // Ends with the window it takes a picture of.
            Task { await self.shoot(gallery, to: screenshot) }
        }

        @GTKActor private func shoot(_ gallery: GalleryWindow, to path: String) async {
            do throws(ImageError) {
                let clock = SystemTimeSource()
                // Loads bound the wait; a window that nobody maps would never settle.
                for _ in 0..<600 where !gallery.isSettled { try await clock.sleep(for: .milliseconds(100)) }
                if let failure = gallery.failure, let index = gallery.openIndex {
                    Console.report(failure, source: items[index].name)
                    failed.withLock { $0 = true }
                }
                // Transitions.
                try await clock.sleep(for: .milliseconds(500))
                guard let bitmap = try gallery.window.capture() else {
                    throw ImageError(.misuse, "The window was never shown.")
                }
                let bytes = try await Self.png(bitmap)
                try OutputFile.write([bytes], to: path)
            } catch {
                Console.report(error, source: path)
                failed.withLock { $0 = true }
            }
            GTKLoop.quit()
        }

        private static func png(_ bitmap: Bitmap) async throws(ImageError) -> [UInt8] {
            let image = DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
            return try await BlockingExecutor.decoding.run { () throws(ImageError) in
                try image.encoded(EncodeOptions(format: .png))
            }
        }
    }
#endif
