#if QOI
    import GannetCore
    import GannetKernels

    /// Writes three or four channels, as the image requires.
    enum QOIWriter {
        static func write(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
            let pixels = try bitmap.straightPixels()
            var file = QOIFile.magic
            file.reserveCapacity(pixels.count + 64)
            file.appendBig(bitmap.width, bytes: 4)
            file.appendBig(bitmap.height, bytes: 4)
            file += [isOpaque(bitmap) ? 3 : 4, 0]
            var seen = [64 of UInt32](repeating: 0)
            var last = QOIPixel()
            var run = 0
            for (index, value) in pixels.enumerated() {
                if index & 0xFFFF == 0 { try ImageError.checkCancellation(stage: .encode) }
                if value == last.value {
                    run += 1
                    if run == 62 { flush(&run, to: &file) }
                    continue
                }
                flush(&run, to: &file)
                let pixel = QOIPixel(value)
                if seen[pixel.place] == value {
                    file.append(UInt8(pixel.place))
                } else {
                    seen[pixel.place] = value
                    append(pixel, after: last, to: &file)
                }
                last = pixel
            }
            flush(&run, to: &file)
            file += [0, 0, 0, 0, 0, 0, 0, 1]
            return file
        }

        private static func flush(_ run: inout Int, to file: inout [UInt8]) {
            if run > 0 { file.append(0xC0 | UInt8(run - 1)) }
            run = 0
        }

        private static func append(_ pixel: QOIPixel, after last: QOIPixel, to file: inout [UInt8]) {
            guard pixel.alpha == last.alpha else {
                file += [0xFF, pixel.red, pixel.green, pixel.blue, pixel.alpha]
                return
            }
            let green = pixel.green &- last.green
            let (red, blue) = (pixel.red &- last.red, pixel.blue &- last.blue)
            if red &+ 2 < 4, green &+ 2 < 4, blue &+ 2 < 4 {
                file.append(0x40 | (red &+ 2) << 4 | (green &+ 2) << 2 | (blue &+ 2))
            } else if green &+ 32 < 64, red &- green &+ 8 < 16, blue &- green &+ 8 < 16 {
                file += [0x80 | (green &+ 32), (red &- green &+ 8) << 4 | (blue &- green &+ 8)]
            } else {
                file += [0xFE, pixel.red, pixel.green, pixel.blue]
            }
        }
    }
#endif
