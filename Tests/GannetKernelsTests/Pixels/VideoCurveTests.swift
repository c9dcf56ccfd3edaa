import GannetCore
import GannetKernels
import Testing

/// Light brighter than white, by method A of ITU-R BT.2446. The numbers are calculated apart, in double precision. NW-02
@Suite struct VideoCurveTests {
    /// Samples of 16 bits through a map, in levels of 8 bits.
    private func mapped(_ rgb: [Int], _ map: ToneMap) -> [Double] {
        var row = (rgb + [12_345]).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        var span = row.mutableSpan
        map.apply(&span, count: 1, isDeep: true)
        #expect(Int(row[6]) | Int(row[7]) << 8 == 12_345)
        return (0..<3).map { Double(Int(row[2 * $0]) | Int(row[2 * $0 + 1]) << 8) / 257 }
    }

    private func map(
        _ brightest: Int?, primaries: Int = 9, transfer: Int = 16, _ curve: ToneMapping = .bt2446a
    ) throws -> ToneMap {
        try #require(ToneMap(primaries: primaries, transfer: transfer, brightest: brightest, by: curve))
    }

    private func isNear(_ levels: [Double], _ wanted: [Double], within: Double = 0.3) -> Bool {
        zip(levels, wanted).allSatisfy { abs($0 - $1) <= within }
    }

    /// Grey of 1, 20, 50, 100, 203, 400 and 800 cd/m². Under a low peak the report's curve makes the dark brighter; here it stays.
    // NW-02, CX-15
    @Test(arguments: [
        (204, [15.37, 88.41, 136.03, 186.27, 254.75, 255, 255]), (400, [15.37, 88.41, 131.27, 174.2, 218.86, 255, 255]),
        (1000, [12.47, 67.85, 99.64, 130.91, 170.75, 210.01, 245.35]),
        (4000, [7.35, 47.95, 70.05, 91.09, 117.22, 147.46, 183.07]), (10_000, [5.4, 39.1, 57.23, 74.23, 95.01, 118.7, 147.3]),
    ])
    func grayFollowsTheCurve(_ peak: Int, _ levels: [Double]) throws {
        let map = try map(peak)
        for (signal, level) in zip([9_827, 23_397, 28_854, 33_297, 38_055, 42_767, 47_678], levels) {
            let found = mapped([signal, signal, signal], map)
            #expect(isNear(found, [level, level, level]), "\(signal) is \(found)")
        }
        #expect(mapped([65_535, 65_535, 65_535], map).allSatisfy { $0 >= 254.9 })
        #expect(mapped([0, 0, 0], map) == [0, 0, 0])
    }

    /// In cd/m² of BT.2020's primaries; all of them lie within sRGB.
    @Test(arguments: [
        ([60.0, 30, 10], [123.13, 74.60, 40.76]), ([30, 30, 200], [64.73, 78.81, 191.04]),
        ([30, 60, 25], [56.26, 111.02, 69.05]), ([120, 100, 60], [148.31, 129.01, 101.17]),
    ])
    func coloursFollowTheirLuma(_ light: [Double], _ levels: [Double]) throws {
        let signals = light.map { Int(PQ.signal(of: $0) * 65_535 + 0.5) }
        let found = mapped(signals, try map(1000))
        #expect(isNear(found, levels), "\(found)")
    }

    /// Orange of 1,000 cd/m² in a file that names 300 as its brightest is the orange of 300.
    @Test func whatIsBrighterThanNamedKeepsItsColour() throws {
        let map = try map(300)
        let (over, within) = ([1000.0, 500, 100], [300.0, 150, 30])
        func levels(_ light: [Double]) -> [Double] { mapped(light.map { Int(PQ.signal(of: $0) * 65_535 + 0.5) }, map) }
        #expect(isNear(levels(over), levels(within)), "\(levels(over)) \(levels(within))")
    }

    /// Their signals would be more than 1, or less than 0: orange of 700 cd/m², red that no white is mixed into, and the brightest blue.
    @Test(arguments: [
        (1000, [700.0, 250, 10], [255.0, 181.03, 141.97]), (1000, [400, 2, 2], [255, 23.58, 73.73]),
        (10_000, [10, 10, 9000], [0, 56.92, 225.11]),
    ])
    func coloursOutsideLoseSaturation(_ peak: Int, _ light: [Double], _ levels: [Double]) throws {
        let found = mapped(light.map { Int(PQ.signal(of: $0) * 65_535 + 0.5) }, try map(peak))
        #expect(isNear(found, levels, within: 0.6), "\(found)")
    }

    @Test(arguments: [16, 18], [1, 9, 12]) func brighterIsBrighter(_ transfer: Int, _ primaries: Int) throws {
        let map = try map(4000, primaries: primaries, transfer: transfer)
        var last = -1.0
        for signal in stride(from: 0, through: 65_535, by: 257) {
            let levels = mapped([signal, signal, signal], map)
            #expect((levels.max() ?? 0) - (levels.min() ?? 0) <= 0.2, "grey stays grey: \(levels)")
            #expect(levels[1] >= last)
            last = levels[1]
        }
        #expect(last > 254.8)
    }

    /// HLG is light of a display of 1000 cd/m²: as that light in PQ.
    @Test func hlgIsTheSameLight() throws {
        let signal = mapped([49_151, 49_151, 49_151], try map(nil, transfer: 18))
        #expect(isNear(signal, [170.8, 170.8, 170.8], within: 0.6), "\(signal)")
    }

    /// Nothing is brighter than white: there is nothing to shrink, by either curve.
    @Test func darkImagesStay() throws {
        for signal in stride(from: 0, through: 38_000, by: 1_000) {
            let rgb = [signal, signal / 2, signal]
            #expect(mapped(rgb, try map(200)) == mapped(rgb, try map(200, .bt2390)))
        }
    }

    /// A display's limit is for BT.2390 alone.
    @Test func highRangeHasOneCurve() throws {
        func limited(_ curve: ToneMapping) throws -> [Double] {
            let map = try #require(
                ToneMap(primaries: 9, transfer: 16, brightest: 4000, to: .high(headroom: 2), by: curve))
            return mapped([50_000, 40_000, 30_000], map)
        }
        #expect(try limited(.bt2446a) == limited(.bt2390))
    }
}
