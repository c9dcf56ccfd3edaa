public import GannetCore
import GannetKernels

/// Gaussian blur in time independent of the radius. Works on premultiplied colours, so clear pixels leave no dark fringe. Edge
/// pixels are repeated beyond the edges.
///
/// - SDWebImage: SDImageBlurTransformer. Kingfisher: BlurImageProcessor.
package struct BlurTransformer: ImageTransformer, Hashable {
    /// Standard deviation in pixels, as in CSS and Pillow; 0 … 100,000.
    package var radius: Double { didSet { radius = radius.limited(to: 0...100_000) } }

    /// - Parameter radius: pixels; 0 changes nothing.
    package init(radius: Double) { self.radius = radius.limited(to: 0...100_000) }

    package var identifier: String? { TransformIdentifier.make("blur", [radius.identifierText]) }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        try blurred(bitmap.readyToPaint(context.pool), sigma: radius, pool: context.pool)
    }
}

/// Unsharp masking: increases the difference between the image and its blurred copy.
package struct SharpenTransformer: GainMapTransformer, Hashable {
    /// Standard deviation of the blur in pixels.
    package var radius: Double { didSet { radius = radius.limited(to: 0...100_000) } }
    /// Strength, 0 … 100: 1 doubles the difference.
    package var amount: Double { didSet { amount = amount.limited(to: 0...100) } }

    /// `radius` in pixels; an `amount` of 0 changes nothing.
    package init(radius: Double = 1, amount: Double = 0.5) {
        self.radius = radius.limited(to: 0...100_000)
        self.amount = amount.limited(to: 0...100)
    }

    package var identifier: String? {
        TransformIdentifier.make("sharpen", [radius.identifierText, amount.identifierText])
    }

    package var keepsGainMap: Bool { true }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        try sharpened(bitmap.readyToPaint(context.pool), sigma: radius, amount: amount, pool: context.pool)
    }
}

extension ImageTransformer where Self == StandardTransformer {
    /// `radius`: standard deviation in pixels.
    public static func blur(radius: Double) -> Self { Self(BlurTransformer(radius: radius)) }

    /// Unsharp masking: `radius` in pixels, `amount` 0 … 100.
    public static func sharpen(radius: Double = 1, amount: Double = 0.5) -> Self {
        Self(SharpenTransformer(radius: radius, amount: amount))
    }
}
