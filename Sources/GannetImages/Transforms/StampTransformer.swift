public import GannetCore
public import GannetKernels

/// Draws another image over this one: a watermark, a badge. - Kingfisher: CompositingImageProcessor.
package struct StampTransformer: ImageTransformer {
    /// The stamp, drawn pixel for pixel, unscaled; parts outside are cropped.
    package let image: Bitmap
    /// How the stamp is blended. Outside the stamp the image stays unchanged, whatever the mode.
    package let mode: BlendMode
    /// 0 … 1.
    package let opacity: Double
    /// Position of the stamp: 0 at the left edge, 1 at the right edge, 0.5 in the middle.
    package let anchorX: Double
    /// Position from the upper edge (0) to the lower one (1).
    package let anchorY: Double
    private let digest: String

    /// Reads the stamp's pixels once, for the identifier.
    package init(_ image: Bitmap, mode: BlendMode = .normal, opacity: Double = 1, anchorX: Double = 0.5, anchorY: Double = 0.5) {
        self.image = image
        self.mode = mode
        self.opacity = opacity.limited(to: 0...1)
        self.anchorX = anchorX.limited(to: 0...1)
        self.anchorY = anchorY.limited(to: 0...1)
        let bytes = image.packedBytes()
        let (first, second) = (Checksum.xxh3(bytes), Checksum.xxh3(bytes, seed: 1))
        let layout = "\(image.size),\(image.layout.format),\(image.layout.alpha)"
        digest = Digest128("\(layout),\(first),\(second)").hex
    }

    package var identifier: String? {
        TransformIdentifier.make(
            "stamp", [digest, mode.rawValue, opacity.identifierText, anchorX.identifierText, anchorY.identifierText])
    }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let stamp = try image.readyToPaint(context.pool)
        let left = Int((Double(bitmap.width - stamp.width) * anchorX).rounded())
        let top = Int((Double(bitmap.height - stamp.height) * anchorY).rounded())
        let columns = min(stamp.width + min(left, 0), bitmap.width - max(left, 0))
        let shrinksShape = !mode.mixesColors && mode != .sourceAtop && mode != .plus && mode != .destinationOver
        return try painting(bitmap, context, alpha: shrinksShape ? .premultiplied : nil) { buffer, y in
            guard columns > 0, (0..<stamp.height).contains(y - top) else { return }
            buffer.blend(
                y, x: max(left, 0), with: stamp, sourceX: max(-left, 0), sourceY: y - top, columns: columns, mode: mode,
                opacity: opacity)
        }
    }
}

extension ImageTransformer where Self == StandardTransformer {
    /// Draws another image over this one.
    public static func stamp(
        _ image: Bitmap, mode: BlendMode = .normal, opacity: Double = 1, anchorX: Double = 0.5, anchorY: Double = 0.5
    ) -> Self {
        Self(StampTransformer(image, mode: mode, opacity: opacity, anchorX: anchorX, anchorY: anchorY))
    }
}
