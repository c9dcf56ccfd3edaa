public import GannetCore
import GannetKernels

/// A part of the image. - SDWebImage: SDImageCroppingTransformer. Kingfisher: CroppingImageProcessor.
package struct CropTransformer: GainMapTransformer, Hashable {
    /// The region to keep.
    package enum Part: Hashable, Sendable {
        /// This rectangle, clipped to the image.
        case rectangle(PixelRect)
        /// A part of this size. The anchor, 0 … 1 each way, distributes the excess: 0 keeps the left or upper edge, 1 the right
        /// or lower one, 0.5 the middle.
        case anchored(PixelSize, x: Double, y: Double)
    }

    /// The region, in pixels of the transformer's input.
    package var part: Part

    /// Whether the region lies inside the image is checked when transforming.
    package init(_ part: Part) { self.part = part }

    package var identifier: String? {
        switch part {
        case .rectangle(let rect):
            TransformIdentifier.make("crop", [rect.x, rect.y, rect.width, rect.height].map { String($0) })
        case .anchored(let size, let x, let y):
            TransformIdentifier.make(
                "anchor",
                [String(size.width), String(size.height), Self.unit(x).identifierText, Self.unit(y).identifierText])
        }
    }

    package var keepsGainMap: Bool { true }

    /// The region is given in pixels of the image.
    package var needsWholeImage: Bool { true }

    /// The region in an image of `size`; nil if it lies outside.
    package func rectangle(in size: PixelSize) -> PixelRect? {
        switch part {
        case .rectangle(let rect): return rect.clipped(to: size)
        case .anchored(let wanted, let x, let y):
            let left = Int((Self.unit(x) * Double(size.width - wanted.width)).rounded())
            let top = Int((Self.unit(y) * Double(size.height - wanted.height)).rounded())
            return PixelRect(x: left, y: top, width: wanted.width, height: wanted.height).clipped(to: size)
        }
    }

    /// Throws `misuse` if the rectangle lies outside the image.
    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        guard let rect = rectangle(in: bitmap.size) else {
            throw ImageError(.misuse, stage: .transform, "The part to crop lies outside of the image of \(bitmap.size).")
        }
        return try cropped(bitmap, to: rect, pool: context.pool)
    }

    private static func unit(_ value: Double) -> Double { value.limited(to: 0...1) }
}

extension ImageTransformer where Self == StandardTransformer {
    /// A rectangle, clipped to the image; `misuse` if nothing is left. - Kingfisher: CroppingImageProcessor
    public static func crop(_ rect: PixelRect) -> Self { Self(CropTransformer(.rectangle(rect))) }

    /// A rectangle in pixels from the top left, clipped to the image; `misuse` if nothing is left.
    public static func crop(x: Int, y: Int, width: Int, height: Int) -> Self {
        Self(CropTransformer(.rectangle(PixelRect(x: x, y: y, width: width, height: height))))
    }

    /// A part of this size; the anchor, 0 … 1, positions it.
    public static func crop(to size: PixelSize, anchorX: Double = 0.5, anchorY: Double = 0.5) -> Self {
        Self(CropTransformer(.anchored(size, x: anchorX, y: anchorY)))
    }
}
