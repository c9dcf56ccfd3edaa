#if GTK
    import GannetCore
    import GannetImages

    /// The pixels that GTK is given for a rectangle inside a bitmap, and what it is told of them.
    struct TextureContent {
        let bitmap: Bitmap
        let part: PixelRect
        /// The numbers are PQ of BT.2020; else they are those of sRGB.
        let isBright: Bool

        /// - Parameter keepsLight: high range stays.
        init(_ bitmap: Bitmap, part: PixelRect, keepsLight: Bool) {
            isBright = keepsLight && bitmap.dynamicRange.isHigh
            // GTK takes numbers for those of sRGB unless it is told what they are.
            (self.bitmap, self.part) = isBright ? (bitmap, part) : bitmap.inStandardRange(part)
        }

        /// As the shim numbers them.
        var format: Int32 {
            let alpha: Int32 =
                switch bitmap.layout.alpha {
                case .premultiplied: 0
                case .straight: 1
                case .opaque: 2
                }
            return alpha + (bitmap.layout.format == .rgba16 ? 4 : 0)
        }

        /// The first byte of the pixels, which live as long as the bitmap, the bytes up to the last one, and those of a row.
        func withPixels<R>(_ body: (_ first: UnsafePointer<UInt8>, _ count: Int, _ bytesPerRow: Int) -> R) -> R {
            bitmap.withUnsafeRows { base, bytesPerRow in
                let pixel = bitmap.layout.format.bytesPerPixel
                return body(
                    base + part.y * bytesPerRow + part.x * pixel, (part.height - 1) * bytesPerRow + part.width * pixel,
                    bytesPerRow)
            }
        }
    }
#endif
