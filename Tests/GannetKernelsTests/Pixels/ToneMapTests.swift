import GannetCore
import GannetKernels
import Glibc
import Testing

/// Light brighter than white, by the curve of BT.2390. NW-02, CX-15
@Suite struct ToneMapTests {
    /// Samples of 16 bits through a map.
    private func mapped(_ rgb: [Int], _ map: ToneMap) throws -> [Int] {
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 1, 1), format: .rgba16, alpha: .straight))
        write(rgb + [12_345], into: &buffer)
        map.apply(&buffer, isDeep: true)
        let row = buffer.row(0)
        #expect(Int(row[6]) | Int(row[7]) << 8 == 12_345)
        return (0..<3).map { Int(row[2 * $0]) | Int(row[2 * $0 + 1]) << 8 }
    }

    private func write(_ samples: [Int], into buffer: inout PixelBuffer) {
        var row = buffer.mutableRow(0)
        for (index, sample) in samples.enumerated() {
            (row[2 * index], row[2 * index + 1]) = (UInt8(sample & 255), UInt8(sample >> 8))
        }
    }

    private func isNear(_ samples: [Int], _ levels: [Double], within: Double = 0.2) -> Bool {
        zip(samples, levels).allSatisfy { abs(Double($0) / 257 - $1) <= within }
    }

    /// Grey of 1, 20, 50, 100, 203, 400 and 800 cd/m², calculated apart, in 8 bits.
    // NW-02
    @Test(arguments: [
        (203, [15.37, 88.41, 136.03, 186.27, 255, 255, 255]), (1000, [15.37, 88.41, 136.03, 185.74, 228.99, 249.74, 254.92]),
        (4000, [15.37, 88.41, 135.46, 173.98, 207.92, 231.96, 246.89]),
    ])
    func grayFollowsTheCurve(_ peak: Int, _ levels: [Double]) throws {
        let map = try #require(ToneMap(primaries: 9, transfer: 16, brightest: peak))
        for (signal, level) in zip([9_827, 23_397, 28_854, 33_297, 38_055, 42_767, 47_678], levels) {
            let samples = try mapped([signal, signal, signal], map)
            #expect(isNear(samples, [level, level, level]), "\(signal) is \(samples)")
        }
        #expect(try mapped([65_535, 65_535, 65_535], map).allSatisfy { $0 >= 65_500 })
        #expect(try mapped([0, 0, 0], map) == [0, 0, 0])
    }

    /// Without a level 1000 cd/m² are assumed; one of 0 says nothing; a display of less than white needs no curve.
    @Test func thePeakIsTheFiles() throws {
        let gray = [42_767, 42_767, 42_767]
        let usual = try mapped(gray, #require(ToneMap(primaries: 9, transfer: 16, brightest: nil)))
        #expect(isNear(usual, [249.74, 249.74, 249.74]))
        #expect(try mapped(gray, #require(ToneMap(primaries: 9, transfer: 16, brightest: 0))) == usual)
        let dark = try mapped([33_297, 33_297, 33_297], #require(ToneMap(primaries: 9, transfer: 16, brightest: 120)))
        #expect(isNear(dark, [186.27, 186.27, 186.27]))
    }

    @Test(arguments: [(0.25, 61.43), (0.5, 136.89), (0.75, 229.02), (1, 255)])
    func hlgIsThatOfADisplayOf1000(_ signal: Double, _ level: Double) throws {
        let map = try #require(ToneMap(primaries: 9, transfer: 18, brightest: nil))
        let sample = Int(signal * 65_535)
        #expect(isNear(try mapped([sample, sample, sample], map), [level, level, level], within: 0.5))
    }

    /// 30, 30 and 200 cd/m² of BT.2020's colours lie within sRGB.
    @Test func coloursWithinAreConverted() throws {
        let map = try #require(ToneMap(primaries: 9, transfer: 16, brightest: 1000))
        #expect(isNear(try mapped([25_747, 25_747, 37_953], map), [74.06, 93.72, 238.21], within: 0.5))
    }

    /// Green of BT.2020, 100, 400 and 100 cd/m²: one channel would be negative, one more than 1.
    @Test func coloursOutsideKeepTheirLuminance() throws {
        let map = try #require(ToneMap(primaries: 9, transfer: 16, brightest: 1000))
        let samples = try mapped([33_297, 42_766, 33_297], map).map { light(Double($0) / 65_535) }
        let luminance = 0.2126 * samples[0] + 0.7152 * samples[1] + 0.0722 * samples[2]
        #expect(abs(luminance - (0.2126 * -0.1819 + 0.7152 * 1.0488 + 0.0722 * 0.1665)) < 0.003)
        #expect(samples[1] > samples[2] && samples[2] > samples[0] && samples[0] < 0.01)
    }

    /// BT.2087 has the matrix; the light is red of 400 cd/m² that no white is mixed into, and orange of 700.
    @Test(arguments: [16, 18], [[400.0, 2, 2], [700, 250, 10], [60, 60, 900]])
    func oneLightIsOneColourInAnyPrimaries(_ transfer: Int, _ narrow: [Double]) throws {
        let toWide = [[0.627404, 0.329283, 0.043313], [0.069097, 0.919540, 0.011362], [0.016391, 0.088013, 0.895595]]
        let wide = toWide.map { row in zip(row, narrow).reduce(0) { $0 + $1.0 * $1.1 } }
        func signals(_ light: [Double]) -> [Int] {
            light.map { Int((transfer == 16 ? pq($0) : hlg($0 / 1000)) * 65_535 + 0.5) }
        }
        let one = try mapped(signals(narrow), #require(ToneMap(primaries: 1, transfer: transfer, brightest: 1000)))
        let other = try mapped(signals(wide), #require(ToneMap(primaries: 9, transfer: transfer, brightest: 1000)))
        #expect(zip(one, other).allSatisfy { abs($0 - $1) <= 257 }, "\(one) \(other)")
    }

    /// SMPTE ST 2084, 5.2.
    private func pq(_ light: Double) -> Double {
        let y = pow(light / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
    }

    /// BT.2100: the signal of a scene's light.
    private func hlg(_ light: Double) -> Double {
        light <= 1.0 / 12 ? (3 * light).squareRoot() : 0.17883277 * log(12 * light - 0.28466892) + 0.55991073
    }

    private func light(_ signal: Double) -> Double {
        signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
    }

    @Test(arguments: [16, 18], [1, 9, 12]) func brighterIsBrighter(_ transfer: Int, _ primaries: Int) throws {
        let map = try #require(ToneMap(primaries: primaries, transfer: transfer, brightest: 4000))
        var last = -1
        for signal in stride(from: 0, through: 65_535, by: 257) {
            let samples = try mapped([signal, signal, signal], map)
            #expect((samples.max() ?? 0) - (samples.min() ?? 0) <= 40, "grey stays grey: \(samples)")
            #expect(samples[1] >= last)
            last = samples[1]
        }
    }

    @Test func eightBitsAreTheSameLight() throws {
        let map = try #require(ToneMap(primaries: 9, transfer: 16, brightest: nil))
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 2, 1), alpha: .straight))
        var row = buffer.mutableRow(0)
        for (index, sample) in [148, 148, 148, 9, 0, 255, 60, 7].enumerated() { row[index] = UInt8(sample) }
        map.apply(&buffer, isDeep: false)
        let samples = (0..<8).map { Int(buffer.row(0)[$0]) }
        #expect((228...230).contains(samples[0]) && samples[3] == 9 && samples[7] == 7)
        let deep = try mapped([0, 65_535, 60 * 257], map)
        #expect(zip(samples[4..<7], deep).allSatisfy { abs($0 - ($1 + 128) / 257) <= 1 })
    }

    @Test(arguments: [(4, 16), (9, 13), (99, 16), (9, 1)]) func othersHaveNone(_ primaries: Int, _ transfer: Int) {
        #expect(ToneMap(primaries: primaries, transfer: transfer, brightest: nil) == nil)
    }
}

extension ToneMap {
    fileprivate func apply(_ buffer: inout PixelBuffer, isDeep: Bool) {
        let width = buffer.size.width
        var row = buffer.mutableRow(0)
        apply(&row, count: width, isDeep: isDeep)
    }
}
