import CGannetKernels
package import GannetCore

/// In linear light where it is wanted and the pixels allow it, else on the stored numbers.
package func resample(
    _ bitmap: Bitmap, to size: PixelSize, keeping: PixelRect? = nil, filter: ResampleFilter = .automatic, inLinearLight: Bool,
    pool: PixelPool = .shared
) throws(ImageError) -> Bitmap {
    guard inLinearLight, bitmap.layout.format == .rgba8, bitmap.layout.alpha != .straight, size != bitmap.size else {
        return try resample(bitmap, to: size, keeping: keeping, filter: filter, pool: pool)
    }
    return try resampleInLinearLight(bitmap, to: size, keeping: keeping, filter: filter, pool: pool)
}

/// ``resample(_:to:keeping:filter:pool:)`` on amounts of light instead of stored numbers: thin bright lines keep their
/// brightness. About five times the cost. `rgba8` only.
package func resampleInLinearLight(
    _ bitmap: Bitmap, to size: PixelSize, keeping: PixelRect? = nil, filter: ResampleFilter = .automatic,
    pool: PixelPool = .shared
) throws(ImageError) -> Bitmap {
    guard bitmap.layout.format == .rgba8, bitmap.layout.alpha != .straight else {
        throw ImageError(.misuse, stage: .transform, "Linear light needs 8-bit premultiplied or opaque pixels.")
    }
    var resampler = try RowResampler(
        from: bitmap.size, to: size, keeping: keeping, format: .rgba16, filter: filter, pool: pool)
    let output = resampler.outputSize
    var wide = try PixelBuffer(PixelLayout(size: output, format: .rgba16, alpha: bitmap.layout.alpha), pool: pool)
    var line = try PixelBuffer(
        PixelLayout(size: PixelSize(clamping: bitmap.width, 1), format: .rgba16, alpha: bitmap.layout.alpha), pool: pool)
    let width = bitmap.width
    for y in 0..<bitmap.height {
        if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
        bitmap.withUnsafeRows { base, stride in
            line.withUnsafeRows { target, _ in
                (base + y * stride).withMemoryRebound(to: UInt32.self, capacity: width) { pixels in
                    target.withMemoryRebound(to: UInt16.self, capacity: width * 4) {
                        gannet_to_linear($0, pixels, width, TransferCurve.toLinear)
                    }
                }
            }
        }
        resampler.push(line.row(0), into: &wide)
    }
    var buffer = try PixelBuffer(PixelLayout(size: output, alpha: bitmap.layout.alpha), pool: pool)
    try wide.freeze().eachBand { (rows, source, sourceStride) throws(ImageError) in
        buffer.withUnsafeRows { target, stride in
            for y in rows {
                (source + y * sourceStride).withMemoryRebound(to: UInt16.self, capacity: output.width * 4) { samples in
                    (target + y * stride).withMemoryRebound(to: UInt32.self, capacity: output.width) {
                        gannet_from_linear($0, samples, output.width, TransferCurve.fromLinear)
                    }
                }
            }
        }
    }
    return buffer.freeze(with: bitmap.gainMap?.cropped(to: keeping, of: size))
}
