public import GannetCore
import GannetKernels

/// Squares of one colour, the mean of their pixels: hides faces and number plates.
package struct PixelateTransformer: ImageTransformer, Hashable {
    /// Pixels of a square's side, 1 … 16,777,215; 1 changes nothing.
    package let size: Int

    /// `size` is clamped to its range.
    package init(size: Int) { self.size = min(max(size, 1), PixelSize.maximumSide) }

    package var identifier: String? { TransformIdentifier.make("pixelate", [String(size)]) }

    /// Squares begin at the upper left corner; those at the other edges may be cut off. O(n). Throws `limitExceeded` and `cancelled`.
    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        guard size > 1 else { return bitmap }
        let source = try bitmap.readyToPaint(context.pool)
        var buffer = try PixelBuffer(source.layout, pool: context.pool)
        var squares = SquareSums(width: source.width, side: size)
        for top in stride(from: 0, to: source.height, by: size) {
            let rows = top..<min(top + size, source.height)
            squares.clear()
            for y in rows {
                if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
                squares.add(source.row(y))
            }
            let colors = squares.means(rows: rows.count)
            for y in rows {
                if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
                var pixels = buffer.mutablePixels(y)
                for x in 0..<source.width { pixels[x] = colors[x / size] }
            }
        }
        return buffer.freeze()
    }
}

/// The sums of the channels of one row of squares. 2⁴⁸ pixels of 255 fit.
private struct SquareSums {
    let width: Int
    let side: Int
    private var sums: [Int]

    init(width: Int, side: Int) {
        (self.width, self.side) = (width, side)
        sums = [Int](repeating: 0, count: (width + side - 1) / side * 4)
    }

    mutating func clear() {
        for index in sums.indices { sums[index] = 0 }
    }

    mutating func add(_ row: Span<UInt8>) {
        for x in 0..<width {
            let square = x / side * 4
            for channel in 0..<4 { sums[square + channel] += Int(row[x * 4 + channel]) }
        }
    }

    /// Red in the lowest byte.
    func means(rows: Int) -> [UInt32] {
        stride(from: 0, to: sums.count, by: 4).map { start in
            let count = min(side, width - start / 4 * side) * rows
            return (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32((sums[start + $1] + count / 2) / count) }
        }
    }
}

extension ImageTransformer where Self == StandardTransformer {
    /// Squares of `size` × `size` pixels in their mean colour; 1 changes nothing.
    public static func pixelate(size: Int) -> Self { Self(PixelateTransformer(size: size)) }
}
