public import GannetCore
public import GannetKernels

/// A colour over the picture. With the modes that mix colours the picture keeps its shape: what was clear stays clear.
///
/// - SDWebImage: SDImageTintTransformer. Kingfisher: TintImageProcessor.
public struct TintTransformer: ImageTransformer, Hashable {
    /// Its alpha counts.
    public var color: PixelColor
    /// How the colour lies over the picture; `normal` is taken for `sourceAtop`, which keeps the shape.
    public var mode: BlendMode

    /// By default everything that is not clear takes the colour, as an icon does.
    public init(_ color: PixelColor, mode: BlendMode = .sourceIn) {
        self.color = color
        self.mode = mode
    }

    public var identifier: String? { TransformIdentifier.make("tint", [color.hex, mode.rawValue]) }

    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
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

/// The picture under a veil of `color`; `fraction` of the picture shows through (0 none, 1 all). Its shape stays.
///
/// - Kingfisher: OverlayImageProcessor.
public struct OverlayTransformer: ImageTransformer, Hashable {
    /// Its alpha makes the veil thinner still.
    public var color: PixelColor
    /// Of the picture, 0 … 1; other numbers are moved into it.
    public var fraction: Double { didSet { fraction = fraction.limited(to: 0...1) } }

    /// `fraction` is moved into 0 … 1.
    public init(_ color: PixelColor, fraction: Double = 0.5) {
        self.color = color
        self.fraction = fraction.limited(to: 0...1)
    }

    public var identifier: String? { TransformIdentifier.make("overlay", [color.hex, fraction.identifierText]) }

    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let pixel = color.premultiplied
        return try painting(bitmap, context) { buffer, y in
            buffer.blend(y, with: pixel, mode: .sourceAtop, opacity: 1 - fraction)
        }
    }
}

/// The picture in front of a colour: nothing shows through any more where the colour is opaque.
public struct FlattenTransformer: ImageTransformer, Hashable {
    /// With alpha below 255 the result keeps some transparency.
    public var color: PixelColor

    /// Opaque pictures stay as they are.
    public init(_ color: PixelColor) { self.color = color }

    public var identifier: String? { TransformIdentifier.make("flatten", [color.hex]) }

    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        if bitmap.layout.alpha == .opaque { return bitmap }
        let pixel = color.premultiplied
        return try painting(bitmap, context, alpha: color.alpha == 255 ? .opaque : .premultiplied) { buffer, y in
            buffer.blend(y, with: pixel, mode: .destinationOver, opacity: 1)
        }
    }
}

/// The picture, drawn with a blend mode in front of a colour. - Kingfisher: BlendImageProcessor.
public struct BlendTransformer: ImageTransformer, Hashable {
    /// How the picture lies over ``background``.
    public var mode: BlendMode
    /// Default clear: the modes that mix colours then leave the picture as it is.
    public var background: PixelColor
    /// Of the picture, 0 … 1.
    public var opacity: Double { didSet { opacity = opacity.limited(to: 0...1) } }

    /// `opacity` is moved into 0 … 1.
    public init(_ mode: BlendMode, over background: PixelColor = .clear, opacity: Double = 1) {
        self.mode = mode
        self.background = background
        self.opacity = opacity.limited(to: 0...1)
    }

    public var identifier: String? {
        TransformIdentifier.make("blend", [mode.rawValue, background.hex, opacity.identifierText])
    }

    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let picture = try bitmap.readyToPaint(context.pool)
        let isOpaque = background.alpha == 255 && (mode.mixesColors || mode == .sourceAtop || mode == .plus)
        let pixel = background.premultiplied
        return try painting(picture, context, alpha: isOpaque ? .opaque : .premultiplied) { buffer, y in
            buffer.fill(y, with: pixel)
            buffer.blend(y, x: 0, with: picture, sourceX: 0, sourceY: y, columns: picture.width, mode: mode, opacity: opacity)
        }
    }
}

extension ImageTransformer where Self == TintTransformer {
    /// The picture's shape in a colour, or its colours mixed with it. - SDWebImage: SDImageTintTransformer
    public static func tint(_ color: PixelColor, mode: BlendMode = .sourceIn) -> Self { TintTransformer(color, mode: mode) }
}

extension ImageTransformer where Self == OverlayTransformer {
    /// A veil of `color`; `fraction` of the picture shows through.
    public static func overlay(_ color: PixelColor, fraction: Double = 0.5) -> Self {
        OverlayTransformer(color, fraction: fraction)
    }
}

extension ImageTransformer where Self == FlattenTransformer {
    /// In front of a colour, default white.
    public static func flatten(_ color: PixelColor = .white) -> Self { FlattenTransformer(color) }
}

extension ImageTransformer where Self == BlendTransformer {
    /// Drawn with a blend mode in front of a colour; `opacity` is the picture's, 0 … 1.
    public static func blend(_ mode: BlendMode, over background: PixelColor = .clear, opacity: Double = 1) -> Self {
        BlendTransformer(mode, over: background, opacity: opacity)
    }
}
