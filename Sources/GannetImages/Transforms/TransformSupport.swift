import GannetCore
import GannetKernels

extension Bitmap {
    /// A version with 8-bit premultiplied or opaque pixels, as all painting requires.
    func readyToPaint(_ pool: PixelPool) throws(ImageError) -> Bitmap {
        try premultiplied(narrowed(self, pool: pool), pool: pool)
    }
}

/// A copy of `bitmap`, changed row by row; checks for cancellation between bands.
func painting(
    _ bitmap: Bitmap, _ context: TransformContext, alpha: AlphaMode? = nil,
    _ row: (inout PixelBuffer, Int) throws(ImageError) -> Void
) throws(ImageError) -> Bitmap {
    let source = try bitmap.readyToPaint(context.pool)
    var buffer = try PixelBuffer(source.layout, pool: context.pool)
    if let alpha { buffer.setAlpha(alpha) }
    for y in 0..<buffer.size.height {
        if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
        // Copy row by row, so that the row is still in the CPU cache.
        buffer.copyRow(y, from: source)
        try row(&buffer, y)
    }
    return buffer.freeze()
}

/// Throws `limitExceeded` if a transformer's result exceeds the limits of the load.
func checkLimits(_ size: PixelSize, _ format: PixelFormat, _ context: TransformContext) throws(ImageError) {
    do {
        try context.limits.check(size: size, allocating: PixelLayout(size: size, format: format))
    } catch {
        var error = error
        error.stage = .transform
        throw error
    }
}
