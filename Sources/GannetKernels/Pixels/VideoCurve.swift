import GannetCore
import Glibc

/// Method A of Report ITU-R BT.2446-1 §4, which broadcasters convert programmes by. Its signals are those of video: light over the
/// brightest, with a gamma of 2.4. Their luma is shrunk in steps that the eye sees as equal, and colours follow it.
struct VideoCurve {
    /// By the fourth root of light over the brightest: the signal.
    let signal: [Float]
    /// By the luma of such signals: the new luma over it.
    let ratio: [Float]
    /// By the new signal: light, where 1 is white.
    let light: [Float]

    var tables: [[Float]] { [signal, ratio, light] }

    /// - Parameter peak: cd/m² of the brightest light.
    init(peak: Double) {
        signal = LightTable.make { pow($0, 4 / Self.gamma) }
        // Below some 400 cd/m² the report's curve makes the dark brighter than it is. Nothing has to become brighter to make room for light.
        let same = pow(peak / DynamicRange.white, 1 / Self.gamma)
        ratio = LightTable.make { min(Self.ratio($0, peak: peak), same) }
        light = LightTable.make { pow($0, Self.gamma) }
    }

    private static let gamma = 2.4
    /// cd/m² of white in an image in standard range, in the report. With the 203 of BT.2408 all would become darker still.
    private static let white = 100.0

    /// The luma of standard range over that of high range, which is 0…1.
    static func ratio(_ luma: Double, peak: Double) -> Double {
        let (high, standard) = (steps(peak), steps(white))
        // The limit of the lines below, in the dark.
        guard luma > 1e-6 else { return 1.077 * (high - 1) / log(high) * log(standard) / (standard - 1) }
        let seen = log(1 + (high - 1) * luma) / log(high)
        let less =
            switch seen {
            case ...0.7399: 1.077 * seen
            case ..<0.9909: (2.7811 - 1.151 * seen) * seen - 0.6302
            default: 0.5 * seen + 0.5
            }
        return (pow(standard, less) - 1) / (standard - 1) / luma
    }

    /// The report's ρ: how far light of this brightness is from black, for the eye.
    private static func steps(_ light: Double) -> Double { 1 + 32 * pow(light / 10_000, 1 / gamma) }
}
