import Glibc

/// The meaning of the samples of a gain map, and the displays that they are for (the terms are those of ISO 21496-1).
///
/// An image has two renditions: the **base**, which is stored, and the **alternate**, which the map makes of it. A sample from 0 to
/// 1 becomes the logarithm of a ratio: `s^(1/gamma) · (maximum − minimum) + minimum`. Logarithms are to base 2, so their unit is the
/// stop. A headroom is how much brighter than white a display can be.
package struct GainMapMetadata: Hashable, Sendable {
    /// The numbers of one channel.
    package struct Channel: Hashable, Sendable {
        /// The ratio of a sample of 0, in stops.
        package var minimum: Double
        /// The ratio of a sample of 1, in stops.
        package var maximum: Double
        /// Above 0.
        package var gamma: Double
        /// Added to linear light of the base before it is multiplied; white is 1.
        package var baseOffset: Double
        /// Subtracted afterwards.
        package var alternateOffset: Double

        package init(
            minimum: Double = 0, maximum: Double, gamma: Double = 1, baseOffset: Double = 1.0 / 64,
            alternateOffset: Double = 1.0 / 64
        ) {
            self.minimum = minimum
            self.maximum = maximum
            self.gamma = gamma
            self.baseOffset = baseOffset
            self.alternateOffset = alternateOffset
        }

        fileprivate var isValid: Bool {
            [minimum, maximum, gamma, baseOffset, alternateOffset].allSatisfy {
                $0.isFinite && abs($0) <= GainMapMetadata.largest
            }
                && gamma > 0.001 && minimum <= maximum
        }
    }

    /// No number of a map is larger; more than 60 stops are no light that a display could show.
    private static let largest = 60.0

    package let red: Channel
    package let green: Channel
    package let blue: Channel
    /// Displays with this headroom or less show the base, in stops; 0 for a base in standard range.
    package let baseHeadroom: Double
    /// Displays with this headroom or more show the alternate, in stops.
    package let alternateHeadroom: Double
    /// Whether ratios apply to the primaries of the base; otherwise to those of the alternate.
    package var usesBaseColors: Bool

    /// Nil: numbers that no map can have.
    package init?(
        _ red: Channel, _ green: Channel, _ blue: Channel, baseHeadroom: Double, alternateHeadroom: Double,
        usesBaseColors: Bool = true
    ) {
        guard red.isValid, green.isValid, blue.isValid, baseHeadroom != alternateHeadroom,
            [baseHeadroom, alternateHeadroom].allSatisfy({ (0...Self.largest).contains($0) })
        else { return nil }
        (self.red, self.green, self.blue) = (red, green, blue)
        (self.baseHeadroom, self.alternateHeadroom) = (baseHeadroom, alternateHeadroom)
        self.usesBaseColors = usesBaseColors
    }

    /// Red, green, blue.
    package var channels: [Channel] { [red, green, blue] }

    /// The same numbers for red, green and blue.
    package var hasEqualChannels: Bool { red == green && green == blue }

    /// The stored image is the brighter one.
    package var isBaseHDR: Bool { baseHeadroom > alternateHeadroom }

    /// How much brighter than white the brighter rendition may be, as a factor.
    package var headroom: Double { exp2(max(baseHeadroom, alternateHeadroom)) }

    /// How much of the logarithms applies on a display with this headroom (a factor, 1 or more): 0 is the base, 1 the alternate; less
    /// than 0 if the base is the brighter one.
    package func weight(headroom: Double) -> Double {
        let stops = headroom > 1 ? log2(headroom) : 0
        let part = min(max((stops - baseHeadroom) / (alternateHeadroom - baseHeadroom), 0), 1)
        return isBaseHDR ? -part : part
    }
}

/// How a file says what its gain map means.
package enum GainMapFormat: String, Hashable, Sendable {
    /// Adobe's properties `hdrgm` in XMP, as in Ultra HDR.
    case adobe
    /// The binary metadata of ISO 21496-1.
    case iso
    /// Apple's, before its phones wrote the standard's.
    case apple
}

/// A gain map as its file has it: an image of the same format as its own.
package struct EncodedGainMap: Sendable {
    /// The whole file of the map: the JPEG behind the image's, or one that was put together of the parts of a HEIC or AVIF file.
    package var bytes: [UInt8]
    /// Pixels of the map, often fewer than the image's.
    package var size: PixelSize
    /// One channel for all colours.
    package var isGray: Bool
    package var metadata: GainMapMetadata
    package var format: GainMapFormat
    /// The map's own profile, which names the primaries of the alternate; empty if there is none.
    package var iccProfile: [UInt8]
    /// New values of decoded samples where they are no logarithms; nil: they are.
    package var recoding: [UInt8]?

    package init(
        bytes: [UInt8], size: PixelSize, isGray: Bool, metadata: GainMapMetadata, format: GainMapFormat, iccProfile: [UInt8] = [],
        recoding: [UInt8]? = nil
    ) {
        self.bytes = bytes
        self.size = size
        self.isGray = isGray
        self.metadata = metadata
        self.format = format
        self.iccProfile = iccProfile
        self.recoding = recoding
    }

    /// Every colour is multiplied by the same number, so that the primaries do not matter.
    package var isNeutral: Bool { isGray && metadata.hasEqualChannels }
}

extension EncodedGainMap: CustomStringConvertible {
    /// `1000×750, up to 4.9 times white (Adobe XMP)`; of a base that is the brighter one `down from 4.9 times white`.
    package var description: String {
        let origin =
            switch format {
            case .adobe: "Adobe XMP"
            case .iso: "ISO 21496-1"
            case .apple: "Apple"
            }
        let light = "\(metadata.isBaseHDR ? "down from" : "up to") \(metadata.headroom.decimal(places: 2)) times white"
        return "\(size)\(isGray ? "" : " in colour"), \(light) (\(origin))"
    }
}
