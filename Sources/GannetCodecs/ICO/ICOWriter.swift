#if ICO
    import GannetCore
    import GannetKernels

    /// Writes 32-bit bitmaps with alpha, and the mask for old readers.
    enum ICOWriter {
        /// - Parameter sizes: Squares into which additional smaller copies are fitted.
        static func write(_ bitmap: Bitmap, alsoAt sizes: [Int]) throws(ImageError) -> [UInt8] {
            var images = [bitmap]
            for size in sizes where bitmap.width > size || bitmap.height > size {
                images.append(try EncodePreparation.fitted(bitmap, into: PixelSize(width: size, height: size)))
            }
            var directory: [UInt8] = [0, 0, 1, 0, UInt8(images.count), 0]
            var bodies: [UInt8] = []
            for image in images {
                let body = try Self.body(image)
                // 256 is written as 0.
                directory += [
                    UInt8(truncatingIfNeeded: image.width), UInt8(truncatingIfNeeded: image.height), 0, 0, 1, 0, 32, 0,
                ]
                directory.appendLittle(body.count, bytes: 4)
                directory.appendLittle(6 + images.count * 16 + bodies.count, bytes: 4)
                bodies += body
            }
            return directory + bodies
        }

        private static func body(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
            let pixels = try bitmap.straightPixels()
            let (width, height) = (bitmap.width, bitmap.height)
            let maskStep = (width + 31) / 32 * 4
            var body: [UInt8] = []
            body.reserveCapacity(40 + pixels.count * 4 + maskStep * height)
            // The height counts image and mask.
            for value in [40, width, height * 2] { body.appendLittle(value, bytes: 4) }
            body += [1, 0, 32, 0]
            for value in [0, pixels.count * 4 + maskStep * height, 0, 0, 0, 0] { body.appendLittle(value, bytes: 4) }
            for y in (0..<height).reversed() {
                for pixel in pixels[y * width..<(y + 1) * width] {
                    body.append(UInt8(truncatingIfNeeded: pixel >> 16))
                    body.append(UInt8(truncatingIfNeeded: pixel >> 8))
                    body.append(UInt8(truncatingIfNeeded: pixel))
                    body.append(UInt8(truncatingIfNeeded: pixel >> 24))
                }
            }
            for y in (0..<height).reversed() {
                var row = [UInt8](repeating: 0, count: maskStep)
                for x in 0..<width where pixels[y * width + x] >> 24 == 0 { row[x / 8] |= 0x80 >> UInt8(x & 7) }
                body += row
            }
            return body
        }
    }
#endif
