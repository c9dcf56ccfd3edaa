package import GannetCore
import GannetKernels

/// The first steps of every encoder: shrink, reduce to 8 bits, put on a background; and the search for a small enough
/// file.
package enum EncodePreparation {
    /// The image shrunk to fit into `size`, or unchanged.
    package static func fitted(_ bitmap: Bitmap, into size: PixelSize?) throws(ImageError) -> Bitmap {
        guard let size, bitmap.width > size.width || bitmap.height > size.height else { return bitmap }
        let plan = TargetSize.fit(size.width, size.height).plan(for: bitmap.size)
        return try resample(try premultiplied(bitmap), to: plan.scaled)
    }

    /// The image with 8 bits, flattened on `background` (0xRRGGBB); unchanged if it is so already.
    package static func flattened(_ bitmap: Bitmap, on background: UInt32) throws(ImageError) -> Bitmap {
        let narrow = try narrowed(bitmap)
        if isOpaque(narrow) { return narrow }
        var buffer = try premultiplied(narrow).mutableCopy()
        let under = (background >> 16 & 255, background >> 8 & 255, background & 255)
        for y in 0..<buffer.size.height {
            var row = buffer.mutableRow(y)
            var x = 0
            while x + 3 < row.count {
                let rest = 255 - UInt32(row[x + 3])
                row[x] = over(row[x], under.0, rest)
                row[x + 1] = over(row[x + 1], under.1, rest)
                row[x + 2] = over(row[x + 2], under.2, rest)
                row[x + 3] = 255
                x += 4
            }
        }
        buffer.setAlpha(.opaque)
        return buffer.freeze()
    }

    /// Whether red, green and blue are equal everywhere: such files are smaller with one channel.
    static func isGray(_ bitmap: Bitmap) -> Bool {
        let size = bitmap.layout.format == .rgba16 ? 2 : 1
        for y in 0..<bitmap.height {
            let row = bitmap.row(y)
            for pixel in stride(from: 0, to: row.count, by: 4 * size) {
                for byte in 0..<size {
                    let red = row[pixel + byte]
                    if row[pixel + size + byte] != red || row[pixel + 2 * size + byte] != red { return false }
                }
            }
        }
        return true
    }

    /// `above` is premultiplied, so the sum ends at 255; clamped for invalid images.
    private static func over(_ above: UInt8, _ under: UInt32, _ rest: UInt32) -> UInt8 {
        let product = under * rest + 128
        return UInt8(min(255, UInt32(above) + (product + product >> 8) >> 8))
    }

    /// The best file within `limit`: lowers the quality to 5, then shrinks the image.
    ///
    /// - Parameter encode: Encodes an image with a quality; nil if the file would exceed the limit.
    /// - Throws: `encodeFailed` if even a single pixel does not fit, and errors of `encode`.
    package static func smallEnough(
        _ bitmap: Bitmap, quality: Int, limit: Int,
        encode: (_ bitmap: Bitmap, _ quality: Int) throws(ImageError) -> [UInt8]?
    ) throws(ImageError) -> [UInt8] {
        var bitmap = bitmap
        while true {
            if let file = try best(bitmap, quality: quality, encode) { return file }
            guard bitmap.width > 1 || bitmap.height > 1 else {
                throw ImageError(
                    .encodeFailed, stage: .encode, "No image fits into \(limit) bytes. Raise maximumFileSize.")
            }
            try ImageError.checkCancellation(stage: .encode)
            let smaller = PixelSize(clamping: bitmap.width * 3 / 4, bitmap.height * 3 / 4)
            bitmap = try resample(try premultiplied(bitmap), to: smaller)
        }
    }

    /// The highest quality from 5 on that fits; nil if none does. At most 8 attempts.
    private static func best(
        _ bitmap: Bitmap, quality: Int, _ encode: (_ bitmap: Bitmap, _ quality: Int) throws(ImageError) -> [UInt8]?
    ) throws(ImageError) -> [UInt8]? {
        if let file = try encode(bitmap, quality) { return file }
        let lowest = min(5, quality)
        guard lowest < quality, var found = try encode(bitmap, lowest) else { return nil }
        var (fits, tooLarge) = (lowest, quality)
        while tooLarge - fits > 1 {
            try ImageError.checkCancellation(stage: .encode)
            let middle = (fits + tooLarge) / 2
            if let file = try encode(bitmap, middle) {
                found = file
                fits = middle
            } else {
                tooLarge = middle
            }
        }
        return found
    }
}
