public import GannetCore
public import GannetKernels

/// A type with transformer methods: bitmaps, decoded and loaded images.
///
/// The methods work on the calling thread, perhaps for milliseconds: from an actor, call them inside
/// `BlockingExecutor.decoding.run`. Animations return at once and transform each frame when it is shown.
public protocol TransformableImage: Sendable {
    /// Applies a transformer. Throws its errors.
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
    /// Applies a transformer. Drops the encoded bytes, which are not those of the new image.
    public func transformed(by transformer: any ImageTransformer) throws(ImageError) -> LoadedImage {
        var copy = self
        copy.image = try image.transformed(by: transformer)
        copy.encoded = nil
        return copy
    }
}

extension TransformableImage {
    /// Resizes the image.
    public func resized(
        _ target: TargetSize, filter: ResampleFilter = .automatic, linearLight: Bool = false, background: PixelColor? = nil
    ) throws(ImageError) -> Self {
        try transformed(by: .resize(target, filter: filter, linearLight: linearLight, background: background))
    }

    /// Crops to a rectangle, clipped to the image; `misuse` if nothing is left.
    public func cropped(to rect: PixelRect) throws(ImageError) -> Self { try transformed(by: .crop(rect)) }

    /// Crops to a size; the anchor, 0 … 1, positions the region.
    public func cropped(to size: PixelSize, anchorX: Double = 0.5, anchorY: Double = 0.5) throws(ImageError) -> Self {
        try transformed(by: .crop(to: size, anchorX: anchorX, anchorY: anchorY))
    }

    /// Cuts off edges of one colour: that of the upper left pixel, or `color`; channels may differ by `threshold`, 0 … 255. Animations
    /// stay as they are.
    public func trimmed(
        threshold: Double = 10, color: PixelColor? = nil, equalHorizontal: Bool = false, equalVertical: Bool = false
    ) throws(ImageError) -> Self {
        try transformed(
            by: .trim(
                threshold: threshold, color: color, equalHorizontal: equalHorizontal, equalVertical: equalVertical))
    }

    /// Rotates clockwise.
    public func rotated(degrees: Double, fit: Bool = true, background: PixelColor? = nil) throws(ImageError) -> Self {
        try transformed(by: .rotate(degrees: degrees, fit: fit, background: background))
    }

    /// Mirrors exactly; both is half a turn.
    public func flipped(horizontal: Bool = false, vertical: Bool = false) throws(ImageError) -> Self {
        try transformed(by: .flip(horizontal: horizontal, vertical: vertical))
    }

    /// Rounds corners by a radius in pixels or as a fraction of a side; `background` nil leaves the corners transparent.
    public func roundedCorners(
        radius: CornerRadius, corners: Corners = .all, border: BorderStyle? = nil, background: PixelColor? = nil
    ) throws(ImageError) -> Self {
        try transformed(by: .roundCorners(radius: radius, corners: corners, border: border, background: background))
    }

    /// - Parameter radius: pixels.
    public func roundedCorners(
        radius: Double, corners: Corners = .all, border: BorderStyle? = nil, background: PixelColor? = nil
    ) throws(ImageError) -> Self {
        try transformed(by: .roundCorners(radius: radius, corners: corners, border: border, background: background))
    }

    /// Crops to the largest centred circle.
    public func circular(border: BorderStyle? = nil) throws(ImageError) -> Self { try transformed(by: .circle(border: border)) }

    /// Adds a border of `width` pixels inside the edge; `radius` in pixels rounds the corners.
    public func bordered(width: Double, color: PixelColor, radius: Double = 0) throws(ImageError) -> Self {
        try transformed(by: .border(width: width, color: color, radius: radius))
    }

    /// Fills the image's shape with a colour, or mixes it in.
    public func tinted(_ color: PixelColor, mode: BlendMode = .sourceIn) throws(ImageError) -> Self {
        try transformed(by: .tint(color, mode: mode))
    }

    /// Draws a veil of `color`; `fraction` of the image shows through.
    public func overlaid(_ color: PixelColor, fraction: Double = 0.5) throws(ImageError) -> Self {
        try transformed(by: .overlay(color, fraction: fraction))
    }

    /// Draws the image over a colour with a blend mode.
    public func blended(_ mode: BlendMode, over background: PixelColor = .clear, opacity: Double = 1) throws(ImageError) -> Self {
        try transformed(by: .blend(mode, over: background, opacity: opacity))
    }

    /// Draws another image over this one.
    public func stamped(
        with stamp: Bitmap, mode: BlendMode = .normal, opacity: Double = 1, anchorX: Double = 0.5, anchorY: Double = 0.5
    ) throws(ImageError) -> Self {
        try transformed(by: .stamp(stamp, mode: mode, opacity: opacity, anchorX: anchorX, anchorY: anchorY))
    }

    /// Draws the image over a colour, without transparency.
    public func flattened(on color: PixelColor = .white) throws(ImageError) -> Self { try transformed(by: .flatten(color)) }

    /// - Parameter radius: standard deviation in pixels.
    public func blurred(radius: Double) throws(ImageError) -> Self { try transformed(by: .blur(radius: radius)) }

    /// Unsharp masking: `radius` in pixels, `amount` 0 … 100.
    public func sharpened(radius: Double = 1, amount: Double = 0.5) throws(ImageError) -> Self {
        try transformed(by: .sharpen(radius: radius, amount: amount))
    }

    /// Shows squares of `size` × `size` pixels in their mean colour.
    public func pixelated(size: Int) throws(ImageError) -> Self { try transformed(by: .pixelate(size: size)) }

    /// Brightness by ITU-R BT.709, on stored values.
    public func grayscaled() throws(ImageError) -> Self { try transformed(by: .grayscale) }

    /// Inverts each channel; alpha stays.
    public func inverted() throws(ImageError) -> Self { try transformed(by: .invert) }

    /// The defaults change nothing. Values are limited: brightness to -1 … 1, contrast and saturation to 0 … 100, exposure to
    /// -20 … 20 stops.
    public func adjusted(
        brightness: Double = 0, contrast: Double = 1, saturation: Double = 1, exposure: Double = 0
    ) throws(ImageError) -> Self {
        try transformed(
            by: .colorControls(brightness: brightness, contrast: contrast, saturation: saturation, exposure: exposure))
    }
}
