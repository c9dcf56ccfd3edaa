import CGannetKernels
import GannetCore
import Testing

@testable import GannetKernels

/// The choice of instruction set must not change a single bit: each set is compared with the plain loops.
@Suite("Instruction sets") struct LevelTests {
    // TR-07
    @Test("small blurs: every level gives the same bytes", arguments: [0.3, 0.7, 1, 2, 3.4, 5])
    func convolving(_ sigma: Double) throws {
        for (width, height) in [(1, 1), (3, 9), (8, 2), (33, 21), (70, 5)] {
            let picture = try Picture.noise(width, height, seed: 12)
            let plain = try convolved(picture, sigma, level: gannet_level_plain)
            #expect(try convolved(picture, sigma, level: gannet_level_best()) == plain, "\(width)×\(height)")
        }
    }

    private func convolved(_ picture: Bitmap, _ sigma: Double, level: gannet_level) throws -> [UInt8] {
        let kernels: UnsafePointer<gannet_convolve_kernels>? = gannet_convolve_at(Int32(level.rawValue))
        let convolver = try Convolver(picture, sigma: sigma, pool: .shared, kernels: kernels)
        var rows: [UInt8] = []
        for y in 0..<picture.height {
            var row = [UInt8](repeating: 0, count: picture.width * 4)
            convolver.write(row: y, to: &row)
            rows += row
        }
        return rows
    }

    // TR-05
    @Test("slanted lines: every level gives the same bytes", arguments: [gannet_level_sse2, gannet_level_avx2])
    func sampling(_ level: gannet_level) throws {
        for (width, height) in [(1, 1), (3, 5), (4, 4), (40, 31)] {
            let picture = try Picture.noise(width, height, seed: 4)
            var noise = Noise(seed: 77)
            for _ in 0..<40 {
                let x = Int64(noise.below(width << 17)) - Int64(width << 15)
                let dx = Int64(noise.below(200_000)) - 100_000
                let y = Int64(noise.below(height << 17)) - Int64(height << 15)
                let dy = Int64(noise.below(200_000)) - 100_000
                let other = line(picture, level, x, y, dx, dy)
                if let other { #expect(other == line(picture, gannet_level_plain, x, y, dx, dy)) }
            }
        }
    }

    /// Nil where the processor has no such level.
    private func line(
        _ picture: Bitmap, _ level: gannet_level, _ x: Int64, _ y: Int64, _ dx: Int64, _ dy: Int64
    ) -> [UInt32]? {
        var out = [UInt32](repeating: 7, count: 50)
        let isThere = picture.withUnsafeRows { base, stride in
            var source = gannet_bitmap(pixels: base, stride: stride, width: picture.width, height: picture.height)
            return gannet_sample_line_at(level, &out, 50, &source, x, y, dx, dy)
        }
        return isThere ? out : nil
    }

    // TR-04, TR-05
    @Test("turning: every pixel comes from its place, with and without AVX2")
    func turning() {
        for (width, height) in [(1, 1), (8, 4), (16, 32), (17, 9), (33, 40), (64, 37)] {
            let source = (0..<UInt32(width * height)).map { $0 }
            for (acrossPixels, downPixels) in [(1, width), (-1, width), (width, 1), (-width, 1), (width, -1), (-width, -1)] {
                // Rows that run along the source keep its sides, others exchange them.
                let isUpright = abs(acrossPixels) == 1 && abs(downPixels) == width
                let (columns, rows) = isUpright ? (width, height) : (height, width)
                var corner = 0
                if acrossPixels < 0 { corner -= (columns - 1) * acrossPixels }
                if downPixels < 0 { corner -= (rows - 1) * downPixels }
                var expected: [UInt32] = []
                for y in 0..<rows {
                    for x in 0..<columns { expected.append(UInt32(corner + x * acrossPixels + y * downPixels)) }
                }
                for kernel in [gannet_turn, gannet_turn_plain] {
                    var out = [UInt32](repeating: 0, count: columns * rows)
                    out.withUnsafeMutableBytes { out in
                        source.withUnsafeBytes { source in
                            kernel(
                                out.baseAddress?.assumingMemoryBound(to: UInt8.self), columns * 4, columns, rows,
                                source.baseAddress?.assumingMemoryBound(to: UInt8.self).advanced(by: corner * 4),
                                acrossPixels * 4, downPixels * 4, 4)
                        }
                    }
                    #expect(out == expected, "\(width)×\(height), \(acrossPixels) and \(downPixels)")
                }
            }
        }
    }

    // TR-15
    @Test("grey is the weighted mean, rounded, and never above alpha")
    func grey() {
        var noise = Noise(seed: 3)
        var pixels = (0..<5000).map { _ -> UInt32 in
            let alpha = noise.below(256)
            let colors = (0..<3).map { _ in noise.below(alpha + 1) }
            return UInt32(colors[0] | colors[1] << 8 | colors[2] << 16 | alpha << 24)
        }
        pixels += [0, 0xFFFF_FFFF, 0xFF00_0000, 0x0101_0101]
        var gray = pixels
        gannet_gray(&gray, gray.count)
        for (before, after) in zip(pixels, gray) {
            let channels = [before & 255, before >> 8 & 255, before >> 16 & 255].map { Double($0) }
            let exact = channels[0] * 0.2126 + channels[1] * 0.7152 + channels[2] * 0.0722
            #expect(abs(Double(after & 255) - exact) <= 0.51 && after & 255 <= after >> 24)
            #expect(after >> 8 & 255 == after & 255 && after >> 16 & 255 == after & 255 && after >> 24 == before >> 24)
        }
    }

    // TR-17
    @Test("sharpening in one pass is sharpening against the blurred picture", arguments: [0.8, 2, 7])
    func sharpening(_ sigma: Double) throws {
        let picture = try Picture.noise(29, 17, seed: 6)
        let soft = try blurred(picture, sigma: sigma)
        let sharp = try sharpened(picture, sigma: sigma, amount: 0.7)
        for y in 0..<17 {
            for x in 0..<29 {
                let (own, blur) = (picture.pixel(x, y), soft.pixel(x, y))
                let expected = (0..<3).map { channel in
                    min(max((Double(own[channel]) + 0.7 * Double(own[channel] - blur[channel])).rounded(), 0), Double(own[3]))
                }
                for channel in 0..<3 { #expect(abs(Double(sharp.pixel(x, y)[channel]) - expected[channel]) <= 1) }
                #expect(sharp.pixel(x, y)[3] == own[3])
            }
        }
    }
}
