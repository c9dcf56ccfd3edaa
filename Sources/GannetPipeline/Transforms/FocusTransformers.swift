public import GannetCore
import GannetKernels

/// Gaussian blur, in time independent of the radius. Works on premultiplied colours, so clear pixels give no dark fringe;
/// beyond the edges the edge goes on.
///
/// - SDWebImage: SDImageBlurTransformer. Kingfisher: BlurImageProcessor.
public struct BlurTransformer: ImageTransformer, Hashable {
    /// Standard deviation in pixels, as CSS and Pillow count it; 0 … 100,000.
    public var radius: Double { didSet { radius = radius.limited(to: 0...100_000) } }

    /// Pixels; 0 changes nothing.
    public init(radius: Double) { self.radius = radius.limited(to: 0...100_000) }

    public var identifier: String? { TransformIdentifier.make("blur", [radius.identifierText]) }

    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        try blurred(bitmap.readyToPaint(context.pool), sigma: radius, pool: context.pool)
    }
}

/// Unsharp masking: the picture is moved away from its blurred self.
public struct SharpenTransformer: ImageTransformer, Hashable {
    /// Standard deviation of the blur in pixels.
    public var radius: Double { didSet { radius = radius.limited(to: 0...100_000) } }
    /// How far, 0 … 100: 1 doubles the difference.
    public var amount: Double { didSet { amount = amount.limited(to: 0...100) } }

    /// Pixels, and how far; an amount of 0 changes nothing.
    public init(radius: Double = 1, amount: Double = 0.5) {
        self.radius = radius.limited(to: 0...100_000)
        self.amount = amount.limited(to: 0...100)
    }

    public var identifier: String? {
        TransformIdentifier.make("sharpen", [radius.identifierText, amount.identifierText])
    }

    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        try sharpened(bitmap.readyToPaint(context.pool), sigma: radius, amount: amount, pool: context.pool)
    }
}

extension ImageTransformer where Self == BlurTransformer {
    /// `radius`: standard deviation in pixels.
    public static func blur(radius: Double) -> Self { BlurTransformer(radius: radius) }
}

extension ImageTransformer where Self == SharpenTransformer {
    /// Unsharp masking: `radius` in pixels, `amount` 0 … 100.
    public static func sharpen(radius: Double = 1, amount: Double = 0.5) -> Self {
        SharpenTransformer(radius: radius, amount: amount)
    }
}
