import GannetCore

/// Pictures of 16 bits a channel whose right values are known.
enum DeepPictures {
    /// Gray, 0 … 255 and a part of it, from left to right in steps that 8 bits do not have; opaque.
    static func ramp(width: Int, height: Int) throws(ImageError) -> Bitmap {
        var buffer = try PixelBuffer(
            PixelLayout(size: PixelSize(clamping: width, height), format: .rgba16, alpha: .opaque))
        for y in 0..<height {
            var row = buffer.mutableRow(y)
            for x in 0..<width {
                let value = value(x, width)
                for channel in 0..<4 {
                    let sample = channel == 3 ? 65535 : value
                    row[x * 8 + channel * 2] = UInt8(sample & 255)
                    row[x * 8 + channel * 2 + 1] = UInt8(sample >> 8)
                }
            }
        }
        return buffer.freeze()
    }

    private static func value(_ x: Int, _ width: Int) -> Int { x * 65535 / (width - 1) }

    /// In steps of 8 bits, for a picture that was made by ``ramp(width:height:)``.
    static func largestError(_ bitmap: Bitmap) -> Double {
        var largest = 0.0
        for y in 0..<bitmap.height {
            let row = bitmap.row(y)
            for x in 0..<bitmap.width {
                let wanted = Double(value(x, bitmap.width)) / 257
                for channel in 0..<3 {
                    let found =
                        bitmap.layout.format == .rgba8
                        ? Double(row[x * 4 + channel])
                        : Double(Int(row[x * 8 + channel * 2]) | Int(row[x * 8 + channel * 2 + 1]) << 8) / 257
                    largest = max(largest, abs(found - wanted))
                }
            }
        }
        return largest
    }
}
