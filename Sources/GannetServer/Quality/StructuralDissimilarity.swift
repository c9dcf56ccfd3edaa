#if Server
    import GannetCore
    import Glibc

    /// The structural similarity of two images (Wang, Bovik, Sheikh, Simoncelli: "Image quality assessment: from error visibility to
    /// structural similarity", IEEE Transactions on Image Processing 13(4), 2004), on luma in linear light, in windows of 8 × 8 pixels that
    /// begin at every fourth pixel and weigh their pixels alike.
    extension Bitmap {
        /// (1 − SSIM) / 2: 0 for equal images. `other` has the same size. Transparent parts are seen on `background`, 0xRRGGBB.
        ///
        /// O(n) in the pixels. Throws `cancelled`.
        func structuralDissimilarity(to other: Bitmap, background: UInt32) throws(ImageError) -> Double {
            let columns = max(width / Cell.side, 1)
            let rows = max(height / Cell.side, 1)
            var above: [Cell] = []
            var (sum, windows) = (0.0, 0)
            for row in 0..<rows {
                try ImageError.checkCancellation(stage: .encode)
                // The last ones have the pixels that are left.
                let lines = row * Cell.side..<(row == rows - 1 ? height : (row + 1) * Cell.side)
                var cells = [Cell](repeating: Cell(), count: columns)
                for y in lines {
                    let (first, second) = (luma(y, background), other.luma(y, background))
                    for x in 0..<min(width, other.width) { cells[min(x / Cell.side, columns - 1)].add(first[x], second[x]) }
                }
                if row > 0 || rows == 1 {
                    for column in min(1, columns - 1)..<columns {
                        var window = cells[column]
                        if column > 0 { window.add(cells[column - 1]) }
                        if row > 0 {
                            window.add(above[column])
                            if column > 0 { window.add(above[column - 1]) }
                        }
                        sum += window.similarity
                        windows += 1
                    }
                }
                above = cells
            }
            return max((1 - sum / Double(windows)) / 2, 0)
        }

        /// One row, 0 … 1.
        private func luma(_ y: Int, _ background: UInt32) -> [Double] {
            let row = row(y)
            let (step, high) = layout.format == .rgba16 ? (8, 1) : (4, 0)
            let behind = (0..<3).map { Int(background >> (16 - 8 * $0) & 0xFF) }
            let isMultiplied = layout.alpha != .straight
            return (0..<width).map { x in
                func sample(_ channel: Int) -> Int { Int(row[x * step + channel * step / 4 + high]) }
                let alpha = sample(3)
                func light(_ channel: Int) -> Double {
                    let value = isMultiplied ? sample(channel) : (sample(channel) * alpha + 127) / 255
                    return SRGBLight.table[min(value + (behind[channel] * (255 - alpha) + 127) / 255, 255)]
                }
                return 0.2126 * light(0) + 0.7152 * light(1) + 0.0722 * light(2)
            }
        }
    }

    /// The sums of a quarter of a window.
    private struct Cell {
        static let side = 4

        private var count = 0.0
        /// Of the first image, of the second, of their squares, and of their product.
        private var sums = SIMD8<Double>.zero

        mutating func add(_ first: Double, _ second: Double) {
            count += 1
            sums += SIMD8(first, second, first * first, second * second, first * second, 0, 0, 0)
        }

        mutating func add(_ other: Cell) {
            count += other.count
            sums += other.sums
        }

        /// −1 … 1. The constants of the paper, for values of 0 to 1.
        var similarity: Double {
            let means = sums / count
            let (first, second) = (means[0], means[1])
            let (square, other, product) = (first * first, second * second, first * second)
            let (light, contrast) = (0.0001, 0.0009)
            let above = (2 * product + light) * (2 * (means[4] - product) + contrast)
            let below = (square + other + light) * (means[2] - square + means[3] - other + contrast)
            return above / below
        }
    }

    /// Linear light of the 256 levels of sRGB (IEC 61966-2-1).
    private enum SRGBLight {
        static let table: [Double] = (0...255).map { level in
            let value = Double(level) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
    }
#endif
