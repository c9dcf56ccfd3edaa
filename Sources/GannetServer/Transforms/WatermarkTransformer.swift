#if Server
    import GannetCore
    import GannetImages

    /// Draws the operator's watermark, scaled to a part of the image where the address says so.
    struct WatermarkTransformer: ImageTransformer {
        let image: Bitmap
        let place: ProcessingOptions.Watermark

        private var stamp: StandardTransformer { Self.stamp(image, place) }

        private static func stamp(_ image: Bitmap, _ place: ProcessingOptions.Watermark) -> StandardTransformer {
            .stamp(image, opacity: place.opacity, anchorX: place.x, anchorY: place.y)
        }

        var identifier: String? { stamp.identifier.map { "watermark(\($0),\(place.scale))" } }

        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            guard place.scale > 0 else { return try stamp.transform(bitmap, context: context) }
            let width = max(Int((Double(bitmap.width) * place.scale).rounded()), 1)
            let height = max(Int((Double(bitmap.height) * place.scale).rounded()), 1)
            let target = TargetSize(.fit, width: width, height: height, allowsUpscaling: true).outputSize(for: image.size)
            let scaled = try StandardTransformer.resize(width: target.width, height: target.height, mode: .stretch)
                .transform(image, context: context)
            return try Self.stamp(scaled, place).transform(bitmap, context: context)
        }
    }
#endif
