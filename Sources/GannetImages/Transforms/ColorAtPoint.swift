public import GannetCore

extension Bitmap {
    /// The colour of a pixel, with straight alpha, 8 bits a channel; nil outside of the image. In high range these are numbers of PQ, not
    /// of sRGB. - SDWebImage: sd_colorAtPoint
    public func color(atX x: Int, y: Int) -> PixelColor? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        let row = row(y)
        func sample(_ channel: Int) -> Int {
            switch layout.format {
            case .rgba8: Int(row[x * 4 + channel]) * 257
            case .rgba16: row.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: x * 8 + channel * 2, as: UInt16.self)) }
            }
        }
        let alpha = sample(3)
        func byte(_ channel: Int) -> UInt8 {
            var value = sample(channel)
            if layout.alpha == .premultiplied { value = alpha == 0 ? 0 : min((value * 65535 + alpha / 2) / alpha, 65535) }
            return UInt8((value * 255 + 32767) / 65535)
        }
        return PixelColor(red: byte(0), green: byte(1), blue: byte(2), alpha: UInt8((alpha * 255 + 32767) / 65535))
    }

    /// The colours of a rectangle, row by row, clipped to the image; empty outside. - SDWebImage: sd_colorsWithRect
    public func colors(in rect: PixelRect) -> [PixelColor] {
        guard let part = rect.clipped(to: size) else { return [] }
        return (part.y..<part.y + part.height).flatMap { y in
            (part.x..<part.x + part.width).compactMap { color(atX: $0, y: y) }
        }
    }
}

extension DecodedImage {
    /// The colour of a pixel of the image, or of an animation's first frame; nil outside.
    public func color(atX x: Int, y: Int) -> PixelColor? { bitmap.color(atX: x, y: y) }
}

extension LoadedImage {
    /// The colour of a pixel of the image, or of an animation's first frame; nil outside.
    public func color(atX x: Int, y: Int) -> PixelColor? { bitmap.color(atX: x, y: y) }
}
