import GannetCore
import GannetKernels

/// One of the sizes that a decoder makes in a pass: receives the rows of the whole image, and writes its own into a buffer.
final class SizeOutput {
    private let buffer: SizeBuffer
    /// Nil: the rows are copied.
    private var resampler: RowResampler?

    init(_ buffer: SizeBuffer, from: PixelSize, covered: SampledExtent? = nil, _ pool: PixelPool) throws(ImageError) {
        self.buffer = buffer
        let (size, format) = buffer.edit { ($0.size, $0.layout.format) }
        if size != from {
            resampler = try RowResampler(from: from, covered: covered, to: size, format: format, pool: pool)
        }
    }

    /// The first `count` rows of `band` are the image's rows from `y` on.
    func push(_ band: borrowing PixelBuffer, _ count: Int, at y: Int) {
        guard var resampler = resampler.take() else {
            buffer.edit { pixels in for row in 0..<count { pixels.copyRow(y + row, from: band, row) } }
            return
        }
        buffer.edit { pixels in for row in 0..<count { resampler.push(band.row(row), into: &pixels) } }
        self.resampler = consume resampler
    }
}
