import CGannetKernels
package import GannetCore

/// A picture of at most 256 colours in a quarter of its memory, bit by bit the same when it is expanded.
///
/// For frames that wait for their turn: drawn animations and everything that was a GIF have few colours.
package final class PalettedBitmap: Sendable {
    private let layout: PixelLayout
    private let colors: [UInt32]
    /// One byte a pixel, rows without padding.
    private let numbers: PixelMemory

    /// Nil: more colours, 16-bit channels, or no memory. Cost: about 2 ns a pixel, much less where there are too many colours.
    package init?(_ bitmap: Bitmap, pool: PixelPool = .shared) {
        guard bitmap.layout.format == .rgba8, let numbers = try? pool.allocate(bitmap.width * bitmap.height) else { return nil }
        let width = bitmap.width
        let target = numbers.base.assumingMemoryBound(to: UInt8.self)
        var palette = gannet_palette()
        for y in 0..<bitmap.height {
            let fits = bitmap.withUnsafeRows { base, stride in
                (base + y * stride).withMemoryRebound(to: UInt32.self, capacity: width) {
                    gannet_palette_index(&palette, target + y * width, $0, width)
                }
            }
            guard fits else { return nil }
        }
        layout = bitmap.layout
        colors = withUnsafeBytes(of: palette.colors) { Array($0.bindMemory(to: UInt32.self)) }
        self.numbers = numbers
    }

    /// What it holds itself.
    package var byteCount: Int { numbers.capacity + colors.count * 4 }

    /// The picture. Throws `limitExceeded` if there is no memory.
    package func expanded(pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
        var buffer = try PixelBuffer(layout, pool: pool)
        let width = layout.size.width
        let source = numbers.base.assumingMemoryBound(to: UInt8.self)
        for y in 0..<layout.size.height {
            buffer.withUnsafeRows { base, stride in
                (base + y * stride).withMemoryRebound(to: UInt32.self, capacity: width) {
                    gannet_palette_expand($0, source + y * width, width, colors)
                }
            }
        }
        return buffer.freeze()
    }
}
