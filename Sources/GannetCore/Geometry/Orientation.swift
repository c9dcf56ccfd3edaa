/// The transformation from stored pixels to the upright image; raw values are those of EXIF tag 0x0112 (TIFF 6.0,
/// "Orientation").
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
    /// Stored as shown.
    case up = 1
    /// Shown after exchanging left and right.
    case upMirrored = 2
    /// Shown after half a turn.
    case down = 3
    /// Shown after exchanging top and bottom.
    case downMirrored = 4
    /// Shown after exchanging rows and columns (a mirror along the diagonal from the top left); sides are swapped.
    case leftMirrored = 5
    /// Shown after a quarter turn clockwise; sides are swapped.
    case right = 6
    /// Shown after a mirror along the diagonal from the top right; sides are swapped.
    case rightMirrored = 7
    /// Shown after a quarter turn counter-clockwise; sides are swapped.
    case left = 8

    /// Whether showing the image upright exchanges width and height.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The displayed size of stored pixels of `size`.
    public func displayed(_ size: PixelSize) -> PixelSize { swapsSides ? size.transposed : size }

    /// The one turn that does the same as this one and then `next`.
    package func followed(by next: Orientation) -> Orientation {
        // Each of the eight moves a point that lies on no axis of symmetry to another place.
        let outer = next.stored(x: 0.25, y: 0.125)
        let wanted = stored(x: outer.x, y: outer.y)
        return Self.allCases.first { $0.stored(x: 0.25, y: 0.125) == wanted } ?? .up
    }

    /// Where a point of the upright image lies in the stored one, both in fractions of the sides.
    package func stored(x: Double, y: Double) -> (x: Double, y: Double) {
        switch self {
        case .up: (x, y)
        case .upMirrored: (1 - x, y)
        case .down: (1 - x, 1 - y)
        case .downMirrored: (x, 1 - y)
        case .leftMirrored: (y, x)
        case .right: (y, 1 - x)
        case .rightMirrored: (1 - y, 1 - x)
        case .left: (1 - y, x)
        }
    }

    /// Where a part of the upright image lies in the stored one, whose size is given.
    package func stored(_ part: PixelRect, of size: PixelSize) -> PixelRect {
        let shown = displayed(size)
        let (left, top) = (part.x, part.y)
        let (right, bottom) = (shown.width - left - part.width, shown.height - top - part.height)
        let corner: (x: Int, y: Int) =
            switch self {
            case .up: (left, top)
            case .upMirrored: (right, top)
            case .down: (right, bottom)
            case .downMirrored: (left, bottom)
            case .leftMirrored: (top, left)
            case .right: (top, right)
            case .rightMirrored: (bottom, right)
            case .left: (bottom, left)
            }
        let (width, height) = swapsSides ? (part.height, part.width) : (part.width, part.height)
        return PixelRect(x: corner.x, y: corner.y, width: width, height: height)
    }

    /// Where a point of the stored image lies in the upright one, both in fractions of the sides.
    package func upright(x: Double, y: Double) -> (x: Double, y: Double) {
        // All but the quarter turns undo themselves.
        let inverse: Orientation = self == .right ? .left : self == .left ? .right : self
        return inverse.stored(x: x, y: y)
    }
}
