import CGannetKernels
package import GannetCore
import Glibc

/// `bitmap` turned clockwise by `degrees` about its centre, onto a canvas of `size` with the same centre; transparent outside.
///
/// Edges are smooth, because pixels outside count as transparent. Result premultiplied. 8-bit premultiplied or opaque pixels.
package func rotated(
    _ bitmap: Bitmap, degrees: Double, size: PixelSize, isCubic: Bool, pool: PixelPool = .shared
) throws(ImageError) -> Bitmap {
    precondition(bitmap.layout.format == .rgba8 && bitmap.layout.alpha != .straight, "8-bit premultiplied pixels only")
    var buffer = try PixelBuffer(PixelLayout(size: size), pool: pool)
    let radians = degrees * Double.pi / 180
    let (cosine, sine) = (cos(radians), sin(radians))
    // From a place on the canvas back to the place in the image; 16 fractional bits.
    let one = 65536.0
    let (dx, dy) = (Int64((cosine * one).rounded()), Int64((-sine * one).rounded()))
    let centreX = Double(bitmap.width) / 2 - 0.5
    let centreY = Double(bitmap.height) / 2 - 0.5
    let fromLeft = 0.5 - Double(size.width) / 2
    try bitmap.withUnsafeRows { (base, stride) throws(ImageError) in
        var source = gannet_bitmap(pixels: base, stride: stride, width: bitmap.width, height: bitmap.height)
        for y in 0..<size.height {
            if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
            let fromTop = Double(y) + 0.5 - Double(size.height) / 2
            let x0 = Int64(((centreX + fromLeft * cosine + fromTop * sine) * one).rounded())
            let y0 = Int64(((centreY - fromLeft * sine + fromTop * cosine) * one).rounded())
            buffer.withUnsafeRows { target, targetStride in
                (target + y * targetStride).withMemoryRebound(to: UInt32.self, capacity: size.width) {
                    gannet_sample_line($0, size.width, &source, x0, y0, dx, dy, isCubic ? 1 : 0)
                }
            }
        }
    }
    return buffer.freeze()
}
