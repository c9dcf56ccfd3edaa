package import GannetCore

extension ToneMap {
    /// Converts 16-bit pixels in place, whatever their alpha. Looks for cancellation between rows.
    package func apply(_ buffer: inout PixelBuffer, to range: DynamicRange) throws(ImageError) {
        precondition(buffer.layout.format == .rgba16, "high range has 16 bits")
        let isPremultiplied = buffer.layout.alpha == .premultiplied
        if isPremultiplied { unpremultiply(&buffer) }
        for y in 0..<buffer.size.height {
            if y & 63 == 0 { try ImageError.checkCancellation(stage: .decode) }
            let width = buffer.size.width
            var row = buffer.mutableRow(y)
            apply(&row, count: width, isDeep: true)
        }
        if isPremultiplied { premultiply(&buffer) }
        buffer.setDynamicRange(range)
    }
}

/// The image with no light brighter than white, in sRGB, by the curve of ``ToneMap``. Others are returned as they are.
package func standardRange(_ bitmap: Bitmap, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    guard bitmap.dynamicRange.isHigh,
        let map = ToneMap(primaries: 9, transfer: 16, brightest: bitmap.dynamicRange.brightest)
    else { return bitmap }
    var buffer = try bitmap.mutableCopy(pool: pool)
    try map.apply(&buffer, to: .standard)
    return buffer.freeze()
}
