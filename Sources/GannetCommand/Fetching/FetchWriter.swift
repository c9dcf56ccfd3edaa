#if CommandLine
    import Gannet
    import GannetCore
    import GannetImages
    import GannetPlatform
    import GannetSupport

    /// Encodes a loaded image and writes it, or writes the source's own bytes if nothing was to be changed.
    struct FetchWriter: Sendable {
        var names: OutputNames
        /// The value of `--format`.
        var format: ImageFormat?
        var quality: Int?
        var keepsGainMap = true
        var coders: CodersManager
        var limits: LimitOptions

        /// A file that was written.
        struct Written: Sendable {
            var path: String
            var format: ImageFormat?
            var bytes: Int
            /// Nil: all that the image has.
            var frames: Int?
            /// The source's own bytes.
            var isOriginal: Bool
            /// Why the image's gain map is not in the file; nil: it is, there was none, or it was not wanted.
            var gainMapLoss: String?
        }

        var isWanted: Bool { names.isWanted }

        /// Nil if only the image's content can tell.
        func plannedPath(for source: String) -> String? { names.plannedPath(for: source, format: format ?? names.formatOfPath) }

        /// The content of a file to write.
        private struct Content: Sendable {
            var bytes: ByteRope
            var format: ImageFormat?
            /// The same as in ``Written``.
            var frames: Int?
            var isOriginal = false
            /// The same as in ``Written``.
            var gainMapLoss: String?
        }

        func write(
            _ loaded: LoadedImage, isUntouched: Bool, source: String, _ manager: ImageManager
        ) async throws(ImageError) -> Written {
            let content = try await content(of: loaded, isUntouched: isUntouched, manager)
            let names = names
            return try await BlockingExecutor.files.run { () throws(ImageError) -> Written in
                let path = try names.path(for: source, format: content.format)
                try names.write(content.bytes.chunks, to: path, of: source)
                return Written(
                    path: path, format: content.format, bytes: content.bytes.count, frames: content.frames,
                    isOriginal: content.isOriginal, gainMapLoss: content.gainMapLoss)
            }
        }

        private func content(
            of loaded: LoadedImage, isUntouched: Bool, _ manager: ImageManager
        ) async throws(ImageError) -> Content {
            let own = loaded.image.metadata.format ?? loaded.encoded?.format
            let wanted = format ?? names.formatOfPath
            let isMapWanted = keepsGainMap || !loaded.image.metadata.hadGainMap
            if isUntouched, isMapWanted, quality == nil, let encoded = loaded.encoded, wanted == nil || wanted == own {
                return Content(bytes: encoded.bytes, format: own, isOriginal: true)
            }
            let (encoding, limits) = (ImageEncoding(coders: coders), limits)
            let options = EncodeOptions(format: wanted, quality: quality, keepsGainMap: keepsGainMap)
            // In the line of decodes, before those that wait: the loaded image holds its pixels until then.
            return try await manager.pixelWork(holding: loaded.bitmap.encodingBytes, priority: .veryHigh) {
                () throws(ImageError) in
                let encoded = try encoding.encode(loaded.image, options: options)
                // Not every format stores more than one.
                let frames = loaded.image.isAnimated ? WrittenImage.header(of: encoded.bytes, limits)?.frameCount : nil
                return Content(
                    bytes: encoded.bytes, format: encoded.format, frames: frames,
                    gainMapLoss: WrittenImage.gainMapLoss(of: loaded.image, encoded.bytes, encoded.format, options))
            }
        }
    }
#endif
