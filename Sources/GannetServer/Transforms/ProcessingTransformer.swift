#if Server
    import GannetCore
    import GannetImages

    /// Makes the image of an address from a decoded source. The order is imgproxy's, whatever that of the address is: trim, turn, crop, resize,
    /// changes of pixels, canvas and padding, background, watermark.
    struct ProcessingTransformer: ImageTransformer {
        /// The part of the work that the decoder has done already.
        enum Decoded: String, Sendable {
            /// Nothing: all pixels are there.
            case whole
            /// The source has the size of ``ResizePlan/scaled``.
            case scaled
            /// The source has that of ``ResizePlan/kept``.
            case finished
        }

        let options: ProcessingOptions
        let decoded: Decoded
        /// Of a result's side.
        let limit: Int
        /// Those of ``ProcessingOptions/transforms``.
        let changes: [StandardTransformer]
        let watermark: WatermarkTransformer?

        var identifier: String? {
            "processing(\(options.pixelText)|\(decoded.rawValue)|\(limit)|\(watermark?.identifier ?? ""))"
        }

        var needsWholeImage: Bool { true }

        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            if context.isAnimated, let most = options.maximumFramePixels, context.metadata.originalSize.area > most {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The animation's frames have \(context.metadata.originalSize) pixels, more than the address allows.")
            }
            let (part, plan) = try resized(bitmap, context)
            var image = part
            for change in changes {
                try ImageError.checkCancellation(stage: .transform)
                image = try change.transform(image, context: context)
            }
            image = try plan.canvas(options, around: image.size).transform(image, context: context)
            if let background = options.background {
                image = try StandardTransformer.flatten(PixelColor(rgb: background)).transform(image, context: context)
            }
            guard let watermark else { return image }
            return try watermark.transform(image, ratio: plan.ratio, context: context)
        }

        private func resized(
            _ bitmap: Bitmap, _ context: TransformContext
        ) throws(ImageError) -> (Bitmap, ResizePlan) {
            if decoded == .whole { return try resizedWhole(bitmap, context) }
            let plan = plan(of: options.turn.displayed(context.metadata.originalSize), context)
            var image = try oriented(bitmap, options.turn, pool: context.pool)
            if decoded == .scaled, image.size != plan.kept {
                let origin = try origin(of: plan.kept, in: image.size, of: image, options.gravity, plan.ratio, context)
                image = try cropped(
                    image, to: PixelRect(x: origin.x, y: origin.y, width: plan.kept.width, height: plan.kept.height),
                    pool: context.pool)
            }
            return (image, plan)
        }

        private func resizedWhole(
            _ bitmap: Bitmap, _ context: TransformContext
        ) throws(ImageError) -> (Bitmap, ResizePlan) {
            var image = try premultiplied(bitmap, pool: context.pool)
            if let trim = options.trim { image = try trim.transform(image, context: context) }
            image = try oriented(image, options.turn, pool: context.pool)
            if let crop = options.crop {
                let size = crop.size(in: image.size)
                // Before resizing, so that no ratio counts.
                let origin = try origin(of: size, in: image.size, of: image, crop.gravity ?? options.gravity, 1, context)
                image = try cropped(
                    image, to: PixelRect(x: origin.x, y: origin.y, width: size.width, height: size.height),
                    pool: context.pool)
            }
            let plan = plan(of: image.size, context)
            try context.limits.check(
                size: plan.kept, allocating: PixelLayout(size: plan.kept, format: image.layout.format))
            let origin = try origin(of: plan.kept, in: plan.scaled, of: image, options.gravity, plan.ratio, context)
            let kept = PixelRect(x: origin.x, y: origin.y, width: plan.kept.width, height: plan.kept.height)
            image =
                plan.scaled == image.size
                ? try cropped(image, to: kept, pool: context.pool)
                : try resample(
                    image, to: plan.scaled, keeping: kept, inLinearLight: options.usesLinearLight, pool: context.pool)
            return (image, plan)
        }

        private func plan(of source: PixelSize, _ context: TransformContext) -> ResizePlan {
            ResizePlan(options, source: source, isVector: context.metadata.isVector, limit: limit)
        }

        /// `image` has any size: only its proportions to `whole` matter, and where it catches the eye.
        private func origin(
            of part: PixelSize, in whole: PixelSize, of image: Bitmap, _ gravity: Gravity, _ ratio: Double,
            _ context: TransformContext
        ) throws(ImageError) -> (x: Int, y: Int) {
            guard gravity.kind == .attention, part != whole else { return gravity.origin(of: part, in: whole, ratio: ratio) }
            let point = try attention(in: image, keeping: part, of: whole, pool: context.pool)
            return Gravity(kind: .point(x: point.x, y: point.y)).origin(of: part, in: whole)
        }
    }
#endif
