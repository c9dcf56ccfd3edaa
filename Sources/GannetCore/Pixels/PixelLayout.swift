/// How one pixel is stored in memory. Channels are in the order red, green, blue, alpha, in native byte order inside a channel.
public enum PixelFormat: UInt8, Hashable, Sendable {
    /// Four bytes for each pixel, 0 … 255.
    case rgba8
    /// Four 16-bit words for each pixel, 0 … 65,535.
    case rgba16

    /// 4 or 8.
    public var bytesPerPixel: Int { self == .rgba8 ? 4 : 8 }
}

/// The meaning of the alpha channel.
public enum AlphaMode: UInt8, Hashable, Sendable {
    /// Alpha is the maximum everywhere.
    case opaque
    /// Colour channels are already multiplied by alpha. Used for drawing, scaling and caching.
    case premultiplied
    /// Colour channels are independent of alpha.
    case straight
}

/// Size, pixel format and alpha mode of an image in memory. Rows are `bytesPerRow` apart, a multiple of 16 bytes.
public struct PixelLayout: Hashable, Sendable {
    /// Pixels.
    public var size: PixelSize
    /// Default `rgba8`.
    public var format: PixelFormat
    /// Default premultiplied.
    public var alpha: AlphaMode
    /// How to read the numbers, and up to which light. High range has 16 bits.
    public package(set) var dynamicRange = DynamicRange.standard

    /// Accepts any size; only the allocation tells whether there is memory for it.
    public init(size: PixelSize, format: PixelFormat = .rgba8, alpha: AlphaMode = .premultiplied) {
        self.size = size
        self.format = format
        self.alpha = alpha
    }

    /// Distance between rows in bytes; below 2²⁸.
    public var bytesPerRow: Int { (size.width * format.bytesPerPixel + 15) & ~15 }

    /// Bytes of the whole image; below 2⁵², so it never overflows.
    public var byteCount: Int { bytesPerRow * size.height }
}
