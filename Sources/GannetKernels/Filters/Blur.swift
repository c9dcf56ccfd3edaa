import CGannetKernels
package import GannetCore
import Glibc

/// Gaussian blur with standard deviation `sigma` (pixels), in place. Pixels behind the edge repeat the edge.
///
/// Up to `sigma` 2 the Gaussian itself; above that three boxes with fractional widths of the same variance (Gwosdek and
/// others 2011), in time independent of `sigma`. 8-bit premultiplied or opaque pixels. Looks for cancellation between strips.
package func blurred(_ bitmap: Bitmap, sigma: Double, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    precondition(bitmap.layout.format == .rgba8 && bitmap.layout.alpha != .straight, "8-bit premultiplied pixels only")
    guard sigma > 0.01 else { return bitmap }
    if sigma <= 2 {
        let reach = Int((3 * sigma).rounded(.up)) + 1
        let kernel = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        return try convolved(bitmap, kernel: kernel, pool: pool)
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

extension gannet_box {
    /// The box that, applied three times, has the variance of a Gaussian.
    init(sigma: Double) {
        let variance = min(sigma, 1e5) * min(sigma, 1e5) / 3
        // A box of 2r + 1 pixels has variance r (r + 1) / 3; the rest comes from parts of the next pixels.
        let radius = ((1 + 12 * variance).squareRoot() - 1) / 2
        let whole = radius.rounded(.down)
        let length = 2 * whole + 1
        let part = length * (whole * (whole + 1) - 3 * variance) / (6 * (variance - (whole + 1) * (whole + 1)))
        let total = length + 2 * part
        self.init(radius: Int(whole), inner: Float(1 / total), edge: Float(part / total))
    }
}
