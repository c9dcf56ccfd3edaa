/// A width and a height in pixels, each 1 … 16,777,215 (2²⁴ − 1).
///
/// The limit makes later arithmetic safe: `width × height × 8` bytes is below 2⁵¹, so no product of a `PixelSize` with a
/// pixel's bytes overflows `Int`. A size beyond the limit cannot be created.
public struct PixelSize: Hashable, Sendable {
    /// 2²⁴ − 1.
    public static let maximumSide = 16_777_215

    /// 1 … 16,777,215.
    public let width: Int
    /// 1 … 16,777,215.
    public let height: Int

    /// Nil unless both sides are in 1 … 16,777,215.
    public init?(width: Int, height: Int) {
        guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// Clamps both sides to 1 … 16,777,215.
    public init(clamping width: Int, _ height: Int) {
        self.width = min(max(width, 1), Self.maximumSide)
        self.height = min(max(height, 1), Self.maximumSide)
    }

    /// Pixels; below 2⁴⁸.
    public var area: Int { width * height }

    /// Width and height exchanged, as after a quarter turn.
    public var transposed: PixelSize { PixelSize(clamping: height, width) }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width)×\(height)" }
}

/// A rectangle inside an image: origin at the top left, x to the right, y down, in pixels.
public struct PixelRect: Hashable, Sendable {
    /// The left edge; may lie outside the image.
    public var x: Int
    /// The top edge; may lie outside the image.
    public var y: Int
    /// Zero or less is an empty rectangle.
    public var width: Int
    /// Zero or less is an empty rectangle.
    public var height: Int

    /// Accepts any numbers; see ``clipped(to:)``.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The part inside an image of `size`; nil if there is none. Never traps, whatever the numbers.
    public func clipped(to size: PixelSize) -> PixelRect? {
        let left = max(x, 0)
        let top = max(y, 0)
        let right = min(Self.end(x, width), size.width)
        let bottom = min(Self.end(y, height), size.height)
        guard right > left, bottom > top else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func end(_ start: Int, _ length: Int) -> Int {
        let (sum, overflow) = start.addingReportingOverflow(max(length, 0))
        return overflow ? Int.max : sum
    }
}
