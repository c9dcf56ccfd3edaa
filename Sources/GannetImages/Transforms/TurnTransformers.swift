public import GannetCore
import GannetKernels
import Glibc

/// Sampling of rotated images; quarter turns are exact either way.
package enum RotationQuality: String, Hashable, Sendable {
    /// 2 × 2 pixels: fast, slightly soft.
    case linear
    /// 4 × 4 pixels through Catmull-Rom: sharp.
    case cubic
}

/// Rotates clockwise about the centre. Quarter turns with `fits` are exact.
///
/// - SDWebImage: SDImageRotationTransformer (radians, counterclockwise).
package struct RotateTransformer: GainMapTransformer, Hashable {
    /// Clockwise, any number.
    package var degrees: Double
    /// True: the canvas grows to hold the corners. False: it keeps its size, and corners are cut.
    package var fits: Bool
    /// Background; nil is transparent.
    package var background: PixelColor?
    /// Default cubic.
    package var quality: RotationQuality

    /// By default the canvas grows and the background is transparent. Infinities and NaN count as 0 degrees.
    package init(degrees: Double, fits: Bool = true, background: PixelColor? = nil, quality: RotationQuality = .cubic) {
        self.degrees = degrees
        self.fits = fits
        self.background = background
        self.quality = quality
    }

    /// 0 ..< 360.
    private var turn: Double {
        let rest = degrees.finite.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? (rest + 360).truncatingRemainder(dividingBy: 360) : rest
    }

    package var identifier: String? {
        TransformIdentifier.make(
            "rotate", [turn.identifierText, fits ? "fit" : "", background.identifierText, quality.rawValue])
    }

    /// By quarter turns, of which those that cut corners depend on the image.
    package var keepsGainMap: Bool { turn == 0 || turn == 180 || fits && turn.truncatingRemainder(dividingBy: 90) == 0 }

    /// The size of the canvas for an image of `size`.
    package func outputSize(for size: PixelSize) -> PixelSize {
        guard fits else { return size }
        let radians = turn * Double.pi / 180
        let (cosine, sine) = (abs(cos(radians)), abs(sin(radians)))
        let width = Double(size.width) * cosine + Double(size.height) * sine
        let height = Double(size.width) * sine + Double(size.height) * cosine
        return PixelSize(clamping: Int((width - 1e-6).rounded(.up)), Int((height - 1e-6).rounded(.up)))
    }

    /// Throws `limitExceeded` and `cancelled`. Results of other than quarter turns have 8 bits a channel.
    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let quarters: [Double: Orientation] = [0: .up, 90: .right, 180: .down, 270: .left]
        if let orientation = quarters[turn], fits || !orientation.swapsSides || bitmap.width == bitmap.height {
            return try oriented(bitmap, orientation, pool: context.pool)
        }
        let size = outputSize(for: bitmap.size)
        try checkLimits(size, .rgba8, context)
        let result = try rotated(
            bitmap.readyToPaint(context.pool), degrees: turn, size: size, isCubic: quality == .cubic, pool: context.pool)
        guard let background else { return result }
        return try FlattenTransformer(background).transform(result, context: context)
    }
}

/// Mirrors exactly. - SDWebImage: SDImageFlippingTransformer.
package struct FlipTransformer: GainMapTransformer, Hashable {
    /// Exchanges left and right.
    package var horizontal: Bool
    /// Exchanges top and bottom.
    package var vertical: Bool

    /// Both is half a turn; neither changes nothing.
    package init(horizontal: Bool, vertical: Bool) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    package var identifier: String? {
        TransformIdentifier.make("flip", [(horizontal ? "h" : "") + (vertical ? "v" : "")])
    }

    package var keepsGainMap: Bool { true }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let orientation: Orientation = horizontal ? (vertical ? .down : .upMirrored) : (vertical ? .downMirrored : .up)
        return try oriented(bitmap, orientation, pool: context.pool)
    }
}

extension ImageTransformer where Self == StandardTransformer {
    /// Turned clockwise about the centre; quarter turns with `fit` are exact. `fit`: the canvas grows to hold the corners; otherwise
    /// they are cut. Nil background: transparent. `fast` takes 2 × 2 pixels for each new one, which is slightly soft, instead of
    /// 4 × 4. Infinities and NaN count as 0 degrees.
    public static func rotate(
        degrees: Double, fit: Bool = true, background: PixelColor? = nil, fast: Bool = false
    ) -> Self {
        Self(RotateTransformer(degrees: degrees, fits: fit, background: background, quality: fast ? .linear : .cubic))
    }

    /// Mirrored, exactly; both is half a turn. - SDWebImage: SDImageFlippingTransformer
    public static func flip(horizontal: Bool = false, vertical: Bool = false) -> Self {
        Self(FlipTransformer(horizontal: horizontal, vertical: vertical))
    }
}
