/// The original of a stored thumbnail or of a stored transformed image.
public struct OriginalImage: Hashable, Sendable {
    /// Displayed size of the whole original, in pixels.
    public var size: PixelSize
    /// The original is a vector image.
    public var isVector: Bool
    /// The format of the original's bytes, if known; the stored result may have another one.
    public var format: ImageFormat?

    /// By default a raster image of unknown format.
    public init(size: PixelSize, isVector: Bool = false, format: ImageFormat? = nil) {
        self.size = size
        self.isVector = isVector
        self.format = format
    }
}
