#if PNG
    import GannetCore
    import GannetKernels

    /// Receives raw rows in order: writes them into a buffer of their size, or resamples them into a smaller one, so that the
    /// full image is never in memory.
    struct PNGShrinker: ~Copyable {
        private var expander: PNGExpander
        private var resampler: RowResampler
        private var pixels: [UInt8]
        private let width: Int

        init(
            _ expander: PNGExpander, from: PixelSize, to: PixelSize, pool: PixelPool
        ) throws(ImageError) {
            self.expander = expander
            width = from.width
            pixels = [UInt8](repeating: 0, count: from.width * expander.format.bytesPerPixel)
            resampler = try RowResampler(from: from, to: to, format: expander.format, pool: pool)
        }

        /// Adds the next row; `buffer` has the smaller size.
        mutating func put(_ row: UnsafePointer<UInt8>, into buffer: inout PixelBuffer) {
            pixels.withUnsafeMutableBufferPointer { target in
                if let base = target.baseAddress { expander.expand(row, to: base, pixels: width) }
            }
            let filled = pixels
            resampler.push(filled.span, into: &buffer)
        }
    }
#endif
