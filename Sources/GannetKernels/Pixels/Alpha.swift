import CGannetKernels
package import GannetCore
import Glibc

/// Makes premultiplied pixels of straight ones, in place; leaves others as they are. Exact rounding.
package func premultiply(_ buffer: inout PixelBuffer) {
    guard buffer.layout.alpha == .straight else { return }
    buffer.eachUnsafeRow { premultiply($0, $1, $2) }
    buffer.setAlpha(.premultiplied)
}

private func premultiply(_ row: UnsafeMutablePointer<UInt8>, _ pixels: Int, _ format: PixelFormat) {
    switch format {
    case .rgba8: row.withMemoryRebound(to: UInt32.self, capacity: pixels) { gannet_premultiply8($0, pixels) }
    case .rgba16: row.withMemoryRebound(to: UInt16.self, capacity: pixels * 4) { gannet_premultiply16($0, pixels) }
    }
}

/// Makes straight pixels of premultiplied ones, in place; leaves others as they are. Colour is 0 where alpha is 0;
/// premultiplying again gives the same pixels.
package func unpremultiply(_ buffer: inout PixelBuffer) {
    guard buffer.layout.alpha == .premultiplied else { return }
    buffer.eachUnsafeRow { row, pixels, format in
        switch format {
        case .rgba8: row.withMemoryRebound(to: UInt32.self, capacity: pixels) { gannet_unpremultiply8($0, pixels) }
        case .rgba16: row.withMemoryRebound(to: UInt16.self, capacity: pixels * 4) { gannet_unpremultiply16($0, pixels) }
        }
    }
    buffer.setAlpha(.straight)
}

/// The same with its own memory; the bitmap itself where it is so already. Looks for cancellation between bands of rows.
package func premultiplied(_ bitmap: Bitmap, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    guard bitmap.layout.alpha == .straight else { return bitmap }
    var buffer = try PixelBuffer(bitmap.layout, pool: pool)
    let (width, format) = (bitmap.width, bitmap.layout.format)
    try bitmap.eachBand { (rows, source, stride) throws(ImageError) in
        buffer.withUnsafeRows { target, targetStride in
            for y in rows {
                memcpy(target + y * targetStride, source + y * stride, width * format.bytesPerPixel)
                premultiply(target + y * targetStride, width, format)
            }
        }
    }
    buffer.setAlpha(.premultiplied)
    return buffer.freeze(with: bitmap.gainMap)
}

/// The same with its own memory; the bitmap itself where it is so already.
package func unpremultiplied(_ bitmap: Bitmap, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
    guard bitmap.layout.alpha == .premultiplied else { return bitmap }
    var buffer = try bitmap.mutableCopy(pool: pool)
    unpremultiply(&buffer)
    return buffer.freeze(with: bitmap.gainMap)
}

/// True if every pixel's alpha is the maximum. Ends at the first row that has another.
package func isOpaque(_ bitmap: Bitmap) -> Bool {
    if bitmap.layout.alpha == .opaque { return true }
    return bitmap.withUnsafeRows { base, stride in
        allOpaque(base, stride, bitmap.size, bitmap.layout.format)
    }
}

/// True if every pixel's alpha is the maximum. Ends at the first row that has another.
package func isOpaque(_ buffer: inout PixelBuffer) -> Bool {
    if buffer.layout.alpha == .opaque { return true }
    let (size, format) = (buffer.size, buffer.layout.format)
    return buffer.withUnsafeRows { base, stride in allOpaque(base, stride, size, format) }
}

private func allOpaque(_ base: UnsafePointer<UInt8>, _ stride: Int, _ size: PixelSize, _ format: PixelFormat) -> Bool {
    (0..<size.height).allSatisfy { y in
        let row = base + y * stride
        return switch format {
        case .rgba8: row.withMemoryRebound(to: UInt32.self, capacity: size.width) { gannet_is_opaque8($0, size.width) }
        case .rgba16: row.withMemoryRebound(to: UInt16.self, capacity: size.width * 4) { gannet_is_opaque16($0, size.width) }
        }
    }
}

extension PixelBuffer {
    /// Every row's address, its number of pixels and their format.
    package mutating func eachUnsafeRow(_ body: (UnsafeMutablePointer<UInt8>, Int, PixelFormat) -> Void) {
        let (size, format) = (size, layout.format)
        withUnsafeRows { base, stride in
            for y in 0..<size.height { body(base + y * stride, size.width, format) }
        }
    }
}
