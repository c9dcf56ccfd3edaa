public import GannetCore
public import GannetKernels

/// What the transformers' methods are there for: bitmaps, decoded and loaded pictures.
///
/// The methods work on the calling thread, which may take milliseconds: from an actor, call them inside
/// `BlockingExecutor.decoding.run`. Animations answer at once and transform each frame when it is shown.
public protocol TransformableImage: Sendable {
    /// Throws what the transformer throws.
    func transformed(by transformer: any ImageTransformer) throws(ImageError) -> Self
}

extension Bitmap: TransformableImage {
    public func transformed(by transformer: any ImageTransformer) throws(ImageError) -> Bitmap {
        let metadata = ImageMetadata(format: nil, originalSize: size)
        return try transformer.transform(premultiplied(self), context: TransformContext(metadata: metadata))
    }
}

extension DecodedImage: TransformableImage {
    public func transformed(by transformer: any ImageTransformer) throws(ImageError) -> DecodedImage {
        try transformed(by: [transformer], context: TransformContext(metadata: metadata))
    }
}

extension LoadedImage: TransformableImage {
    /// The bytes it was decoded from are not those of the new picture, and are dropped.
    public func transformed(by transformer: any ImageTransformer) throws(ImageError) -> LoadedImage {
        var copy = self
        copy.image = try image.transformed(by: transformer)
        copy.encoded = nil
        return copy
    }
}

extension TransformableImage {
    /// Another size.
    public func resized(
        _ target: TargetSize, filter: ResampleFilter = .automatic, linearLight: Bool = false, background: PixelColor? = nil
    ) throws(ImageError) -> Self {
        try transformed(by: .resize(target, filter: filter, linearLight: linearLight, background: background))
    }

    /// A part, clipped to the picture; `misuse` if nothing is left.
    public func cropped(to rect: PixelRect) throws(ImageError) -> Self { try transformed(by: .crop(rect)) }

    /// A part of this size; the anchor, 0 … 1, says which.
    public func cropped(to size: PixelSize, anchorX: Double = 0.5, anchorY: Double = 0.5) throws(ImageError) -> Self {
        try transformed(by: .crop(to: size, anchorX: anchorX, anchorY: anchorY))
    }

    /// Turned clockwise.
    public func rotated(degrees: Double, fit: Bool = true, background: PixelColor? = nil) throws(ImageError) -> Self {
        try transformed(by: .rotate(degrees: degrees, fit: fit, background: background))
    }

    /// Mirrored, exactly; both is half a turn.
    public func flipped(horizontal: Bool = false, vertical: Bool = false) throws(ImageError) -> Self {
        try transformed(by: .flip(horizontal: horizontal, vertical: vertical))
    }

    /// The radius in pixels or as a part of a side; nil as `background` leaves the corners transparent.
    public func roundedCorners(
        radius: CornerRadius, corners: Corners = .all, border: BorderStyle? = nil, background: PixelColor? = nil
    ) throws(ImageError) -> Self {
        try transformed(by: .roundCorners(radius: radius, corners: corners, border: border, background: background))
    }

    /// `radius` in pixels.
    public func roundedCorners(
        radius: Double, corners: Corners = .all, border: BorderStyle? = nil, background: PixelColor? = nil
    ) throws(ImageError) -> Self {
        try transformed(by: .roundCorners(radius: radius, corners: corners, border: border, background: background))
    }

    /// The largest circle in the middle.
    public func circular(border: BorderStyle? = nil) throws(ImageError) -> Self { try transformed(by: .circle(border: border)) }

    /// A line of `width` pixels along the edge, inside of the picture; `radius` in pixels rounds the corners.
    public func bordered(width: Double, color: PixelColor, radius: Double = 0) throws(ImageError) -> Self {
        try transformed(by: .border(width: width, color: color, radius: radius))
    }

    /// The picture's shape in a colour, or its colours mixed with it.
    public func tinted(_ color: PixelColor, mode: BlendMode = .sourceIn) throws(ImageError) -> Self {
        try transformed(by: .tint(color, mode: mode))
    }

    /// A veil of `color`; `fraction` of the picture shows through.
    public func overlaid(_ color: PixelColor, fraction: Double = 0.5) throws(ImageError) -> Self {
        try transformed(by: .overlay(color, fraction: fraction))
    }

    /// Drawn with a blend mode in front of a colour.
    public func blended(_ mode: BlendMode, over background: PixelColor = .clear, opacity: Double = 1) throws(ImageError) -> Self {
        try transformed(by: .blend(mode, over: background, opacity: opacity))
    }

    /// Another picture drawn over this one.
    public func stamped(
        with picture: Bitmap, mode: BlendMode = .normal, opacity: Double = 1, anchorX: Double = 0.5, anchorY: Double = 0.5
    ) throws(ImageError) -> Self {
        try transformed(by: .stamp(picture, mode: mode, opacity: opacity, anchorX: anchorX, anchorY: anchorY))
    }

    /// In front of a colour, without transparency.
    public func flattened(on color: PixelColor = .white) throws(ImageError) -> Self { try transformed(by: .flatten(color)) }

    /// `radius`: standard deviation in pixels.
    public func blurred(radius: Double) throws(ImageError) -> Self { try transformed(by: .blur(radius: radius)) }

    /// Unsharp masking: `radius` in pixels, `amount` 0 … 100.
    public func sharpened(radius: Double = 1, amount: Double = 0.5) throws(ImageError) -> Self {
        try transformed(by: .sharpen(radius: radius, amount: amount))
    }

    /// Brightness by ITU-R BT.709, on stored numbers.
    public func grayscaled() throws(ImageError) -> Self { try transformed(by: .grayscale) }

    /// Black and white exchanged, each channel by itself; alpha stays.
    public func inverted() throws(ImageError) -> Self { try transformed(by: .invert) }

    /// The defaults change nothing; see ``ColorControlsTransformer`` for the ranges.
    public func adjusted(
        brightness: Double = 0, contrast: Double = 1, saturation: Double = 1, exposure: Double = 0
    ) throws(ImageError) -> Self {
        try transformed(
            by: .colorControls(brightness: brightness, contrast: contrast, saturation: saturation, exposure: exposure))
    }
}
