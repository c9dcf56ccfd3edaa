import CGannetKernels
import Testing

@Suite("YCbCr to RGB") struct YCCTests {
    private static func samples(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            // Every third sample is at an end of the range.
            let value = UInt8(truncatingIfNeeded: state >> 56)
            return value % 3 == 0 ? (value & 1 == 0 ? 0 : 255) : value
        }
    }

    /// ITU-R BT.601, BT.709, BT.2020.
    private static let weights: [(kr: Double, kb: Double)] = [(0.299, 0.114), (0.2126, 0.0722), (0.2627, 0.0593)]

    /// The formulas of ITU-T H.273, 8.3, without rounding.
    private func exact(_ y: UInt8, _ cb: UInt8, _ cr: UInt8, _ kr: Double, _ kb: Double, isFull: Bool) -> [Double] {
        let luma = isFull ? Double(y) / 255 : (Double(y) - 16) / 219
        let scale = isFull ? 255.0 : 224.0
        let (blue, red) = ((Double(cb) - 128) / scale, (Double(cr) - 128) / scale)
        let (r, b) = (luma + 2 * (1 - kr) * red, luma + 2 * (1 - kb) * blue)
        return [r, (luma - kr * r - kb * b) / (1 - kr - kb), b].map { min(max($0 * 255, 0), 255) }
    }

    @Test("Rows are the nearest numbers of the formula, whatever their length", arguments: 0..<3, [true, false])
    func rows(matrix: Int, isFull: Bool) {
        let (kr, kb) = Self.weights[matrix]
        var coefficients = gannet_ycc_make(kr, kb, isFull ? 1 : 0)
        for count in 1...41 {
            let (y, cb, cr) = (Self.samples(count, 1), Self.samples(count, 2), Self.samples(count, 3))
            let alpha = Self.samples(count, 4)
            for (hasAlpha, isHalved) in [(true, false), (false, false), (true, true), (false, true)] {
                // One pixel more, which must stay as it is.
                var rgba = [UInt8](repeating: 77, count: count * 4 + 4)
                alpha.withUnsafeBufferPointer { alpha in
                    gannet_ycc_row(&rgba, y, cb, cr, hasAlpha ? alpha.baseAddress : nil, count, isHalved ? 1 : 0, &coefficients)
                }
                #expect(rgba[(count * 4)...] == [77, 77, 77, 77])
                for x in 0..<count {
                    let small = isHalved ? x / 2 : x
                    let wanted = exact(y[x], cb[small], cr[small], kr, kb, isFull: isFull)
                    for channel in 0..<3 {
                        #expect(abs(Double(rgba[x * 4 + channel]) - wanted[channel]) < 0.54)
                    }
                    #expect(rgba[x * 4 + 3] == (hasAlpha ? alpha[x] : 255))
                }
            }
        }
    }

    @Test("Without chroma all three are the luma, stretched where the range is limited")
    func gray() {
        var (full, limited) = (gannet_ycc_make(0.299, 0.114, 1), gannet_ycc_make(0.299, 0.114, 0))
        let y = (0...255).map { UInt8($0) }
        var rgba = [UInt8](repeating: 0, count: 1024)
        gannet_ycc_row(&rgba, y, nil, nil, nil, 256, 0, &full)
        #expect(rgba == y.flatMap { [$0, $0, $0, 255] })
        gannet_ycc_row(&rgba, y, nil, nil, nil, 256, 0, &limited)
        #expect(rgba[16 * 4] == 0 && rgba[235 * 4] == 255 && rgba[255 * 4] == 255 && rgba[0] == 0 && rgba[126 * 4 + 1] == 128)
    }

    @Test("Planes of red, green and blue are woven together", arguments: [1, 7, 8, 9, 40])
    func planes(count: Int) {
        let (red, green, blue) = (Self.samples(count, 5), Self.samples(count, 6), Self.samples(count, 7))
        let alpha = Self.samples(count, 8)
        var rgba = [UInt8](repeating: 0, count: count * 4)
        gannet_rgb_row(&rgba, red, green, blue, alpha, count)
        #expect(rgba == (0..<count).flatMap { [red[$0], green[$0], blue[$0], alpha[$0]] })
        gannet_rgb_row(&rgba, red, green, blue, nil, count)
        #expect(rgba == (0..<count).flatMap { [red[$0], green[$0], blue[$0], 255] })
    }
}
