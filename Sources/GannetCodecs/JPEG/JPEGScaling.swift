#if JPEG
    import GannetCore
    import GannetKernels

    /// How a picture gets to the size asked for: shrunk while it is decoded, the rest by resampling rows.
    ///
    /// Shrinking leaves out the high frequencies of each block, before values are cut to 0…255: not what a good filter makes, and
    /// visibly another picture where it is full of noise. At least twice the size asked for is therefore left to the
    /// resampler, as libvips and Pillow do by default; `scripts/tiles.py` shows what comes out (with 1.2 times instead of twice,
    /// a noisy photograph falls from 51 dB to 31). Of files which ``JPEGShrinker`` decodes, with a better filter than the library's,
    /// 1.75 times at a quarter and at half of the size are as near to the picture as twice is with the library. Other eighths than 1,
    /// 2, 4 and 8 have no vector code and cost more than they save.
    struct JPEGScaling: Hashable {
        /// It is decoded at this many eighths of the size: 1, 2, 4 or 8.
        var eighths: Int
        /// What the decoder delivers. It rounds up.
        var decoded: PixelSize
        /// How much of that is picture: the last column and row stick out of it where they were rounded up.
        var covered: SampledExtent
        /// What the caller's buffer holds.
        var output: PixelSize
        /// Worth asking ``JPEGShrinker``.
        var isForShrinker: Bool

        init(for header: ImageHeader, options: ResolvedDecodeOptions) {
            let wanted = options.scaledSize(for: header)
            let isSmaller = wanted.width <= header.size.width && wanted.height <= header.size.height
            output = isSmaller ? wanted : header.size
            eighths = 8
            decoded = header.size
            covered = SampledExtent(header.size)
            let isForShrinker = !header.colorSpace.isFourChannel
            self.isForShrinker = false
            for candidate in [1, 2, 4] {
                let quarters = isForShrinker && candidate > 1 ? 7 : 8
                let size = Self.size(header.size, candidate)
                if size.width * 4 >= output.width * quarters, size.height * 4 >= output.height * quarters {
                    eighths = candidate
                    decoded = size
                    covered = SampledExtent(
                        width: Double(header.size.width * candidate) / 8, height: Double(header.size.height * candidate) / 8)
                    self.isForShrinker = isForShrinker
                    break
                }
            }
        }

        private static func size(_ size: PixelSize, _ eighths: Int) -> PixelSize {
            PixelSize(clamping: (size.width * eighths + 7) / 8, (size.height * eighths + 7) / 8)
        }
    }
#endif
