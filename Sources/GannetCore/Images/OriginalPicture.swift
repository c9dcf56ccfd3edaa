/// The picture that a stored thumbnail or a stored transformed picture was made of.
public struct OriginalPicture: Hashable, Sendable {
    /// Pixels on screen of the whole.
    public var size: PixelSize
    /// It has no pixels of its own.
    public var isVector: Bool
    /// Of its bytes, where that is known: a stored result stands in another one, maybe.
    public var format: ImageFormat?

    /// Without a format and with pixels of its own, unless told.
    public init(size: PixelSize, isVector: Bool = false, format: ImageFormat? = nil) {
        self.size = size
        self.isVector = isVector
        self.format = format
    }
}
