import CGannetKernels
package import GannetCore

/// An image of at most 256 colours in a quarter of its memory, bit by bit the same when it is expanded; in much less where
/// neighbours are equal, as in drawn images.
///
/// For frames that wait for their turn: drawn animations and everything that was a GIF have few colours.
package final class PalettedBitmap: Sendable {
    private enum Numbers: ~Copyable, Sendable {
        /// One byte a pixel, rows without padding.
        case each(PixelMemory)
        /// Pairs of a number and how often it comes after itself.
        case runs([UInt8])
    }

    private let layout: PixelLayout
    private let colors: [UInt32]
    private let numbers: Numbers

    /// Nil: more colours, 16-bit channels, or no memory. Cost: about 2 ns a pixel, much less where there are too many colours.
    package init?(_ bitmap: Bitmap, pool: PixelPool = .shared) {
        let (width, height) = (bitmap.width, bitmap.height)
        guard bitmap.layout.format == .rgba8, let memory = try? pool.allocate(width * height) else { return nil }
        let target = memory.base.assumingMemoryBound(to: UInt8.self)
        var palette = gannet_palette()
        let fits = bitmap.withUnsafeRows { base, stride in
            for y in 0..<height {
                let fits = (base + y * stride).withMemoryRebound(to: UInt32.self, capacity: width) {
                    gannet_palette_index(&palette, target + y * width, $0, width)
                }
                guard fits else { return false }
            }
            return true
        }
        guard fits else { return nil }
        layout = bitmap.layout
        let count = Int(palette.count)
        colors = withUnsafeBytes(of: palette.colors) { Array($0.bindMemory(to: UInt32.self).prefix(count)) }
        // Runs beyond 256 pixels take another pair.
        let room = (Int(palette.runs) + width * height / 256 + 1) * 2
        if room < width * height / 2 {
            numbers = .runs(
                [UInt8](unsafeUninitializedCapacity: room) { buffer, used in
                    used = buffer.baseAddress.map { gannet_palette_pack($0, room, target, width * height) } ?? 0
                })
        } else {
            numbers = .each(memory)
        }
    }

    /// The bytes that this value holds: colour numbers and palette.
    package var byteCount: Int {
        switch numbers {
        case .each(let memory): memory.capacity + colors.count * 4
        case .runs(let runs): runs.count + colors.count * 4
        }
    }

    /// The image. Throws `limitExceeded` if there is no memory.
    package func expanded(pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
        var buffer = try PixelBuffer(layout, pool: pool)
        let (width, height) = (layout.size.width, layout.size.height)
        buffer.withUnsafeRows { base, stride in
            switch numbers {
            case .runs(let runs): gannet_palette_unpack(base, stride, width, height, runs, runs.count, colors)
            case .each(let memory):
                let source = memory.base.assumingMemoryBound(to: UInt8.self)
                for y in 0..<height {
                    (base + y * stride).withMemoryRebound(to: UInt32.self, capacity: width) {
                        gannet_palette_expand($0, source + y * width, width, colors)
                    }
                }
            }
        }
        return buffer.freeze()
    }
}
