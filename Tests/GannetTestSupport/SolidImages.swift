package import GannetCore

/// One colour everywhere, opaque.
package func solid(_ red: UInt8, _ green: UInt8 = 0, _ blue: UInt8 = 0, width: Int = 4, height: Int = 4) throws -> Bitmap {
    var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque))
    for y in 0..<height {
        var row = buffer.mutableRow(y)
        for x in 0..<width {
            row[x * 4] = red
            row[x * 4 + 1] = green
            row[x * 4 + 2] = blue
            row[x * 4 + 3] = 255
        }
    }
    return buffer.freeze()
}

/// The red of the first pixel: frame `n` of a fixture is painted with red `n`.
package func red(_ bitmap: Bitmap) -> Int { Int(bitmap.row(0)[0]) }

/// A PNG, as its metadata say.
package func still(_ bitmap: Bitmap, original: PixelSize? = nil) -> DecodedImage {
    .still(bitmap, ImageMetadata(format: .png, originalSize: original ?? bitmap.size))
}
