import GannetCore

/// Writes the image, or an animation's first frame, with 16 bits a channel.
final class FarbfeldEncoder: ImageEncoder {
    func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
        let bitmap = image.bitmap
        var file = FarbfeldCoder.signature + Self.big(bitmap.width, 4) + Self.big(bitmap.height, 4)
        file.reserveCapacity(file.count + bitmap.size.area * 8)
        let isDeep = bitmap.layout.format == .rgba16
        for y in 0..<bitmap.height {
            try ImageError.checkCancellation(stage: .encode)
            let row = bitmap.row(y)
            for x in 0..<bitmap.width {
                var channels = (0..<4).map { channel in
                    let index = 4 * x + channel
                    return isDeep ? Int(row[2 * index]) | Int(row[2 * index + 1]) << 8 : Int(row[index]) * 257
                }
                switch bitmap.layout.alpha {
                case .opaque: channels[3] = 65_535
                case .straight: break
                case .premultiplied:
                    // Farbfeld's alpha is straight.
                    let alpha = channels[3]
                    for channel in 0..<3 {
                        channels[channel] = alpha == 0 ? 0 : min(65_535, (channels[channel] * 65_535 + alpha / 2) / alpha)
                    }
                }
                for channel in channels { file += Self.big(channel, 2) }
            }
        }
        return file
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
