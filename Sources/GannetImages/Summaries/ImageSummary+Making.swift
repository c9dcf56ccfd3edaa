public import GannetCore

extension ImageSummary {
    /// The summary of an image. Takes at most a hundredth of a second, whatever its size. Throws `limitExceeded` and
    /// `cancelled`.
    public init(_ image: Bitmap) throws(ImageError) {
        let color = try image.dominantColor()
        self.init(
            size: image.size, thumbHash: try ThumbHash.bytes(for: image),
            dominant: UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16 | UInt32(color.alpha) << 24)
    }

    /// The dominant colour of the image.
    public var dominantColor: PixelColor {
        func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: dominant >> shift) }
        return PixelColor(red: byte(0), green: byte(8), blue: byte(16), alpha: byte(24))
    }
}
