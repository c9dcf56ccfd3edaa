import GannetCore
import GannetKernels

extension Bitmap {
    /// All pixels without padding, straight alpha, 8 bits: red in the lowest byte. Where alpha is 0 the whole pixel is 0.
    func straightPixels() throws(ImageError) -> [UInt32] {
        let bitmap = try unpremultiplied(narrowed(self))
        let mode = bitmap.layout.alpha
        return [UInt32](unsafeUninitializedCapacity: size.area) { target, count in
            bitmap.withUnsafeRows { base, stride in
                for y in 0..<height {
                    let out = UnsafeMutableBufferPointer(rebasing: target[y * width..<(y + 1) * width])
                    UnsafeMutableRawPointer(out.baseAddress!).copyMemory(from: base + y * stride, byteCount: width * 4)
                    if mode == .opaque {
                        for x in out.indices { out[x] |= 0xFF00_0000 }
                    } else {
                        for x in out.indices where out[x] >> 24 == 0 { out[x] = 0 }
                    }
                }
            }
            count = size.area
        }
    }
}
