import CGannetKernels
import GannetCore
import Glibc

/// Maps light brighter than white to sRGB, by the curve of ITU-R BT.2390-11 §5.4: up to a knee nothing changes, and what is above is
/// shrunk so that the brightest light of the source becomes white. All channels of a pixel shrink alike, by the brightest of them,
/// so that hues stay. White is light of 203 cd/m² (BT.2408). PQ is SMPTE ST 2084, HLG is BT.2100 on a display of 1000 cd/m².
///
/// 64 KB of tables, made in about a millisecond. Immutable: all threads may share one.
package final class ToneMap: Sendable {
    /// cd/m²
    static let white = 203.0
    /// What HLG is made for, and most masters in PQ.
    static let usualPeak = 1_000.0
    private static let steps = Int(GANNET_TONE_MAP_STEPS)

    private let light: [Float]
    private let gamma: [Float]?
    private let shrink: [Float]
    private let signal: [Float]
    private let peak: Double
    /// The part of `peak` that stays as it is.
    private let knee: Double
    private let matrix: [Double]
    private let luma: [Double]

    /// - Parameters:
    ///   - primaries: of H.273, with the white of D65: 1 (BT.709), 9 (BT.2020) or 12 (P3).
    ///   - transfer: of H.273: 16 (PQ) or 18 (HLG).
    ///   - brightest: cd/m² of the brightest pixel; nil or 0: unknown, and 1000 is assumed. Only PQ has such light.
    ///
    /// Nil: other primaries, or another transfer.
    package init?(primaries: Int, transfer: Int, brightest: Int?) {
        guard let source = Self.toXYZ[primaries], transfer == 16 || transfer == 18,
            let target = Self.toXYZ[1].flatMap(Self.inverse)
        else { return nil }
        let peak =
            transfer == 16 ? brightest.flatMap { $0 > 0 ? Double(min($0, 10_000)) : nil } ?? Self.usualPeak : Self.usualPeak
        self.peak = max(peak / Self.white, 1)
        knee = min(Self.knee(peak: self.peak) / self.peak, 1)
        matrix = Self.product(target, source)
        luma = Array(source[3..<6])
        let relative = self.peak
        let usual = Self.usualPeak / Self.white
        light = Self.table { transfer == 16 ? Self.light(ofPQ: $0) / Self.white : Self.light(ofHLG: $0) }
        // Scene light becomes that of the display.
        gamma = transfer == 16 ? nil : Self.table { usual * pow(max(pow($0, 4), 1e-9), 0.2) }
        shrink = Self.table { Self.factor(pow($0, 4) * relative, peak: relative) }
        signal = Self.table { Self.sRGB($0 * $0) }
    }

    /// Straight or opaque pixels, in place.
    package func apply(_ pixels: inout MutableSpan<UInt8>, count: Int, isDeep: Bool) {
        precondition(count >= 0 && count * (isDeep ? 8 : 4) <= pixels.count, "more pixels than the row has")
        // The tables outlive the call, and C keeps none of them.
        pixels.withUnsafeMutableBytes { row in
            light.withUnsafeBufferPointer { light in
                shrink.withUnsafeBufferPointer { shrink in
                    signal.withUnsafeBufferPointer { signal in
                        var map = gannet_tone_map()
                        map.light = light.baseAddress
                        map.shrink = shrink.baseAddress
                        map.signal = signal.baseAddress
                        map.peak = Float(peak)
                        map.knee = Float(knee)
                        withUnsafeMutableBytes(of: &map.matrix) { $0.copyBytes(from: floats(matrix)) }
                        withUnsafeMutableBytes(of: &map.luma) { $0.copyBytes(from: floats(luma)) }
                        guard let gamma else { return gannet_tone_map_row(&map, row.baseAddress, count, isDeep) }
                        gamma.withUnsafeBufferPointer {
                            map.gamma = $0.baseAddress
                            gannet_tone_map_row(&map, row.baseAddress, count, isDeep)
                        }
                    }
                }
            }
        }
    }

    private func floats(_ numbers: [Double]) -> [UInt8] {
        numbers.map { Float($0) }.withUnsafeBytes { Array($0) }
    }

    private static func table(_ value: (Double) -> Double) -> [Float] {
        (0...steps).map { Float(value(Double($0) / Double(steps))) }
    }

    // MARK: Curves

    /// cd/m²; ST 2084, the EOTF.
    static func light(ofPQ signal: Double) -> Double {
        let root = pow(max(signal, 0), 1 / PQ.m2)
        return pow(max(root - PQ.c1, 0) / (PQ.c2 - PQ.c3 * root), 1 / PQ.m1) * 10_000
    }

    /// ST 2084, the inverse EOTF.
    static func pq(ofLight light: Double) -> Double {
        let power = pow(max(light, 0) / 10_000, PQ.m1)
        return pow((PQ.c1 + PQ.c2 * power) / (1 + PQ.c3 * power), PQ.m2)
    }

    private enum PQ {
        static let m1 = 2610.0 / 16_384
        static let m2 = 2523.0 / 4096 * 128
        static let c1 = 3424.0 / 4096
        static let c2 = 2413.0 / 4096 * 32
        static let c3 = 2392.0 / 4096 * 32
    }

    /// Light of the scene, 0…1; BT.2100, the inverse OETF.
    static func light(ofHLG signal: Double) -> Double {
        let a = 0.17883277
        let b = 1 - 4 * a
        let c = 0.5 - a * log(4 * a)
        return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
    }

    /// The light up to which nothing changes, relative to white.
    static func knee(peak: Double) -> Double {
        let brightest = pq(ofLight: peak * white)
        return light(ofPQ: 1.5 * pq(ofLight: white) - 0.5 * brightest) / white
    }

    /// The curve of BT.2390, as a factor of light. Light and peak are relative to white.
    static func factor(_ light: Double, peak: Double) -> Double {
        guard light > 0 else { return 1 }
        let brightest = pq(ofLight: peak * white)
        let most = pq(ofLight: white) / brightest
        let knee = 1.5 * most - 0.5
        let before = pq(ofLight: light * white) / brightest
        guard before > knee, most < 1 else { return 1 }
        let place = (min(before, 1) - knee) / (1 - knee)
        let square = place * place
        let cube = square * place
        let after =
            (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + place) * (1 - knee) + (3 * square - 2 * cube) * most
        return self.light(ofPQ: after * brightest) / white / light
    }

    /// IEC 61966-2-1.
    static func sRGB(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : min(1.055 * pow(light, 1 / 2.4) - 0.055, 1)
    }

    // MARK: Primaries

    /// RGB to XYZ, by rows.
    private static let toXYZ: [Int: [Double]] = [
        1: toXYZ([(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)]),
        9: toXYZ([(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]),
        12: toXYZ([(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]),
    ]

    /// SMPTE RP 177, with the white of D65.
    private static func toXYZ(_ places: [(x: Double, y: Double)]) -> [Double] {
        let columns = places.map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let white = [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290]
        let matrix = (0..<9).map { columns[$0 % 3][$0 / 3] }
        guard let inverse = inverse(matrix) else { return matrix }
        let scales = (0..<3).map { row in (0..<3).map { inverse[3 * row + $0] * white[$0] }.reduce(0, +) }
        return (0..<9).map { matrix[$0] * scales[$0 % 3] }
    }

    private static func product(_ a: [Double], _ b: [Double]) -> [Double] {
        (0..<9).map { place in
            let (row, column) = (place / 3 * 3, place % 3)
            return (0..<3).map { a[row + $0] * b[3 * $0 + column] }.reduce(0, +)
        }
    }

    /// Nil: there is none.
    private static func inverse(_ m: [Double]) -> [Double]? {
        let cofactors = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
        return determinant == 0 ? nil : cofactors.map { $0 / determinant }
    }
}
