import CGannetKernels
package import GannetCore

/// Every pixel becomes the sum of its neighbours, weighted by `kernel` (odd count, symmetric use in both directions,
/// normalised here). Pixels behind the edge repeat the edge. 8-bit premultiplied or opaque pixels.
package func convolved(_ bitmap: Bitmap, kernel: [Double], pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    precondition(kernel.count & 1 == 1 && bitmap.layout.format == .rgba8, "an odd kernel and 8-bit pixels")
    let engine = try ResampleEngine(plan: ResamplePlan(size: bitmap.size, kernel: kernel), pool: pool)
    var buffer = try PixelBuffer(bitmap.layout, pool: pool)
    try bitmap.withUnsafeRows { (base, stride) throws(ImageError) in
        for y in 0..<bitmap.height {
            if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
            engine.write(row: y, into: &buffer) { UnsafeRawPointer(base + $0 * stride) }
        }
    }
    return buffer.freeze()
}

extension ResamplePlan {
    /// Not another size, but other weights.
    init(size: PixelSize, kernel: [Double]) {
        source = size
        output = size
        shrunk = size
        format = .rgba8
        shrinkX = 1
        shrinkY = 1
        horizontal = ResampleWeights(count: size.width, kernel: kernel)
        vertical = ResampleWeights(count: size.height, kernel: kernel)
    }
}
