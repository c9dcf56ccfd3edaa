#if Server
    import GannetCore
    import GannetImages

    /// Draws the operator's watermark where the address says so, scaled to a part of the image or not, once or in tiles.
    struct WatermarkTransformer: Sendable {
        let image: Bitmap
        let place: ProcessingOptions.Watermark

        /// Of the watermark's pixels.
        var identifier: String { StandardTransformer.stamp(image).identifier ?? "" }

        /// `ratio` multiplies offsets in pixels.
        func transform(_ bitmap: Bitmap, ratio: Double, context: TransformContext) throws(ImageError) -> Bitmap {
            let mark = try mark(for: bitmap.size, context)
            let (lefts, tops) = origins(of: mark.size, in: bitmap.size, ratio)
            let image = try premultiplied(narrowed(bitmap, pool: context.pool), pool: context.pool)
            var buffer = try image.mutableCopy(pool: context.pool)
            for top in tops {
                for row in max(-top, 0)..<max(min(mark.height, image.height - top), max(-top, 0)) {
                    if row & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
                    for left in lefts {
                        let start = max(-left, 0)
                        let columns = min(mark.width - start, image.width - max(left, 0))
                        guard columns > 0 else { continue }
                        buffer.blend(
                            top + row, x: max(left, 0), with: mark, sourceX: start, sourceY: row, columns: columns,
                            mode: .normal, opacity: place.opacity)
                    }
                }
            }
            return buffer.freeze()
        }

        private func mark(for size: PixelSize, _ context: TransformContext) throws(ImageError) -> Bitmap {
            let mark = try premultiplied(narrowed(image, pool: context.pool), pool: context.pool)
            guard place.scale > 0 else { return mark }
            func side(_ side: Int) -> Int { max(Int(Gravity.even(Double(side) * place.scale)), 1) }
            let target = TargetSize(
                .fit, width: side(size.width), height: side(size.height), allowsUpscaling: true)
            return try StandardTransformer.resize(target).transform(mark, context: context)
        }

        /// Left edges and upper edges, which may lie outside.
        private func origins(of mark: PixelSize, in size: PixelSize, _ ratio: Double) -> (lefts: [Int], tops: [Int]) {
            let gravity = place.gravity
            guard place.isRepeated else {
                let origin = gravity.origin(of: mark, in: size, ratio: ratio, allowsOutside: true)
                return ([origin.x], [origin.y])
            }
            func starts(_ mark: Int, _ side: Int, _ offset: Double) -> [Int] {
                let space = Gravity.even(offset < 1 ? offset * Double(side) : offset * ratio)
                let step = mark + Int(min(space, Double(PixelSize.maximumSide)))
                let middle = (side - mark) / 2
                let before = max((middle + step - 1) / step, 0)
                return Array(stride(from: middle - before * step, to: side, by: step))
            }
            return (
                starts(mark.width, size.width, gravity.offsetX), starts(mark.height, size.height, gravity.offsetY)
            )
        }
    }
#endif
