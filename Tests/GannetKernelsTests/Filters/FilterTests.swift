import GannetCore
import GannetKernels
import Glibc
import Testing

// TR-05, TR-07: against the formulas themselves, in floating point, on pictures of noise, where every mistake shows.
@Suite struct FilterTests {
    /// A pixel as four numbers; nothing outside.
    private func sample(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Double] {
        guard (0..<bitmap.width).contains(x), (0..<bitmap.height).contains(y) else { return [0, 0, 0, 0] }
        let row = bitmap.row(y)
        return (0..<4).map { Double(row[x * 4 + $0]) }
    }

    private func weight(_ x: Double, isCubic: Bool) -> Double {
        let x = abs(x)
        if !isCubic { return max(0, 1 - x) }
        if x < 1 { return 1.5 * x * x * x - 2.5 * x * x + 1 }
        return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
    }

    /// Neither the sums of the boxes nor those of the weights overflow.
    @Test(arguments: [0.01, 0.1, 0.2, 0.22, 0.5, 16_000, 17_000, 40_000, 100_000]) func aBlurOfOneColourIsThatColour(
        sigma: Double
    ) throws {
        let white = try Picture.make(10, 10) { _, _ in [255, 255, 255, 255] }
        #expect(try blurred(white, sigma: sigma).packedBytes() == white.packedBytes())
    }

    @Test(arguments: [true, false], [10.0, 45, 133.7, 270.5])
    func rotationIsThatOfTheFormula(_ isCubic: Bool, _ degrees: Double) throws {
        let picture = try Picture.noise(23, 17, seed: UInt64(degrees))
        let size = PixelSize(clamping: 31, 29)
        let turned = try rotated(picture, degrees: degrees, size: size, isCubic: isCubic)
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (cx, cy) = (Double(x) - 15, Double(y) - 14)
                let (sx, sy) = (11 + cx * cosine + cy * sine, 8 - cx * sine + cy * cosine)
                var expected = [0.0, 0, 0, 0]
                for j in Int(sy.rounded(.down)) - 1...Int(sy.rounded(.down)) + 2 {
                    for i in Int(sx.rounded(.down)) - 1...Int(sx.rounded(.down)) + 2 {
                        let share = weight(sx - Double(i), isCubic: isCubic) * weight(sy - Double(j), isCubic: isCubic)
                        for (channel, value) in sample(picture, i, j).enumerated() { expected[channel] += share * value }
                    }
                }
                let alpha = min(max(expected[3], 0), 255)
                for (channel, value) in sample(turned, x, y).enumerated() {
                    // Positions are kept to 1/256 of a pixel: of noise, that is up to 3 levels.
                    #expect(abs(value - min(max(expected[channel], 0), alpha)) <= 4, "\(x), \(y), channel \(channel)")
                }
            }
        }
    }

    @Test func turnedPicturesStayPremultiplied() throws {
        for seed in 1...8 {
            let turned = try rotated(
                Picture.noise(9, 9, seed: UInt64(seed)), degrees: Double(seed) * 41, size: PixelSize(clamping: 12, 12),
                isCubic: true)
            for y in 0..<12 {
                for x in 0..<12 {
                    let pixel = sample(turned, x, y)
                    #expect(pixel[0] <= pixel[3] && pixel[1] <= pixel[3] && pixel[2] <= pixel[3])
                }
            }
        }
    }

    /// Compares with the weights of a true Gaussian; edge pixels are repeated beyond the edges.
    @Test(arguments: [0.5, 1, 2, 2.5, 4, 9.3])
    func blurIsThatOfTheFormula(_ sigma: Double) throws {
        let (width, height) = (37, 29)
        let picture = try Picture.noise(width, height, seed: 5)
        let soft = try blurred(picture, sigma: sigma)
        let reach = Int(sigma * 5) + 1
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        func edge(_ index: Int, _ count: Int) -> Int { min(max(index, 0), count - 1) }
        var across = [[Double]](repeating: [], count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                var total = [0.0, 0, 0, 0]
                for (index, weight) in weights.enumerated() {
                    let pixel = sample(picture, edge(x + index - reach, width), y)
                    for channel in 0..<4 { total[channel] += pixel[channel] * weight / sum }
                }
                across[y * width + x] = total
            }
        }
        for y in stride(from: 0, to: height, by: 3) {
            for x in 0..<width {
                var total = [0.0, 0, 0, 0]
                for (index, weight) in weights.enumerated() {
                    let pixel = across[edge(y + index - reach, height) * width + x]
                    for channel in 0..<4 { total[channel] += pixel[channel] * weight / sum }
                }
                for (channel, value) in sample(soft, x, y).enumerated() {
                    // Above 5, three boxes approximate the Gaussian: a few levels of noise. Each box repeats the edge anew, which
                    // gives the outermost pixels another weight.
                    let distance = Double(min(x, y, width - 1 - x, height - 1 - y))
                    let allowed = sigma <= 5 ? 1.5 : distance > 3 * sigma ? 6 : 24
                    #expect(abs(value - total[channel]) <= allowed, "sigma \(sigma): \(x), \(y)")
                }
            }
        }
    }
}
