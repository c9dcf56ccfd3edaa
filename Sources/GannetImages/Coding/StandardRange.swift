package import GannetCore
import GannetKernels

extension Bitmap {
    /// The pixels of `part` for a display in standard range, and where they are in the bitmap returned. Only high range is copied. Without
    /// the memory for it the pixels stay as they are.
    package func inStandardRange(_ part: PixelRect) -> (Bitmap, PixelRect) {
        guard dynamicRange.isHigh, let piece = try? narrowed(GannetKernels.cropped(self, to: part)) else { return (self, part) }
        return (piece, PixelRect(x: 0, y: 0, width: piece.width, height: piece.height))
    }
}
