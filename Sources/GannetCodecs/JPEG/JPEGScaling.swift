#if JPEG
    import GannetCore
    import GannetKernels

    /// The scaling of an image to its target size: shrunk while decoding, the rest by resampling rows.
    ///
    /// Shrinking in the decoder drops the high frequencies of each block before values are clipped to 0…255. The result differs
    /// from a good filter's, visibly so for noisy images. Therefore at least twice the target size is left to the resampler,
    /// the default of libvips and Pillow. `scripts/tiles.py` shows the effect: with 1.2 times instead of twice, a noisy
    /// photograph falls from 51 dB to 31. ``JPEGShrinker`` has a better filter than the library. For its files, 1.75 times at a
    /// quarter and at half of the size is as accurate as twice with the library. Eighths other than 1, 2, 4 and 8 have no
    /// vector code and cost more than they save.
    struct JPEGScaling: Hashable {
        /// Decoded at this many eighths of the size: 1, 2, 4 or 8.
        var eighths: Int
        /// The decoder's output size, rounded up.
        var decoded: PixelSize
        /// The part of it that is image: rounding makes the last column and row stick out.
        var covered: SampledExtent
        /// The size of the caller's buffer.
        var output: PixelSize
        /// Whether ``JPEGShrinker`` is worth trying.
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
