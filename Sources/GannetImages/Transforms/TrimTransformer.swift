public import GannetCore
import GannetKernels

/// Cuts off edges of one colour: the white around a scan, the clear part around a drawing.
package struct TrimTransformer: ImageTransformer, Hashable {
    /// The difference to the colour that a channel of an edge's pixel may have, 0 … 255.
    package let threshold: Double
    /// The colour of the edges, without its alpha; nil: that of the upper left pixel.
    package let color: PixelColor?
    /// Cuts as much off the left as off the right edge.
    package let equalsHorizontal: Bool
    /// Cuts as much off the upper as off the lower edge.
    package let equalsVertical: Bool

    /// `threshold` is clamped to its range.
    package init(
        threshold: Double, color: PixelColor? = nil, equalsHorizontal: Bool = false, equalsVertical: Bool = false
    ) {
        self.threshold = threshold.limited(to: 0...255)
        self.color = color
        self.equalsHorizontal = equalsHorizontal
        self.equalsVertical = equalsVertical
    }

    package var identifier: String? {
        TransformIdentifier.make(
            "trim",
            [threshold.identifierText, color.identifierText, equalsHorizontal ? "h" : "", equalsVertical ? "v" : ""])
    }

    /// The edges of a smaller copy are blurred.
    package var needsWholeImage: Bool { true }

    /// Animations stay as they are, because each frame would have another size; so does an image of nothing but the colour. O(n). Throws
    /// `limitExceeded` and `cancelled`.
    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        guard !context.isAnimated, let inner = try content(of: bitmap, context) else { return bitmap }
        var area = inner
        if equalsHorizontal {
            area.x = min(inner.x, bitmap.width - inner.x - inner.width)
            area.width = bitmap.width - 2 * area.x
        }
        if equalsVertical {
            area.y = min(inner.y, bitmap.height - inner.y - inner.height)
            area.height = bitmap.height - 2 * area.y
        }
        return area.width == bitmap.width && area.height == bitmap.height
            ? bitmap : try cropped(bitmap, to: area, pool: context.pool)
    }

    /// The smallest rectangle with every pixel that differs from the edges; nil if none does.
    private func content(of bitmap: Bitmap, _ context: TransformContext) throws(ImageError) -> PixelRect? {
        var flat = try bitmap.readyToPaint(context.pool)
        // Clear parts need a colour to be compared by: one that is rare in images.
        if flat.layout.alpha != .opaque { flat = try FlattenTransformer(Self.clearColor).transform(flat, context: context) }
        guard let edge = color ?? flat.color(atX: 0, y: 0) else { return nil }
        let channels = [Int(edge.red), Int(edge.green), Int(edge.blue)]
        var (left, right, top, bottom) = (flat.width, -1, flat.height, -1)
        for y in 0..<flat.height {
            if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
            let row = flat.row(y)
            func differs(_ x: Int) -> Bool {
                (0..<3).contains { Double(abs(Int(row[x * 4 + $0]) - channels[$0])) > threshold }
            }
            var first = 0
            while first < flat.width, !differs(first) { first += 1 }
            if first == flat.width { continue }
            (left, top, bottom) = (min(left, first), min(top, y), y)
            // Columns up to the last one so far need no look.
            var last = flat.width - 1
            while last > right, !differs(last) { last -= 1 }
            right = last
        }
        guard bottom >= 0 else { return nil }
        return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    private static let clearColor = PixelColor(red: 255, green: 0, blue: 255)
}

extension ImageTransformer where Self == StandardTransformer {
    /// Without the edges of one colour: that of the upper left pixel, or `color`. Channels may differ by `threshold`, 0 … 255. Clear
    /// pixels count as magenta (`#ff00ff`), half clear ones as mixed with it. `equalHorizontal` cuts as much off the left as off the right
    /// edge, `equalVertical` the same above and below. Animations stay as they are.
    public static func trim(
        threshold: Double = 10, color: PixelColor? = nil, equalHorizontal: Bool = false, equalVertical: Bool = false
    ) -> Self {
        Self(
            TrimTransformer(
                threshold: threshold, color: color, equalsHorizontal: equalHorizontal, equalsVertical: equalVertical))
    }
}
