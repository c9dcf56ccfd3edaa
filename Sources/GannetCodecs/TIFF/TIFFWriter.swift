#if TIFF
    import CGannetShims
    import GannetCore
    import Glibc

    /// Writes a TIFF of one page: RGB or RGBA with straight alpha, 8 or 16 bits, Deflate with a predictor.
    enum TIFFWriter {
        /// `bitmap` is straight or opaque. Throws `encodeFailed`.
        static func write(_ bitmap: Bitmap, level: Int) throws(ImageError) -> [UInt8] {
            let isDeep = bitmap.layout.format == .rgba16
            let hasAlpha = bitmap.layout.alpha != .opaque
            var count = 0
            let file = bitmap.withUnsafeRows { base, stride in
                // A classic TIFF cannot exceed 4 GiB.
                gannet_tiff_encode(
                    base, stride, UInt32(bitmap.width), UInt32(bitmap.height), isDeep ? 1 : 0, hasAlpha ? 1 : 0, Int32(level),
                    Int(UInt32.max) - 65_536, &count)
            }
            guard let file else {
                throw ImageError(
                    .encodeFailed, stage: .encode,
                    "libtiff did not write the image of \(bitmap.size): there is no memory, or the file would be over 4 GiB.")
            }
            defer { free(file) }
            return Array(UnsafeBufferPointer(start: file, count: count))
        }
    }
#endif
