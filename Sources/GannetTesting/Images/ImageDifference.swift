package import GannetCore
import Glibc

/// The difference of two images of one size, over premultiplied 8-bit channels.
package struct ImageDifference: Hashable, Sendable {
    /// The largest difference of a channel, 0 … 255.
    package var largest: Int
    /// The mean of the squared differences.
    package var meanSquare: Double

    /// The peak signal-to-noise ratio in decibels; infinite for equal images.
    package var peakSignalToNoise: Double {
        meanSquare == 0 ? .infinity : 10 * log10(255 * 255 / meanSquare)
    }

    /// Nil if the sizes differ. 16-bit images are compared by their high bytes.
    package init?(_ left: Bitmap, _ right: Bitmap) {
        guard left.size == right.size else { return nil }
        let a = Self.premultiplied(left)
        let b = Self.premultiplied(right)
        var largest = 0
        var sum = 0
        for index in a.indices {
            let difference = abs(Int(a[index]) - Int(b[index]))
            largest = max(largest, difference)
            sum += difference * difference
        }
        self.largest = largest
        meanSquare = Double(sum) / Double(max(a.count, 1))
    }

    static func premultiplied(_ bitmap: Bitmap) -> [UInt8] {
        var bytes = bitmap.packedBytes()
        if bitmap.layout.format == .rgba16 { bytes = stride(from: 1, to: bytes.count, by: 2).map { bytes[$0] } }
        switch bitmap.layout.alpha {
        case .premultiplied: break
        case .opaque: for pixel in stride(from: 3, to: bytes.count, by: 4) { bytes[pixel] = 255 }
        case .straight:
            for pixel in stride(from: 0, to: bytes.count, by: 4) {
                let alpha = Int(bytes[pixel + 3])
                for channel in pixel..<pixel + 3 { bytes[channel] = UInt8((Int(bytes[channel]) * alpha + 127) / 255) }
            }
        }
        return bytes
    }
}
