/// Facts from an image file's header, known before a pixel is decoded.
public struct ImageHeader: Sendable {
    /// Determined by content.
    public var format: ImageFormat
    /// Pixels as stored, before orientation. For animations: the canvas.
    public var size: PixelSize
    /// Nil while the number of an animation's frames is unknown.
    public var frameCount: Int?
    /// Nil for still images, and while it is unknown whether there is an animation.
    public var animation: AnimationInfo?
    /// Independent images in one file, such as the pages of a TIFF: 1 for most files. Page n is decoded with
    /// ``FrameSelection/index(_:)``, and the header then describes that page.
    public var pageCount: Int = 1
    /// The file can hold transparent parts; only its pixels tell whether it does.
    public var hasAlpha: Bool
    /// The orientation that the file requests and the decoder has **not** yet applied.
    public var orientation: Orientation
    /// Stored in several passes of increasing quality (progressive JPEG, interlaced PNG).
    public var isProgressive: Bool
    /// Bits of one channel as stored: 1, 2, 4, 8, 10, 12, 16 or 32.
    public var bitDepth: Int
    /// The colour space of the stored samples.
    public var colorSpace: ColorSpace
    /// The image is not made of pixels, and is drawn at the requested size.
    public var isVector: Bool

    /// Defaults, if only format and size are given: one opaque, upright frame of 8-bit sRGB.
    public init(
        format: ImageFormat, size: PixelSize, frameCount: Int? = 1, animation: AnimationInfo? = nil, hasAlpha: Bool = false,
        orientation: Orientation = .up, isProgressive: Bool = false, bitDepth: Int = 8, colorSpace: ColorSpace = .sRGB,
        isVector: Bool = false
    ) {
        self.format = format
        self.size = size
        self.frameCount = frameCount
        self.animation = animation
        self.hasAlpha = hasAlpha
        self.orientation = orientation
        self.isProgressive = isProgressive
        self.bitDepth = bitDepth
        self.colorSpace = colorSpace
        self.isVector = isVector
    }

    /// Pixels on screen: ``size`` with the orientation applied.
    public var displayedSize: PixelSize { orientation.displayed(size) }
}

/// A file's settings for playing it.
public struct AnimationInfo: Hashable, Sendable {
    /// How often the whole sequence is shown; 0 is for ever; nil: the file does not say.
    public var loopCount: Int?
    /// The stored delays, one for each frame.
    public var delays: [Duration]

    /// Delays are kept as they are; see ``shownDelay(_:)``.
    public init(loopCount: Int?, delays: [Duration]) {
        self.loopCount = loopCount
        self.delays = delays
    }

    /// The delay that players use for a stored delay: 10 ms and less become 100 ms, as in browsers.
    public static func shownDelay(_ stored: Duration) -> Duration {
        stored <= .milliseconds(10) ? .milliseconds(100) : stored
    }
}

/// The colours that the stored samples stand for, before any conversion.
public struct ColorSpace: Hashable, Sendable {
    /// The meaning of the channels.
    public enum Model: String, Hashable, Sendable {
        /// Red, green, blue; palettes too.
        case rgb
        /// One channel of brightness.
        case gray
        /// Four inks.
        case cmyk
        /// Four inks, the first three as luma and chroma (JPEG).
        case ycck
        /// CIE L*a*b*.
        case lab
    }
    /// The model of the file; decoders deliver RGB.
    public var model: Model
    /// An embedded ICC profile; empty if there is none.
    public var iccProfile: [UInt8]
    /// Code points of ITU-T H.273, if the file has them.
    package var cicp: CICP?
    /// Light of the brightest pixel in cd/m², if the file says: MaxCLL of CTA-861.3, otherwise that of the mastering display.
    package var brightest: Int?
    /// The file has amounts of light, which its decoder delivers as PQ.
    package var isLinear = false
    /// The decoder delivers samples of the narrow range of video, in which black is 16 and white 235 of 255 (ITU-T H.273). Those of files in
    /// YCbCr have the full range, whatever ``cicp`` says of their planes.
    package var hasNarrowRange = false

    /// An empty profile means the usual colours of the model, sRGB for `rgb`.
    public init(model: Model, iccProfile: [UInt8] = []) { self.init(model: model, iccProfile: iccProfile, cicp: nil) }

    package init(model: Model, iccProfile: [UInt8] = [], cicp: CICP?, brightest: Int? = nil) {
        self.model = model
        self.iccProfile = iccProfile
        self.cicp = cicp
        self.brightest = brightest
    }

    /// Samples stand for light that may be brighter than white: PQ or HLG.
    package var isHDR: Bool { iccProfile.isEmpty && (cicp?.transfer == 16 || cicp?.transfer == 18) }

    /// RGB without a profile: the default for files that do not say.
    public static let sRGB = ColorSpace(model: .rgb)
}

/// Coding-independent code points, ITU-T H.273: colour primaries, transfer characteristics, matrix coefficients.
package struct CICP: Hashable, Sendable {
    /// Table 2 of H.273; 1 is BT.709, 2 unspecified, 9 BT.2020, 12 Display P3.
    package var primaries: Int
    /// Table 3 of H.273; 13 is sRGB, 2 unspecified, 16 PQ, 18 HLG.
    package var transfer: Int
    /// Table 4 of H.273; 0 is RGB.
    package var matrix: Int
    /// Samples use their full range, not only the studio range of video.
    package var isFullRange: Bool

    /// Accepts any numbers without checks.
    package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// True if no conversion is needed: BT.709 primaries with the sRGB transfer function (or unspecified).
    package var isSRGB: Bool {
        (primaries == 1 || primaries == 2) && (transfer == 13 || transfer == 2 || transfer == 1 || transfer == 6)
    }
}
