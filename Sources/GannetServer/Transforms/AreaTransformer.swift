#if Server
    import GannetCore
    import GannetImages

    /// Keeps a part of the source, before it is resized: `crop`.
    struct AreaTransformer: GainMapTransformer, Hashable {
        /// Of the kept part: below 1 a fraction of the image's side, 0 all of it, from 1 on pixels.
        var width = 0.0
        var height = 0.0
        /// In the middle of the kept part, or as close to it as the edges allow: from the left and the upper edge, 0 … 1.
        var x = 0.5
        var y = 0.5

        var identifier: String? { "area(\(width),\(height),\(x),\(y))" }

        var keepsGainMap: Bool { true }

        /// In pixels of the image, and not of a smaller copy.
        var needsWholeImage: Bool { true }

        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            let area = area(in: bitmap.size)
            guard area.width < bitmap.width || area.height < bitmap.height else { return bitmap }
            return try StandardTransformer.crop(area).transform(bitmap, context: context)
        }

        func area(in size: PixelSize) -> PixelRect {
            var area = PixelRect(x: 0, y: 0, width: Self.side(width, of: size.width), height: Self.side(height, of: size.height))
            TargetSize(.fill, width: area.width, height: area.height).place(&area, in: size, around: (x, y))
            return area
        }

        private static func side(_ wanted: Double, of side: Int) -> Int {
            if wanted == 0 { return side }
            let pixels = wanted < 1 ? (wanted * Double(side)).rounded() : wanted.rounded()
            return Int(min(max(pixels, 1), Double(side)))
        }
    }
#endif
