import GannetCore
import GannetKernels

/// A decoded frame in the buffer, packed or not.
enum WaitingFrame: Sendable {
    case whole(Bitmap)
    /// Few colours: a quarter of the memory, and about a tenth of a millisecond to expand.
    case paletted(PalettedBitmap)

    /// Frames with fewer pixels are not packed.
    private static let smallest = 8192

    init(_ bitmap: Bitmap, isHeldElsewhere: Bool) {
        if !isHeldElsewhere, bitmap.size.area >= Self.smallest, let frame = PalettedBitmap(bitmap) {
            self = .paletted(frame)
        } else {
            self = .whole(bitmap)
        }
    }
}
