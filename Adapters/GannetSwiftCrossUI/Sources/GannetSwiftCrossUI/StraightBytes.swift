import Gannet

/// Red, green, blue and alpha of each pixel, 8 bits each, colours not multiplied by alpha, rows without padding: what SwiftCrossUI takes.
func straightBytes(of bitmap: Bitmap) -> [UInt8] {
    var bytes = bitmap.packedBytes()
    if bitmap.layout.format == .rgba16 {
        // The high byte of each word, rounded; words are in native order.
        bytes = (0..<bytes.count / 2).map { index in
            let word = UInt32(bytes[index * 2]) | UInt32(bytes[index * 2 + 1]) << 8
            return UInt8((word * 255 + 32_767) / 65_535)
        }
    }
    guard bitmap.layout.alpha == .premultiplied else { return bytes }
    for pixel in stride(from: 0, to: bytes.count, by: 4) {
        let alpha = Int(bytes[pixel + 3])
        guard alpha > 0, alpha < 255 else { continue }
        for channel in pixel..<pixel + 3 { bytes[channel] = UInt8(min(255, (Int(bytes[channel]) * 255 + alpha / 2) / alpha)) }
    }
    return bytes
}
