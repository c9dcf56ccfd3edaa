public import GannetCore
import GannetKernels
import Glibc

extension ThumbHash {
    /// The blurred image, 32 pixels along its longer side; nil if the bytes are no ThumbHash.
    public static func bitmap(_ hash: [UInt8]) -> Bitmap? {
        guard let decoded = Decoded(hash) else { return nil }
        let size = PixelSize(clamping: decoded.width, decoded.height)
        let layout = PixelLayout(size: size, alpha: decoded.hasAlpha ? .premultiplied : .opaque)
        guard var buffer = try? PixelBuffer(layout) else { return nil }
        for y in 0..<size.height {
            var row = buffer.mutableRow(y)
            for x in 0..<size.width {
                let pixel = decoded.pixel(x, y)
                let alpha = min(max(pixel.w, 0), 1)
                for channel in 0..<3 { row[x * 4 + channel] = UInt8(min(max(pixel[channel], 0), 1) * alpha * 255 + 0.5) }
                row[x * 4 + 3] = UInt8(alpha * 255 + 0.5)
            }
        }
        return buffer.freeze()
    }

    /// Width over height, roughly; nil if the bytes are no ThumbHash.
    public static func aspectRatio(_ hash: [UInt8]) -> Double? { Decoded(hash)?.ratio }
}

private struct Decoded {
    let hasAlpha: Bool
    let ratio: Double
    let width: Int
    let height: Int
    private let averages: SIMD4<Double>
    /// For each channel (brightness, yellow–blue, red–green, alpha): frequencies and amplitude, doubled for mirrored
    /// frequencies.
    private let waves: [[(x: Int, y: Int, amplitude: Double)]]

    init?(_ hash: [UInt8]) {
        guard hash.count >= 5 else { return nil }
        let first = Int(hash[0]) | Int(hash[1]) << 8 | Int(hash[2]) << 16
        let second = Int(hash[3]) | Int(hash[4]) << 8
        hasAlpha = first >> 23 != 0
        let isLandscape = second >> 15 != 0
        let (limit, shorter) = (hasAlpha ? 5 : 7, second & 7)
        guard shorter > 0, !hasAlpha || hash.count >= 6 else { return nil }
        let (lx, ly) = isLandscape ? (limit, shorter) : (shorter, limit)
        ratio = Double(lx) / Double(ly)
        width = ThumbHash.level(ratio > 1 ? 32 : 32 * ratio)
        height = ThumbHash.level(ratio > 1 ? 32 / ratio : 32)
        averages = SIMD4(
            Double(first & 63) / 63, Double(first >> 6 & 63) / 31.5 - 1, Double(first >> 12 & 63) / 31.5 - 1,
            hasAlpha ? Double(hash[5] & 15) / 15 : 1)
        // Colour is decoded a quarter stronger than stored, because coarse quantisation weakens it.
        var plan = [
            (max(3, lx), max(3, ly), Double(first >> 18 & 31) / 31), (3, 3, Double(second >> 3 & 63) / 63 * 1.25),
            (3, 3, Double(second >> 9 & 63) / 63 * 1.25),
        ]
        if hasAlpha { plan.append((5, 5, Double(hash[5] >> 4) / 15)) }
        var position = (hasAlpha ? 6 : 5) * 2
        var waves: [[(x: Int, y: Int, amplitude: Double)]] = []
        for (nx, ny, scale) in plan {
            var channel: [(x: Int, y: Int, amplitude: Double)] = []
            for (cx, cy) in ThumbHash.frequencies(nx, ny) {
                guard position >> 1 < hash.count else { return nil }
                let level = hash[position >> 1] >> UInt8((position & 1) * 4) & 15
                position += 1
                channel.append((cx, cy, (Double(level) / 7.5 - 1) * scale * 2))
            }
            waves.append(channel)
        }
        self.waves = waves
    }

    /// Straight red, green, blue and alpha, not clamped.
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
        var values = averages
        for (channel, waves) in waves.enumerated() {
            for wave in waves {
                let across = cos(Double.pi / Double(width) * (Double(x) + 0.5) * Double(wave.x))
                let down = cos(Double.pi / Double(height) * (Double(y) + 0.5) * Double(wave.y))
                values[channel] += wave.amplitude * across * down
            }
        }
        let blue = values.x - 2.0 / 3 * values.y
        let red = (3 * values.x - blue + values.z) / 2
        return SIMD4(red, red - values.z, blue, values.w)
    }
}
