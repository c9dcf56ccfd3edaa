public import GannetCore
import GannetKernels

/// A line along the edge, inside the image.
public struct BorderStyle: Hashable, Sendable {
    /// Pixels, 0 … 1,000,000.
    public var width: Double { didSet { width = width.limited(to: 0...1e6) } }
    /// The colour; with alpha below 255 the image shows through the line.
    public var color: PixelColor

    /// - Parameter width: clamped to 0 … 1,000,000.
    public init(width: Double, color: PixelColor) {
        self.width = width.limited(to: 0...1e6)
        self.color = color
    }
}

/// The radius of a corner; never more than half of the shorter side.
public enum CornerRadius: Hashable, Sendable {
    /// Pixels of the transformer's input.
    case pixels(Double)
    /// A fraction of the width: 0.5 is half.
    case widthFraction(Double)
    /// A fraction of the height: 0.5 is half.
    case heightFraction(Double)

    func pixels(in size: PixelSize) -> Double {
        let wanted: Double =
            switch self {
            case .pixels(let value): value
            case .widthFraction(let value): value * Double(size.width)
            case .heightFraction(let value): value * Double(size.height)
            }
        return min(max(wanted.finite, 0), Double(min(size.width, size.height)) / 2)
    }

    var identifierText: String {
        switch self {
        case .pixels(let value): value.identifierText
        case .widthFraction(let value): value.identifierText + "w"
        case .heightFraction(let value): value.identifierText + "h"
        }
    }
}

/// Round corners with smooth edges, an optional border and a background behind the corners.
///
/// - SDWebImage: SDImageRoundCornerTransformer. Kingfisher: RoundCornerImageProcessor, BorderImageProcessor.
package struct RoundCornersTransformer: ImageTransformer, Hashable {
    /// The radius of all corners; 0 cuts nothing.
    package var radius: CornerRadius
    /// Rounded corners, default all; others stay square.
    package var corners: Corners
    /// Nil: no border.
    package var border: BorderStyle?
    /// Nil leaves the corners transparent.
    package var background: PixelColor?

    /// By default without a border, with transparent corners.
    package init(
        radius: CornerRadius, corners: Corners = .all, border: BorderStyle? = nil, background: PixelColor? = nil
    ) {
        self.radius = radius
        self.corners = corners
        self.border = border
        self.background = background
    }

    package var identifier: String? {
        TransformIdentifier.make(
            "round",
            [
                radius.identifierText, String(corners.rawValue), border.map { "\($0.width.identifierText)\($0.color.hex)" } ?? "",
                background.identifierText,
            ])
    }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let (width, height) = (bitmap.width, bitmap.height)
        let radius = radius.pixels(in: bitmap.size)
        let corners = corners.intersection(.all)
        let cuts = radius > 0 && !corners.isEmpty
        let shape = RoundedShape(width: width, height: height, radius: radius, corners: corners)
        let inner = border.map { RoundedShape(width: width, height: height, radius: radius, corners: corners, inset: $0.width) }
        let source = try bitmap.readyToPaint(context.pool)
        let isOpaque = source.layout.alpha == .opaque && (!cuts || background?.alpha == 255)
        let under = background?.premultiplied
        return try painting(source, context, alpha: isOpaque ? .opaque : .premultiplied) { buffer, y in
            if let border, let mask = inner?.coverage(row: y, width: width)?.map({ 255 - $0 }) {
                if border.color.alpha == 255 {
                    buffer.mix(y, with: border.color.premultiplied, by: mask)
                } else {
                    buffer.blend(y, with: border.color.premultiplied, mode: .normal, opacity: 1, mask: mask)
                }
            }
            let mask = cuts ? shape.coverage(row: y, width: width) : nil
            if let mask { buffer.mask(y, by: mask) }
            if let under, mask != nil || source.layout.alpha != .opaque {
                buffer.blend(y, with: under, mode: .destinationOver, opacity: 1)
            }
        }
    }
}

/// Crops to the largest centred circle. - Nuke: ImageProcessors.Circle.
package struct CircleTransformer: ImageTransformer, Hashable {
    /// Nil: no border.
    package var border: BorderStyle?
    /// Nil leaves the outside of the circle transparent.
    package var background: PixelColor?

    /// By default without a border, and transparent around the circle.
    package init(border: BorderStyle? = nil, background: PixelColor? = nil) {
        self.border = border
        self.background = background
    }

    package var identifier: String? {
        TransformIdentifier.make(
            "circle", [border.map { "\($0.width.identifierText)\($0.color.hex)" } ?? "", background.identifierText])
    }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let side = min(bitmap.width, bitmap.height)
        let square = PixelRect(x: (bitmap.width - side) / 2, y: (bitmap.height - side) / 2, width: side, height: side)
        let part = try cropped(bitmap, to: square, pool: context.pool)
        return try RoundCornersTransformer(radius: .widthFraction(0.5), border: border, background: background)
            .transform(part, context: context)
    }
}

extension ImageTransformer where Self == StandardTransformer {
    /// Rounds corners by a radius in pixels or as a fraction of a side, with smooth edges. Nil background: the corners are transparent.
    public static func roundCorners(
        radius: CornerRadius, corners: Corners = .all, border: BorderStyle? = nil, background: PixelColor? = nil
    ) -> Self {
        Self(RoundCornersTransformer(radius: radius, corners: corners, border: border, background: background))
    }

    /// `radius` in pixels.
    public static func roundCorners(
        radius: Double, corners: Corners = .all, border: BorderStyle? = nil, background: PixelColor? = nil
    ) -> Self {
        Self(RoundCornersTransformer(radius: .pixels(radius), corners: corners, border: border, background: background))
    }

    /// A border inside the image's edge, optionally with round corners.
    public static func border(width: Double, color: PixelColor, radius: Double = 0, corners: Corners = .all) -> Self {
        Self(RoundCornersTransformer(radius: .pixels(radius), corners: corners, border: BorderStyle(width: width, color: color)))
    }

    /// The largest centred circle, with a border or a colour around it.
    public static func circle(border: BorderStyle? = nil, background: PixelColor? = nil) -> Self {
        Self(CircleTransformer(border: border, background: background))
    }

    /// The largest centred circle.
    public static var circle: Self { Self(CircleTransformer()) }
}
