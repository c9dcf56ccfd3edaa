public import GannetCore
public import GannetKernels

/// A colour over the image. Modes that mix colours keep the image's shape: clear pixels stay clear.
///
/// - SDWebImage: SDImageTintTransformer. Kingfisher: TintImageProcessor.
package struct TintTransformer: ImageTransformer, Hashable {
    /// The colour; its alpha counts.
    package var color: PixelColor
    /// How the colour is blended with the image; `normal` means `sourceAtop`, which keeps the shape.
    package var mode: BlendMode

    /// By default everything that is not clear takes the colour, as an icon does.
    package init(_ color: PixelColor, mode: BlendMode = .sourceIn) {
        self.color = color
        self.mode = mode
    }

    package var identifier: String? { TransformIdentifier.make("tint", [color.hex, mode.rawValue]) }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let mode = mode == .normal ? .sourceAtop : mode
        let source = try bitmap.readyToPaint(context.pool)
        let keepsOpaque =
            source.layout.alpha == .opaque && (mode.mixesColors || mode == .sourceAtop || color.alpha == 255)
            && ![.clear, .sourceOut, .destinationOut, .xor].contains(mode)
        let pixel = color.premultiplied
        let needsShape = mode.mixesColors && source.layout.alpha != .opaque
        return try painting(source, context, alpha: keepsOpaque ? .opaque : .premultiplied) { buffer, y in
            buffer.blend(y, with: pixel, mode: mode, opacity: 1)
            if needsShape {
                buffer.blend(
                    y, x: 0, with: source, sourceX: 0, sourceY: y, columns: source.width, mode: .destinationIn, opacity: 1)
            }
        }
    }
}

/// The image under a veil of `color`; `fraction` of the image shows through (0 none, 1 all). Its shape stays.
///
/// - Kingfisher: OverlayImageProcessor.
package struct OverlayTransformer: ImageTransformer, Hashable {
    /// The veil's colour; its alpha makes the veil thinner.
    package var color: PixelColor
    /// Visible share of the image, clamped to 0 … 1.
    package var fraction: Double { didSet { fraction = fraction.limited(to: 0...1) } }

    /// - Parameter fraction: clamped to 0 … 1.
    package init(_ color: PixelColor, fraction: Double = 0.5) {
        self.color = color
        self.fraction = fraction.limited(to: 0...1)
    }

    package var identifier: String? { TransformIdentifier.make("overlay", [color.hex, fraction.identifierText]) }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let pixel = color.premultiplied
        return try painting(bitmap, context) { buffer, y in
            buffer.blend(y, with: pixel, mode: .sourceAtop, opacity: 1 - fraction)
        }
    }
}

/// The image over a colour; opaque where the colour is.
package struct FlattenTransformer: GainMapTransformer, Hashable {
    /// The background; with alpha below 255 the result keeps some transparency.
    package var color: PixelColor

    /// Opaque images stay unchanged.
    package init(_ color: PixelColor) { self.color = color }

    package var identifier: String? { TransformIdentifier.make("flatten", [color.hex]) }

    /// Images with a map are opaque.
    package var keepsGainMap: Bool { true }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        if bitmap.layout.alpha == .opaque { return bitmap }
        let pixel = color.premultiplied
        return try painting(bitmap, context, alpha: color.alpha == 255 ? .opaque : .premultiplied) { buffer, y in
            buffer.blend(y, with: pixel, mode: .destinationOver, opacity: 1)
        }
    }
}

/// The image drawn over a colour with a blend mode. - Kingfisher: BlendImageProcessor.
package struct BlendTransformer: ImageTransformer, Hashable {
    /// How the image is blended with ``background``.
    package var mode: BlendMode
    /// Default clear: modes that mix colours then leave the image unchanged.
    package var background: PixelColor
    /// Opacity of the image, 0 … 1.
    package var opacity: Double { didSet { opacity = opacity.limited(to: 0...1) } }

    /// - Parameter opacity: clamped to 0 … 1.
    package init(_ mode: BlendMode, over background: PixelColor = .clear, opacity: Double = 1) {
        self.mode = mode
        self.background = background
        self.opacity = opacity.limited(to: 0...1)
    }

    package var identifier: String? {
        TransformIdentifier.make("blend", [mode.rawValue, background.hex, opacity.identifierText])
    }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let image = try bitmap.readyToPaint(context.pool)
        let isOpaque = background.alpha == 255 && (mode.mixesColors || mode == .sourceAtop || mode == .plus)
        let pixel = background.premultiplied
        return try painting(image, context, alpha: isOpaque ? .opaque : .premultiplied) { buffer, y in
            buffer.fill(y, with: pixel)
            buffer.blend(y, x: 0, with: image, sourceX: 0, sourceY: y, columns: image.width, mode: mode, opacity: opacity)
        }
    }
}

extension ImageTransformer where Self == StandardTransformer {
    /// Fills the image's shape with a colour, or mixes it in. - SDWebImage: SDImageTintTransformer
    public static func tint(_ color: PixelColor, mode: BlendMode = .sourceIn) -> Self { Self(TintTransformer(color, mode: mode)) }

    /// A veil of `color`; `fraction` of the image shows through.
    public static func overlay(_ color: PixelColor, fraction: Double = 0.5) -> Self {
        Self(OverlayTransformer(color, fraction: fraction))
    }

    /// The image over a colour, default white.
    public static func flatten(_ color: PixelColor = .white) -> Self { Self(FlattenTransformer(color)) }

    /// The image drawn over a colour with a blend mode and an `opacity` of 0 … 1.
    public static func blend(_ mode: BlendMode, over background: PixelColor = .clear, opacity: Double = 1) -> Self {
        Self(BlendTransformer(mode, over: background, opacity: opacity))
    }
}
