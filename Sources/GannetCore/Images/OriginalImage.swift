/// The original of a stored thumbnail or of a stored transformed image.
package struct OriginalImage: Hashable, Sendable {
    /// Displayed size of the whole original, in pixels.
    package var size: PixelSize
    /// The original is a vector image.
    package var isVector: Bool
    /// The format of the original's bytes, if known; the stored result may have another one.
    package var format: ImageFormat?

    /// By default a raster image of unknown format.
    package init(size: PixelSize, isVector: Bool = false, format: ImageFormat? = nil) {
        self.size = size
        self.isVector = isVector
        self.format = format
    }
}
