/// A summary that a cache stores beside an image's bytes, so that something similar can be shown at once: about 30 bytes.
public struct ImageSummary: Hashable, Sendable {
    /// Pixels of the stored image.
    public var size: PixelSize
    /// A ThumbHash: a blurred image.
    public var thumbHash: [UInt8]
    /// The colour that covers most of the image: red in the lowest byte, then green, blue, alpha; straight.
    public var dominant: UInt32

    /// Takes values computed elsewhere, without checks.
    public init(size: PixelSize, thumbHash: [UInt8], dominant: UInt32) {
        self.size = size
        self.thumbHash = thumbHash
        self.dominant = dominant
    }
}
