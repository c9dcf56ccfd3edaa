#if GTK
    import GannetCore
    import GannetImages
    import GannetViews

    // Videos in the place of animations.
    extension ImageSlot {
        /// Begins the video of the image on screen, or ends that of the image before it.
        func followVideo() {
            guard let image = presenter.image, let format = image.metadata.format, isVideo(image, format) else {
                video?.end()
                video = nil
                return
            }
            if let video {
                if video.poster == image.bitmap.identity { return }
                if video.call == presenter.callNumber, !presenter.isLoading {
                    video.poster = image.bitmap.identity
                    return
                }
                video.end()
                self.video = nil
            }
            let options = presenter.shownAnimation
            guard !presenter.isLoading, let wanted = presenter.shownRequest, options.transformer == nil,
                let manager = presenter.loader as? ImageManager
            else { return }
            video = VideoPlayback(
                image.bitmap, call: presenter.callNumber, size: image.metadata.originalSize,
                loopCount: max(options.loopCount ?? 0, 0), plays: options.autoPlays && !reducesMotion,
                bytes: { await Self.file(of: wanted.cached, or: wanted.fallback, format, manager) },
                onFrame: { [weak self] in self?.redraw() })
            video?.setShown(isShown)
        }

        private func isVideo(_ image: DecodedImage, _ format: ImageFormat) -> Bool {
            guard case .still = image, image.metadata.orientation == .up, !image.metadata.isPartial else { return false }
            return format.mimeTypes.contains { $0.hasPrefix("video/") }
        }

        /// Nil: they cannot be decoded apart from the rest, or there are no bytes.
        @concurrent nonisolated static func regions(
            of cached: ImageRequest, or fallback: ImageRequest?, _ manager: ImageManager
        ) async -> ImageRegions? {
            if let stored = try? await manager.regions(of: cached) { return stored }
            guard let fallback else { return nil }
            return try? await manager.regions(of: fallback)
        }

        @concurrent private nonisolated static func file(
            of cached: ImageRequest, or fallback: ImageRequest?, _ format: ImageFormat, _ manager: ImageManager
        ) async -> MemoryFile? {
            var bytes = try? await manager.playableBytes(for: cached, format)
            if bytes == nil, let fallback { bytes = try? await manager.playableBytes(for: fallback, format) }
            return bytes.flatMap { MemoryFile($0) }
        }
    }
#endif
