#if AVIF
    import CAVIF
    import GannetCore

    /// The part of an image that its clean aperture leaves, and the crop to request from the library. The library's crops begin
    /// at chroma samples, which may be on every other pixel only.
    struct AVIFAperture {
        /// The crop to request from the library.
        let view: avifCropRect
        /// Columns and rows of `view` before the shown part, 0 or 1.
        let left: Int
        let top: Int

        init(_ shown: PixelRect, of image: avifImage) {
            var format = avifPixelFormatInfo()
            avifGetPixelFormatInfo(image.yuvFormat, &format)
            left = shown.x & Int(format.chromaShiftX)
            top = shown.y & Int(format.chromaShiftY)
            view = avifCropRect(
                x: UInt32(shown.x - left), y: UInt32(shown.y - top), width: UInt32(shown.width + left),
                height: UInt32(shown.height + top))
        }

        /// Copies the shown part out of the larger image that the library decoded.
        func copy(_ larger: borrowing PixelBuffer, into buffer: inout PixelBuffer) {
            let start = left * buffer.layout.format.bytesPerPixel
            for y in 0..<buffer.size.height {
                let source = larger.row(y + top)
                var target = buffer.mutableRow(y)
                for index in target.indices { target[index] = source[start + index] }
            }
        }

        /// The aperture's rectangle (ISO/IEC 14496-12, 12.1.4.1), which the box gives as a size and the offset of its centre from
        /// that of the image. Half pixels are cut off, as in libheif. Nil if it is empty or leaves the image.
        static func rect(_ box: avifCleanApertureBox, in bounds: PixelRect) -> PixelRect? {
            guard let (x, width) = range(box.widthN, box.widthD, box.horizOffN, box.horizOffD, of: bounds.width),
                let (y, height) = range(box.heightN, box.heightD, box.vertOffN, box.vertOffD, of: bounds.height)
            else { return nil }
            return PixelRect(x: x, y: y, width: width, height: height)
        }

        private static func range(
            _ lengthN: UInt32, _ lengthD: UInt32, _ offsetN: UInt32, _ offsetD: UInt32, of whole: Int
        ) -> (start: Int, length: Int)? {
            guard lengthD > 0, offsetD > 0 else { return nil }
            let length = Int(lengthN / lengthD)
            guard length > 0, length <= whole else { return nil }
            // The library passes the signed number in an unsigned field.
            let doubled = 2 * Int(Int32(bitPattern: offsetN)) + (whole - length) * Int(offsetD)
            guard doubled >= 0 else { return nil }
            let start = doubled / (2 * Int(offsetD))
            return start <= whole - length ? (start, length) : nil
        }
    }
#endif
