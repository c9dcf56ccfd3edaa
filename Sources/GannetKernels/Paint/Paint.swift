import CGannetKernels
package import GannetCore
import Glibc

// Painting on 8-bit premultiplied or opaque pixels, row by row. The caller keeps the buffer's alpha mode right.

extension PixelBuffer {
    private mutating func withPixels(_ y: Int, _ body: (UnsafeMutablePointer<UInt32>, Int) -> Void) {
        precondition(layout.format == .rgba8 && layout.alpha != .straight && y >= 0 && y < size.height)
        let width = size.width
        withUnsafeRows { base, stride in
            (base + y * stride).withMemoryRebound(to: UInt32.self, capacity: width) { body($0, width) }
        }
    }

    /// Row `y` of `bitmap`, which has the same size and format.
    package mutating func copyRow(_ y: Int, from bitmap: Bitmap) {
        precondition(bitmap.size == size && bitmap.layout.format == layout.format && y >= 0 && y < size.height)
        let bytes = size.width * layout.format.bytesPerPixel
        withUnsafeRows { target, stride in
            bitmap.withUnsafeRows { _ = memcpy(target + y * stride, $0 + y * $1, bytes) }
        }
    }

    /// Every pixel of row `y` times `mask` / 255; `mask` is as wide as the image.
    package mutating func mask(_ y: Int, by mask: [UInt8]) {
        precondition(mask.count == size.width)
        withPixels(y) { gannet_mask($0, mask, $1) }
    }

    /// Every pixel of row `y` moved towards `color` (premultiplied, red lowest) by `mask` / 255.
    package mutating func mix(_ y: Int, with color: UInt32, by mask: [UInt8]) {
        precondition(mask.count == size.width)
        withPixels(y) { gannet_mix($0, color, mask, $1) }
    }

    /// `color` (premultiplied, red lowest) blended over row `y`.
    package mutating func blend(_ y: Int, with color: UInt32, mode: BlendMode, opacity: Double, mask: [UInt8]? = nil) {
        precondition(mask.map { $0.count == size.width } ?? true)
        withPixels(y) { pixels, count in
            withUnsafePointer(to: color) { gannet_blend(pixels, $0, 0, mask, count, mode.kernelMode, Float(opacity)) }
        }
    }

    /// `columns` pixels of row `sourceY` of `image` from `sourceX` on, blended over row `y` from `x` on.
    package mutating func blend(
        _ y: Int, x: Int, with image: Bitmap, sourceX: Int, sourceY: Int, columns: Int, mode: BlendMode, opacity: Double
    ) {
        precondition(image.layout.format == .rgba8 && image.layout.alpha != .straight)
        precondition(x >= 0 && sourceX >= 0 && sourceX + columns <= image.width && x + columns <= size.width)
        precondition(sourceY >= 0 && sourceY < image.height)
        withPixels(y) { pixels, _ in
            image.withUnsafeRows { base, stride in
                (base + sourceY * stride + sourceX * 4).withMemoryRebound(to: UInt32.self, capacity: columns) {
                    gannet_blend(pixels + x, $0, 1, nil, columns, mode.kernelMode, Float(opacity))
                }
            }
        }
    }

    /// Colours of row `y` times `matrix`: 3 rows of weights for red, green, blue and alpha.
    package mutating func multiply(_ y: Int, by matrix: [Float]) {
        precondition(matrix.count == 12)
        withPixels(y) { gannet_matrix($0, $1, matrix) }
    }

    /// Straight colours of row `y` through `table`.
    package mutating func lookUp(_ y: Int, in table: [UInt8]) {
        precondition(table.count == 256)
        withPixels(y) { gannet_lookup($0, $1, table) }
    }

    /// Row `y` without colours: brightness by ITU-R BT.709 of the stored numbers.
    package mutating func takeColors(_ y: Int) {
        withPixels(y) { gannet_gray($0, $1) }
    }

    /// Every pixel of row `y` becomes `color` (premultiplied, red lowest).
    package mutating func fill(_ y: Int, with color: UInt32) {
        withPixels(y) { $0.update(repeating: color, count: $1) }
    }
}
