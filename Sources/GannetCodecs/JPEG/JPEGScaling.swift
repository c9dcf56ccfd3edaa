#if JPEG
    import GannetCore

    /// How a picture gets to the size asked for: shrunk by the library while it is decoded, the rest by resampling rows.
    ///
    /// The library's shrinking is a mean of 8, 4 or 2 pixels each way, softer than a good filter. At least 1.2 times the size
    /// asked for is therefore left to the resampler, which keeps thumbnails of photographs within 35 dB of those that are
    /// shrunk by a good filter alone. Other eighths than 1, 2, 4 and 8 have no vector code and cost more than they save.
    struct JPEGScaling: Hashable {
        /// The library decodes at this many eighths of the size: 1, 2, 4 or 8.
        var eighths: Int
        /// What the library delivers. It rounds up.
        var decoded: PixelSize
        /// What the caller's buffer holds.
        var output: PixelSize

        init(for header: ImageHeader, options: ResolvedDecodeOptions) {
            let wanted = options.scaledSize(for: header)
            let isSmaller = wanted.width <= header.size.width && wanted.height <= header.size.height
            output = isSmaller ? wanted : header.size
            eighths = 8
            decoded = header.size
            for candidate in [1, 2, 4] {
                let size = Self.size(header.size, candidate)
                if size.width * 5 >= output.width * 6, size.height * 5 >= output.height * 6 {
                    eighths = candidate
                    decoded = size
                    break
                }
            }
        }

        private static func size(_ size: PixelSize, _ eighths: Int) -> PixelSize {
            PixelSize(clamping: (size.width * eighths + 7) / 8, (size.height * eighths + 7) / 8)
        }
    }
#endif
