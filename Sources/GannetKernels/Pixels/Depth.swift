import CGannetKernels
package import GannetCore

/// An `rgba8` image of an `rgba16` one: rounded, or the high bytes alone (`cuttingLowByte`). Others are returned as they are.
/// 8 bits have no room for high range, which becomes sRGB. Looks for cancellation between bands of rows.
package func narrowed(_ bitmap: Bitmap, cuttingLowByte: Bool = false, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    guard bitmap.layout.format == .rgba16 else { return bitmap }
    let bitmap = try standardRange(bitmap, pool: pool)
    var buffer = try PixelBuffer(PixelLayout(size: bitmap.size, alpha: bitmap.layout.alpha), pool: pool)
    let samples = bitmap.width * 4
    try bitmap.eachBand { (rows, source, stride) throws(ImageError) in
        buffer.withUnsafeRows { target, targetStride in
            for y in rows {
                (source + y * stride).withMemoryRebound(to: UInt16.self, capacity: samples) {
                    gannet_narrow16(target + y * targetStride, $0, samples, cuttingLowByte)
                }
            }
        }
    }
    return buffer.freeze(with: bitmap.gainMap)
}

/// An `rgba16` image of an `rgba8` one: each channel times 257. Others are returned as they are.
package func widened(_ bitmap: Bitmap, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    guard bitmap.layout.format == .rgba8 else { return bitmap }
    var buffer = try PixelBuffer(PixelLayout(size: bitmap.size, format: .rgba16, alpha: bitmap.layout.alpha), pool: pool)
    let samples = bitmap.width * 4
    let height = bitmap.height
    bitmap.withUnsafeRows { source, stride in
        buffer.withUnsafeRows { target, targetStride in
            for y in 0..<height {
                (target + y * targetStride).withMemoryRebound(to: UInt16.self, capacity: samples) {
                    gannet_widen8($0, source + y * stride, samples)
                }
            }
        }
    }
    return buffer.freeze(with: bitmap.gainMap)
}
