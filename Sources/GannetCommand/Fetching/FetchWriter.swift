#if CommandLine
    import Gannet
    import GannetCommandSupport
    import GannetCore
    import GannetImages
    import GannetPlatform

    /// Encodes a loaded image and writes it, or writes the source's own bytes if nothing was to be changed.
    struct FetchWriter: Sendable {
        var names: OutputNames
        /// The value of `--format`.
        var format: ImageFormat?
        var quality: Int?
        var coders: CodersManager
        var limits: LimitOptions

        /// What was written where.
        struct Written: Sendable {
            var path: String
            var bytes: Int
            /// Nil: all that the image has.
            var frames: Int?
        }

        var isWanted: Bool { names.isWanted }

        /// Nil if only the image's content can tell.
        func plannedPath(for source: String) -> String? { names.plannedPath(for: source, format: format ?? names.formatOfPath) }

        func write(_ loaded: LoadedImage, isUntouched: Bool, source: String) async throws(ImageError) -> Written {
            let own = loaded.image.metadata.format ?? loaded.encoded?.format
            let wanted = format ?? names.formatOfPath
            let (names, coders, quality, limits) = (names, coders, quality, limits)
            return try await BlockingExecutor.decoding.run { () throws(ImageError) -> Written in
                let bytes: ByteRope
                let written: ImageFormat?
                var frames: Int?
                if isUntouched, quality == nil, let encoded = loaded.encoded, wanted == nil || wanted == own {
                    (bytes, written) = (encoded.bytes, own)
                } else {
                    let encoding = ImageEncoding(coders: coders)
                    let encoded = try encoding.encode(loaded.image, options: EncodeOptions(format: wanted, quality: quality))
                    (bytes, written) = (encoded.bytes, encoded.format)
                    // Not every format stores more than one.
                    if loaded.image.isAnimated { frames = WrittenImage.header(of: bytes, limits)?.frameCount }
                }
                let path = try names.path(for: source, format: written)
                try names.write(bytes.chunks, to: path, of: source)
                return Written(path: path, bytes: bytes.count, frames: frames)
            }
        }
    }
#endif
