import CGannetKernels
package import GannetCore
import Glibc

/// Maps light to less: to sRGB, or to PQ with the primaries of BT.2020 and a brightest light. By the curve of ITU-R BT.2390-11 §5.4: up to
/// a knee nothing changes, and what is above is shrunk so that the brightest light of the source becomes that of the result. All channels
/// of a pixel shrink alike, by the brightest of them in the primaries of BT.2020, so that hues stay, and one light is one colour whatever
/// primaries a file states it in. White is light of 203 cd/m² (BT.2408). PQ is SMPTE ST 2084, HLG is
/// BT.2100 on a display of 1000 cd/m².
///
/// Method A of ITU-R BT.2446 is a choice for standard range: see ``VideoCurve``.
///
/// Up to 112 KB of tables, made in about a millisecond. Immutable: all threads may share one.
package final class ToneMap: Sendable {
    /// cd/m²
    static let white = DynamicRange.white
    /// What HLG is made for, and most masters in PQ.
    package static let usualPeak = 1_000.0

    private let light: [Float]
    private let gamma: [Float]?
    private let shrink: [Float]
    private let signal: [Float]
    private let peak: Double
    /// The part of `peak` that stays as it is.
    private let knee: Double
    /// To the primaries of BT.2020; nil: the source has them.
    private let wide: LightMatrix?
    private let matrix: LightMatrix
    private let luma: [Double]
    private let gray: [Double]
    private let isHigh: Bool
    /// In place of the curve of BT.2390.
    private let video: VideoCurve?

    /// - Parameters:
    ///   - primaries: of H.273, with the white of D65: 1 (BT.709), 9 (BT.2020) or 12 (P3).
    ///   - transfer: of H.273: 16 (PQ) or 18 (HLG).
    ///   - brightest: cd/m² of the brightest pixel; nil or 0: unknown, and 1000 is assumed. Only PQ has such light.
    ///   - range: of the result.
    ///   - curve: to standard range. High range has that of BT.2390.
    ///
    /// Nil: other primaries, or another transfer.
    package init?(
        primaries: Int, transfer: Int, brightest: Int?, to range: DynamicRange = .standard, by curve: ToneMapping = .bt2390
    ) {
        guard let source = LightMatrix(primaries: primaries), transfer == 16 || transfer == 18 else { return nil }
        let target: LightMatrix = range.isHigh ? .wide : .sRGB
        let most = min(range.headroom, PQ.peak / Self.white)
        let known = transfer == 16 ? brightest.flatMap { $0 > 0 ? min(Double($0), PQ.peak) : nil } : nil
        // Light within the result's range is kept, whatever peak the file names.
        self.peak = max((known ?? Self.usualPeak) / Self.white, most)
        knee = min(Self.knee(peak: peak, most: most) / peak, 1)
        // In high range the unit is the brightest light of PQ.
        let toTarget = target.inverse.after(.wide)
        wide = primaries == 9 ? nil : LightMatrix.wide.inverse.after(source)
        matrix = range.isHigh ? toTarget.scaled(by: Self.white / PQ.peak) : toTarget
        luma = LightMatrix.wide.luminance
        gray = target.luminance
        isHigh = range.isHigh
        // Where nothing is brighter than white there is nothing to shrink.
        video = curve == .bt2446a && !isHigh && peak > most ? VideoCurve(peak: peak * Self.white) : nil
        let relative = peak
        let display = Self.usualPeak / Self.white
        light = LightTable.make { transfer == 16 ? PQ.light(of: $0) / Self.white : Self.light(ofHLG: $0) }
        // Scene light becomes that of the display.
        gamma = transfer == 16 ? nil : LightTable.make { display * pow(max(pow($0, 4), 1e-9), 0.2) }
        shrink = LightTable.make { Self.factor(pow($0, 4) * relative, peak: relative, most: most) }
        signal = range.isHigh ? LightTable.pq : LightTable.make { Self.sRGB($0 * $0) }
    }

    /// Straight or opaque pixels, in place.
    package func apply(_ pixels: inout MutableSpan<UInt8>, count: Int, isDeep: Bool) {
        precondition(count >= 0 && count * (isDeep ? 8 : 4) <= pixels.count, "more pixels than the row has")
        // The tables outlive the call, and C keeps none of them.
        pixels.withUnsafeMutableBytes { row in
            withTables([light, shrink, signal, gamma ?? []] + (video?.tables ?? [])) { tables in
                var map = gannet_tone_map()
                (map.light, map.shrink, map.signal) = (tables[0], tables[1], tables[2])
                if gamma != nil { map.gamma = tables[3] }
                if video != nil { (map.video, map.video_ratio, map.video_light) = (tables[4], tables[5], tables[6]) }
                map.peak = Float(peak)
                map.knee = Float(knee)
                map.is_high = isHigh
                map.has_wide_primaries = wide == nil
                if let wide {
                    withUnsafeMutableBytes(of: &map.wide) { $0.copyBytes(from: LightTable.floats(wide.numbers)) }
                }
                withUnsafeMutableBytes(of: &map.matrix) { $0.copyBytes(from: LightTable.floats(matrix.numbers)) }
                withUnsafeMutableBytes(of: &map.luma) { $0.copyBytes(from: LightTable.floats(luma)) }
                withUnsafeMutableBytes(of: &map.gray) { $0.copyBytes(from: LightTable.floats(gray)) }
                gannet_tone_map_row(&map, row.baseAddress, count, isDeep)
            }
        }
    }

    // MARK: Curves

    /// Light of the scene, 0…1; BT.2100, the inverse OETF.
    static func light(ofHLG signal: Double) -> Double {
        let a = 0.17883277
        let b = 1 - 4 * a
        let c = 0.5 - a * log(4 * a)
        return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
    }

    /// The light up to which nothing changes, relative to white, if the brightest becomes `most`.
    static func knee(peak: Double, most: Double = 1) -> Double {
        let brightest = PQ.signal(of: peak * white)
        return PQ.light(of: 1.5 * PQ.signal(of: most * white) - 0.5 * brightest) / white
    }

    /// The curve of BT.2390, as a factor of light. All light is relative to white.
    static func factor(_ light: Double, peak: Double, most target: Double = 1) -> Double {
        guard light > 0 else { return 1 }
        let brightest = PQ.signal(of: peak * white)
        let most = PQ.signal(of: target * white) / brightest
        let knee = 1.5 * most - 0.5
        let before = PQ.signal(of: light * white) / brightest
        guard before > knee, most < 1 else { return 1 }
        let place = (min(before, 1) - knee) / (1 - knee)
        let square = place * place
        let cube = square * place
        let after =
            (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + place) * (1 - knee) + (3 * square - 2 * cube) * most
        return PQ.light(of: after * brightest) / white / light
    }

    /// IEC 61966-2-1.
    static func sRGB(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : min(1.055 * pow(light, 1 / 2.4) - 0.055, 1)
    }
}
