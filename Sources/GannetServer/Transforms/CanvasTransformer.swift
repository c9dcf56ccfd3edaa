#if Server
    import GannetCore
    import GannetImages

    /// Puts the image on a larger canvas, which is clear around it: `extend`, `extend_aspect_ratio` and `padding`.
    struct CanvasTransformer: Hashable, Sendable {
        /// A larger rectangle, and the place of the smaller one in it.
        struct Step: Hashable, Sendable {
            var size: PixelSize
            var gravity: Gravity
        }

        /// Of offsets in pixels.
        var ratio = 1.0
        /// Each around the one before, and none smaller than it.
        var steps: [Step] = []
        /// Around that, in pixels.
        var padding = ProcessingOptions.Padding()

        /// Of the result for an image of `inner`.
        func size(around inner: PixelSize) -> PixelSize {
            let inner = steps.last?.size ?? inner
            return PixelSize(clamping: inner.width + padding.horizontal, inner.height + padding.vertical)
        }

        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            let size = size(around: bitmap.size)
            guard size != bitmap.size else { return bitmap }
            var (left, top, inner) = (padding.left, padding.top, bitmap.size)
            for step in steps {
                let origin = step.gravity.origin(of: inner, in: step.size, ratio: ratio)
                (left, top, inner) = (left + origin.x, top + origin.y, step.size)
            }
            try context.limits.check(size: size, allocating: PixelLayout(size: size, alpha: .premultiplied))
            let image = try premultiplied(narrowed(bitmap, pool: context.pool), pool: context.pool)
            var canvas = try PixelBuffer(PixelLayout(size: size, alpha: .premultiplied), pool: context.pool)
            canvas.fill(0)
            for y in 0..<image.height {
                if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
                canvas.blend(
                    top + y, x: left, with: image, sourceX: 0, sourceY: y, columns: image.width, mode: .normal, opacity: 1)
            }
            return canvas.freeze()
        }
    }
#endif
