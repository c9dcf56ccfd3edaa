#if Server
    import GannetCore
    import GannetImages

    /// Puts the image on a larger canvas, which is clear around it: `extend` and `padding`.
    struct CanvasTransformer: ImageTransformer, Hashable {
        /// At least this size; nil: the image's own.
        var width: Int?
        var height: Int?
        /// The image's place where the canvas is larger than it, from the left and the upper edge, 0 … 1.
        var x = 0.5
        var y = 0.5
        /// Around that, in pixels.
        var padding = Padding()

        struct Padding: Hashable, Sendable {
            var top = 0
            var right = 0
            var bottom = 0
            var left = 0

            var horizontal: Int { left + right }
            var vertical: Int { top + bottom }
        }

        var identifier: String? {
            "canvas(\(width ?? 0),\(height ?? 0),\(x),\(y),\(padding.top),\(padding.right),\(padding.bottom),\(padding.left))"
        }

        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            let inner = (width: max(width ?? 0, bitmap.width), height: max(height ?? 0, bitmap.height))
            guard
                let size = PixelSize(width: inner.width + padding.horizontal, height: inner.height + padding.vertical),
                size != bitmap.size
            else { return bitmap }
            var canvas = try PixelBuffer(PixelLayout(size: size, alpha: .premultiplied), pool: context.pool)
            canvas.fill(0)
            let left = padding.left + Int((Double(inner.width - bitmap.width) * x).rounded())
            let top = padding.top + Int((Double(inner.height - bitmap.height) * y).rounded())
            return try StandardTransformer.stamp(
                bitmap, anchorX: Self.anchor(left, size.width - bitmap.width),
                anchorY: Self.anchor(top, size.height - bitmap.height)
            ).transform(canvas.freeze(), context: context)
        }

        private static func anchor(_ offset: Int, _ room: Int) -> Double { room == 0 ? 0 : Double(offset) / Double(room) }
    }
#endif
