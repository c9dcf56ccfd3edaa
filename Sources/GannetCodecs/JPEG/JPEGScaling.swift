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
        /// The size of what is taken from the decoder's output, rounded up.
        var decoded: PixelSize
        /// Where it lies in that output; nil: it is all of it.
        private(set) var part: PixelRect?
        /// The part of it that is image: rounding makes the last column and row stick out.
        var covered: SampledExtent
        /// The size of the caller's buffer.
        var output: PixelSize
        /// Whether ``JPEGShrinker`` is worth trying.
        var isForShrinker: Bool

        init(for header: ImageHeader, options: ResolvedDecodeOptions) {
            // A region that lies outside is refused elsewhere.
            let region = (try? options.storedRegion(of: header)) ?? nil
            let whole = region?.size ?? header.size
            let wanted = options.scaledSize(for: header)
            output = wanted.width <= whole.width && wanted.height <= whole.height ? wanted : whole
            eighths = 8
            decoded = whole
            covered = SampledExtent(whole)
            part = region
            let isForShrinker = !header.colorSpace.isFourChannel
            self.isForShrinker = false
            for candidate in [1, 2, 4] {
                let quarters = isForShrinker && candidate > 1 ? 7 : 8
                let size = Self.size(whole, candidate)
                if size.width * 4 >= output.width * quarters, size.height * 4 >= output.height * quarters {
                    eighths = candidate
                    self.isForShrinker = isForShrinker
                    decoded = size
                    covered = SampledExtent(
                        width: Double(whole.width * candidate) / 8, height: Double(whole.height * candidate) / 8)
                    if let region { take(region) }
                    break
                }
            }
        }

        /// All samples that a part of the image touches.
        private mutating func take(_ region: PixelRect) {
            let (left, top) = (region.x * eighths / 8, region.y * eighths / 8)
            let (right, bottom) = ((region.x + region.width) * eighths + 7, (region.y + region.height) * eighths + 7)
            let part = PixelRect(x: left, y: top, width: right / 8 - left, height: bottom / 8 - top)
            self.part = part
            decoded = part.size
            covered = SampledExtent(
                left: Double(region.x * eighths) / 8 - Double(left), top: Double(region.y * eighths) / 8 - Double(top),
                width: Double(region.width * eighths) / 8, height: Double(region.height * eighths) / 8)
        }

        private static func size(_ size: PixelSize, _ eighths: Int) -> PixelSize {
            PixelSize(clamping: (size.width * eighths + 7) / 8, (size.height * eighths + 7) / 8)
        }
    }
#endif
