import GannetCore
import GannetKernels

/// A decoded frame before and after its turn.
enum WaitingFrame: Sendable {
    case whole(Bitmap)
    /// Few colours: a quarter of the memory, and about a tenth of a millisecond to show it.
    case paletted(PalettedBitmap)

    /// Frames below this many pixels are small enough as they are.
    private static let smallest = 8192

    init(_ bitmap: Bitmap, isHeldElsewhere: Bool) {
        if !isHeldElsewhere, bitmap.size.area >= Self.smallest, let frame = PalettedBitmap(bitmap) {
            self = .paletted(frame)
        } else {
            self = .whole(bitmap)
        }
    }
}
