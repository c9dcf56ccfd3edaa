/// A rectangle in layout points: origin at the top left, x to the right, y down.
public struct LayoutRect: Hashable, Sendable {
    /// The left edge.
    public var x: Double
    /// The upper edge.
    public var y: Double
    /// Zero or less: the rectangle is empty.
    public var width: Double
    /// Zero or less: the rectangle is empty.
    public var height: Double

    /// A rectangle in layout points, from the top left.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var isEmpty: Bool { width <= 0 || height <= 0 }

    package func intersection(_ other: LayoutRect) -> LayoutRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        return LayoutRect(x: left, y: top, width: max(right - left, 0), height: max(bottom - top, 0))
    }
}

/// Width and height in layout points.
public struct LayoutSize: Hashable, Sendable {
    /// Points; pixels are these times the scale of the screen.
    public var width: Double
    /// Points; pixels are these times the scale of the screen.
    public var height: Double

    /// A size in layout points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The size of a view without a layout so far, and of content without an intrinsic size.
    public static let zero = LayoutSize(width: 0, height: 0)
}
