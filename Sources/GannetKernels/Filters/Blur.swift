import CGannetKernels
package import GannetCore
import Glibc

/// Up to here the Gaussian itself is quicker than three boxes.
private let largestConvolved = 5.0

/// Gaussian blur with standard deviation `sigma` (pixels). Pixels behind the edge repeat the edge.
///
/// Up to `sigma` 5 the Gaussian itself; above that three boxes with fractional widths of the same variance (Gwosdek and
/// others 2011), in time independent of `sigma`. 8-bit premultiplied or opaque pixels. Looks for cancellation between strips.
package func blurred(_ bitmap: Bitmap, sigma: Double, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    precondition(bitmap.layout.format == .rgba8 && bitmap.layout.alpha != .straight, "8-bit premultiplied pixels only")
    guard sigma > 0.01 else { return bitmap }
    guard sigma > largestConvolved else {
        let convolver = try Convolver(bitmap, sigma: sigma, pool: pool)
        var buffer = try PixelBuffer(bitmap.layout, pool: pool)
        for y in 0..<bitmap.height {
            if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
            buffer.withUnsafeRows { convolver.write(row: y, to: $0 + y * $1) }
        }
        return buffer.freeze()
    }
    var buffer = try bitmap.mutableCopy(pool: pool)
    let (width, height) = (bitmap.width, bitmap.height)
    let box = gannet_box(sigma: sigma)
    let lanes = Int(gannet_blur_lanes)
    let scratch = try pool.allocate(2 * 128 * max(width, height) * 2)
    let numbers = scratch.base.assumingMemoryBound(to: UInt16.self)
    for top in stride(from: 0, to: height, by: lanes) {
        try ImageError.checkCancellation(stage: .transform)
        buffer.withUnsafeRows { gannet_blur_rows($0 + top * $1, $1, min(lanes, height - top), width, box, numbers) }
    }
    for left in stride(from: 0, to: width, by: lanes) {
        try ImageError.checkCancellation(stage: .transform)
        buffer.withUnsafeRows { gannet_blur_columns($0 + left * 4, $1, min(lanes, width - left), height, box, numbers) }
    }
    return buffer.freeze()
}

/// Unsharp masking: `bitmap` moved away from its blurred self by `amount`, in one pass for small `sigma`. As ``blurred(_:sigma:pool:)``.
package func sharpened(
    _ bitmap: Bitmap, sigma: Double, amount: Double, pool: PixelPool = .shared
) throws(ImageError) -> Bitmap {
    guard sigma > 0.01 else { return bitmap }
    let small = sigma <= largestConvolved ? try Convolver(bitmap, sigma: sigma, pool: pool) : nil
    let large = small == nil ? try blurred(bitmap, sigma: sigma, pool: pool) : nil
    let line = try pool.allocate(bitmap.width * 4)
    let soft = line.base.assumingMemoryBound(to: UInt8.self)
    let width = bitmap.width
    var buffer = try PixelBuffer(bitmap.layout, pool: pool)
    for y in 0..<bitmap.height {
        if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
        small?.write(row: y, to: soft)
        large?.withUnsafeRows { _ = memcpy(soft, $0 + y * $1, width * 4) }
        buffer.withUnsafeRows { target, stride in
            bitmap.withUnsafeRows { _ = memcpy(target + y * stride, $0 + y * $1, width * 4) }
            (target + y * stride).withMemoryRebound(to: UInt32.self, capacity: width) {
                gannet_unsharp($0, UnsafeRawPointer(soft).assumingMemoryBound(to: UInt32.self), width, Float(amount))
            }
        }
    }
    // Edges become steeper, and what lights up stays where it was.
    return buffer.freeze(with: bitmap.gainMap)
}

extension gannet_box {
    /// The box that, applied three times, has the variance of a Gaussian.
    init(sigma: Double) {
        // Sums of the kernel have 32 bits, room for boxes of 32,895 pixels. Beyond that all of an image is one colour anyway.
        let sigma = min(sigma, 16_000)
        let variance = sigma * sigma / 3
        // A box of 2r + 1 pixels has variance r (r + 1) / 3; the rest comes from parts of the next pixels.
        let radius = ((1 + 12 * variance).squareRoot() - 1) / 2
        let whole = radius.rounded(.down)
        let length = 2 * whole + 1
        let part = length * (whole * (whole + 1) - 3 * variance) / (6 * (variance - (whole + 1) * (whole + 1)))
        let total = length + 2 * part
        self.init(radius: Int(whole), inner: Float(1 / total), edge: Float(part / total))
    }
}
