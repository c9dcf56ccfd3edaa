import CGannetKernels
package import GannetCore

/// The upright image of stored pixels. Exact; looks for cancellation between bands of rows. `up` returns the bitmap itself.
package func oriented(_ bitmap: Bitmap, _ orientation: Orientation, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    guard orientation != .up else { return bitmap }
    let size = orientation.displayed(bitmap.size)
    let pixel = bitmap.layout.format.bytesPerPixel
    let (right, lower) = (bitmap.width - 1, bitmap.height - 1)
    var layout = bitmap.layout
    layout.size = size
    var buffer = try PixelBuffer(layout, pool: pool)
    try bitmap.withUnsafeRows { (source, stride) throws(ImageError) in
        // Where the image's top left corner is stored, and which way its rows and columns run there.
        let (corner, across, down): (Int, Int, Int) =
            switch orientation {
            case .up: (0, pixel, stride)
            case .upMirrored: (right * pixel, -pixel, stride)
            case .down: (lower * stride + right * pixel, -pixel, -stride)
            case .downMirrored: (lower * stride, pixel, -stride)
            case .leftMirrored: (0, stride, pixel)
            case .right: (lower * stride, -stride, pixel)
            case .rightMirrored: (lower * stride + right * pixel, -stride, -pixel)
            case .left: (right * pixel, stride, -pixel)
            }
        for top in Swift.stride(from: 0, to: size.height, by: 128) {
            try ImageError.checkCancellation(stage: .transform)
            let rows = min(128, size.height - top)
            buffer.withUnsafeRows { target, targetStride in
                gannet_turn(
                    target + top * targetStride, targetStride, size.width, rows, source + corner + top * down, across, down, pixel
                )
            }
        }
    }
    return buffer.freeze(with: bitmap.gainMap?.turned(by: orientation))
}

/// The part of `bitmap` inside `rect`, clipped to it, copied into new memory. Throws `misuse` if there is no such part; checks
/// for cancellation between bands of rows.
package func cropped(_ bitmap: Bitmap, to rect: PixelRect, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    guard let part = rect.clipped(to: bitmap.size) else {
        throw ImageError(
            .misuse, stage: .transform,
            "The rectangle at \(rect.x), \(rect.y) of \(rect.width)×\(rect.height) lies outside of the image of \(bitmap.size)."
        )
    }
    if part == PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height) { return bitmap }
    var layout = bitmap.layout
    layout.size = PixelSize(clamping: part.width, part.height)
    let pixel = layout.format.bytesPerPixel
    var buffer = try PixelBuffer(layout, pool: pool)
    try bitmap.eachBand(of: part.height) { (rows, source, stride) throws(ImageError) in
        let corner = source + (part.y + rows.lowerBound) * stride + part.x * pixel
        buffer.withUnsafeRows { target, targetStride in
            gannet_turn(
                target + rows.lowerBound * targetStride, targetStride, part.width, rows.count, corner, pixel, stride, pixel)
        }
    }
    return buffer.freeze(with: bitmap.gainMap?.cropped(to: part, of: bitmap.size))
}
