#if JP2
    import GannetCore
    import GannetKernels

    /// What is decoded of a codestream: a resolution of it, and the part of that.
    struct JP2Scaling {
        /// How often the decoded size is half of the file's.
        private(set) var reduction = 0
        /// The samples that are delivered, in those of the reduced image.
        private(set) var part: PixelRect
        /// How much of ``part`` lies within the region, whose edges may be between samples.
        private(set) var covered: SampledExtent
        /// The part of the reference grid that the library decodes; nil: all.
        private(set) var area: JP2Codestream.Area?
        /// The size of the caller's buffer.
        private(set) var output: PixelSize

        /// Whether ``part`` is scaled here, because what follows knows no fractions of samples.
        var isScaled: Bool { output != part.size }

        /// `region`: in stored pixels of the whole image; nil: all of it.
        init(of codestream: JP2Codestream, size: PixelSize, region: PixelRect?, wanted: PixelSize, hasAlpha: Bool) {
            let whole = region ?? PixelRect(x: 0, y: 0, width: size.width, height: size.height)
            part = whole
            covered = SampledExtent(whole.size)
            output = whole.size
            for times in 1..<max(codestream.levels + 1, 1) {
                // A thin strip of the reference grid may have no samples left.
                guard PixelSize(codestream.size(halved: times)) != nil else { break }
                let (samples, extent) = Self.samples(of: region, codestream, times)
                guard samples.width >= wanted.width, samples.height >= wanted.height else { break }
                // Rounding up keeps a part of one pixel one sample, however large that sample is.
                if let region,
                    !Self.isReduced(region.width, wanted.width, times) || !Self.isReduced(region.height, wanted.height, times)
                {
                    break
                }
                // Alpha would have to be multiplied before it is scaled, and colours be converted before that.
                if hasAlpha, extent != SampledExtent(samples.size) { break }
                (reduction, part, covered) = (times, samples, extent)
                output = extent == SampledExtent(samples.size) ? samples.size : wanted
            }
            // OpenJPEG (2.5) decodes parts of blocks of high throughput to other samples.
            if region != nil, !codestream.isHighThroughput { area = codestream.area(of: part, halved: reduction) }
        }

        private static func isReduced(_ count: Int, _ wanted: Int, _ times: Int) -> Bool {
            Double(count) > (Double(wanted) - 0.5) * Double(1 << min(times, 40))
        }

        /// All samples that the region touches once the image is halved so often, and how much of them.
        private static func samples(
            of region: PixelRect?, _ codestream: JP2Codestream, _ times: Int
        ) -> (part: PixelRect, covered: SampledExtent) {
            let size = codestream.size(halved: times)
            let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
            guard let region, times < 31 else { return (whole, SampledExtent(whole.size)) }
            let origin = codestream.origin(halved: times)
            let (x, width, left, across) = range(region.x + codestream.area.left, region.width, times, origin.x, size.width)
            let (y, height, top, down) = range(region.y + codestream.area.top, region.height, times, origin.y, size.height)
            return (
                PixelRect(x: x, y: y, width: width, height: height),
                SampledExtent(left: left, top: top, width: across, height: down)
            )
        }

        /// `start`: on the reference grid. The last sample of an image counts as a whole one, as where all of it is decoded.
        private static func range(
            _ start: Int, _ count: Int, _ times: Int, _ origin: Int, _ most: Int
        ) -> (first: Int, count: Int, before: Double, extent: Double) {
            let scale = Double(1 << times)
            let first = min(max(start >> times, origin), origin + most - 1)
            let end = min(max((start + count + (1 << times) - 1) >> times, first + 1), origin + most)
            let left = max(Double(start) / scale, Double(first))
            let right = end == origin + most ? Double(end) : Double(start + count) / scale
            return (first - origin, end - first, left - Double(first), max(right - left, 0.5))
        }
    }
#endif
