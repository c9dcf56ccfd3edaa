public import GannetCore
import GannetKernels
import Glibc

/// ThumbHash (github.com/evanw/thumbhash): like BlurHash in about 25 bytes, with transparency and proportions.
public enum ThumbHash {
    /// The ThumbHash of `image`, 5 … 40 bytes. The image is shrunk to 100 pixels first. Throws `limitExceeded` without the
    /// memory for that, and `cancelled`.
    public static func bytes(for image: Bitmap) throws(ImageError) -> [UInt8] {
        let small = try image.reduced(to: 100)
        let (width, height) = (small.width, small.height)
        let samples = Samples(small)
        let hasAlpha = samples.hasAlpha
        let (lx, ly) = lightComponents(width: width, height: height, hasAlpha: hasAlpha)
        let light = Channel(samples.light, width, height, max(3, lx), max(3, ly))
        let yellowBlue = Channel(samples.yellowBlue, width, height, 3, 3)
        let redGreen = Channel(samples.redGreen, width, height, 3, 3)
        var channels = [light, yellowBlue, redGreen]
        let isLandscape = width > height
        let first =
            level(63 * light.average) | level(31.5 + 31.5 * yellowBlue.average) << 6 | level(31.5 + 31.5 * redGreen.average) << 12
            | level(31 * light.scale) << 18 | (hasAlpha ? 1 : 0) << 23
        let second =
            (isLandscape ? ly : lx) | level(63 * yellowBlue.scale) << 3 | level(63 * redGreen.scale) << 9
            | (isLandscape ? 1 : 0) << 15
        var hash = [first, first >> 8, first >> 16, second, second >> 8].map { UInt8($0 & 255) }
        if hasAlpha {
            let alpha = Channel(samples.alpha, width, height, 5, 5)
            hash.append(UInt8(level(15 * alpha.average) | level(15 * alpha.scale) << 4))
            channels.append(alpha)
        }
        let levels = channels.flatMap { channel in channel.waves.map { UInt8(level(15 * (0.5 + 0.5 * $0))) } }
        for index in stride(from: 0, to: levels.count, by: 2) {
            hash.append(levels[index] | (index + 1 < levels.count ? levels[index + 1] << 4 : 0))
        }
        return hash
    }

    /// The number of brightness components in each direction.
    static func lightComponents(width: Int, height: Int, hasAlpha: Bool) -> (Int, Int) {
        let (limit, longer) = (hasAlpha ? 5.0 : 7.0, Double(max(width, height)))
        return (max(1, level(limit * Double(width) / longer)), max(1, level(limit * Double(height) / longer)))
    }

    /// Rounds half up, as the format's reference does.
    static func level(_ value: Double) -> Int { Int((value + 0.5).rounded(.down)) }

    /// The stored pairs of frequencies, in byte order, without (0, 0).
    static func frequencies(_ nx: Int, _ ny: Int) -> [(Int, Int)] {
        (0..<ny).flatMap { cy in
            ((cy == 0 ? 1 : 0)..<nx).filter { $0 * ny < nx * (ny - cy) }.map { ($0, cy) }
        }
    }
}

/// The image as brightness, two colour differences and alpha, over its average colour.
private struct Samples {
    var light: [Double] = []
    var yellowBlue: [Double] = []
    var redGreen: [Double] = []
    var alpha: [Double] = []
    var hasAlpha = false

    init(_ bitmap: Bitmap) {
        var average = SIMD3<Double>.zero
        var pixels: [SIMD4<Double>] = []
        for y in 0..<bitmap.height {
            let row = bitmap.row(y)
            for x in 0..<bitmap.width {
                let pixel =
                    SIMD4(Double(row[x * 4]), Double(row[x * 4 + 1]), Double(row[x * 4 + 2]), Double(row[x * 4 + 3])) / 255
                pixels.append(pixel)
                average += SIMD3(pixel.x, pixel.y, pixel.z)
                alpha.append(pixel.w)
            }
        }
        let covered = alpha.reduce(0, +)
        if covered > 0 { average /= covered }
        hasAlpha = covered < Double(pixels.count)
        for pixel in pixels {
            let color = SIMD3(pixel.x, pixel.y, pixel.z) + average * (1 - pixel.w)
            light.append((color.x + color.y + color.z) / 3)
            yellowBlue.append((color.x + color.y) / 2 - color.z)
            redGreen.append(color.x - color.y)
        }
    }
}

/// Cosine components of one channel; `waves` are −1 … 1, times `scale`.
private struct Channel {
    var average = 0.0
    var scale = 0.0
    var waves: [Double] = []

    init(_ samples: [Double], _ width: Int, _ height: Int, _ nx: Int, _ ny: Int) {
        func factor(_ cx: Int, _ cy: Int) -> Double {
            let across = (0..<width).map { cos(Double.pi / Double(width) * Double(cx) * (Double($0) + 0.5)) }
            var sum = 0.0
            for y in 0..<height {
                let down = cos(Double.pi / Double(height) * Double(cy) * (Double(y) + 0.5))
                for x in 0..<width { sum += samples[y * width + x] * across[x] * down }
            }
            return sum / Double(width * height)
        }
        average = factor(0, 0)
        waves = ThumbHash.frequencies(nx, ny).map { factor($0.0, $0.1) }
        scale = waves.map { abs($0) }.max() ?? 0
        if scale > 0 { waves = waves.map { $0 / scale } }
    }
}
