/// How stored pixels must be turned to be shown upright; raw values are those of EXIF tag 0x0112 (TIFF 6.0, "Orientation").
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// True where showing the picture upright exchanges width and height.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The size on screen of stored pixels of `size`.
    public func displayed(_ size: PixelSize) -> PixelSize { swapsSides ? size.transposed : size }
}
