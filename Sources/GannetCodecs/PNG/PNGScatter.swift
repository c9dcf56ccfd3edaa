#if PNG
    import GannetCore

    /// Puts the rows of a pass in their places.
    struct PNGScatter {
        private var expander: PNGExpander
        /// One row of the pass, expanded.
        private var pixels: [UInt64]
        private let size: PixelSize
        private let fillsBlocks: Bool

        /// `fillsBlocks`: each pixel also fills those to its right and below that later passes bring.
        init(_ expander: PNGExpander, _ size: PixelSize, fillsBlocks: Bool) {
            self.expander = expander
            self.size = size
            self.fillsBlocks = fillsBlocks
            pixels = [UInt64](repeating: 0, count: (size.width * expander.format.bytesPerPixel + 7) / 8)
        }

        /// - Parameter base: the image's first row.
        mutating func put(
            _ row: UnsafePointer<UInt8>, _ pass: PNGPass, _ y: Int, _ base: UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int
        ) {
            let top = pass.y + y * pass.stepY
            guard pass.stepX > 1 else {
                expander.expand(row, to: base + top * bytesPerRow, pixels: pass.width)
                return
            }
            pixels.withUnsafeMutableBytes { bytes in
                guard let source = bytes.baseAddress else { return }
                expander.expand(row, to: source.assumingMemoryBound(to: UInt8.self), pixels: pass.width)
            }
            let bottom = fillsBlocks ? min(top + pass.blockHeight, size.height) : top + 1
            for line in top..<bottom {
                let target = UnsafeMutableRawPointer(base + line * bytesPerRow)
                pixels.withUnsafeBytes { bytes in
                    switch expander.format {
                    case .rgba8: spread(bytes.bindMemory(to: UInt32.self), target, pass)
                    case .rgba16: spread(bytes.bindMemory(to: UInt64.self), target, pass)
                    }
                }
            }
        }

        private func spread<Pixel: BitwiseCopyable>(
            _ source: UnsafeBufferPointer<Pixel>, _ target: UnsafeMutableRawPointer, _ pass: PNGPass
        ) {
            guard let source = source.baseAddress else { return }
            let target = target.assumingMemoryBound(to: Pixel.self)
            let across = fillsBlocks ? pass.blockWidth : 1
            for column in 0..<pass.width {
                let x = pass.x + column * pass.stepX
                for right in x..<min(x + across, size.width) { target[right] = source[column] }
            }
        }
    }
#endif
