#if PNM
    import GannetCore
    import GannetKernels

    /// Writes raw PGM, PPM or PAM.
    enum PNMWriter {
        static func write(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
            let hasAlpha = !isOpaque(bitmap)
            let size = bitmap.layout.format == .rgba16 ? 2 : 1
            let isGray = !hasAlpha && EncodePreparation.isGray(bitmap)
            let maximum = size == 2 ? 65_535 : 255
            let sides = (bitmap.width, bitmap.height)
            let head =
                hasAlpha
                ? "P7\nWIDTH \(sides.0)\nHEIGHT \(sides.1)\nDEPTH 4\nMAXVAL \(maximum)\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
                : "P\(isGray ? 5 : 6)\n\(sides.0) \(sides.1)\n\(maximum)\n"
            let channels = hasAlpha ? 4 : isGray ? 1 : 3
            var file = [UInt8](head.utf8)
            file.reserveCapacity(file.count + bitmap.size.area * channels * size)
            for y in 0..<bitmap.height {
                if y & 63 == 0 { try ImageError.checkCancellation(stage: .encode) }
                let row = bitmap.row(y)
                for pixel in stride(from: 0, to: row.count, by: 4 * size) {
                    for channel in 0..<channels {
                        // The high byte comes first.
                        for byte in (0..<size).reversed() { file.append(row[pixel + channel * size + byte]) }
                    }
                }
            }
            return file
        }
    }
#endif
