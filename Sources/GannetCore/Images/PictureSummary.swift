/// What a cache keeps of a picture beside its bytes, so that something like it can be shown at once: some 30 bytes.
public struct PictureSummary: Hashable, Sendable {
    /// Pixels of the stored picture.
    public var size: PixelSize
    /// A ThumbHash: a blurred picture.
    public var thumbHash: [UInt8]
    /// The colour that covers most of it: red in the lowest byte, then green, blue, alpha; straight.
    public var dominant: UInt32

    /// Takes what was computed elsewhere; nothing is checked.
    public init(size: PixelSize, thumbHash: [UInt8], dominant: UInt32) {
        self.size = size
        self.thumbHash = thumbHash
        self.dominant = dominant
    }
}
