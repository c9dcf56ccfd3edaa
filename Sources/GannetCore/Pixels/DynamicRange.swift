/// How bright pixels may be, and what their numbers mean.
///
/// In standard range nothing is brighter than white, and pixels are sRGB. In high range they are PQ (SMPTE ST 2084) with the primaries
/// of BT.2020 and 16 bits: code points 9 and 16 of ITU-T H.273, as in HDR10. White is light of 203 cd/m² (BT.2408), a signal of 58 %.
///
/// - SDWebImage: SDImageCoderDecodeToHDR. ImageIO: kCGImageSourceDecodeToHDR. SwiftUI: Image.DynamicRange
public struct DynamicRange: Hashable, Sendable {
    /// The brightest light as a ratio to white: 1 in standard range; infinite where the file does not say how bright it is.
    public let headroom: Double
    /// Pixels are PQ.
    public let isHigh: Bool

    /// Brighter light is mapped to white.
    public static let standard = DynamicRange(headroom: 1, isHigh: false)

    /// All light that the file has. Files without any, as most, stay in standard range.
    public static let high = high(headroom: .infinity)

    /// The same, for a display that shows `headroom` times the light of white: brighter light is mapped to that. Standards give the
    /// logarithm, in stops: 2 stops are 4. Less than 1 is 1.
    public static func high(headroom: Double) -> DynamicRange {
        DynamicRange(headroom: headroom > 1 ? headroom : 1, isHigh: true)
    }

    private init(headroom: Double, isHigh: Bool) {
        (self.headroom, self.isHigh) = (headroom, isHigh)
    }

    /// cd/m² of white.
    package static let white = 203.0

    /// cd/m² of the brightest light in high range; nil: unknown.
    package var brightest: Int? { isHigh && headroom < 50 ? Int((headroom * Self.white).rounded()) : nil }

    /// With no more light than `limit`.
    package func limited(to limit: DynamicRange) -> DynamicRange { .high(headroom: min(headroom, limit.headroom)) }
}

extension DynamicRange: CustomStringConvertible {
    /// `standard`, `high` or `high, up to 4.9 times white`.
    public var description: String {
        guard isHigh else { return "standard" }
        return headroom.isFinite ? "high, up to \(headroom.decimal(places: 2)) times white" : "high"
    }
}
