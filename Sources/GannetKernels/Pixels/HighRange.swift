package import GannetCore

extension ToneMap {
    /// To standard range. Nil: the colours are not those of light in PQ or HLG, or have other primaries.
    package convenience init?(_ colors: ColorSpace, by curve: ToneMapping) {
        guard let cicp = colors.cicp else { return nil }
        self.init(primaries: cicp.primaries, transfer: cicp.transfer, brightest: colors.brightest, by: curve)
    }

    /// Converts pixels in place, whatever their alpha. High range has 16 bits. Looks for cancellation between rows.
    package func apply(_ buffer: inout PixelBuffer, to range: DynamicRange) throws(ImageError) {
        let isDeep = buffer.layout.format == .rgba16
        precondition(isDeep || !range.isHigh, "high range has 16 bits")
        let isPremultiplied = buffer.layout.alpha == .premultiplied
        if isPremultiplied { unpremultiply(&buffer) }
        for y in 0..<buffer.size.height {
            if y & 63 == 0 { try ImageError.checkCancellation(stage: .decode) }
            let width = buffer.size.width
            var row = buffer.mutableRow(y)
            apply(&row, count: width, isDeep: isDeep)
        }
        if isPremultiplied { premultiply(&buffer) }
        buffer.setDynamicRange(range)
    }
}

/// The image with no light brighter than white, in sRGB, by a curve of ``ToneMap``. Others are returned as they are.
package func standardRange(
    _ bitmap: Bitmap, by curve: ToneMapping = .bt2390, pool: PixelPool = .shared
) throws(ImageError) -> Bitmap {
    guard bitmap.dynamicRange.isHigh,
        let map = ToneMap(primaries: 9, transfer: 16, brightest: bitmap.dynamicRange.brightest, by: curve)
    else { return bitmap }
    var buffer = try bitmap.mutableCopy(pool: pool)
    try map.apply(&buffer, to: .standard)
    return buffer.freeze()
}
